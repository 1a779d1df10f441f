"""An answer against a gold figure: which of its amounts counts, and whether it is the same.

Rule (the project's metric definitions, section 3): same kind, same currency where both are stated,
and within the tolerance; or, only where the gold says how precisely it is stated (`decimals`),
equal after rounding to that precision. A gold of 0 is met by 0 only. The sign must agree.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import TYPE_CHECKING

from ragdash.amounts.amount import Amount, Kind, Match, Role, ScaleSource, Sign, Verdict
from ragdash.amounts.binding import bound_to, misbound
from ragdash.amounts.parse import read_amounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.question import Gold

_EXACT = Context(prec=200)
_FRACTION = (Kind.PERCENT, Kind.RATIO)
_DOLLARS = ("USD", "HKD", "CAD", "AUD", "SGD", "TWD", "NZD")
_CONCLUSION = re.compile(
    r"因此|所以|综上|最终|答案[是为:]|得出|计算出|算得|即|故"
    r"|therefore|thus|hence|final answer|in conclusion|so,",
    re.I,
)
_RESULT = re.compile(r"[=≈]\s?\(?[-$¥€£A-Z]{0,4}\s?$")


def gold_kind(unit: str) -> tuple[Kind, str | None]:
    """Return kind and currency of a gold's unit ("CNY", "USD/share", "percent", "stores")."""
    if re.fullmatch(r"[A-Z]{3}", unit):
        return Kind.MONEY, unit
    if unit.endswith("/share"):
        return Kind.PER_SHARE, unit.removesuffix("/share")
    named = {k.value: k for k in (Kind.PERCENT, Kind.PP, Kind.RATIO, Kind.DAYS)}
    return named.get(unit, Kind.COUNT), None


def match_amount(answer: str, gold: Gold, *, unit_note: str = "", question: str = "") -> Verdict:
    """Return whether an answer states the gold figure, with the amount chosen and the reason.

    Args:
        answer: the answer's text; citations may stand in it.
        gold: the asked figure; its metric, period, scope and attribution narrow the choice.
        unit_note: the unit line of the cited chunk, for numbers without a unit.
        question: where given, the asked metric, period, scope and company come from it too.
    """
    return _judge(answer, gold, read_amounts(answer, unit_note=unit_note), question)


def match_all(
    answer: str, golds: Sequence[Gold], *, unit_note: str = "", question: str = ""
) -> tuple[Verdict, ...]:
    """Return a verdict for each gold, no two of them by the same candidate.

    The answer is right where every verdict is a match; see `all_match`.
    """
    amounts = read_amounts(answer, unit_note=unit_note)
    if len(golds) == 1:
        return (_judge(answer, golds[0], amounts, question),)
    verdicts: list[Verdict] = []
    used: set[tuple[int, int]] = set()
    for gold in golds:
        left = tuple(a for a in amounts if a.span not in used)
        hits = [a for a in left if a.asserted and same_figure(a, gold)]
        good = [a for a in hits if not misbound(answer, a, gold, "")]
        if good:
            chosen = bound_to(answer, good, gold, "")[0]
            used.add(chosen.span)
            verdicts.append(_verdict(Match.MATCH, chosen, "equal", amounts, gold))
        elif hits:
            reason = misbound(answer, hits[0], gold, "")
            verdicts.append(_verdict(Match.MISMATCH, hits[0], reason, amounts, gold))
        else:
            verdicts.append(_no_hit(left, gold, amounts))
    return tuple(verdicts)


def all_match(verdicts: Sequence[Verdict]) -> bool:
    """Whether every gold of a comparison was matched."""
    return bool(verdicts) and all(v.verdict is Match.MATCH for v in verdicts)


def comparable(amount: Amount, gold: Gold) -> bool:
    """Whether an amount is of the gold's kind, and of its currency where both are stated."""
    kind, currency = gold_kind(gold.unit)
    if amount.kind is not kind and not _stands_for(amount, kind):
        return False
    return _in_currency(amount, currency)


