"""Rows and sentences of a chunk, and the figure in one that belongs to the asked period."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.amounts import (
    Kind,
    ScaleSource,
    Sign,
    column_of,
    header_cells,
    read_chunk,
    read_unit_note,
)
from ragdash.caliber import find_periods
from ragdash.caliber.rows import row_around

if TYPE_CHECKING:
    from ragdash.amounts import Amount
    from ragdash.core.chunk import Chunk

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_OWN_YEAR = re.compile(r"本期|本年|本报告期|期末|年末|current (?:year|period)", re.I)
_YEAR_BEFORE = re.compile(r"上期|上年|期初|年初|prior (?:year|period)", re.I)
_PART_OF_YEAR = re.compile(r"季度|上半年|下半年|\d-\d+月|quarter|(?:three|six|nine) months", re.I)


@dataclass(frozen=True, slots=True)
class Row:
    """One row or sentence with figures: what stands before the first one, and above the row.

    `start` is where it begins in the chunk's text, which the spans of its amounts refer to.
    """

    chunk: Chunk
    rank: int
    start: int
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
    for amount in read_chunk(chunk.text, chunk.unit_note):
        if not amount.excluded:
            grouped.setdefault(row_around(chunk.text, amount.span), []).append(amount)
    rows = []
    first = min((start for start, _ in grouped), default=0)
    for (start, end), amounts in sorted(grouped.items()):
        rows.append(
            Row(
                chunk=chunk,
                rank=rank,
                start=start,
                text=chunk.text[start:end],
                label=chunk.text[start : amounts[0].span[0]].strip(" |:：为是-－−(（$¥"),
                above=chunk.text[:first],
                amounts=tuple(amounts),
            )
        )
    return rows


def figure_for(row: Row, period: str | None, *, part: bool = False) -> Amount | None:
    """Return the row's figure for a year, by its column or its sentence; None where none fits.

    A header that names years decides the column. Without one, the document's own year is the first
    figure, and the year before is the second where the header compares the two. A header of
    quarters or half-years gives no figure for a year.

    Args:
        row: the row or sentence.
        period: the asked year, None where the question names none.
        part: whether a part of a year is asked for.
    """
    own = row.chunk.source.period
    asked = period or own
    header = _header(row)
    if header is None:
        said = {str(p.year) for p in find_periods(row.text) if p.year is not None}
        if asked in said or (not said and asked == own):
            return row.amounts[0]
        return None
    if not part and _PART_OF_YEAR.search(header):
        return None
    cells = header_cells(header)
    columns = [at for at, cell in enumerate(cells) if asked and asked in _YEAR.findall(cell)]
    if not columns and not _YEAR.search(header):
        before = _YEAR_BEFORE if _is_year_before(asked, own) else None
        wording = _OWN_YEAR if asked == own else before
        columns = [at for at, cell in enumerate(cells) if wording and wording.search(cell)]
        if not columns and asked == own:
            return row.amounts[0]
    return _in_column(row, columns[0], len(cells)) if columns else None


def share_for(row: Row, period: str | None) -> Amount | None:
    """Return the row's first rate or growth, printed for the document's own year only."""
    if period not in (None, row.chunk.source.period):
        return None
    return next((a for a in row.amounts if a.kind in (Kind.PERCENT, Kind.PP)), None)


def _header(row: Row) -> str | None:
    """Return the line above a table's rows that names its columns; None for prose."""
    if "|" not in row.text:
        return None
    lines = [line.strip() for line in row.above.splitlines() if line.strip()]
    dated = [line for line in lines if _YEAR.search(line) or _OWN_YEAR.search(line)]
    columned = [line for line in dated if len(header_cells(line)) > 1]
    return (columned or dated or lines or [""])[-1]


def _in_column(row: Row, column: int, columns: int) -> Amount | None:
    """Return the first figure of a column, None where the row has none in it."""
    for amount in row.amounts:
        if column_of(row.text, amount.span[0] - row.start, columns) == column:
            return amount
    return None


def _is_year_before(asked: str | None, own: str | None) -> bool:
    return bool(asked and own and asked.isdigit() and own.isdigit() and int(own) - int(asked) == 1)


def written(amount: Amount, row: Row, lang: str) -> str:
    """Return a figure as an answer states it: as printed, with the unit it inherits from above."""
    text = " ".join(amount.text.split())
    if amount.sign in (Sign.MINUS, Sign.BRACKETS):
        text = "-" + text.strip("()（）-－−")
    if amount.kind is Kind.PERCENT and "%" not in text:
        return f"{text}%"
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
    if text.lstrip("-").startswith(("$", "¥", "€")):
        return text + word
    minus = "-" if text.startswith("-") else ""
    return f"{minus}{sign}{text.removeprefix('-')}{word}"
