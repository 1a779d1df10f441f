"""Which characters of a PDF page a reader does not see, and why.

Tiny: less than 2 points high, and less than a third of what most of the page's text is. Off the
page: wholly outside the crop box. Transparent: painted with no opacity. Invisible: render mode 3
or 7, unless pictures cover half of the page and most of its text is invisible: that is the text
layer of a scan and is read. Of the background's colour: the last rectangle painted before it under
its middle (else white paper) is so like it that the contrast is below 1.2; over a picture, a
shading or another shape the background is not known, and text counts as seen.

Not looked for: text that is clipped away, and text that a later shape covers.
"""

from __future__ import annotations

import ctypes
from collections import deque
from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from ragdash.ingest.glyphs import foreign, turned
from ragdash.ingest.hidden import TINY, WHITE, HiddenKind, HiddenSpan, alike, hidden_span
from ragdash.ingest.objects import bounds_of, colours_of
from ragdash.ingest.rules import THIN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ragdash.ingest.glyphs import Glyphs
    from ragdash.ingest.hidden import Colour
    from ragdash.ingest.objects import Objects

KINDS = tuple(HiddenKind)
SEEN = -1
SMALL_SHARE = 1 / 3
"""Of the page's usual text height; where a page is small as a whole, small text is its text."""
CLEAR = 8
"""Alpha of 255; nothing painted with less can be seen."""
SCAN_SHARE = 0.5
"""Of the page, that pictures cover on a scan; and of its characters, that are invisible."""
RECTANGLE = 6
"""Segments of a path; one with more is no plain rectangle, and what it leaves open is not known."""
OCR_SHOWN = 80
"""Characters kept of a scan's text layer: the page holds it all."""
_INVISIBLE = np.array([m in (3, 7) for m in range(8)])
"""By text render mode: neither filled nor stroked."""
_STROKED = np.array([m in (1, 5) for m in range(8)])
"""By text render mode: drawn in the stroke's colour, which is not looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class _Grounds:
    """What text may stand on: boxes (n, 4), order of painting, colours, None where not known."""

    boxes: NDArray[np.float64]
    order: NDArray[np.float64]
    colours: list[Colour | None]

    def under(self, x: float, y: float, order: float) -> Colour | None:
        """The colour that is seen at a point before the object of that order is painted."""
        x0, y0, x1, y1 = self.boxes.T
        here = (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1) & (self.order < order)
        at = np.flatnonzero(here)
        return self.colours[at[np.argmax(self.order[at])]] if len(at) else WHITE


@dataclass(frozen=True, slots=True)
class _Suspect:
    """A text object that may be hidden."""

    kind: HiddenKind
    order: float
    colour: Colour


def unseen(page: Any, textpage: Any, glyphs: Glyphs, objects: Objects) -> NDArray[np.int64]:
    """Return for each glyph the position in KINDS of why it is not seen, or SEEN; int64, (n,)."""
    kinds = np.full(len(glyphs.codes), SEEN, np.int64)
    solid = (glyphs.size > 0.1) & (glyphs.codes > 32)
    if not solid.any():
        return kinds
    box = _box(page)
    suspects, grounds = _suspects(objects)
    if suspects:
        _mark_objects(kinds, textpage, suspects, grounds)
        _mark_scan(kinds, solid, objects, box)
    small = solid & (glyphs.size < TINY)
    if small.any():
        small &= glyphs.size < SMALL_SHARE * np.median(glyphs.size[solid])
        small[small] = _truly_small(textpage, np.flatnonzero(small))
        kinds[small & (kinds == SEEN)] = KINDS.index(HiddenKind.TINY)
    x0, y0, x1, y1 = (np.array([side]) for side in box)
    left, bottom, right, top = turned(x0, y0, x1, y1, glyphs.quarter_turns)
    out = (glyphs.right <= left) | (glyphs.left >= right)
    out |= (glyphs.bottom + glyphs.size <= bottom) | (glyphs.bottom >= top)
    kinds[solid & out] = KINDS.index(HiddenKind.OFF_PAGE)
    return kinds


def hidden_spans(
    glyphs: Glyphs, kinds: NDArray[np.int64], doc_id: str, page: int
) -> list[HiddenSpan]:
    """Return what is hidden on a page (from 1) as runs of one kind, in stream order."""
    if (kinds == SEEN).all():
        return []
    solid = np.flatnonzero((glyphs.codes > 32) & (glyphs.size > 0.1))
    marks = kinds[solid]
    starts = np.flatnonzero(np.concatenate(([True], np.diff(marks) != 0)))
    spans = []
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(solid)], strict=True):
        if marks[start] == SEEN:
            continue
        codes = glyphs.codes[solid[start] : solid[end - 1] + 1].tolist()
        text = "".join("\ufffd" if 0xD800 <= c < 0xE000 else chr(c) for c in codes)
        span = hidden_span(doc_id, page, KINDS[int(marks[start])], text)
        spans.extend([span] if span else [])
    return _short_layers(spans)


def _short_layers(spans: list[HiddenSpan]) -> list[HiddenSpan]:
    """The text layer of a scan once a page, and only its beginning."""
    layers = [s for s in spans if s.kind is HiddenKind.OCR_LAYER]
    if not layers:
        return spans
    one = replace(layers[0], text=layers[0].text[:OCR_SHOWN], length=sum(s.length for s in layers))
    return [one, *(s for s in spans if s.kind is not HiddenKind.OCR_LAYER)]


def _box(page: Any) -> tuple[float, float, float, float]:
    """The visible part of the page in points: left, bottom, right, top."""
    left, bottom, right, top = page.get_bbox()
    return left, bottom, right, top


def _suspects(objects: Objects) -> tuple[dict[int, _Suspect], _Grounds]:
    """Text objects that may be hidden, by address, and what they may stand on."""
    import pypdfium2.raw as pdfium

    texts = objects.of_kind(pdfium.FPDF_PAGEOBJ_TEXT)
    grounds = _grounds(objects)
    mode = foreign(pdfium.FPDFTextObj_GetTextRenderMode, ctypes.c_void_p, ctypes.c_int)
    chosen = objects.addresses[texts].tolist()
    modes = np.clip(np.fromiter(map(mode, chosen), np.int64, len(texts)), 0, 7)
    colours, known = colours_of(objects, texts)
    papers = {WHITE, *(c for c in grounds.colours if c is not None)}
    packed = colours[:, 0] << 16 | colours[:, 1] << 8 | colours[:, 2]
    painted = np.zeros(len(texts), np.bool_)
    for colour in set(packed.tolist()):
        if any(alike(_unpacked(colour), paper) for paper in papers):
            painted |= packed == colour
    painted &= known & ~_STROKED[modes]
    clear = known & (colours[:, 3] < CLEAR)
    invisible = _INVISIBLE[modes]
    found = {}
    for k in np.flatnonzero(painted | clear | invisible).tolist():
        kind = HiddenKind.TRANSPARENT if clear[k] else HiddenKind.COLOUR
        kind = HiddenKind.INVISIBLE if invisible[k] else kind
        order = float(objects.order[texts[k]])
        found[chosen[k]] = _Suspect(kind, order, _unpacked(int(packed[k])))
    return found, grounds


def _unpacked(colour: int) -> Colour:
    return colour >> 16, colour >> 8 & 255, colour & 255


def _grounds(objects: Objects) -> _Grounds:
    """Filled shapes, pictures and shadings that are no lines."""
    import pypdfium2.raw as pdfium

    broad = np.minimum(*(objects.path_boxes[:, k + 2] - objects.path_boxes[:, k] for k in (0, 1)))
    paths, boxes = objects.paths[broad > THIN], objects.path_boxes[broad > THIN]
    fills, segments = _shapes(objects.addresses[paths])
    colours, known = colours_of(objects, paths)
    painted = (fills != 0) & (colours[:, 3] >= CLEAR)
    plain = known & (colours[:, 3] == 255) & (segments <= RECTANGLE)
    packed = colours[:, 0] << 16 | colours[:, 1] << 8 | colours[:, 2]
    others = np.flatnonzero(
        (objects.kinds == pdfium.FPDF_PAGEOBJ_IMAGE)
        | (objects.kinds == pdfium.FPDF_PAGEOBJ_SHADING)
    )
    said = [
        _unpacked(colour) if is_plain else None
        for colour, is_plain in zip(packed[painted].tolist(), plain[painted].tolist(), strict=True)
    ]
    return _Grounds(
        np.concatenate((boxes[painted], bounds_of(objects, others))),
        objects.order[np.concatenate((paths[painted], others))],
        [*said, *[None] * len(others)],
    )


def _shapes(addresses: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Fill modes of paths (0 for none) and how many segments they have."""
    import pypdfium2.raw as pdfium

    n = len(addresses)
    modes = np.zeros((n, 2), np.int32)
    at = modes.ctypes.data
    place = ctypes.c_void_p
    mode = foreign(pdfium.FPDFPath_GetDrawMode, place, place, place, ctypes.c_int)
    chosen = addresses.tolist()
    deque(map(mode, chosen, range(at, at + 8 * n, 8), range(at + 4, at + 4 + 8 * n, 8)), maxlen=0)
    count = foreign(pdfium.FPDFPath_CountSegments, place, ctypes.c_int)
    return modes[:, 0], np.fromiter(map(count, chosen), np.int64, n)