def same_figure(amount: Amount, gold: Gold) -> bool:
    """Whether an amount of the right kind has the gold's value."""
    if not comparable(amount, gold):
        return False
    value = _in_gold_unit(amount, gold)
    if gold.value == 0 or value == 0:
        return value == gold.value
    if _EXACT.multiply(value, gold.value) < 0:
        return False
    distance = abs(_EXACT.subtract(value, gold.value))
    if distance <= _EXACT.multiply(gold.tolerance, abs(gold.value)):
        return True
    if gold.decimals is None:
        return False
    return _round(value, gold.decimals) == gold.value


def relative_error(amount: Amount, gold: Gold) -> Decimal | None:
    """Return |amount - gold| / |gold| to 8 digits, None for a gold of 0 or another kind."""
    if not gold.value or not comparable(amount, gold):
        return None
    distance = abs(_EXACT.subtract(_in_gold_unit(amount, gold), gold.value))
    return Context(prec=8).divide(distance, abs(gold.value))


def printed(amount: Amount, gold: Gold) -> bool:
    """Whether an amount of a filing is the gold itself, to the precision that both are stated with.

    Stricter than `same_figure`: 归母 and 扣非 profit may lie within half a percent of one another.
    """
    if not same_figure(amount, gold):
        return False
    stated = gold.value.normalize().as_tuple().exponent
    places = -stated if gold.decimals is None and isinstance(stated, int) else gold.decimals or 0
    coarsest = Decimal(1).scaleb(-min(amount.decimals, places)) / 2
    return abs(_EXACT.subtract(_in_gold_unit(amount, gold), gold.value)) <= coarsest


def restates(said: Amount, found: Amount) -> bool:
    """Whether an amount of an answer is one of a filing, rounded as the answer states it."""
    if said.kind is not found.kind and Kind.BARE not in (said.kind, found.kind):
        return False
    if not (_in_currency(said, found.currency) or _in_currency(found, said.currency)):
        return False
    half = Decimal(1).scaleb(-said.decimals) / 2
    return abs(_EXACT.subtract(said.value, found.value)) <= half


def _in_currency(amount: Amount, currency: str | None) -> bool:
    """Whether an amount may be in a currency: it states that one or none, or a plain $."""
    if currency is None or amount.currency is None or amount.currency == currency:
        return True
    plain_dollar = amount.currency == "USD" and "$" in amount.text and "US" not in amount.text
    return plain_dollar and currency in _DOLLARS


def _round(value: Decimal, decimals: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, _EXACT)


def _stands_for(amount: Amount, kind: Kind) -> bool:
    """Kinds that a reader takes for one another: ratio and percent, a number without unit."""
    if amount.kind is Kind.BARE:
        return True
    if kind in _FRACTION:
        return amount.kind in _FRACTION
    if kind is Kind.PER_SHARE:
        return amount.kind is Kind.MONEY and amount.factor == 1
    unscaled = amount.kind is Kind.MONEY and amount.currency is None
    return kind is Kind.COUNT and unscaled


def _in_gold_unit(amount: Amount, gold: Gold) -> Decimal:
    kind = gold_kind(gold.unit)[0]
    if kind is Kind.RATIO and amount.kind is Kind.PERCENT:
        return amount.value.scaleb(-2, _EXACT)
    if kind is Kind.PERCENT and amount.kind is Kind.RATIO:
        return amount.value.scaleb(2, _EXACT)
    return amount.value


