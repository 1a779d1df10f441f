"""Spans to the lines of a page: a table row is one line, columns of prose follow each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from ragdash.ingest.grid import baselines, grid_texts, join_broken, read_cells
from ragdash.ingest.spans import is_cjk

if TYPE_CHECKING:
    from ragdash.ingest.rules import Rules
    from ragdash.ingest.spans import Span

CELL_BREAK = " | "
"""Between the cells of a table row, so that an empty cell keeps its place."""
WIDE_BLANK = "  "
"""A visible gap in a line that is no table row."""
GUTTER = 1.0
"""Em; columns of prose stand at least this far apart."""
VISIBLE = 0.6
"""Em; a gap that a reader sees as one between cells."""
STRETCHED = 1.3
"""Em; justified prose opens no wider gap, so a line with one such gap is no table row."""
CURRENCY = ("$", "¥", "￥", "€", "£", "US$", "HK$", "RMB")
CLOSING = ("%", "％", ")", "）", ")%", "%)")
TIGHT = 0.85
"""A wrapped label's lines stand closer than this share of the distance between rows."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the page: its cells from left to right, at a height in points."""

    y: float
    cells: tuple[Span, ...]
    text: str = ""

    @property
    def size(self) -> float:
        """The biggest font size of the row."""
        return max((c.size for c in self.cells), default=0.0)


def page_lines(spans: list[Span], rules: Rules) -> list[str]:
    """Return a page's lines from top to bottom."""
    ruled, free = read_cells(spans, rules)
    rows = []
    for row, texts in zip(ruled, grid_texts(ruled, rules), strict=True):
        # A label without figures is still a row of its table; the break says so.
        text = CELL_BREAK.join(texts) if len(texts) > 1 else texts[0] + CELL_BREAK
        rows.append(Row(row[0].top, (), text.strip()))
    tops = sorted((row.y for row in rows), reverse=True)
    loose = [Row(min(s.y for s in line), tuple(line)) for line in baselines(free)]
    for block in _between(loose, tops):
        rows.extend(_with_whole_labels(_column_by_column(block)))
    placed = sorted(enumerate(rows), key=lambda r: (-r[1].y, r[0]))
    return [row.text or row_text(row.cells) for _, row in placed]


def row_text(cells: tuple[Span, ...]) -> str:
    """Join the spans of one visual line; a line with figures or three columns is a table row."""
    parts = [cells[0].text]
    gaps = []
    for before, span in pairwise(cells):
        gap = (span.x0 - before.x1) / max(before.size, span.size)
        opens = span.text.startswith(CURRENCY) and before.is_figure
        if before.text in CURRENCY or span.text in CLOSING or (gap <= VISIBLE and not opens):
            parts.append(_glue(before, span) if gap < 0.12 else " ")
        else:
            gaps.append(gap)
            parts.append(CELL_BREAK)
        parts.append(span.text)
    tabular = any(c.is_figure for c in cells[1:]) and max(gaps, default=0) > STRETCHED
    joint = CELL_BREAK if tabular or len(gaps) > 1 else WIDE_BLANK
    return "".join(joint if p is CELL_BREAK else p for p in parts)


def _glue(before: Span, span: Span) -> str:
    # Two figures that touch are still two figures: only one span is one number.
    return " " if before.text[-1:].isdigit() and span.text[:1].isdigit() else ""


def _between(rows: list[Row], tops: list[float]) -> list[list[Row]]:
    """Cut free rows into blocks that no ruled row interrupts."""
    blocks: list[list[Row]] = []
    place = -1
    for row in rows:
        above = sum(top > row.y for top in tops)
        if above != place:
            blocks.append([])
        place = above
        blocks[-1].append(row)
    return blocks


def _with_whole_labels(rows: list[Row]) -> list[Row]:
    """Join the lines of a label that the column broke, where no line is drawn between rows."""
    kinds = "".join(_kind(row) for row in rows)
    joined: list[Row] = []
    index = 0
    while index < len(rows):
        taken = _wrapped_label(rows, kinds, index)
        joined.append(_one_row(rows[index : index + taken]) if taken > 1 else rows[index])
        index += taken
    return joined


def _kind(row: Row) -> str:
    """F: it ends with a figure. L: one span of words. Anything else: a dot."""
    if row.text:
        return "."
    if row.cells[-1].is_figure:
        return "F"
    return "L" if len(row.cells) == 1 else "."


