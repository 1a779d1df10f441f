"""HTML tables to lines: a row is one line, and what only spaces a table out is gone.

American filings are laid out in many more columns than a reader sees: "$", the figure and ")" stand
in cells of their own between empty ones. Signs join their figure; then columns are divided only
where cells that hold something must stay apart, so that figures keep their headings.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from ragdash.core.errors import InputError
from ragdash.ingest.grid import join_broken
from ragdash.ingest.lines import CELL_BREAK, CLOSING, CURRENCY
from ragdash.ingest.spans import is_figure
from ragdash.ingest.tables import unit_line

if TYPE_CHECKING:
    from ragdash.ingest.budget import Budget
    from ragdash.ingest.hidden import HiddenKind

PAGE_BREAK = "\f"
MOST_COLUMNS = 1_000
"""As browsers have it for colspan."""
LONG_CELL = 600
"""Characters; a row of words with a longer cell is a layout, and its cells are paragraphs."""
_OPEN_FIGURE = re.compile(r"\d$|^[$¥￥€£(（]*[-–—]$")
"""A figure, or the dash that stands for none, which a bracket or a percent sign may follow."""
_BULLET = re.compile(r"[•●○◦▪■□☐☑☒✓·*–—-]|\(?(?:[ivx]{1,4}|[a-z]|\d{1,2})[.)]")


@dataclass(frozen=True, slots=True)
class Concealed:
    """Hidden text at its place among the lines."""

    kind: HiddenKind
    text: str


Line = str | Concealed
"""A line of text, PAGE_BREAK, or what is hidden there."""


@dataclass(slots=True)
class Cell:
    """One cell from column `start` to before `end`, with the lines that stand in it."""

    start: int
    end: int
    rows: int = 1
    lines: list[Line] = field(default_factory=list)
    text: str = ""

    @property
    def seen(self) -> list[str]:
        """Its lines that a reader sees."""
        return [x for x in self.lines if isinstance(x, str) and x != PAGE_BREAK]

    @property
    def others(self) -> list[Line]:
        """What is hidden in it, and page breaks."""
        return [x for x in self.lines if not isinstance(x, str) or x == PAGE_BREAK]


@dataclass(slots=True)
class Table:
    """A table that is being read."""

    budget: Budget
    rows: list[list[Cell]] = field(default_factory=list)
    caption: list[Line] = field(default_factory=list)
    is_layout: bool = False
    _below: list[Cell] = field(default_factory=list)
    _spanning: list[Cell] = field(default_factory=list)
    _column: int = 0

    def new_row(self) -> None:
        """Begin a row; cells that span down into it come along, figures as an empty place."""
        self._spanning = []
        self._column = 0
        still = []
        for cell in sorted(self._below, key=lambda c: c.start):
            self.budget.spend(1, "cells that span rows")
            seen: list[Line] = [] if is_figure(" ".join(cell.seen)) else list(cell.seen)
            self._spanning.append(Cell(cell.start, cell.end, lines=seen))
            cell.rows -= 1
            if cell.rows > 1:
                still.append(cell)
        self._below = still
        self.rows.append(list(self._spanning))

    def between_rows(self, line: Line) -> None:
        """Put a page break or something hidden between two rows."""
        self.rows.append([Cell(0, 0, lines=[line])])

    def new_cell(self, columns: int, rows: int) -> Cell:
        """Begin a cell at the first free column of the row.

        Raises:
            InputError: it lies beyond the columns that a table may have.
        """
        if not self.rows:
            self.new_row()
        start = self._column
        while self._spanning and self._spanning[0].start <= start:
            start = max(start, self._spanning.pop(0).end)
        end = start + columns
        if self._spanning:
            end = min(end, self._spanning[0].start)
        if end > MOST_COLUMNS:
            raise InputError(
                f"holds a table of more than {MOST_COLUMNS:,} columns; save it simpler"
            )
        cell = Cell(start, end, rows)
        self._column = end
        self.rows[-1].append(cell)
        if rows > 1:
            self._below.append(cell)
        return cell


def table_lines(table: Table) -> list[Line]:
    """Return a table's lines; a row with figures or several cells has a break between them."""
    lines = list(table.caption)
    if table.is_layout:
        return lines + [x for row in table.rows for cell in row for x in cell.lines]
    rows = [_joined_signs(row) for row in table.rows]
    starts = _boundaries(rows)
    for row, filled in zip(table.rows, rows, strict=True):
        table.budget.spend(len(starts) if filled else 1, "table columns")
        lines.extend(_row_lines(filled, starts))
        lines.extend(x for cell in row for x in cell.others)
    return lines


