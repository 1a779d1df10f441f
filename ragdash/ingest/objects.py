"""What is painted on a PDF page, in the order of painting, read in bulk."""

from __future__ import annotations

import ctypes
from collections import deque
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from ragdash.ingest.glyphs import foreign

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_OBJECTS = 60_000
"""A page with more objects is a drawing; what they are would cost more than it tells."""
DEEPEST_FORM = 5
"""Forms within forms; deeper ones are not looked into."""
MOST_IN_FORMS = 20_000

_PLACE = ctypes.c_void_p


@dataclass(frozen=True, slots=True, eq=False)
class Objects:
    """Objects by address and type; the first `n_own` are the page's own, then those of its forms.

    `order` is that of painting; `matrices` (3, 3) map the points of a form's objects to the page.
    `paths` are the positions of all that is drawn, with their boxes.
    """

    addresses: NDArray[np.int64]
    kinds: NDArray[np.int64]
    matrices: dict[int, NDArray[np.float64]]
    order: NDArray[np.float64]
    n_own: int
    paths: NDArray[np.int64]
    path_boxes: NDArray[np.float64]

    def of_kind(self, kind: int) -> NDArray[np.int64]:
        """Positions of the objects of a type."""
        return np.flatnonzero(self.kinds == kind)


def read_objects(page: Any) -> Objects:
    """Read the objects of an open pypdfium2 page, those inside its forms after its own."""
    import pypdfium2.raw as pdfium

    raw = page.raw
    n = min(pdfium.FPDFPage_CountObjects(raw), MOST_OBJECTS)
    handle = ctypes.cast(raw, ctypes.c_void_p).value
    at = foreign(pdfium.FPDFPage_GetObject, _PLACE, ctypes.c_int, _PLACE)
    addresses: list[int] = list(map(at, repeat(handle), range(n)))
    if None in addresses:
        addresses = [a or 0 for a in addresses]
    kinds = _kinds(addresses)
    order = list(map(float, range(n)))
    matrices: dict[int, NDArray[np.float64]] = {}
    for position in np.flatnonzero(kinds == pdfium.FPDF_PAGEOBJ_FORM).tolist():
        _enter(addresses[position], np.eye(3), DEEPEST_FORM, (addresses, matrices))
        inside = len(addresses) - len(order)
        order.extend(position + (k + 1) / (inside + 1) for k in range(inside))
    if len(addresses) > n:
        kinds = np.concatenate((kinds, _kinds(addresses[n:])))
    paths = np.flatnonzero(kinds == pdfium.FPDF_PAGEOBJ_PATH)
    places = np.array(addresses, np.int64)
    boxes = _bounds(places, matrices, paths)
    return Objects(places, kinds, matrices, np.array(order), n, paths, boxes)


def _enter(
    form: int,
    outer: NDArray[np.float64],
    depth: int,
    found: tuple[list[int], dict[int, NDArray[np.float64]]],
) -> None:
    """Add the objects of a form and of the forms in it."""
    import pypdfium2.raw as pdfium

    addresses, matrices = found
    handle = ctypes.cast(form, pdfium.FPDF_PAGEOBJECT)
    own = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(handle, own)
    inner = np.array([[own.a, own.b, 0], [own.c, own.d, 0], [own.e, own.f, 1]]) @ outer
    for index in range(max(0, pdfium.FPDFFormObj_CountObjects(handle))):
        if len(matrices) >= MOST_IN_FORMS:
            return
        child = pdfium.FPDFFormObj_GetObject(handle, index)
        address = ctypes.cast(child, ctypes.c_void_p).value or 0
        matrices[len(addresses)] = inner
        addresses.append(address)
        if depth and address and pdfium.FPDFPageObj_GetType(child) == pdfium.FPDF_PAGEOBJ_FORM:
            _enter(address, inner, depth - 1, found)


def _kinds(addresses: list[int]) -> NDArray[np.int64]:
    import pypdfium2.raw as pdfium

    kind = foreign(pdfium.FPDFPageObj_GetType, _PLACE, ctypes.c_int)
    return np.fromiter(map(kind, addresses), np.int64, len(addresses))


def bounds_of(objects: Objects, positions: NDArray[np.int64]) -> NDArray[np.float64]:
    """Boxes of some objects on the page, float64, (n, 4): left, bottom, right, top in points."""
    return _bounds(objects.addresses, objects.matrices, positions)


def _bounds(
    addresses: NDArray[np.int64],
    matrices: dict[int, NDArray[np.float64]],
    positions: NDArray[np.int64],
) -> NDArray[np.float64]:
    import pypdfium2.raw as pdfium

    n = len(positions)
    bounds = np.zeros((n, 4), np.float32)
    at = bounds.ctypes.data
    get = foreign(pdfium.FPDFPageObj_GetBounds, *[_PLACE] * 5, ctypes.c_int)
    corners = [range(at + 4 * k, at + 4 * k + 16 * n, 16) for k in range(4)]
    deque(map(get, addresses[positions].tolist(), *corners), maxlen=0)
    boxes = np.nan_to_num(bounds, nan=0.0, posinf=0.0, neginf=0.0).astype(np.float64)
    for row, position in enumerate(positions.tolist() if matrices else ()):
        if position in matrices:
            x0, y0, x1, y1 = boxes[row]
            points = np.array([[x0, y0, 1], [x1, y0, 1], [x0, y1, 1], [x1, y1, 1]])
            moved = (points @ matrices[position])[:, :2]
            boxes[row] = (*moved.min(axis=0), *moved.max(axis=0))
    return boxes


def colours_of(
    objects: Objects, positions: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Fill colours of some objects, int64, (n, 4): red, green, blue, alpha, 0 to 255.

    The second array says which are known: a pattern is no colour.
    """
    import pypdfium2.raw as pdfium

    n = len(positions)
    colours = np.zeros((n, 4), np.uint32)
    at = colours.ctypes.data
    get = foreign(pdfium.FPDFPageObj_GetFillColor, *[_PLACE] * 5, ctypes.c_int)
    parts = [range(at + 4 * k, at + 4 * k + 16 * n, 16) for k in range(4)]
    chosen = objects.addresses[positions].tolist()
    known = np.fromiter(map(get, chosen, *parts), np.bool_, n)
    return colours.astype(np.int64), known
