"""The characters of a PDF page with their places, read in bulk and turned upright."""

from __future__ import annotations

import ctypes
from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FLOW_VOTES = 0.6
"""Share of steps between neighbouring characters that must agree before a page counts as turned."""
VOTERS = 1_000
"""Characters that vote; a page turns as a whole."""

_PLACE = ctypes.c_void_p
_ONE = (ctypes.c_void_p, ctypes.c_int)
"""A text page and the index of one of its characters."""


@dataclass(frozen=True, slots=True, eq=False)
class Glyphs:
    """The characters of a page in stream order, blanks included.

    `codes` are Unicode code points; `left`, `right`, `bottom` and `size` (height of the loose box)
    are points, with y growing upwards and the text running to the right. A blank that PDFium made
    up has size 0.
    """

    codes: NDArray[np.int64]
    left: NDArray[np.float64]
    right: NDArray[np.float64]
    bottom: NDArray[np.float64]
    size: NDArray[np.float64]
    quarter_turns: int


def foreign(function: Any, *takes: Any) -> Any:
    """Return a native function under a leaner prototype, for calls by the hundred thousand.

    The generated binding converts typed pointers and drops the GIL on every call; addresses as
    plain integers halve the cost. `takes` are the argument types, then the result's.
    """
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    return _prototype(takes)(address)


@lru_cache(maxsize=16)
def _prototype(takes: tuple[Any, ...]) -> Any:
    return ctypes.PYFUNCTYPE(takes[-1], *takes[:-1])


def read_glyphs(textpage: Any) -> Glyphs:
    """Read all characters of an open pypdfium2 text page.

    One native call a character: the loose box (advance width by font height, so that gaps are
    gaps and not side bearings). Code points come in bulk, baselines by `baselines_at` where wanted.
    """
    import pypdfium2.raw as pdfium

    n = max(0, textpage.count_chars())
    handle = ctypes.cast(textpage.raw, ctypes.c_void_p).value
    boxes = np.zeros((n, 4), np.float32)
    at = boxes.ctypes.data
    loose_box = foreign(pdfium.FPDFText_GetLooseCharBox, *_ONE, _PLACE, ctypes.c_int)
    deque(map(loose_box, repeat(handle), range(n), range(at, at + 16 * n, 16)), maxlen=0)
    boxes = np.nan_to_num(boxes, nan=0.0, posinf=0.0, neginf=0.0)
    return _upright(_codes(textpage, n), boxes.astype(np.float64))


def _codes(textpage: Any, n: int) -> NDArray[np.int64]:
    """The code points of all characters, in bulk where text and characters run one to one."""
    import pypdfium2.raw as pdfium

    units = np.zeros(n + 1, np.uint16)
    buffer = units.ctypes.data_as(ctypes.POINTER(ctypes.c_ushort))
    written = pdfium.FPDFText_GetText(textpage, 0, n, buffer) if n else 1
    codes = units[:n].astype(np.int64)
    probes = range(0, n, max(1, n // 16))
    same = all(pdfium.FPDFText_GetUnicode(textpage, i) == codes[i] for i in probes)
    if written != n + 1 or not same or ((codes >= 0xD800) & (codes < 0xE000)).any():
        # PDFium left characters out or wrote a surrogate pair, so that indices have shifted.
        one = foreign(pdfium.FPDFText_GetUnicode, *_ONE, ctypes.c_int)
        handle = ctypes.cast(textpage.raw, ctypes.c_void_p).value
        codes = np.fromiter(map(one, repeat(handle), range(n)), np.int64, n)
    codes[(codes < 0) | (codes > 0x10FFFF)] = 0xFFFD
    return codes


def baselines_at(
    textpage: Any, indices: NDArray[np.int64], quarter_turns: int
) -> NDArray[np.float64]:
    """Read the baselines (points, turned like the page) of some characters.

    The loose box will not do: its bottom hangs on the font's descent, so that Chinese and Latin
    on one line differ.
    """
    import pypdfium2.raw as pdfium

    n = len(indices)
    handle = ctypes.cast(textpage.raw, ctypes.c_void_p).value
    origins = np.zeros((n, 2), np.float64)
    at = origins.ctypes.data
    origin = foreign(pdfium.FPDFText_GetCharOrigin, *_ONE, _PLACE, _PLACE, ctypes.c_int)
    xs, ys = range(at, at + 16 * n, 16), range(at + 8, at + 8 + 16 * n, 16)
    deque(map(origin, repeat(handle), indices.tolist(), xs, ys), maxlen=0)
    x, y = np.nan_to_num(origins, nan=0.0, posinf=0.0, neginf=0.0).T
    return turned(x, y, x, y, quarter_turns)[1]


def turned(
    x0: NDArray[np.float64],
    y0: NDArray[np.float64],
    x1: NDArray[np.float64],
    y1: NDArray[np.float64],
    quarter_turns: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Turn boxes clockwise by quarter turns about the origin; corners come back sorted."""
    for _ in range(quarter_turns % 4):
        x0, y0, x1, y1 = y0, -x0, y1, -x1
    return np.minimum(x0, x1), np.minimum(y0, y1), np.maximum(x0, x1), np.maximum(y0, y1)


def _quarter_turns(codes: NDArray[np.int64], boxes: NDArray[np.float64]) -> int:
    """How many clockwise quarter turns make the page's text run to the right."""
    real = boxes[np.flatnonzero(codes > 32)[:VOTERS]]
    x, y = np.diff((real[:, :2] + real[:, 2:]) / 2, axis=0).T
    moved = (np.abs(x) + np.abs(y) > 0) & (np.abs(x) + np.abs(y) < 40)
    total = int(moved.sum())
    if total < 8:
        return 0
    upright = np.abs(y) > np.abs(x)
    votes = (
        ((~upright) & (x > 0) & moved).sum(),
        (upright & (y > 0) & moved).sum(),
        ((~upright) & (x < 0) & moved).sum(),
        (upright & (y < 0) & moved).sum(),
    )
    best = int(np.argmax(votes))
    return best if votes[best] > FLOW_VOTES * total else 0


def _upright(codes: NDArray[np.int64], boxes: NDArray[np.float64]) -> Glyphs:
    turns = _quarter_turns(codes, boxes)
    x0, y0, x1, y1 = turned(boxes[:, 0], boxes[:, 3], boxes[:, 2], boxes[:, 1], turns)
    return Glyphs(codes, x0, x1, y0, y1 - y0, turns)
