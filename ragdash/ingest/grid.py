"""Ruled tables: which spans share a cell, and which cells share a row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ragdash.ingest.rules import NEAR
from ragdash.ingest.spans import AMOUNT, is_cjk

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ragdash.ingest.rules import Rules
    from ragdash.ingest.spans import Span

_BEGUN = re.compile(r"[-−+（(]*\d{1,3}(?:,\d{3})*(?:,\d{0,3})?(?:\.\d*)?|[-−+（(]*\d+\.\d*")
"""The beginning of a figure, or all of it."""
_WHOLE = re.compile(
    r"[-−（(]*(?:\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d{1,3}(?:,\d{3})*\.\d\d)[)）%％]*"
)
"""A figure that cannot be a piece of a broken one."""
_ONE_DECIMAL = re.compile(r"\d\.\d$")

_DATE = re.compile(r"(?:19|20)\d\d[/-](?:\d{0,2}|\d{1,2}[/-]\d?)")
"""A date that its column broke before the end."""


@dataclass(frozen=True, eq=False)
class Cell:
    """A closed rectangle of lines (points) with the spans whose middle lies in it."""

    left: float
    bottom: float
    right: float
    top: float
    spans: tuple[Span, ...]

    @cached_property
    def lines(self) -> list[str]:
        """Its text by visual line, top first."""
        return [" ".join(s.text for s in line) for line in baselines(self.spans)]

    @cached_property
    def text(self) -> str:
        """Its text in one line: a label or a figure broken by a narrow column is whole again."""
        joined = ""
        for line in self.lines:
            joined = join_broken(joined, line)
        return joined


def baselines(spans: tuple[Span, ...] | list[Span]) -> list[list[Span]]:
    """Group spans into visual lines, top first, each from left to right."""
    lines: list[list[Span]] = []
    for span in sorted(spans, key=lambda s: (-s.y, s.x0, s.order)):
        if lines and lines[-1][0].y - span.y < 0.45 * max(lines[-1][0].size, span.size):
            lines[-1].append(span)
        else:
            lines.append([span])
    return [sorted(line, key=lambda s: (s.x0, s.order)) for line in lines]


def join_broken(first: str, second: str) -> str:
    """Join two lines of one cell: nothing between CJK characters or the halves of a figure."""
    if not first or not second:
        return first or second
    a, b = first[-1], second[0]
    tail, head = first.rsplit(None, 1)[-1], second.split(None, 1)[0]
    if _DATE.fullmatch(tail) and (b.isdigit() or b in "/-"):
        return first + second
    if (a.isdigit() or a in ",.") and (b.isdigit() or b in ",."):
        return first + ("" if _halves(tail, head) else " ") + second
    if is_cjk(a) or is_cjk(b) or a in "-/(" or b in "/)%":
        return first + second
    return f"{first} {second}"


def _halves(tail: str, head: str) -> bool:
    """Whether two neighbouring pieces are one figure that a narrow column broke."""
    if not _BEGUN.fullmatch(tail + head.rstrip(")）%％")):
        return False
    if AMOUNT.fullmatch(tail) and AMOUNT.fullmatch(head):
        return len(head) == 1 and bool(_ONE_DECIMAL.search(tail))
    return "," in tail or "." in tail + head


def read_cells(spans: list[Span], rules: Rules) -> tuple[list[list[Cell]], list[Span]]:
    """Split spans into rows of cells (top row first) and those outside any ruled row.

    A cell that stands in no row of cells (a frame around a page or a paragraph) is no cell, and
    a band that holds several rows of figures without lines between them is no row.
    """
    if len(rules.vertical) < 2 or len(rules.horizontal) < 2 or not spans:
        return [], spans
    frames = _frames(spans, rules)
    by_frame: dict[tuple[float, float, float, float], list[Span]] = {}
    free = []
    for span, frame in zip(spans, frames.tolist(), strict=True):
        if np.isfinite(frame).all():
            by_frame.setdefault((frame[0], frame[1], frame[2], frame[3]), []).append(span)
        else:
            free.append(span)
    cells = [Cell(*frame, tuple(found)) for frame, found in by_frame.items()]
    groups = _by_top(cells)
    sure = [_is_row(group, rules) for group in groups]
    rows = []
    for k, group in enumerate(groups):
        if sure[k] or _is_band(groups, sure, k):
            rows.append(group)
        else:
            free.extend(s for cell in group for s in cell.spans)
    return rows, sorted(free, key=lambda s: s.order)


def _frames(spans: list[Span], rules: Rules) -> NDArray[np.float64]:
    """The nearest line on each side of each span: left, bottom, right, top; infinite if none."""
    x = np.array([(s.x0 + s.x1) / 2 for s in spans])[:, None]
    y = np.array([s.y + 0.35 * s.size for s in spans])[:, None]
    vx, v0, v1 = rules.vertical.T
    hy, h0, h1 = rules.horizontal.T
    beside = (y >= v0 - NEAR) & (y <= v1 + NEAR)
    over = (x >= h0 - NEAR) & (x <= h1 + NEAR)
    to_left = np.where(beside & (vx <= x), vx, -np.inf)
    to_right = np.where(beside & (vx > x), vx, np.inf)
    left, right = to_left.max(axis=1), to_right.min(axis=1)
    bottom = np.where(over & (hy <= y), hy, -np.inf).max(axis=1)
    top = np.where(over & (hy > y), hy, np.inf).min(axis=1)
    # A table cut by the end of a page has no last line; its columns end there all the same.
    walls = np.stack((to_left.argmax(axis=1), to_right.argmin(axis=1)))
    walled = np.isfinite(left) & np.isfinite(right)
    top = np.where(walled & np.isinf(top), v1[walls].min(axis=0), top)
    bottom = np.where(walled & np.isinf(bottom), v0[walls].max(axis=0), bottom)
    return np.column_stack((left, bottom, right, top))


def grid_texts(rows: list[list[Cell]], rules: Rules) -> list[list[str]]:
    """The texts of the cells of each row, from left to right, an empty one for each empty cell.

    Without them a figure of the year before last would stand under this year's heading. A heading
    over several cells of the next row takes as many places as they do.
    """
    places = [_places(row, rules) for row in rows]
    return [
        _row_texts(row, places[k], rows[k + 1] if k + 1 < len(rows) else [], places[k + 1 : k + 2])
        for k, row in enumerate(rows)
    ]


def _row_texts(
    row: list[Cell], places: list[float], below: list[Cell], beneath: list[list[float]]
) -> list[str]:
    texts = dict(zip(_lefts(row), (c.text for c in row), strict=True))
    extra: dict[float, int] = {}
    for cell, left in zip(row, _lefts(row), strict=True):
        if below and _two_storeys(row) and abs(cell.bottom - below[0].top) <= NEAR:
            under = sum(cell.left - NEAR <= x < cell.right - NEAR for x in beneath[0])
            extra[left] = max(0, under - 1)
    listed: list[str] = []
    for place in places:
        listed.extend((texts.get(place, ""), *[""] * extra.get(place, 0)))
    while listed and not listed[-1]:
        listed.pop()
    return listed


def _two_storeys(row: list[Cell]) -> bool:
    return max(c.bottom for c in row) - min(c.bottom for c in row) > NEAR


def _lefts(row: list[Cell]) -> list[float]:
    return [round(c.left, 3) for c in row]


def _places(row: list[Cell], rules: Rules) -> list[float]:
    """The left edges (points) of all cells at the height of a row, empty ones too."""
    lowest = min(row, key=lambda c: c.top - c.bottom)
    middle = (lowest.top + lowest.bottom) / 2
    x, y0, y1 = rules.vertical.T
    walls: list[float] = x[(y0 - NEAR <= middle) & (y1 + NEAR >= middle)].tolist()
    return sorted({*_lefts(row), *(round(w, 3) for w in walls[:-1])})


def _by_top(cells: list[Cell]) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for cell in sorted(cells, key=lambda c: (-c.top, c.left)):
        if rows and rows[-1][0].top - cell.top <= NEAR:
            rows[-1].append(cell)
        else:
            rows.append([cell])
    return [sorted(row, key=lambda c: c.left) for row in rows]


def _is_row(row: list[Cell], rules: Rules) -> bool:
    if len(row) == 1:
        cell = row[0]
        hy, h0, h1 = rules.horizontal.T
        near = (np.abs(hy - cell.top) <= NEAR) & (h0 <= cell.right) & (h1 >= cell.left)
        extent = (h1 - h0)[near].max(initial=0.0)
        return bool(extent > 1.3 * (cell.right - cell.left))
    apart = [cell for cell in row if _stays_apart(cell)]
    whole = [c for c in apart if sum(bool(_WHOLE.fullmatch(t)) for t in c.lines) >= 2]
    n = len(row[0].lines)
    level = [c for c in apart if len(c.lines) == n and all(map(AMOUNT.fullmatch, c.lines))]
    return len(whole) < 2 and not (n >= 2 and level)


def _is_band(groups: list[list[Cell]], sure: list[bool], at: int) -> bool:
    """Whether a lone cell is a heading across a table: it touches a row and is as wide."""
    if len(groups[at]) > 1 or len(groups[at][0].lines) > 2:
        return False
    cell = groups[at][0]
    above = groups[at - 1] if at and sure[at - 1] else []
    below = groups[at + 1] if at + 1 < len(groups) and sure[at + 1] else []
    touches = [
        row
        for row, edge in ((above, cell.top), (below, cell.bottom))
        if row and abs((min(c.bottom for c in row) if row is above else row[0].top) - edge) <= NEAR
    ]
    return any(
        row[0].left >= cell.left - NEAR and row[-1].right <= cell.right + NEAR for row in touches
    )


def _stays_apart(cell: Cell) -> bool:
    """Whether joining the cell's lines leaves a blank, so that they are figures of their own."""
    return " " in cell.text
