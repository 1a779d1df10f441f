"""The label and the period that an amount stands under."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from ragdash.caliber.names import NameHit
from ragdash.caliber.periods import PeriodHit, find_periods
from ragdash.caliber.terms import TermHit, find_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SENTENCE_END = re.compile(r"[。；;!?！？]|\n\s*\n|\n(?=\s*[|*•-])|\|\s*\n|\.(?=\s+[A-Z]|\s*$)")
_STEP = 128
# the comma of September 30, 2023 ends nothing
_CLAUSE_END = re.compile(r"[，；;。\n|]|,(?!(?<=\d,)\s?(?:(?:199|20\d)\d|$))")
_RIGHT_LINK = re.compile(r"\s*(?:in|of|的|for|[(（])\s*(?:total |the )?", re.I)
_HEADING_END = re.compile(r"[:：]\s*(?:\n[\s|*•-]*)?")
_CLOSED = re.compile("[)）]")
_EACH = re.compile(r"分别|依次|respectively", re.I)
_FIGURE = re.compile(
    r"(?<![A-Za-z0-9_.])(?!(?:199|20\d)\d(?:年|[\s,.;)）]|$)(?!\s?[万亿]))\d[\d,]*(?:\.\d+)?"
)
_ALIAS = re.compile(r"\s?[(（,，]?\s?(?:即|i\.e\.)?\s?")
_BESIDE = re.compile(
    r"\s?(?:[%％]|[百千]?[万亿]?(?:元|人|股|美元)?|million|billion)\s?"
    r"(?:、|和|与|及|以及|,?\sand\s|,)\s?(?:the\s|其他|RMB\s?|人民币)?[$¥￥]?-?"
)
_SINCE = re.compile(r"(?:从|由|自|较|比|(?<![a-z])from )$", re.I)
_FAR = 600
_NAMED = 200

Hit = TypeVar("Hit", TermHit, PeriodHit, NameHit)


def sentence_around(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return the half-open range of the sentence or table row that holds a span.

    At least 600 characters to either side are looked at, and no more than 728: neighbours in a text
    without sentences then share their range, and what is found in it.
    """
    low = max(0, (span[0] - _FAR) // _STEP * _STEP)
    high = min(len(text), -((-span[1] - _FAR) // _STEP) * _STEP)
    start = low
    for match in _SENTENCE_END.finditer(text, low, span[0]):
        start = match.end()
    ending = _SENTENCE_END.search(text, span[1], high)
    return start, ending.start() if ending else high


def nearest_term(text: str, span: tuple[int, int]) -> TermHit | None:
    """Return the metric term that an amount at `span` stands under, None if none is near.

    Within the sentence or table row: one that follows through "in", "of", 的 or a bracket, else the
    nearest to the left, else the nearest to the right before another figure. In a list of terms and
    a list of figures (分别, respectively) the one in its turn. Without any, the last term of a line
    above that ends in a colon.
    """
    start, end = sentence_around(text, span)
    hits = _moved(find_terms(text[start:end]), start)
    hit = _in_turn(text, span, (start, end), hits) or _nearest(text, span, hits)
    if hit is not None:
        return hit
    above = text[max(0, start - _FAR) : start]
    heading = _moved(find_terms(above), start - len(above))
    tail = _HEADING_END.search(above, max(0, len(above) - 200))
    return heading[-1] if heading and tail is not None else None


def nearest_period(text: str, span: tuple[int, int]) -> PeriodHit | None:
    """Return the period nearest to an amount in its sentence, left first, None if none is near.

    A year and a part (quarter, half) that stand in one clause are joined.
    """
    start, end = sentence_around(text, span)
    hits = [h for h in _moved(find_periods(text[start:end]), start) if _still_holds(text, h, span)]
    hit = _period_in_turn(text, span, (start, end), hits) or _nearest(text, span, hits)
    if hit is None or (hit.year and hit.part):
        return hit
    if hit.prior:
        return _resolved(text, hit, hits, start)
    clause = [h for h in hits if not _CLAUSE_END.search(text, *_between(h.span, hit.span))]
    year = hit.year or next((h.year for h in reversed(clause) if h.year), None)
    part = hit.part or next((h.part for h in reversed(clause) if h.part), None)
    return PeriodHit(year, part, hit.span)


def nearest_name(
    text: str, span: tuple[int, int], find: Callable[[str], Sequence[NameHit]]
) -> NameHit | None:
    """Return whose figure an amount is: the name in its sentence, else the last one shortly before.

    Args:
        text: the answer.
        span: where the amount stands.
        find: finds names in a piece of the text, by where they stand in that piece.
    """
    start, end = sentence_around(text, span)
    hits = [_move(h, start) for h in find(text[start:end])]
    hit = _in_turn(text, span, (start, end), hits) or _nearest(text, span, hits)
    if hit is not None:
        return hit
    low = max(0, start - _NAMED)
    before = find(text[low:start])
    return _move(before[-1], low) if before else None


def _still_holds(text: str, hit: PeriodHit, span: tuple[int, int]) -> bool:
    """Whether 上年 or 从2021年 reaches an amount: it is the next figure's and no later one's."""
    if _FIGURE.search(text, *_between(hit.span, span)) is None:
        return True
    return not hit.prior and _SINCE.search(text, max(0, hit.span[0] - 6), hit.span[0]) is None


def _period_in_turn(
    text: str, span: tuple[int, int], bounds: tuple[int, int], hits: Sequence[PeriodHit]
) -> PeriodHit | None:
    """2022年第一季度和第二季度分别为: the list is of quarters, 2022 stands over all of them."""
    lists = hits, [h for h in hits if h.year], [h for h in hits if h.part]
    return next((h for listed in lists if (h := _in_turn(text, span, bounds, listed))), None)


def _resolved(text: str, hit: PeriodHit, hits: Sequence[PeriodHit], start: int) -> PeriodHit:
    """上年同期 with its year: the one said with it, else the one before the year stated last."""
    own = [h for h in hits if h.year and _ALIAS.fullmatch(text, hit.span[1], h.span[0])]
    if own:
        return PeriodHit(own[0].year, hit.part, hit.span, prior=True)
    low = max(0, start - _FAR)
    before = [h.year for h in find_periods(text[low : hit.span[0]]) if h.year]
    return PeriodHit(before[-1] - 1 if before else None, hit.part, hit.span, prior=True)


def _between(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    return min(a[1], b[1]), max(a[0], b[0])


def _moved(hits: Sequence[Hit], by: int) -> list[Hit]:
    return [_move(h, by) for h in hits]


def _move(hit: Hit, by: int) -> Hit:
    span = (hit.span[0] + by, hit.span[1] + by)
    if isinstance(hit, PeriodHit):
        return PeriodHit(hit.year, hit.part, span, hit.prior)
    if isinstance(hit, NameHit):
        return NameHit(hit.name, span, hit.asked)
    return TermHit(hit.key, hit.family, hit.attribution, hit.scope, span, hit.alias)


def _nearest(text: str, span: tuple[int, int], hits: Sequence[Hit]) -> Hit | None:
    right = [h for h in hits if h.span[0] >= span[1]]
    if right and _links(text, span[1], right[0]):
        return right[0]
    left = [h for h in hits if h.span[1] <= span[0]]
    if left:
        return _before_bracket(text, span[0], left)
    # "was $383 million, compared with $394 million in 2022": the year belongs to the later figure.
    # 上年同期 is of what follows it
    right = [h for h in right if not (isinstance(h, PeriodHit) and h.prior)]
    own = right[:1] if right and not _FIGURE.search(text, span[1], right[0].span[0]) else []
    return own[0] if own and not _in_another_s_bracket(text, span[1], own[0].span[1]) else None


def _in_another_s_bracket(text: str, end: int, hit_end: int) -> bool:
    """Whether a bracket after the amount holds the hit and a figure of its own (2022年：12亿元)."""
    if not _closes(text, hit_end, min(len(text), hit_end + _FAR)) or _closes(text, end, hit_end):
        return False
    closed = _CLOSED.search(text, hit_end)
    return _FIGURE.search(text, hit_end, closed.start() if closed else len(text)) is not None


def _links(text: str, end: int, hit: TermHit | PeriodHit | NameHit) -> bool:
    """Whether what follows an amount names it: "in 2022", 的营业收入, or a bracket without figure.

    1,476.94亿元（营业总收入1,505.60亿元） names another figure in its bracket.
    """
    link = _RIGHT_LINK.fullmatch(text, end, hit.span[0])
    if link is None:
        return isinstance(hit, PeriodHit) and hit.prior and not text[end : hit.span[0]].strip()
    if "(" not in link[0] and "（" not in link[0]:
        return True
    closed = _CLOSED.search(text, hit.span[1])
    return _FIGURE.search(text, hit.span[1], closed.start() if closed else len(text)) is None


def _in_turn(
    text: str, span: tuple[int, int], bounds: tuple[int, int], hits: Sequence[Hit]
) -> Hit | None:
    """Return the hit that stands in the same place of its list as an amount in the list of figures.

    2023年和2022年营业收入分别为A和B; "A and B in 2023 and 2022, respectively".
    """
    if len(hits) < 2:
        return None
    if _EACH.search(text, *bounds) is None:
        return _side_by_side(text, span, bounds, hits)
    dates = _moved(find_periods(text[slice(*bounds)]), bounds[0])
    figures = [
        m.span()
        for m in _FIGURE.finditer(text, *bounds)
        if not any(d.span[0] <= m.start() < d.span[1] for d in dates)
    ]
    turn = [at for at, figure in enumerate(figures) if figure[0] < span[1] and span[0] < figure[1]]
    for listed in (
        [h for h in hits if figures and h.span[1] <= figures[0][0]],
        [h for h in hits if figures and h.span[0] >= figures[-1][1]],
    ):
        if turn and len(listed) == len(figures) > 1:
            return listed[turn[0]]
    return _side_by_side(text, span, bounds, hits)


def _side_by_side(
    text: str, span: tuple[int, int], bounds: tuple[int, int], hits: Sequence[Hit]
) -> Hit | None:
    """The same without 分别: 利润总额和净利润为A和B; A、B是…的销售费用、管理费用."""
    figures = [m.span() for m in _FIGURE.finditer(text, *bounds)]
    rows = _runs(text, figures, _BESIDE)
    for row in rows:
        turn = [at for at, one in enumerate(row) if one[0] < span[1] and span[0] < one[1]]
        if not turn or len(row) < 2:
            continue
        lists = [r for r in _runs(text, [h.span for h in hits], _BESIDE) if len(r) == len(row)]
        before = [r for r in lists if r[-1][1] <= row[0][0]]
        after = [r for r in lists if r[0][0] >= row[-1][1]]
        listed = before[-1] if before else after[0] if after else None
        if listed is not None:
            return next(h for h in hits if h.span == listed[turn[0]])
    return None


def _runs(
    text: str, spans: Sequence[tuple[int, int]], link: re.Pattern[str]
) -> list[list[tuple[int, int]]]:
    """Part spans into runs whose neighbours are joined as in a list."""
    runs: list[list[tuple[int, int]]] = []
    for span in spans:
        if runs and link.fullmatch(text, runs[-1][-1][1], span[0]):
            runs[-1].append(span)
        else:
            runs.append([span])
    return runs


def _before_bracket(text: str, at: int, left: Sequence[Hit]) -> Hit:
    """Return the last hit to the left, or the label whose closed bracket holds that hit.

    净利润（含少数股东损益）775.22 亿元 is a net profit: what the bracket holds qualifies it.
    """
    last = left[-1]
    if _closes(text, last.span[1], at) and isinstance(last, TermHit):
        opened = max(text.rfind("（", 0, last.span[0]), text.rfind("(", 0, last.span[0]))
        outside = [h for h in left if h.span[1] <= opened]
        if outside and not text[outside[-1].span[1] : opened].strip():
            return outside[-1]
    return last


def _closes(text: str, start: int, end: int) -> bool:
    """Whether a bracket that is open at `start` closes before `end`."""
    depth = 0
    for char in text[start:end]:
        depth += (char in "（(") - (char in "）)")
        if depth < 0:
            return True
    return False
