"""What a text does with its amounts: states, denies, bounds, offers or only computes with them."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from ragdash.amounts.amount import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.amounts.amount import Amount

_HEDGE = r"(?:大?约|近|将近|大概|about|approximately|nearly|almost|roughly|around|the|a|some|of)"
_DENIED = re.compile(
    r"(?:并不是|不是|并非|而非|不等于|不为|绝非|并未达到|而不是"
    r"|(?<![a-z])(?:not|isn't|wasn't|aren't|rather than|instead of)(?! only))\s?"
    rf"(?:{_HEDGE}\s?)*[^\d。;,，.!?]{{0,12}}$",
    re.I,
)
_UNCONFIRMED = re.compile(
    r"(?:无法|不能|未能|没有|未)(?:确认|证实|核实|验证|支持|找到|提供|提及|检索到|包含|说明|给出)[^。;,!?\n]{0,24}$"
    r"|(?:(?:does|do|did|can|could)(?: not|n't)|cannot|unable to|no evidence)\s"
    r"(?:\w+\s){0,2}?(?:confirm|verify|support|state|mention|include|contain|find|provide|show)\w*"
    r"[^.;!?\n]{0,60}$",
    re.I,
)
_DENIED_AFTER = re.compile(
    r"[^。;,，.!?\d]{0,12}(?:有误|不正确|是错误的|不准确|不对|并不成立)"
    r"|\s(?:figure\s)?(?:is|was)\s(?:wrong|incorrect|not\s(?:correct|right|confirmed))",
    re.I,
)
_CORRECTED = re.compile(
    r"更正|纠正|应为|应该是|修正为|实为|correction|should (?:be|read)|corrected to", re.I
)
_BOUND_BEFORE = re.compile(
    r"(?:不?超过|超出|超|逾|突破|不?高于|不?大于|不?低于|不?少于|至少|至多|最多|最高|最低"
    r"|不足|不到|小于|少于|不及|上限|下限"
    r"|(?<![a-z])(?:(?:more|less|fewer|greater|higher|lower|no more|no less)\sthan|over|above"
    r"|exceed(?:s|ed|ing)?"
    r"|at\sleast|at\smost|under|below|up\sto|a\s(?:minimum|maximum)\sof|in\sexcess\sof)"
    r"|[<>≥≤])\s?(?:人民币|RMB|US)?\s?$",
    re.I,
)
_BOUND_AFTER = re.compile(r"\s?(?:以上|以下|以内|之上|or (?:more|less|higher|lower))")
_RANGE_LINK = re.compile(r"\s?(?:-|–|—|~|～|至|到|to)\s?(?:\$|¥|€|£|人民币|RMB|US\$)?\s?", re.I)
_BETWEEN = re.compile(r"(?<![a-z])between\s[^\d]{0,12}$|介于\s?$", re.I)
_CHANGE = re.compile(r"(?:从|由|自|from)\s?[^\d。;!?\n]{0,12}$", re.I)
_OR_LINK = re.compile(
    r"\s?(?:、|,|/|或者?|或是|抑或|,?\s?(?<![a-z])or(?![a-z])|还是)\s?(?:either\s)?", re.I
)
_OR = re.compile(r"或|还是|(?<![a-z])or(?![a-z])", re.I)
_PERHAPS = re.compile(
    r"(?:也许|或许|可能(?:是|为)|不确定是否"
    r"|(?<![a-z])(?:might|may|could) (?:be|have been)|perhaps|possibly)"
    r"[^\d。;,!?]{0,12}$",
    re.I,
)
_OPERATOR_AFTER = re.compile(
    r"[\s)]{0,3}(?:[+×*/÷]|-(?=\s)|−|x\s|减去?|加上?|除以|乘以|divided by|minus|plus|times)\s?",
    re.I,
)
_OPERATOR_BEFORE = re.compile(
    r"(?:[+×*/÷(]|(?<=\s)-|减去?|加上?|除以|乘以|divided by|minus|plus|multiplied by)\s?[(\[]?\s?$",
    re.I,
)
_LINE_END = re.compile(r"[。;!?\n]|\.\s+[A-Z]")


def assign_roles(
    text: str, amounts: Sequence[Amount], spans: Sequence[tuple[int, int]]
) -> list[Role]:
    """Return a role for each amount, given where it stands in the folded text."""
    roles = [a.role for a in amounts]
    live = [i for i, a in enumerate(amounts) if a.role is Role.ASSERTED]
    for i in live:
        roles[i] = _own_role(text, spans[i])
    _ranges(text, spans, live, roles)
    _alternatives(text, amounts, spans, live, roles)
    _corrections(text, spans, live, roles)
    _computations(text, spans, live, roles)
    return roles


def _own_role(text: str, span: tuple[int, int]) -> Role:
    before, start, end = text[max(0, span[0] - 90) : span[0]], span[0], span[1]
    near = text[max(0, start - 30) : start]
    if _DENIED.search(near) or _UNCONFIRMED.search(before) or _DENIED_AFTER.match(text, end):
        return Role.NEGATED
    if _BOUND_BEFORE.search(near) or _BOUND_AFTER.match(text, end):
        return Role.BOUND
    if _PERHAPS.search(near):
        return Role.HEDGED
    return Role.ASSERTED


def _ranges(
    text: str, spans: Sequence[tuple[int, int]], live: Sequence[int], roles: list[Role]
) -> None:
    for a, b in itertools.pairwise(live):
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
            values = {amounts[j].value for j in chain}
            if len(values) > 1 and any(_OR.search(link) for link in links):
                for j in chain:
                    roles[j] = Role.HEDGED
            chain = []
        if i is not None:
            chain.append(i)


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