def _judge(answer: str, gold: Gold, amounts: tuple[Amount, ...], question: str) -> Verdict:
    asserted = [a for a in amounts if a.asserted and comparable(a, gold)]
    asserted = _with_unit_first(asserted)
    if not asserted:
        return _no_hit(amounts, gold, amounts)
    chosen = bound_to(answer, asserted, gold, question)
    hits = [a for a in chosen if same_figure(a, gold)]
    if not hits:
        return _verdict(Match.MISMATCH, chosen[-1], _why_not(chosen[-1], gold), amounts, gold)
    if reason := misbound(answer, hits[0], gold, question):
        return _verdict(Match.MISMATCH, hits[0], reason, amounts, gold)
    others = [a for a in chosen if a not in hits and not _as_printed(a, gold)]
    if not others:
        return _verdict(Match.MATCH, hits[0], _why(hits[0]), amounts, gold)
    final = _final(answer, chosen)
    if final is not None:
        if final in hits:
            return _verdict(Match.MATCH, final, "stated_result", amounts, gold)
        return _verdict(Match.MISMATCH, final, "another_result", amounts, gold)
    return _verdict(Match.AMBIGUOUS, hits[0], "several_figures", amounts, gold)


def _as_printed(amount: Amount, gold: Gold) -> bool:
    """A statement's own brackets around the figure that the answer states without them."""
    same = same_figure_abs(_in_gold_unit(amount, gold), gold)
    return amount.sign is Sign.BRACKETS and same


def _with_unit_first(asserted: list[Amount]) -> list[Amount]:
    """Numbers with a unit, where there are any: beside them a bare number is no statement."""
    with_unit = [a for a in asserted if a.kind is not Kind.BARE]
    return with_unit or asserted


def _final(answer: str, chosen: Sequence[Amount]) -> Amount | None:
    """The amount after the last conclusion word or equals sign, None where the text has none."""
    marks = [m.end() for m in _CONCLUSION.finditer(answer)]
    results = [a for a in chosen if _RESULT.search(answer[max(0, a.span[0] - 8) : a.span[0]])]
    after = [a for a in chosen if marks and a.span[0] >= marks[-1]]
    if len({a.value for a in after}) == 1:
        return after[0]
    return results[-1] if results else None


def _no_hit(left: Sequence[Amount], gold: Gold, amounts: tuple[Amount, ...]) -> Verdict:
    """The verdict where no amount matches: which near miss explains it best."""
    asserted = [a for a in left if a.asserted]
    right_kind = [a for a in asserted if comparable(a, gold)]
    if right_kind:
        return _verdict(Match.MISMATCH, right_kind[0], _why_not(right_kind[0], gold), amounts, gold)
    if asserted:
        same_kind = asserted[0].kind is gold_kind(gold.unit)[0]
        reason = "other_currency" if same_kind else "other_kind"
        return _verdict(Match.MISMATCH, asserted[0], reason, amounts, gold)
    stated = [
        a
        for a in left
        if a.role in (Role.NEGATED, Role.BOUND, Role.RANGE, Role.HEDGED, Role.INTERMEDIATE)
    ]
    if stated:
        return _verdict(Match.MISMATCH, stated[0], stated[0].role.value, amounts, gold)
    return Verdict(Match.NO_NUMBER, None, "no_number", amounts)


def _why(amount: Amount) -> str:
    return "equal_scale_assumed" if amount.scale_source is ScaleSource.NONE else "equal"


def _why_not(amount: Amount, gold: Gold) -> str:
    """Tell a lost sign and a wrong power of ten apart from another figure."""
    value = _in_gold_unit(amount, gold)
    if value and gold.value:
        if same_figure_abs(value, gold):
            return "sign"
        quotient = abs(_EXACT.divide(value, gold.value))
        power = quotient.adjusted() + (1 if quotient.scaleb(-quotient.adjusted()) > 5 else 0)
        if power and same_figure_abs(value.scaleb(-power, _EXACT), gold):
            return "magnitude"
    return "other_figure"


def same_figure_abs(value: Decimal, gold: Gold) -> bool:
    """Whether two figures are equal within the tolerance when their signs are left out."""
    distance = abs(_EXACT.subtract(abs(value), abs(gold.value)))
    return distance <= _EXACT.multiply(gold.tolerance, abs(gold.value))


def _verdict(
    verdict: Match, amount: Amount, reason: str, amounts: tuple[Amount, ...], gold: Gold
) -> Verdict:
    return Verdict(verdict, amount, reason, amounts, relative_error(amount, gold))
