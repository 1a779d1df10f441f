"""The ruling lines of a page: the grid that says which text belongs to which cell."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ragdash.ingest.glyphs import turned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ragdash.ingest.objects import Objects

THIN = 2.0
"""Points; a filled or stroked box no thicker than this is a line."""
NEAR = 1.6
"""Points; ends and lines closer than this are one, since borders are drawn cell by cell."""
SHORTEST = 4.0
"""Points; a shorter line is a dash or a tick, not a border."""


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """Horizontal and vertical lines, each a row (position, from, to) in points, sorted by it."""

    horizontal: NDArray[np.float64]
    vertical: NDArray[np.float64]


def read_rules(objects: Objects, quarter_turns: int) -> Rules:
    """Return the lines drawn on a page by its own paths, turned like its text.

    Boxes that are no lines count with their four sides only when they are stroked.
    """
    boxes = np.array(_boxes(objects), np.float64).reshape(-1, 4)
    x0, y0, x1, y1 = turned(boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3], quarter_turns)
    wide, high = x1 - x0, y1 - y0
    flat = (high <= THIN) & (wide > high)
    tall = (wide <= THIN) & (high > wide)
    horizontal = np.column_stack(((y0 + y1) / 2, x0, x1))[flat]
    vertical = np.column_stack(((x0 + x1) / 2, y0, y1))[tall]
    return Rules(_merged(horizontal), _merged(vertical))


def _boxes(objects: Objects) -> list[tuple[float, float, float, float]]:
    import pypdfium2.raw as pdfium

    paths = objects.paths[objects.paths < objects.n_own]
    bounds = objects.path_boxes[: len(paths)]
    thin = np.minimum(bounds[:, 2] - bounds[:, 0], bounds[:, 3] - bounds[:, 1]) <= THIN
    found: list[tuple[float, float, float, float]] = bounds[thin].tolist()
    for index in np.flatnonzero(~thin).tolist():
        found.extend(
            _sides(ctypes.cast(int(objects.addresses[paths[index]]), pdfium.FPDF_PAGEOBJECT))
        )
    return found


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