def _mark_objects(
    kinds: NDArray[np.int64], textpage: Any, suspects: dict[int, _Suspect], grounds: _Grounds
) -> None:
    """Mark the characters of suspect objects that are hidden."""
    import pypdfium2.raw as pdfium

    handle = ctypes.cast(textpage.raw, ctypes.c_void_p).value
    one = foreign(pdfium.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
    for index, address in enumerate(map(one, repeat(handle), range(len(kinds)))):
        suspect = suspects.get(address or 0)
        if suspect is None:
            continue
        if suspect.kind is HiddenKind.COLOUR:
            left, right, bottom, top = (ctypes.c_double() for _ in range(4))
            pdfium.FPDFText_GetCharBox(textpage, index, left, right, bottom, top)
            x, y = (left.value + right.value) / 2, (bottom.value + top.value) / 2
            paper = grounds.under(x, y, suspect.order)
            if paper is None or not alike(suspect.colour, paper):
                continue
        kinds[index] = KINDS.index(suspect.kind)


def _mark_scan(
    kinds: NDArray[np.int64],
    solid: NDArray[np.bool_],
    objects: Objects,
    box: tuple[float, float, float, float],
) -> None:
    """Where the page is a scan, its invisible text is the text layer."""
    import pypdfium2.raw as pdfium

    invisible = kinds == KINDS.index(HiddenKind.INVISIBLE)
    if invisible[solid].sum() < SCAN_SHARE * solid.sum():
        return
    x0, y0, x1, y1 = bounds_of(objects, objects.of_kind(pdfium.FPDF_PAGEOBJ_IMAGE)).T
    wide = np.minimum(x1, box[2]) - np.maximum(x0, box[0])
    high = np.minimum(y1, box[3]) - np.maximum(y0, box[1])
    covered = float((np.maximum(wide, 0) * np.maximum(high, 0)).sum())
    if covered >= SCAN_SHARE * (box[2] - box[0]) * (box[3] - box[1]):
        kinds[invisible] = KINDS.index(HiddenKind.OCR_LAYER)


def _truly_small(textpage: Any, indices: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether what is drawn is small too: some fonts give a box far lower than their shapes."""
    import pypdfium2.raw as pdfium

    small = np.ones(len(indices), np.bool_)
    for k, index in enumerate(indices.tolist()):
        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        pdfium.FPDFText_GetCharBox(textpage, index, left, right, bottom, top)
        small[k] = max(top.value - bottom.value, right.value - left.value) < TINY
    return small
