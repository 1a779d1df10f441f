"""Whether an amount is a gold figure: kind, currency, sign, tolerance and rounding, in Decimal.

Rule (the project's metric definitions, section 3, and issue 3): same kind, same currency where
both are stated, the same sign, and within the tolerance; or equal after rounding, where the gold
says how precisely it is stated (`decimals`) or the amount is written to fewer places than the gold
(`rounded_as_written`, on by default). A gold of 0 is met by 0 only.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import TYPE_CHECKING

from ragdash.amounts.amount import Amount, Kind, Sign

if TYPE_CHECKING:
    from ragdash.core.question import Gold

_EXACT = Context(prec=200)
_FRACTION = (Kind.PERCENT, Kind.RATIO)
_DOLLARS = ("USD", "HKD", "CAD", "AUD", "SGD", "TWD", "NZD")
_YEN_OR_YUAN, _YUAN = re.compile("[¥￥]"), re.compile(r"元|RMB|CNY|CN|人民币|yuan", re.I)
_DIGIT = re.compile(r"[\d〇零一二两三四五六七八九壹贰叁肆伍陆柒捌玖]")
DEFAULT_TOLERANCE = Decimal("0.005")
# 23亿元 for 2,267,970,979.11 is 1.4 % off, 0.09亿元 for 9,235,485.89 2.6 %; 9亿元 may be 5 %
_COARSEST = Decimal("0.05")


def gold_kind(unit: str) -> tuple[Kind, str | None]:
    """Return kind and currency of a gold's unit ("CNY", "USD/share", "percent", "stores")."""
    if re.fullmatch(r"[A-Z]{3}", unit):
        return Kind.MONEY, unit
    if unit.endswith("/share"):
        return Kind.PER_SHARE, unit.removesuffix("/share")
    named = {k.value: k for k in (Kind.PERCENT, Kind.PP, Kind.RATIO, Kind.DAYS)}
    return named.get(unit, Kind.COUNT), None


def comparable(amount: Amount, gold: Gold) -> bool:
    """Whether an amount is of the gold's kind, and of its currency where both are stated."""
    kind, currency = gold_kind(gold.unit)
    if amount.kind is not kind and not _stands_for(amount, kind):
        return False
    return _in_currency(amount, currency)


def same_figure(amount: Amount, gold: Gold) -> bool:
    """Whether an amount of the right kind has the gold's value, by its tolerance or `decimals`."""
    if not comparable(amount, gold):
        return False
    value = in_gold_unit(amount, gold)
    if not _same_side(value, gold.value):
        return value == gold.value
    return same_size(value, gold)


def same_size(value: Decimal, gold: Gold) -> bool:
    """Whether two figures are equal by tolerance or `decimals` when their signs are left out."""
    distance = abs(_EXACT.subtract(abs(value), abs(gold.value)))
    if distance <= _EXACT.multiply(gold.tolerance, abs(gold.value)):
        return True
    return gold.decimals is not None and _round(abs(value), gold.decimals) == abs(gold.value)


def rounded_as_written(amount: Amount, gold: Gold, places: int | None = None) -> bool:
    """Whether the gold, rounded to the last place that an amount is written with, is that amount.

    A report's prose says 23亿元 for 2,267,970,979.11: two written digits at least, no more than 5 %
    off, and no zero counted as rounding that is written out (1,460亿 is not 1,476.9亿). A gold with
    a tolerance below the default of 0.005 asks for more than rounding and is taken at its word.

    Args:
        amount: what the answer states.
        gold: the figure that was asked.
        places: digits after the point that the question asks for; a coarser number is no rounding.
    """
    if gold.tolerance < DEFAULT_TOLERANCE or not comparable(amount, gold):
        return False
    if places is not None and amount.decimals + amount.factor.adjusted() < places:
        return False
    value = in_gold_unit(amount, gold)
    if not _same_side(value, gold.value) or len(_DIGIT.findall(amount.text)) < 2:
        return False
    distance = abs(_EXACT.subtract(value, gold.value))
    if distance > _EXACT.multiply(_COARSEST, abs(gold.value)):
        return False
    return _round(gold.value, amount.decimals + _shift(amount, gold)) == value


