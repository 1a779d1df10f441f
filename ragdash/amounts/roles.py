"""What a text does with its amounts: states, denies, bounds, offers or only computes with them."""

from __future__ import annotations

import itertools
import re
from decimal import Context, Decimal
from typing import TYPE_CHECKING

from ragdash.amounts.amount import Kind, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.amounts.amount import Amount

_HEDGE = r"(?:大?约|近|将近|大概|about|approximately|nearly|almost|roughly|around|the|a|some|of)"
_DENIED = re.compile(
    r"(?:并不是|不是|并非|而非|不等于|不为|绝非|并未达到|而不是"
    r"|(?<![a-z])(?:not|isn't|wasn't|aren't|rather than|instead of)(?! only))\s?"
    rf"(?:{_HEDGE}\s?)*[^\d。;,，.!?\n]{{0,12}}$",
    re.I,
)
_UNCONFIRMED = re.compile(
    r"(?:无法|不能|未能|没有|未)(?:确认|证实|核实|验证|支持|找到|提供|提[及到]|检索到|证据|包含|说明|给出)[^。;,!?\n]{0,24}$"
    r"|(?:(?:does|do|did|can|could)(?: not|n't)|cannot|unable to|no evidence)\s"
    r"(?:\w+\s){0,2}?(?:confirm|verify|support|state|mention|include|contain|find|provide|show)\w*"
    r"[^.;!?\n]{0,60}$"
    r"|(?<![a-z])(?:(?:not|n't|cannot|unable\sto)\s(?:\w+\s){0,2}?(?:know|determine|establish|tell"
    r"|say|sure|certain|clear)|don't\sknow|can't\ssay|unclear)\s(?:if|whether)\s[^.;!?,\n]{0,50}$"
    r"|(?:无法|不能|难以|不)(?:判断|确定|得知|知道|断定|清楚|确认)[^。;,!?\n]{0,8}是否[^。;,!?\n]{0,16}$"
    r"|(?<![a-z])(?:no\s(?:evidence|proof|indication|confirmation|mention)\s(?:that|of|for)"
    r"|(?:incorrect|wrong|false|untrue|inaccurate|not\s(?:true|correct|right|the\scase))\s(?:that|to))"
    r"(?![a-z])[^.;!?\n]{0,60}$",
    re.I,
)
_DENIED_AFTER = re.compile(
    r"[^。;,，.!?\d\n]{0,12}(?:有误|不正确|是错误的|不准确|不对|并不成立)"
    r"|,\s?(?:但|不过|可)?(?:这|该|此)[^。;\d\n]{0,10}?(?:错误|不正确|有误|不对|不实|不准确|不成立)"
    r"|,?\s?(?:but|and|which|this|that)?\s?(?:this|that|which|it)\s(?:figure\s|number\s)?"
    r"(?:is|was)\s(?:wrong|incorrect|false|inaccurate|untrue|not\s(?:correct|right|true))"
    r"|[ \xa0](?:figure\s)?(?:is|was)\s(?:wrong|incorrect|not\s(?:correct|right|confirmed))",
    re.I,
)
_CORRECTED = re.compile(
    r"更正|纠正|应为|应该是|修正为|实为|写错|正确(?:的)?(?:数[字值]|金额|答案)|correction"
    r"|应是|不对[,。]|should (?:be|read)|corrected(?: to|:)"
    r"|(?:that|this|which)(?:'s| is| was) (?:wrong|incorrect)"
    r"|(?:correct|right|actual) (?:figure|number|value|amount|answer)",
    re.I,
)
_BOUND_BEFORE = re.compile(
    r"(?:不?超过|超出|超|逾|突破|不?高于|不?大于|不?低于|不?少于|不?多于|至少|至多|最多"
    r"|(?<!历史)(?<!史上)(?<!年来)(?<!有史以来)(?<!创下)(?<!创)(?<!记录)(?<!纪录)最[高低]"
    r"|不足|不到|小于|少于|不及|上限|下限"
    r"|(?<![a-z])(?:(?:more|less|fewer|greater|higher|lower|no more|no less)\sthan|over|above"
    r"|exceed(?:s|ed|ing)?"
    r"|at\sleast|at\smost|under|below|up\sto|a\s(?:minimum|maximum)\sof|in\sexcess\sof|north\sof|south\sof|upwards?\sof)"
    r"|[<>≥≤])[ \xa0]?(?:人民币|RMB|US)?[ \xa0]?$",
    re.I,
)
# 以上数据来源于 is the next sentence's subject
_BOUND_AFTER = re.compile(
    r"[ \xa0]?(?:以[上下](?!\s?(?:数|内容|信息|资料|所|均|为|是|来源|结果|计算|分析"
    r"|简称|合计|各|几|这|仅|金额))"
    r"|以内|之上|or (?:more|less|higher|lower)(?![a-z]))"
)
_RANGE_LINK = re.compile(
    r"[ \xa0]?(?:-|–|—|~|～|至|到|to)[ \xa0]?(?:\$|¥|€|£|人民币|RMB|US\$)?[ \xa0]?", re.I
)
_BETWEEN = re.compile(r"(?<![a-z])between\s[^\d\n]{0,12}$|介于\s?$", re.I)
_CHANGE = re.compile(r"(?:从|由|自|from)\s?[^\d。;!?\n]{0,12}$", re.I)
_OR_LINK = re.compile(
    r"[ \xa0]?(?:、|,?(?:或者?|或是|抑或|还是)|,|/|,?[ \xa0]?(?<![a-z])or(?![a-z]))[ \xa0]?"
    r"(?:either\s)?",
    re.I,
)
_ALSO = re.compile(
    r"[也亦]可能|(?<![a-z])(?:(?:could|may|might)\salso\sbe|or\s(?:maybe|perhaps|possibly))", re.I
)
_OR = re.compile(r"或|还是|(?<![a-z])or(?![a-z])", re.I)
_PERHAPS = re.compile(
    r"(?:也许|或许|可能(?:是|为)|不确定是否"
    r"|(?<![a-z])(?:might|may|could) (?:be|have been)|perhaps|possibly)"
    r"[^\d。;,!?\n]{0,12}$",
    re.I,
)
_OPERATOR_AFTER = re.compile(
    r"[\s)]{0,3}(?:[+×*/÷]|-(?=\s)|−|x\s|减(?:去|(?=[\d(]))|加(?:上|(?=[\d(]))"
    r"|除以|乘以|divided by|minus|plus|times)\s?",
    re.I,
)
_OPERATOR_BEFORE = re.compile(
    r"(?:[+×*/÷(]|(?<=\s)-|减去?|加上?|除以|乘以|divided by|minus|plus|multiplied by)\s?[(\[]?\s?$",
    re.I,
)
_SAYING = re.compile(r"[^\W\d_]|[<>≥≤]")
_EXACT = Context(prec=120)
_CLOSE = Decimal("0.005")
_LINE_END = re.compile(r"[。;!?\n]|\.\s+[A-Z]")


