"""Rows and sentences of a chunk, and the figure in one that belongs to the asked period."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.amounts import Kind, ScaleSource, read_amounts, read_unit_note
from ragdash.caliber import find_periods
from ragdash.caliber.rows import row_around

if TYPE_CHECKING:
    from ragdash.amounts import Amount
    from ragdash.core.chunk import Chunk

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_THIS_YEAR = re.compile(r"本期|本年|本报告期|期末|年末|current (?:year|period)", re.I)
_LAST_YEAR = re.compile(r"上期|上年|上年同期|期初|年初|prior (?:year|period)", re.I)


@dataclass(frozen=True, slots=True)
class Row:
    """One row or sentence with figures: what stands before the first one, and above the row."""

    chunk: Chunk
    rank: int
    text: str
    label: str
    above: str
    amounts: tuple[Amount, ...]


def rows_of(chunk: Chunk, rank: int) -> list[Row]:
    """Return the rows and sentences of a chunk that state a figure, in order.

    Args:
        chunk: a visible chunk.
        rank: its place in the context, from 1.
    """
    grouped: dict[tuple[int, int], list[Amount]] = {}
    for amount in read_amounts(chunk.text, unit_note=chunk.unit_note):
        if not amount.excluded:
            grouped.setdefault(row_around(chunk.text, amount.span), []).append(amount)
    rows = []
    first = min((start for start, _ in grouped), default=0)
    for (start, end), amounts in sorted(grouped.items()):
        rows.append(
            Row(
                chunk=chunk,
                rank=rank,
                text=chunk.text[start:end].strip(),
                label=chunk.text[start : amounts[0].span[0]].strip(" |:：为是"),
                above=chunk.text[:first],
                amounts=tuple(amounts),
            )
        )
    return rows


def figure_for(row: Row, period: str | None) -> Amount | None:
    """Return the row's figure for a year, by its column or its sentence; None where none fits.

    The header's years name the columns where there are as many as figures. Otherwise the document's
    own year is its first column and the year before its second, which is how annual reports print
    them.
    """
    own = row.chunk.source.period
    if period is None or period == own:
        column = _column(row, period or own)
        return row.amounts[column or 0] if (column or 0) < len(row.amounts) else None
    said = {str(p.year) for p in find_periods(row.text) if p.year is not None}
    if period in said and len(said) == 1:
        return row.amounts[0]
    column = _column(row, period)
    if (
        column is None
        and own
        and own.isdigit()
        and period.isdigit()
        and int(own) - int(period) == 1
    ):
        column = 1 if _compares_years(row) else None
    return row.amounts[column] if column is not None and column < len(row.amounts) else None


def _column(row: Row, period: str | None) -> int | None:
    years = _YEAR.findall(row.above.splitlines()[-1] if row.above.strip() else "")
    for line in reversed(row.above.splitlines()):
        years = _YEAR.findall(line)
        if len(years) > 1:
            break
    if period in years and len(set(years)) == len(years):
        return years.index(period)
    return None


def _compares_years(row: Row) -> bool:
    return bool(_THIS_YEAR.search(row.above) and _LAST_YEAR.search(row.above))


def written(amount: Amount, row: Row, lang: str) -> str:
    """Return a figure as an answer states it: as printed, with the unit it inherits from above."""
    text = " ".join(amount.text.split())
    if amount.scale_source is not ScaleSource.HEADER or amount.kind is not Kind.MONEY:
        return text
    note = read_unit_note(row.chunk.unit_note)
    if note is None:
        return text
    if note.currency == "CNY" and lang == "zh":
        return text + {0: "元", 3: "千元", 4: "万元", 6: "百万元", 8: "亿元"}.get(
            note.factor.adjusted(), "元"
        )
    word = {3: " thousand", 6: " million", 9: " billion"}.get(note.factor.adjusted(), "")
    sign = {"USD": "$", "CNY": "RMB ", None: ""}.get(note.currency, f"{note.currency} ")
    return text + word if text.lstrip("(-").startswith(("$", "¥", "€")) else f"{sign}{text}{word}"