def relative_error(amount: Amount, gold: Gold) -> Decimal | None:
    """Return |amount - gold| / |gold| to 8 digits, None for a gold of 0 or another kind."""
    if not gold.value or not comparable(amount, gold):
        return None
    distance = abs(_EXACT.subtract(in_gold_unit(amount, gold), gold.value))
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
    return abs(_EXACT.subtract(in_gold_unit(amount, gold), gold.value)) <= coarsest


def restates(said: Amount, found: Amount) -> bool:
    """Whether an amount of an answer is one of a filing, rounded as the answer states it."""
    if said.kind is not found.kind and Kind.BARE not in (said.kind, found.kind):
        return False
    if not (_in_currency(said, found.currency) or _in_currency(found, said.currency)):
        return False
    half = Decimal(1).scaleb(-said.decimals) / 2
    return abs(_EXACT.subtract(said.value, found.value)) <= half


def as_in_statement(amount: Amount, gold: Gold) -> bool:
    """Whether it is a statement's own brackets around the figure that the answer states without."""
    return amount.sign is Sign.BRACKETS and same_size(in_gold_unit(amount, gold), gold)


def in_gold_unit(amount: Amount, gold: Gold) -> Decimal:
    """Return an amount's value as the gold counts: a percentage for a ratio and back."""
    return amount.value.scaleb(-_shift(amount, gold), _EXACT)


def why_not(amount: Amount, gold: Gold) -> str:
    """Tell a lost sign and a wrong power of ten apart from another figure."""
    value = in_gold_unit(amount, gold)
    if value and gold.value:
        if same_size(value, gold):
            return "sign"
        quotient = abs(_EXACT.divide(value, gold.value))
        power = quotient.adjusted() + (1 if quotient.scaleb(-quotient.adjusted()) > 5 else 0)
        if power and same_size(value.scaleb(-power, _EXACT), gold):
            return "magnitude"
    return "other_figure"


def _shift(amount: Amount, gold: Gold) -> int:
    """The power of ten between an amount's base unit and the gold's: 2 for a percentage."""
    kind = gold_kind(gold.unit)[0]
    if kind is Kind.RATIO and amount.kind is Kind.PERCENT:
        return 2
    if kind is Kind.PERCENT and amount.kind is Kind.BARE and 0 < abs(amount.value) < 1:
        # a margin of 0.551 is 55.1 %, unless the gold itself is below one percent
        return 0 if same_size(amount.value, gold) else -2
    return -2 if kind is Kind.PERCENT and amount.kind is Kind.RATIO else 0


def _same_side(a: Decimal, b: Decimal) -> bool:
    return (a > 0 and b > 0) or (a < 0 and b < 0)


def _round(value: Decimal, decimals: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, _EXACT)


def _stands_for(amount: Amount, kind: Kind) -> bool:
    """Kinds that a reader takes for one another: ratio and percent, a number without unit."""
    if amount.kind is Kind.BARE:
        return True
    if kind in _FRACTION:
        return amount.kind in _FRACTION
    if kind is Kind.PER_SHARE:
        return amount.kind is Kind.MONEY and amount.factor <= 1
    unscaled = amount.kind is Kind.MONEY and amount.currency is None
    return kind is Kind.COUNT and unscaled


def _in_currency(amount: Amount, currency: str | None) -> bool:
    """Whether an amount may be in a currency: it states that one or none, or a plain $."""
    if currency is None or amount.currency is None or amount.currency == currency:
        return True
    if currency == "JPY" and amount.currency == "CNY":
        return _YEN_OR_YUAN.search(amount.text) is not None and not _YUAN.search(amount.text)
    plain_dollar = amount.currency == "USD" and "$" in amount.text and "US" not in amount.text
    return plain_dollar and currency in _DOLLARS
