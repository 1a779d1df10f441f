"""Whose figure it is: the names that a question asks about, and those of an answer.

Nothing here knows any company. A name is what is left of a clause when periods, terms, figures and
the common words of data/caliber/terms.toml are taken out, where it stands as a subject does:
五粮液2023年, 五粮液的营业收入, "Microsoft's revenue", "Microsoft reported".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ragdash.caliber.kept import kept
from ragdash.caliber.periods import find_periods
from ragdash.caliber.pieces import Span, find_pieces, goes_on
from ragdash.caliber.samename import is_chinese, may_be_a_name, same_name, shares_a_word
from ragdash.caliber.terms import find_terms
from ragdash.caliber.wholename import stem, whole_name

_ZH_TAIL = (
    r"(?:股份有限公司|有限责任公司|有限公司|集团公司|公司|集团|股份|控股"
    r"|[（(]\d{6}[)）]|[AB]股|'s|\s)*"
)
_SUBJECT = re.compile(_ZH_TAIL + r"(?:在|于|的|：|:|\|)?\s?")
_SAYS = re.compile(_ZH_TAIL + r"(?:则|也|共)?(?:实现|录得|取得|报告|公布)")
# 五粮液为832.72亿元 may be a company or, 信用损失为1.5亿元, a metric that no term knows
_IS = re.compile(_ZH_TAIL + r"(?:则|也|共)?(?:为|是|高?达到?|约|有|\||:|：|\s){0,3}(?=\d)")
_A_METRIC = re.compile(
    r"(?:损失|准备|费用?|支出|收[入益到]|利润|资产|负债|债|金额|余额|成本|税|率|额|数|款|现金|股[数本]|量|比"
    r"|值|占比|利息|薪酬|存款|贷款|投资|权益|摊销|折旧|补助|人|家|地址|时间|日期)$"
)
# 增值服务收入为3亿元，总收入为6亿元: the second figure is not of a company called so
_A_PART = re.compile(r"(?:服务|业务|产品|板块|分部|事业部|事业群)$")
_VERB = re.compile(
    r"(?:,? (?:Inc|Corp|Co|Ltd|LLC|plc|PLC|N\.V|S\.A|AG|SE)\b\.?)?"
    r"(?:['’]s?(?= )|['’]s$|,? (?:also |has |had |having |which )?"
    r"(?:reported|posted|recorded|generated|had|has|earned|achieved|delivered|booked|made|saw"
    r"|brought in|spent|paid|held|recognized|disclosed|stated|with revenue|with net)\b"
    r"| (?:and|&) [A-Z][\w&.-]*(?: [A-Z][\w&.-]*){0,3},? (?:had|have|reported|posted|generated)\b"
    r"|\s?(?:[:|]|at|is|was|were|contributed|,)\s?(?=[$€£¥]))"
)
_BEFORE = re.compile(r"(?:^|[\s,(])(?:[Ff]or|[Aa]t|[Bb]y) $")
_ASIDE_EN = re.compile(r"(?:[Uu]nlike|[Rr]ather than|[Cc]ompared (?:with|to)) $")
_ASIDE_ZH = re.compile(r"(?:[与和同跟]|不同于)$")
_APART_ZH = re.compile(r"[^。，,\d]{0,4}(?:相比|不同|对比|类似|一样)[，,]")
_SOURCE = re.compile(r"['’]s (?:audit|opinion|discussion|report by|database|analyst)")
_ASKED_TAIL = re.compile(r"(?:谁|各|哪|两|分别|股份有限公司|公司|[和与及、或]|还是)")
_PERIOD_BEFORE = re.compile(r"(?:\d{4}\s?年?度?|年|比较|对比|[，,])\s?$")


@dataclass(frozen=True, slots=True)
class NameHit:
    """A name as written, half-open span; `asked` is its place among the names of the question."""

    name: str
    span: Span
    asked: int | None = None


@lru_cache(16)
def asked_names(question: str) -> tuple[str, ...]:
    """Return the names that a question asks about, in order: companies, products, segments."""
    found: list[str] = []
    for name, span in find_pieces(question):
        if is_chinese(name) and (_A_METRIC.search(name) or not may_be_a_name(name)):
            continue
        if is_chinese(name) and not _is_asked(question, span):
            continue
        if not any(same_name(name, other) for other in found):
            found.append(name)
    if not found and (whole := whole_name(question)):
        found.append(whole[0])
    return tuple(found)


def find_names(text: str, question: str) -> tuple[NameHit, ...]:
    """Return the names of an answer in order: those asked for wherever, others as a subject.

    A name that the question holds without asking about it is left out.
    """
    asked, known = asked_names(question), _known(question)
    hits: list[NameHit] = []
    scripts = {is_chinese(name) for name in asked}
    for name, span in find_pieces(text):
        if is_chinese(name) not in scripts:
            continue
        place = next((i for i, a in enumerate(asked) if same_name(name, a)), None)
        if place is not None:
            if not _aside(text, span):
                hits.append(NameHit(name, span, place))
        elif any(same_name(name, other) for other in known):
            continue
        elif hits and goes_on(text, hits[-1].span, span):
            hits[-1] = NameHit(hits[-1].name, (hits[-1].span[0], span[1]), hits[-1].asked)
        elif _stands_alone(text, span, contrasted=bool(hits)):
            hits.append(NameHit(name, span))
    hits += _broken(text, asked)
    whole = whole_name(text) if any(scripts) else None
    if whole and not shares_a_word(whole[0], question) and not _covered(whole[1], hits):
        hits.append(NameHit(*whole))
    return tuple(sorted(hits, key=lambda hit: hit.span))


def _covered(span: Span, hits: list[NameHit]) -> bool:
    return any(hit.span[0] < span[1] and span[0] < hit.span[1] for hit in hits)


def _broken(text: str, asked: tuple[str, ...]) -> list[NameHit]:
    """The names asked for that are no pieces of a text, as common words break them: 美的集团."""
    return [
        NameHit(name, match.span(), place)
        for place, name in enumerate(asked)
        if len(stem(name)) > 1 and is_chinese(name)
        if not any(may_be_a_name(piece) for piece, _ in find_pieces(name))
        for match in re.finditer(re.escape(stem(name)), text)
    ]


def _stands_alone(text: str, span: Span, *, contrasted: bool) -> bool:
    """Whether a piece that the question does not hold is a subject of its own, and no metric."""
    name = text[slice(*span)]
    if not may_be_a_name(name) or _aside(text, span):
        return False
    if not is_chinese(name):
        return _is_subject(text, span)
    if _A_METRIC.search(name) or _A_PART.search(name):
        return False
    return _is_subject(text, span) or (contrasted and _IS.match(text, span[1]) is not None)


@lru_cache(16)
def _known(question: str) -> tuple[str, ...]:
    return tuple(name for name, _ in find_pieces(question))


def _is_asked(question: str, span: Span) -> bool:
    """Whether a piece of a question is what it asks about, or is listed with such a piece."""
    return (
        _is_subject(question, span)
        or _ASKED_TAIL.match(question, span[1]) is not None
        or _PERIOD_BEFORE.search(question[max(0, span[0] - 8) : span[0]]) is not None
    )


def _is_subject(text: str, span: Span) -> bool:
    if not is_chinese(text[slice(*span)]):
        if _SOURCE.match(text, span[1]):
            return False
        before = _BEFORE.search(text[max(0, span[0] - 5) : span[0]])
        return before is not None or _VERB.match(text, span[1]) is not None
    if _SAYS.match(text, span[1]):
        return True
    subject = _SUBJECT.match(text, span[1])
    return (subject.end() if subject else span[1]) in _label_starts(text)


@kept
def _label_starts(text: str) -> frozenset[int]:
    periods = {h.span[0] for h in find_periods(text)}
    return frozenset(periods | {h.span[0] for h in find_terms(text)})


def _aside(text: str, span: Span) -> bool:
    """Whether a name is only set beside the subject: "unlike Microsoft", 与五粮液相比."""
    before = text[max(0, span[0] - 16) : span[0]]
    if not is_chinese(text[slice(*span)]):
        aside = _ASIDE_EN.search(before)
        return aside is not None and not re.match(r"['’]s", text[span[1] : span[1] + 2])
    return _ASIDE_ZH.search(before) is not None and _APART_ZH.match(text, span[1]) is not None
