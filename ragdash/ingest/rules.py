"""The ruling lines of a page: the grid that says which text belongs to which cell."""

from __future__ import annotations

import ctypes
from collections import deque
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from ragdash.ingest.glyphs import foreign, turned

if TYPE_CHECKING:
    from numpy.typing import NDArray

THIN = 2.0
"""Points; a filled or stroked box no thicker than this is a line."""
NEAR = 1.6
"""Points; ends and lines closer than this are one, since borders are drawn cell by cell."""
SHORTEST = 4.0
"""Points; a shorter line is a dash or a tick, not a border."""
MOST_OBJECTS = 60_000
"""A page with more objects is a drawing; its lines would cost more than they tell."""


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """Horizontal and vertical lines, each a row (position, from, to) in points, sorted by it."""

    horizontal: NDArray[np.float64]
    vertical: NDArray[np.float64]


def read_rules(page: Any, quarter_turns: int) -> Rules:
    """Read the lines drawn on an open pypdfium2 page, turned like its text.

    Boxes that are no lines count with their four sides only when they are stroked.
    """
    boxes = np.array(_boxes(page), np.float64).reshape(-1, 4)
    x0, y0, x1, y1 = turned(boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3], quarter_turns)
    wide, high = x1 - x0, y1 - y0
    flat = (high <= THIN) & (wide > high)
    tall = (wide <= THIN) & (high > wide)
    horizontal = np.column_stack(((y0 + y1) / 2, x0, x1))[flat]
    vertical = np.column_stack(((x0 + x1) / 2, y0, y1))[tall]
    return Rules(_merged(horizontal), _merged(vertical))


def _boxes(page: Any) -> list[tuple[float, float, float, float]]:
    import pypdfium2.raw as pdfium

    paths = _paths(page)
    n = len(paths)
    bounds = np.zeros((n, 4), np.float32)
    at = bounds.ctypes.data
    place = ctypes.c_void_p
    get = foreign(pdfium.FPDFPageObj_GetBounds, *[place] * 5, ctypes.c_int)
    corners = [range(at + 4 * k, at + 4 * k + 16 * n, 16) for k in range(4)]
    deque(map(get, paths, *corners), maxlen=0)
    bounds = np.nan_to_num(bounds, nan=0.0, posinf=0.0, neginf=0.0)
    thin = np.minimum(bounds[:, 2] - bounds[:, 0], bounds[:, 3] - bounds[:, 1]) <= THIN
    found: list[tuple[float, float, float, float]] = bounds[thin].tolist()
    for index in np.flatnonzero(~thin).tolist():
        found.extend(_sides(ctypes.cast(paths[index], pdfium.FPDF_PAGEOBJECT)))
    return found


def _paths(page: Any) -> list[int]:
    """Addresses of the page's drawn paths; text makes up most objects of some pages."""
    import pypdfium2.raw as pdfium

    raw = page.raw
    n = min(pdfium.FPDFPage_CountObjects(raw), MOST_OBJECTS)
    handle = ctypes.cast(raw, ctypes.c_void_p).value
    at = foreign(pdfium.FPDFPage_GetObject, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
    kind = foreign(pdfium.FPDFPageObj_GetType, ctypes.c_void_p, ctypes.c_int)
    objects = list(map(at, repeat(handle), range(n)))
    path = pdfium.FPDF_PAGEOBJ_PATH
    return [o for o, k in zip(objects, map(kind, objects), strict=True) if k == path and o]


def _sides(path: Any) -> list[tuple[float, float, float, float]]:
    """The axis-parallel segments of a stroked path, in page coordinates."""
    import pypdfium2.raw as pdfium

    fill, stroke = ctypes.c_int(), ctypes.c_int()
    count = pdfium.FPDFPath_CountSegments(path)
    if not pdfium.FPDFPath_GetDrawMode(path, fill, stroke) or not stroke.value or count > 2000:
        return []
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(path, matrix)
    sides, start, last = [], (0.0, 0.0), (0.0, 0.0)
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        here = (
            matrix.a * x.value + matrix.c * y.value + matrix.e,
            matrix.b * x.value + matrix.d * y.value + matrix.f,
        )
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            start = here
        elif kind == pdfium.FPDF_SEGMENT_LINETO:
            sides.append((*last, *here))
        last = here
        if pdfium.FPDFPathSegment_GetClose(segment):
            sides.append((*here, *start))
            last = start
    return [s for s in sides if min(abs(s[0] - s[2]), abs(s[1] - s[3])) <= THIN]


def _merged(lines: NDArray[np.float64]) -> NDArray[np.float64]:
    """Join pieces of one line: same position within NEAR, ends that touch within NEAR."""
    if not len(lines):
        return np.zeros((0, 3))
    lines = lines[np.argsort(lines[:, 0], kind="stable")]
    group = np.cumsum(np.concatenate(([0], np.diff(lines[:, 0]) > NEAR)))
    order = np.lexsort((lines[:, 1], group))
    lines, group = lines[order], group[order]
    joined: list[list[float]] = []
    last_group = -1
    for (position, start, end), g in zip(lines.tolist(), group.tolist(), strict=True):
        if g == last_group and start <= joined[-1][2] + NEAR:
            joined[-1][2] = max(joined[-1][2], end)
        else:
            joined.append([position, start, end])
        last_group = g
    return np.array([j for j in joined if j[2] - j[1] >= SHORTEST]).reshape(-1, 3)