def _wrapped_label(rows: list[Row], kinds: str, start: int) -> int:
    """How many rows from `start` are one: label lines around or above a line with the figures."""
    for taken in (2, 3, 4):
        kind = kinds[start : start + taken]
        if len(kind) < taken or kind.count("F") > 1 or "." in kind:
            break
        if "F" in kind and _fits(rows, start, taken, kind.index("F")):
            return taken
    return 1


def _first_figure(row: Row) -> float:
    return min(c.x0 for c in row.cells if c.is_figure)


def _fits(rows: list[Row], start: int, taken: int, at: int) -> bool:
    part = rows[start : start + taken]
    figures = part[at]
    labels = part[:at] + part[at + 1 :]
    lefts = [r.cells[0].x0 for r in part if not r.cells[0].is_figure]
    em = figures.size
    if max(r.cells[-1].x1 for r in labels) > _first_figure(figures) - 0.3 * em:
        return False
    steps = [a.y - b.y for a, b in pairwise(part)]
    if max(lefts) - min(lefts) > 2.5 * em or max(steps) > 1.45 * em:
        return False
    if at == taken - 1 and _continues(part):
        return True
    outside = []
    if start:
        outside.append(rows[start - 1].y - part[0].y)
    if start + taken < len(rows):
        outside.append(part[-1].y - rows[start + taken].y)
    ends_open = not any(r.cells[0].text.endswith((":", "：")) for r in labels)
    return ends_open and bool(outside) and max(steps) < TIGHT * min(outside)


def _continues(part: list[Row]) -> bool:
    """Whether every line after the first begins in lower case: one English label goes on."""
    starts = [r.cells[0].text[:1] for r in part]
    return not is_cjk(starts[0]) and starts[0].isalpha() and all(s.islower() for s in starts[1:])


def _one_row(part: list[Row]) -> Row:
    label, figures = "", ""
    for row in part:
        if not row.cells[-1].is_figure:
            label = join_broken(label, row.cells[0].text)
            continue
        k = next(i for i, c in enumerate(row.cells) if c.is_figure)
        if k:
            label = join_broken(label, row_text(row.cells[:k]))
        figures = row_text(row.cells[k:])
    return Row(part[0].y, (), f"{label}{CELL_BREAK}{figures}")


def _column_by_column(rows: list[Row]) -> list[Row]:
    """Put the lines of side-by-side columns of prose one column after the other."""
    done: list[Row] = []
    index = 0
    while index < len(rows):
        end, gutter = _columns_from(rows, index)
        if gutter is None:
            done.append(rows[index])
            index += 1
            continue
        part = rows[index:end]
        top, step = part[0].y, 1e-4
        sides = [
            [tuple(c for c in r.cells if (c.x0 < gutter) is left) for r in part]
            for left in (True, False)
        ]
        ordered = [cells for side in sides for cells in side if cells]
        left_count = sum(bool(cells) for cells in sides[0])
        columns = [Row(top - step * k, cells) for k, cells in enumerate(ordered)]
        done.extend(columns[:left_count])
        done.extend(columns[left_count:])
        index = end
    return done


def _columns_from(rows: list[Row], start: int) -> tuple[int, float | None]:
    """The end of a run of rows that one gutter divides into prose, and where the gutter is."""
    low, high, end, split = 0.0, 0.0, start, 0
    for row in rows[start:]:
        gap = _widest_gap(row)
        if gap is None:
            inside = split and (row.cells[-1].x1 <= high or row.cells[0].x0 >= low)
            if not inside:
                break
            end += 1
            continue
        new_low, new_high = (max(low, gap[0]), min(high, gap[1])) if split else gap
        if new_high - new_low < GUTTER * row.size:
            break
        low, high = new_low, new_high
        split += 1
        end += 1
    if split < 4 or not _both_prose(rows[start:end], (low + high) / 2):
        return start, None
    return end, (low + high) / 2


def _widest_gap(row: Row) -> tuple[float, float] | None:
    gaps = [(a.x1, b.x0) for a, b in pairwise(row.cells)]
    widest = max(gaps, key=lambda g: g[1] - g[0], default=None)
    return widest if widest and widest[1] - widest[0] >= GUTTER * row.size else None


def _both_prose(rows: list[Row], gutter: float) -> bool:
    for left in (True, False):
        texts = ["".join(c.text for c in r.cells if (c.x0 < gutter) is left) for r in rows]
        texts = [t for t in texts if t]
        wide = sum(is_cjk(c) for t in texts for c in t)
        total = sum(map(len, texts))
        digits = sum(c.isdigit() for t in texts for c in t)
        least = 12 if wide > total / 2 else 25
        if not texts or median(map(len, texts)) < least or digits > 0.15 * total:
            return False
    return True