def assign_roles(
    text: str, amounts: Sequence[Amount], spans: Sequence[tuple[int, int]]
) -> list[Role]:
    """Return a role for each amount, given where it stands in the folded text."""
    roles = [a.role for a in amounts]
    live = [i for i, a in enumerate(amounts) if a.role is Role.ASSERTED]
    for i in live:
        roles[i] = _own_role(text, spans[i])
    _ranges(text, amounts, spans, live, roles)
    _alternatives(text, amounts, spans, live, roles)
    _second_thoughts(text, amounts, spans, live, roles)
    _corrections(text, spans, live, roles)
    _computations(text, spans, live, roles)
    return roles


def _own_role(text: str, span: tuple[int, int]) -> Role:
    before, start, end = text[max(0, span[0] - 90) : span[0]], span[0], span[1]
    near = text[max(0, start - 30) : start]
    if _SAYING.search(before) is None:
        after = _DENIED_AFTER.match(text, end), _BOUND_AFTER.match(text, end)
        return Role.NEGATED if after[0] else Role.BOUND if after[1] else Role.ASSERTED
    if _DENIED.search(near) or _UNCONFIRMED.search(before) or _DENIED_AFTER.match(text, end):
        return Role.NEGATED
    if _BOUND_BEFORE.search(near) or _BOUND_AFTER.match(text, end):
        return Role.BOUND
    if _PERHAPS.search(near):
        return Role.HEDGED
    return Role.ASSERTED


