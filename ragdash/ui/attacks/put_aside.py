"""Where in a chunk's own text the sentences stand that a control hid or put aside.

A trace quotes what the control read: folded, without what is invisible, blanks joined. The text
on the page is the chunk's own, so the quote is looked for in a folded copy whose every character
knows its place.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.attack.controls.normalise import folded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ragdash.views.attack_case import Seen, Traced

QUARANTINED, STRIPPED = "quarantined", "stripped"
# Shorter pieces stand in any text.
_SHORTEST = 6
# A reason is cut to this many characters; what it quotes then runs on to its sentence's end.
_CUT = 200
_END = re.compile(r"[。！？!?\n]|\.(?=\s)|\Z")


def spans(seen: Seen, trace: Iterable[Traced]) -> list[tuple[int, int]]:
    """Return the half-open ranges of a chunk's text that were hidden from a reader or put aside."""
    found = [
        (start, min(end, len(seen.text)))
        for start, end, _ in seen.meta.get("hidden_spans") or ()
        if start < len(seen.text)
    ]
    plain, places = _folded(seen.text)
    for line in trace:
        if line.chunk_id != seen.id or line.decision not in (QUARANTINED, STRIPPED):
            continue
        whole = line.decision == STRIPPED
        quoted = line.reason if whole else line.reason.partition(": ")[2]
        pieces = _pieces(plain, _folded(quoted)[0])
        found += [(places[start], places[end - 1] + 1) for start, end in pieces]
        if pieces and not whole and len(line.reason) >= _CUT:
            last = found[-1]
            end = _END.search(seen.text, last[1])
            found[-1] = (last[0], end.end() if end else len(seen.text))
    return sorted(found)


def _folded(text: str) -> tuple[str, list[int]]:
    """Return text folded and without blanks, and for each of its characters the place in text."""
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        for plain in folded(char):
            if not plain.isspace():
                chars.append(plain)
                places.append(place)
    return "".join(chars), places


def _pieces(text: str, quoted: str) -> list[tuple[int, int]]:
    """Return where the longest pieces of a quote stand, as what it joins may stand apart."""
    found = []
    at = 0
    while at + _SHORTEST <= len(quoted):
        size = _longest(text, quoted[at:])
        if size:
            start = text.find(quoted[at : at + size])
            found.append((start, start + size))
        at += size or 1
    return found


def _longest(text: str, quoted: str) -> int:
    """Return how many characters of a quote's beginning stand in a text, 0 for too few."""
    low, high = 0, len(quoted)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if quoted[:middle] in text else (low, middle - 1)
    return low if low >= _SHORTEST else 0
