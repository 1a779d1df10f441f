"""Units that stand beside a number rather than on it: in brackets, or in a cell of its row."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

from ragdash.amounts.amount import Kind
from ragdash.amounts.units import CURRENCIES, CURRENCY, Unit, unit_after

_LEAD = re.compile(
    rf"(?:单位\s?[:：]?\s?|in\s)?(?:(?!元)(?P<currency>{CURRENCY})(?![a-z])\s?(?:in\s)?)?", re.I
)
_BRACKETED = re.compile(r"[ \xa0]?\((?P<words>[^()\n\d|]{1,24})\)")
_NEXT_CELL = re.compile(r"[ \xa0]*\|{1,2}[ \xa0]*(?P<words>[^|\n\d]{1,24}?)[ \xa0]*(?=\||\n|\Z)")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_DIGIT = re.compile(r"\d")
_LONGEST = 24


def unit_named(words: str) -> Unit | None:
    """Return the unit that words are and nothing else (亿元, USD millions, %), None otherwise.

    A currency alone is none, for a table sets $ in a cell of its own; nor is an English noun, which
    is a row's label.
    """
    lead = _LEAD.match(words)
    at = lead.end() if lead else 0
    if at >= len(words) or (len(words) == 1 and words.isascii() and words.isalpha()):
        return None
    unit = unit_after(words, at)
    if not unit.stated or unit.end != len(words):
        return None
    if unit.kind is Kind.COUNT and _CHINESE.search(words) is None:
        return None
    named = lead["currency"] if lead else None
    return replace(unit, currency=CURRENCIES[named.lower()]) if named else unit


def unit_behind(text: str, at: int) -> Unit | None:
    """Return the unit in brackets or in the next cell behind a number that ends at `at`."""
    for pattern in (_BRACKETED, _NEXT_CELL):
        match = pattern.match(text, at)
        if match is not None and (unit := unit_named(match["words"].strip())) is not None:
            return replace(unit, end=match.end())
    return None


def unit_of_row(left: str) -> Unit | None:
    """Return the unit that a cell before a number is, on its own line: | 营业收入 | 万元 | 876 |.

    A unit behind another number's cell is that one's alone.

    Args:
        left: the line up to the number.
    """
    cells = left.split("|")
    for label, cell in reversed(list(itertools.pairwise(cells[:-1]))):
        words = cell.strip()
        if not 0 < len(words) <= _LONGEST or _DIGIT.search(label):
            continue
        if (unit := unit_named(words)) is not None:
            return unit
    return None