def _joined_signs(row: list[Cell]) -> list[Cell]:
    """The filled cells of a row from left to right, signs and brackets joined to their figure."""
    filled: list[Cell] = []
    for cell in sorted(row, key=lambda c: c.start):
        text = ""
        for line in cell.seen:
            text = join_broken(text, line)
        if not text:
            continue
        last = filled[-1] if filled else None
        opens = last is not None and (last.text in CURRENCY or last.text in ("(", "（", "$(", "-"))
        closes = text in CLOSING and last is not None and bool(_OPEN_FIGURE.search(last.text))
        if last is not None and ((opens and _is_amount(text)) or closes):
            last.text += text
            last.end = max(last.end, cell.end)
        else:
            filled.append(Cell(cell.start, cell.end, cell.rows, cell.lines, text))
    return filled


def _is_amount(text: str) -> bool:
    return is_figure(text) or bool(re.fullmatch(r"[(（]?[\d.,]+[)）%]*|[(（][-–—]", text))


def _boundaries(rows: list[list[Cell]]) -> list[int]:
    """The fewest columns at which a cut divides all neighbours that must stay apart.

    Those are two filled cells of a row, and figures of different rows that share no column:
    stabbing the gaps between them, by their right ends, is the least number of cuts.
    """
    gaps = [(right.start, left.end) for row in rows for left, right in pairwise(row)]
    figures = sorted((c.start, c.end) for row in rows for c in row if _is_amount(c.text))
    reach = figures[0][1] if figures else 0
    for start, end in figures:
        if start >= reach:
            gaps.append((start, reach))
        reach = max(reach, end)
    crossed = _crossed(rows)
    cuts: list[int] = []
    for low, high in _shared(sorted(gaps)):
        # Anywhere in between divides them; where the fewest cells are cut through, headings stay.
        cuts.append(max(range(low, high + 1), key=lambda at: (-crossed[at], at)))
    return cuts


def _shared(gaps: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Group gaps (right end, left end) by right ends so that one cut serves each group."""
    shared: list[tuple[int, int]] = []
    for right, left in gaps:
        if shared and left <= shared[-1][1]:
            shared[-1] = (max(shared[-1][0], left), shared[-1][1])
        else:
            shared.append((left, right))
    return shared


def _crossed(rows: list[list[Cell]]) -> list[int]:
    """How many filled cells a cut at each column would go through."""
    steps = [0] * (MOST_COLUMNS + 2)
    for row in rows:
        for cell in row:
            steps[cell.start + 1] += 1
            steps[cell.end] -= 1
    return list(accumulate(steps))


def _place(column: int, cuts: list[int]) -> int:
    return bisect_right(cuts, column)


def _row_lines(filled: list[Cell], cuts: list[int]) -> list[str]:
    if not filled:
        return []
    first = filled[0]
    if len(filled) == 1:
        spans = _place(first.end - 1, cuts) > _place(first.start, cuts)
        if not cuts or spans or len(first.seen) > 1 or unit_line(first.text):
            return first.seen
    if len(filled) == 2 and _BULLET.fullmatch(first.text) and not _is_amount(filled[1].text):
        return [f"{first.text} {filled[1].text}"]
    wordy = any(len(c.text) > LONG_CELL for c in filled)
    if wordy and not any(_is_amount(c.text) for c in filled):
        return [line for cell in filled for line in cell.seen]
    texts = [""] * (_place(filled[-1].start, cuts) + 1)
    for cell in filled:
        at = _place(cell.start, cuts)
        texts[at] = join_broken(texts[at], cell.text)
    if len(texts) == 1:
        texts.append("")
    return [CELL_BREAK.join(texts).strip()]
