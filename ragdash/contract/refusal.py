"""Refusals: whether an answer declines, in the fixed sentence or in any other words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from ragdash.amounts import Amount, Kind, read_amounts
from ragdash.contract.citations import strip_citations
from ragdash.contract.labels import REFUSAL_EN, REFUSAL_ZH

_THING = (
    r"(?:information|context|text|documents?|filings?|data|excerpts?|evidence|reports?|statements?|"
    r"10-?[kq]|8-?k|passages?|sources?|chunks?|materials?|pages?|snippets?)"
)
_VERB = (
    r"(?:include|contain|provide|specify|mention|disclose|have|offer|give|state|indicate|cover|"
    r"report|list|show|present|supply|reveal|discuss|say|speak|refer|break\s+(?:out|down)|detail|address)"
)
_ADVERB = (
    r"(?:(?:explicitly|directly|specifically|actually|clearly|currently|definitively|\w+ly)\s+)?"
)
_DECLINE_EN = re.compile(
    rf"{_THING}(?:[^.!?\n]|\.(?=\d)){{0,60}}?\b(?:does|do|did)(?:\s+not|n't)\s+{_ADVERB}(?:appear\s+to\s+)?{_VERB}"
    rf"|\b(?:can\s?not|can't|could\s+not|couldn't|unable\s+to|not\s+able\s+to|(?:im|not\s+)possible\s+to)\s+"
    rf"(?:be\s+)?{_ADVERB}(?:calculat|determin|answer|provid|comput|find|found|give|ascertain|confirm|"
    r"assess|conclude|say|tell|locat|identif|access|make|draw|retriev|verif|deriv)\w*"
    r"|\bI\s+(?:do\s+not|don't)\s+(?:know|have|see)\b|\bI'm\s+sorry\b|\bI\s+apologi[sz]e\b|\bas\s+an\s+AI\b"
    rf"|\bno\s+(?:\w+\s+){{0,2}}(?:information|mention|data|details?|figures?|disclosure|evidence)\b"
    rf"|\bnot\s+(?:\w+ly\s+)?(?:provided|available|disclosed|specified|included|mentioned|given|found|"
    r"stated|reported|contained|present|listed)\b"
    r"|\b(?:insufficient|not\s+enough|lacks?|missing)\s+(?:\w+\s+){0,2}(?:information|data|details?|evidence|context)\b"
    rf"|{_THING}\s+(?:\w+\s+){{0,3}}?(?:is|are|remains?)\s+(?:\w+ly\s+)?silent\b"
    rf"|\bnothing\s+(?:in|about|on)\b[^.!?\n]{{0,40}}?\b{_THING}"
    r"|\b(?:we|you|I)(?:'d|\s+would)?\s+(?:still\s+)?need\s+(?:to\s+(?:know|have|look|refer|find)|the|more|additional|access)\b",
    re.I,
)
_DECLINE_ZH = re.compile(
    r"(?:未能?|没有?|无法|不能|并未|尚未|暂未|没能)[^。;!?,\n]{0,8}?"
    r"(?:查询|检索|查找|搜索|查|找|检测)(?:到|得)|没有发现[^。;!?,\n]{0,40}(?:信息|资料|数据)"
    r"|(?:无法|不能|难以|没法|没办法|无从)[^。;!?\n]{0,12}?"
    r"(?:回答|计算|得出|提供|确定|查询|获取|得知|判断|确认|作答|给出|核实|算出|推算)"
    r"|(?:资料|数据|材料|上下文|片段)(?:并|均|中|里|内|尚|并未)?"
    r"(?:不足|不够|不充分|缺失|(?:没有|未)(?!经|变|发生|调整|重述))"
    r"|(?:资料|材料|上下文|片段|文档|文件|报告|年报|文中|原文)[^。;!?,\n]{0,8}(?:没有?|未)能?(?:看|见|提)[到及]"
    r"|(?:没有?|未)能?(?:看|见|提)到[^。;!?,\n]{0,12}(?:内容|信息|资料|数据|说明|披露)"
    r"|(?:没有|缺乏|缺少)(?:足够|充分|相关|相应|直接|明确|有效|可用|必要)[^。;!?,\n]{0,8}"
    r"(?:信息|资料|数据|内容|依据|材料|证据)(?!泄)"
    r"|暂无(?=[^。;!?,\n]{0,10}(?:信息|数据|资料|答案|结果|内容|说明|依据|记载|披露)|\s*(?:[。;!?,\n]|$))"
    r"|超出[^。;!?\n]{0,12}(?:范围|能力)|不知道|不清楚|查不到|找不到|不得而知"
)
_UNSTATED_ZH = re.compile(
    r"(?:未|没有|并未|并没有|尚未|暂未)(?:在[^。;!?,\n]{0,16})?(?:被|单独|明确|直接|具体)?"
    r"(?:提供|披露|提及|包含|给出|列示|说明|公布|公开)(?![^。;!?,\n]{0,30}情况)"
)
_SHORT_ZH = 60
_CANNOT_EN = re.compile(
    rf"\b(?:can\s?not|can't|could\s+not|couldn't|unable\s+to|not\s+able\s+to|(?:im|not\s+)possible\s+to)"
    rf"\s+{_ADVERB}(?:calculat|determin|answer|provid|comput|give|deriv|ascertain)\w*"
    r"|\bwould\s+(?:still\s+)?need\b|\bif\s+you\s+(?:can|could)\s+provide\b",
    re.I,
)
_CANNOT_ZH = re.compile(
    r"(?:无法|不能|难以)[^。;!?\n]{0,12}?(?:回答|计算|得出|提供|确定|作答|给出|算出)"
)
_ANSWER_IS = re.compile(r"\banswer\s+is\s+\S*\d|答案[是为:：]\s*\S*\d", re.I)
_HYPOTHETICAL = re.compile(
    r"\b(?:would\s+(?:need|be|have)|if\s+(?:we|you|the)|for\s+example|assum|hypothetic|suppose|formula)|假设|例如|公式",
    re.I,
)
_SENTENCE = re.compile(
    r"[^。！？!?；;\n.]*(?:\.(?!\s|$)[^。！？!?；;\n.]*)*(?:[。！？!?；;\n]|\.(?=\s|$)|$)"
)
_BRACKET = re.compile(r"[(（][^()（）\n]*[)）]")
_CLAUSE = re.compile(r"[，,;；](?!\d)")
# clauses that report what the excerpts hold, or grant a point, state no answer of their own
_ASIDE = re.compile(
    rf"\b{_THING}\b|\b(?:although|though|while|whereas|given|based\s+on|despite|only|since|because)\b"
    r"|资料|材料|上下文|片段|文档|仅|只|根据|依据|基于|由于|虽然|尽管|因为|如果|若",
    re.I,
)
_COUNTED = re.compile(
    r"[人名股家台辆吨户店]\Z|(?:employees?|people|persons?|shares?|stores?|customers?|subscribers?"
    r"|users?|members?|vehicles?|restaurants?|patents?)\Z",
    re.I,
)
_STATED = (Kind.MONEY, Kind.PERCENT, Kind.PP, Kind.PER_SHARE, Kind.RATIO, Kind.DAYS)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Whether an answer declines.

    `is_refusal`: it declines, in any wording, and states no figure as the answer. `fixed_text`: it
    uses the contract's sentence. `refusal_with_answer`: it declines and states a figure all the
    same, which is an answer and a breach of the contract.
    """

    is_refusal: bool
    fixed_text: bool
    refusal_with_answer: bool