def _ranges(
    text: str,
    amounts: Sequence[Amount],
    spans: Sequence[tuple[int, int]],
    live: Sequence[int],
    roles: list[Role],
) -> None:
    """Both ends of a range; a rise of 20% to $3 million has two kinds and is none."""
    for a, b in itertools.pairwise(live):
        if len({amounts[a].kind, amounts[b].kind} - {Kind.BARE}) > 1:
            continue
        if amounts[b].text == "1" and amounts[a].value > 1 and text.startswith(" to ", spans[a][1]):
            roles[b] = Role.IDENTIFIER
            continue
        left = text[max(0, spans[a][0] - 40) : spans[a][0]]
        joined = text[spans[a][1] : spans[b][0]]
        between = _BETWEEN.search(left) is not None and joined.strip().lower() in (
            "and",
            "和",
            "与",
        )
        tight = _RANGE_LINK.fullmatch(joined) is not None
        spaced_minus = joined.strip() in ("-", "–") and joined != joined.strip()
        if between or (tight and not spaced_minus and not _CHANGE.search(left)):
            roles[a] = roles[b] = Role.RANGE


def _alternatives(
    text: str,
    amounts: Sequence[Amount],
    spans: Sequence[tuple[int, int]],
    live: Sequence[int],
    roles: list[Role],
) -> None:
    """A chain of disagreeing amounts of one kind, joined by commas and at least one "or"."""
    chain: list[int] = []
    for i in [*live, None]:
        joins = False
        if i is not None and chain:
            link = text[spans[chain[-1]][1] : spans[i][0]]
            joins = (
                _OR_LINK.fullmatch(link) is not None and amounts[i].kind is amounts[chain[-1]].kind
            )
        if not joins:
            links = [text[spans[a][1] : spans[b][0]] for a, b in itertools.pairwise(chain)]
            if not _one_figure([amounts[j] for j in chain]) and any(
                _OR.search(link) for link in links
            ):
                for j in chain:
                    roles[j] = Role.HEDGED
            chain = []
        if i is not None:
            chain.append(i)


def _second_thoughts(
    text: str,
    amounts: Sequence[Amount],
    spans: Sequence[tuple[int, int]],
    live: Sequence[int],
    roles: list[Role],
) -> None:
    """33亿元，也可能是35亿元 offers both, though only the second is worded as a guess."""
    for a, b in itertools.pairwise(live):
        if amounts[a].kind is not amounts[b].kind or spans[b][0] - spans[a][1] > 40:
            continue
        also = _ALSO.search(text, spans[a][1], spans[b][0])
        if also is not None and amounts[a].value != amounts[b].value:
            roles[a] = roles[b] = Role.HEDGED


def _one_figure(chain: Sequence[Amount]) -> bool:
    """Whether amounts restate one: $383,285 million, or $383.3 billion."""
    if not chain:
        return True
    exact = min(chain, key=lambda a: -a.decimals)
    return all(_restates(a, exact) for a in chain)


def _restates(rough: Amount, exact: Amount) -> bool:
    if rough.value == exact.value:
        return True
    distance = abs(_EXACT.subtract(rough.value, exact.value))
    close = distance <= _EXACT.multiply(_CLOSE, abs(exact.value))
    return close and distance <= _EXACT.multiply(Decimal("0.5"), Decimal(1).scaleb(-rough.decimals))


def _corrections(
    text: str, spans: Sequence[tuple[int, int]], live: Sequence[int], roles: list[Role]
) -> None:
    for a, b in itertools.pairwise(live):
        if _CORRECTED.search(text, spans[a][1], spans[b][0]) and spans[b][0] - spans[a][1] < 60:
            roles[a] = Role.NEGATED


_BRACKETED = re.compile(r"\s?[)\]]")
_OPERATOR_ALONE = re.compile(r"\s?[/÷×*+]\s?|\s[-–]\s|\s?(?:除以|乘以|减去|加上)\s?")


def _computations(
    text: str, spans: Sequence[tuple[int, int]], live: Sequence[int], roles: list[Role]
) -> None:
    """Operands on a line with an equals sign; the value after the last one is the result."""
    previous: int | None = None
    for i in live:
        start, end = spans[i]
        after = text[end : end + 80]
        stop = _LINE_END.search(after)
        rest = after[: stop.start()] if stop else after
        low = max(0, start - 20)
        operand = _OPERATOR_AFTER.match(rest) or _OPERATOR_BEFORE.search(text[low:start])
        second = previous is not None and _OPERATOR_ALONE.fullmatch(text, previous, start)
        previous = end
        if second and _BRACKETED.match(rest):
            roles[i] = Role.INTERMEDIATE
        if operand is not None and ("=" in rest or "≈" in rest or _OPERATOR_AFTER.match(rest)):
            roles[i] = Role.INTERMEDIATE
