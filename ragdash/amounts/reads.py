"""Numbers with what stands around them: unit, currency and sign; mixed parts are added up."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, replace
from decimal import Decimal

from ragdash.amounts.amount import Kind, Sign
from ragdash.amounts.beside import unit_behind
from ragdash.amounts.numerals import read_chinese
from ragdash.amounts.scan import Number, numbers
from ragdash.amounts.signs import explicit_sign
from ragdash.amounts.units import ONE, Unit, currency_before, unit_after

_ZERO_WORD = re.compile(
    r"(?:(?<=[为是:|\s])|^)无(?=\s*(?:[。,;|\n]|$))|(?<![a-z])nil(?![a-z])", re.I
)
_DIGIT = "[0-9零一二三四五六七八九壹贰叁肆伍陆柒捌玖]"
_SMALL = re.compile(
    rf"(?=[^元]{{2}})(?:(?P<jiao>{_DIGIT})角)?零?(?:(?P<fen>{_DIGIT})分)?(?<=[角分])"
)
# was ($536 million): where a verb or a colon leads to the bracket it is a statement's own
_LEADS = re.compile(r"(?:(?<![a-z])(?:was|were|is|are|of|at)|[:=为是])\s?$", re.I)
_CHANGED = re.compile(r"[升降高加少滑落善增减涨跌][了约近]?\s?[+-]?$|[\u4e00-\u9fff][+-]$")


@dataclass(slots=True)
class Read:
    """A number with what stands around it, in the folded text."""

    number: Number
    start: int
    end: int
    value: Decimal
    unit: Unit
    currency: str | None
    explicit: Sign
    per_thousand: bool


def reads(text: str) -> list[Read]:
    """Numbers with their units, mixed ones (1亿2000万元) added up, and words for nothing."""
    out: list[Read] = []
    end = 0
    for number in numbers(text):
        if number.start < end:
            continue
        read = _with_cents(text, _with_unit(text, number, end))
        if out and _continues(out[-1], read, text):
            out[-1] = _joined(out[-1], read)
        else:
            out.append(read)
        end = read.end
    taken = [(r.start, r.end) for r in out]
    for match in _ZERO_WORD.finditer(text):
        at = bisect.bisect(taken, match.span())
        if at == 0 or taken[at - 1][1] <= match.start():
            number = Number(*match.span(), Decimal(0), 0, "zero")
            unit = Unit(Kind.BARE, ONE, None, "", match.end(), stated=False)
            out.append(Read(number, *match.span(), Decimal(0), unit, None, Sign.NONE, False))
    return sorted(out, key=lambda r: r.start)


def _with_unit(text: str, number: Number, floor: int) -> Read:
    start = number.start
    opened = start - 1 >= floor and text[start - 1] == "("
    inner = start - 1 if opened else start
    minus = inner - 1 >= floor and text[inner - 1] in "-–"
    money = currency_before(text[floor : inner - minus], inner - minus - floor)
    outer = money[1] + floor if money is not None else inner
    if money is None and minus:
        minus = False
    closed = text[number.end : number.end + 1] == ")"
    unit = _unit(text, number)
    wrapped = start - 1 >= floor and text[start - 1] == "(" and closed
    if not wrapped and money is not None and outer - 1 >= floor and text[outer - 1] == "(":
        wrapped = closed
    if wrapped and unit.kind is Kind.BARE:
        after = unit_after(text, number.end + 1)
        unit = replace(after, end=max(after.end, number.end + 1))
    front = outer if money is not None else start
    if money is not None and opened and not closed and text[unit.end : unit.end + 1] == ")":
        sign = Sign.BRACKETS
    elif minus:
        sign = Sign.MINUS
    elif _encloses(text, outer if money is not None else inner, unit.end):
        sign = Sign.BRACKETS
    elif wrapped:
        sign = _in_brackets(text, start, number, money is not None)
    else:
        sign = explicit_sign(text, front)
    currency = _currency(unit, money[0] if money else None)
    value = number.value
    if number.per:
        unit = Unit(Kind.PERCENT, Decimal(100) / number.per, None, "分之", number.end, stated=True)
    end = max(unit.end, number.end)
    return Read(number, front, end, value, unit, currency, sign, bool(money and money[2]))


def _unit(text: str, number: Number) -> Unit:
    """The unit behind a number, on it or beside it; 提升2.5pct means percentage points."""
    unit = unit_after(text, number.end)
    if unit.kind is Kind.BARE and text.startswith(("(", "|", " ", "\xa0"), number.end):
        year = number.form == "plain" and number.places == 0 and 1900 <= number.value <= 2100
        beside = None if year else unit_behind(text, number.end)
        return unit if beside is None else beside
    if unit.word.lower() == "pct" and _CHANGED.search(
        text[max(0, number.start - 4) : number.start]
    ):
        return replace(unit, kind=Kind.PP)
    return unit


def _encloses(text: str, start: int, end: int) -> bool:
    """Whether brackets that a verb leads to hold an amount with its unit and nothing else."""
    if text[end : end + 1] != ")" or start < 1 or "(" not in text[start - 1 : start + 1]:
        return False
    opening = start - 1 if text[start - 1] == "(" else start
    return _LEADS.search(text[max(0, opening - 6) : opening]) is not None


def _currency(unit: Unit, before: str | None) -> str | None:
    """The unit's own currency, else the one before; in 港币12亿元 元 is but the word for dollar."""
    plain = unit.currency == "CNY" and unit.word.endswith("元")
    return before if before and plain else unit.currency or before


def _with_cents(text: str, read: Read) -> Read:
    """Add 角 and 分 behind 元: 贰佰元叁角伍分 is 200.35."""
    if not read.unit.word.endswith("元") or read.unit.factor != 1:
        return read
    cents = _SMALL.match(text, read.end)
    if cents is None:
        return read
    for power, char in ((-1, cents["jiao"]), (-2, cents["fen"])):
        digit = Decimal(char) if char and char.isascii() else read_chinese(char or "零")
        read.value += (digit or Decimal(0)).scaleb(power)
    read.number = replace(read.number, places=2)
    read.end = cents.end()
    return read


def _in_brackets(text: str, start: int, number: Number, money: bool) -> Sign:
    """A bare number in brackets is negative unless it is small enough for a list or note mark."""
    serious = number.form == "grouped" or number.places > 0 or number.value >= 100
    cell = re.search(r"[|\t]\s*$", text[max(0, start - 6) : start - 1]) is not None
    unit = unit_after(text, number.end + 1).stated
    return Sign.BRACKETS if serious or cell or unit or money else Sign.NONE


def _continues(left: Read, right: Read, text: str) -> bool:
    """Whether a number is the lower part of the one before: 1亿2000万元, 3万5千元."""
    gap = text[left.end : right.number.start]
    scale = left.unit.factor
    return (
        gap in ("", "零", "又")
        and left.unit.word in ("兆", "亿", "万", "万亿", "千万", "百万", "千")
        and left.number.form in ("plain", "grouped", "chinese")
        and right.number.form in ("plain", "grouped")
        and right.unit.stated
        and right.unit.kind is Kind.MONEY
        and right.number.value * right.unit.factor < scale
        and right.currency is right.unit.currency
    )


def _joined(left: Read, right: Read) -> Read:
    """Add the parts up, in units of the lower one."""
    factor = right.unit.factor
    value = left.value * (left.unit.factor / factor) + right.value
    number = replace(
        left.number, end=right.number.end, value=value, places=right.number.places, form="grouped"
    )
    currency = left.currency or right.currency
    return Read(number, left.start, right.end, value, right.unit, currency, left.explicit, False)