def read_refusal(text: str) -> Refusal:
    """Return whether a text declines to answer (rule: the project's metric definitions, refusal).

    A figure counts as given when a sentence that does not itself decline asserts it. An empty
    text is no refusal.
    """
    plain = strip_citations(text)
    fixed = has_fixed_refusal(plain)
    sentences = [s for s in _SENTENCE.findall(plain) if s.strip()]
    short = len(plain) <= _SHORT_ZH
    declining = [_declines(s, short) for s in sentences]
    if not fixed and not any(declining):
        return Refusal(False, False, False)
    return _decide(sentences, declining, fixed)


def _declines(sentence: str, short: bool) -> bool:
    """Whether a sentence declines; 未披露 in a long Chinese text is one remark among others."""
    said = _BRACKET.sub(" ", sentence)
    if not said.strip(" .。!?！？\n"):
        said = sentence
    if _DECLINE_EN.search(said) or _DECLINE_ZH.search(said):
        return True
    return short and _UNSTATED_ZH.search(said) is not None


def has_fixed_refusal(text: str) -> bool:
    """Whether the contract's fixed sentence stands in a text; width, case and blanks are free."""
    folded = "".join(unicodedata.normalize("NFKC", text).casefold().split())
    fixed = (REFUSAL_ZH, "".join(REFUSAL_EN.casefold().split()))
    return any(f in folded for f in fixed)


def _decide(sentences: list[str], declining: list[bool], fixed: bool) -> Refusal:
    """Weigh the figures given: those before a conclusion that none can be had are partial ones."""
    given = [
        len(_beside_decline(s) if d else _given(s))
        for s, d in zip(sentences, declining, strict=True)
    ]
    last = max((i for i, s in enumerate(sentences) if _concludes(s)), default=-1)
    figures = sum(given[last + 1 :]) if last >= 0 and not given[last] else sum(given)
    refused = figures == 0
    return Refusal(refused, fixed, not refused)


def _concludes(sentence: str) -> bool:
    return bool(_CANNOT_EN.search(sentence) or _CANNOT_ZH.search(sentence))


def _given(sentence: str) -> list[Amount]:
    stated = [a for a in read_amounts(sentence) if a.asserted]
    if _ANSWER_IS.search(sentence):
        return stated
    if _HYPOTHETICAL.search(sentence):
        return []
    return [a for a in stated if a.kind in _STATED or _is_counted(a)]


def _is_counted(amount: Amount) -> bool:
    """Whether a count is of people, shares or the like, which are asked for, not of documents."""
    return amount.kind is Kind.COUNT and _COUNTED.search(amount.unit) is not None


def _beside_decline(sentence: str) -> list[Amount]:
    """Figures that a declining sentence states: after "but" or 据我所知, or in clauses before."""
    turn = re.search(
        r"但|不过|然而|据我所知|\b(?:but|however|although|yet|to my knowledge)\b", sentence, re.I
    )
    after = _given(sentence[turn.end() :]) if turn else []
    found: list[Amount] = []
    for clause in _CLAUSE.split(sentence):
        if _declines(clause, short=True):
            break
        if not _ASIDE.search(clause):
            found += _given(clause)
    return after or found
