"""Where a chunk's text stands on its PDF page: the boxes of its words, found by their characters.

A chunk is not a stretch of the page's text: the lines of a paragraph are joined, cells are set
apart, and the header of a table stands again above its later rows. So the page is read into the
same spans as at ingest, and runs of those are taken that the chunk holds.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.ingest.spans import Span

LEAST_FOUND = 0.5
"""Share of a chunk's characters that must be found on the page, else its place is not known."""
_STRANGE = 1.5
"""What a character that is not the chunk's costs a run, against one that is."""
_SHORTEST = 6
"""Characters; a shorter run may stand anywhere."""
_MOST_RUNS = 40


@dataclass(frozen=True, slots=True)
class Box:
    """A stretch of one line: `x0`, `x1` and `y0`, `y1` in points, y upwards from the baseline."""

    x0: float
    y0: float
    x1: float
    y1: float


def letters(text: str) -> str:
    """Return a text by its letters and digits alone, as both spellings of a page have them."""
    return "".join(c for c in unicodedata.normalize("NFKC", text) if c.isalnum())


def passage(spans: Sequence[Span], text: str) -> tuple[Box, ...]:
    """Return the boxes of a chunk among the spans of its page; none where it is not found.

    Args:
        spans: of the page, in stream order.
        text: the chunk.
    """
    sought = letters(text)
    read = [letters(span.text) for span in spans]
    left, boxes, found = sought, list[Box](), 0
    for _ in range(_MOST_RUNS):
        known = [len(one) if one and one in left else 0 for one in read]
        begin, end = _densest(read, known)
        taken = []
        for i in range(begin, end):
            # Once for each time that the chunk says it: another table has the same heads.
            if read[i] and read[i] in left:
                left = left.replace(read[i], "\n", 1)
                taken.append(i)
        if sum(len(read[i]) for i in taken) < _SHORTEST:
            break
        found += sum(len(read[i]) for i in taken)
        boxes += [_box(spans[i], 0, 1) for i in taken]
        beside = _cut_lines(read, (taken[0], taken[-1]), sought)
        found += sum(n for _, n, _ in beside)
        boxes += [_part(spans[i], n / len(read[i]), ends=ends) for i, n, ends in beside]
        for i in taken:
            read[i] = ""
    return tuple(boxes) if sought and found >= LEAST_FOUND * len(sought) else ()


def _densest(read: Sequence[str], known: Sequence[int]) -> tuple[int, int]:
    """Return the half-open run of spans that holds most of the chunk for least of anything else."""
    best, run = 0.0, 0.0
    start, found = 0, (0, 0)
    for i, (one, n) in enumerate(zip(read, known, strict=True)):
        if run <= 0:
            run, start = 0.0, i
        run += n if n else -_STRANGE * len(one)
        if run > best:
            best, found = run, (start, i + 1)
    return found


def _cut_lines(
    read: Sequence[str], ends: tuple[int, int], sought: str
) -> list[tuple[int, int, bool]]:
    """Return the spans beside a run that the chunk begins or ends within.

    Each with how many of its characters are the chunk's, and whether these are its last.
    """
    first, last = ends
    found = []
    before = read[first - 1] if first else ""
    for n in range(len(before) - 1, 0, -1):
        if sought.startswith(before[-n:] + read[first]):
            found.append((first - 1, n, True))
            break
    after = read[last + 1] if last + 1 < len(read) else ""
    for n in range(len(after) - 1, 0, -1):
        if sought.endswith(read[last] + after[:n]):
            found.append((last + 1, n, False))
            break
    return found


def _part(span: Span, share: float, *, ends: bool) -> Box:
    return _box(span, 1 - share, 1) if ends else _box(span, 0, share)


def _box(span: Span, left: float, right: float) -> Box:
    """Return a span's box, or the share of it from `left` to `right`, 0 to 1."""
    wide, bottom = span.x1 - span.x0, span.y - 0.25 * span.size
    return Box(span.x0 + left * wide, bottom, span.x0 + right * wide, bottom + span.size)
