"""The process that draws one page of a PDF: a request as JSON on stdin, a picture on stdout.

`{"path", "number", "text"}` is answered by how many stretches of the text are marked, a new line
and a PNG; or by why there is none, with exit code 1.
"""

from __future__ import annotations

import json
import struct
import sys
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ragdash.ingest.passage import passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ragdash.ingest.passage import Box

    Pixels = NDArray[np.uint8]
    """uint8, (height, width, 3): red, green, blue."""

SECONDS = 10
"""Of processor time for one page."""
NO_PAGE, DAMAGED = "no_page", "damaged"
_MEMORY = 3 << 30
_WIDTH = 1_100
"""Pixels; enough to read a page of a filing at the width of a column."""
_MOST_PIXELS = 4_000_000
_MARKER = (255, 226, 130)
"""Multiplied into the picture: dark letters stay dark, and white paper turns yellow."""


def draw(path: str, number: int, text: str) -> tuple[bytes, int]:
    """Return a page (from 1) as PNG with a chunk marked, and how many marks there are.

    Raises:
        ValueError: NO_PAGE or DAMAGED.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
        if not 1 <= number <= len(document):
            raise ValueError(NO_PAGE)
        page = document[number - 1]
        wide, high = page.get_size()
        if not (wide > 0 and high > 0):
            raise ValueError(DAMAGED)
        scale = min(_WIDTH / wide, (_MOST_PIXELS / (wide * high)) ** 0.5)
        bitmap = page.render(scale=scale, rev_byteorder=True)
        turns, boxes = _found(page, text)
        place = bitmap.get_posconv(page)
    except pypdfium2.PdfiumError as error:
        raise ValueError(DAMAGED) from error
    pixels: Pixels = bitmap.to_numpy().copy()
    for box in boxes:
        corners = (_turned_back(*corner, turns) for corner in ((box.x0, box.y0), (box.x1, box.y1)))
        _mark(pixels, [place.to_bitmap(x, y) for x, y in corners])
    return _png(pixels), len(boxes)


def _found(page: Any, text: str) -> tuple[int, tuple[Box, ...]]:
    """Return by how many quarter turns the page was read, and the boxes of the chunk."""
    from ragdash.ingest.glyphs import baselines_at, read_glyphs
    from ragdash.ingest.objects import read_objects
    from ragdash.ingest.rules import read_rules
    from ragdash.ingest.spans import read_spans

    textpage = page.get_textpage()
    glyphs = read_glyphs(textpage)
    turns = glyphs.quarter_turns
    rules = read_rules(read_objects(page), turns)
    spans = read_spans(glyphs, rules, lambda at: baselines_at(textpage, at, turns))
    return turns, passage(spans, text)


def _turned_back(x: float, y: float, turns: int) -> tuple[float, float]:
    """Return a point of the page turned clockwise as it lies in the file."""
    for _ in range(turns % 4):
        x, y = -y, x
    return x, y


def _mark(pixels: Pixels, corners: list[tuple[int, int]]) -> None:
    import numpy as np

    high, wide = pixels.shape[:2]
    left, right = sorted(min(max(x, 0), wide) for x, _ in corners)
    top, bottom = sorted(min(max(y, 0), high) for _, y in corners)
    part = pixels[top:bottom, left:right]
    part[:] = part.astype(np.uint16) * np.array(_MARKER, np.uint16) // 255


def _png(pixels: Pixels) -> bytes:
    """Return pixels as PNG (RFC 2083): eight bits a colour, no filter."""
    import numpy as np

    high, wide = pixels.shape[:2]
    rows = np.zeros((high, 1 + 3 * wide), np.uint8)
    rows[:, 1:] = pixels.reshape(high, 3 * wide)
    head = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _limit() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def main() -> int:
    """Answer the request on stdin."""
    _limit()
    out = sys.stdout.buffer
    try:
        png, marks = draw(**json.loads(sys.stdin.buffer.read()))
    except ValueError as error:
        out.write(f"{error}\n".encode("ascii", "replace"))
        return 1
    out.write(f"{marks}\n".encode() + png)
    return 0


if __name__ == "__main__":
    sys.exit(main())
