"""C3: sentences that tell the reader's machine what to do; they are put aside, not obeyed.

Rules over text, in Chinese and English, by what an instruction is made of: whom it addresses, what
it wants overridden, written, left out, called, sent or scored. A filing that only speaks of such
things (staff may not reveal, investors should disregard rumours) has none of these forms.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from ragdash.attack.controls.forms import FORBIDDEN, FORMS, PEOPLE
from ragdash.attack.controls.normalise import unspaced
from ragdash.attack.controls.sentences import sentences
from ragdash.attack.controls.working import traced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ragdash.attack.controls.working import Passage, Working

DETECT = "C3_detect"

Detector = Callable[[str], str]
"""A sentence in, the reason why it is an instruction out, "" where it is none. A detector that asks
a model has this shape too; none is used by default."""

_QUOTED = re.compile(
    r"“[^”\n]{1,80}”|「[^」\n]{1,80}」|\"[^\"\n]{1,80}\"|‘[^’\n]{1,80}’|(?<!\w)'[^'\n]{1,80}'(?!\w)"
)
_OF_CHINESE = re.compile(r"(?<=[\u4e00-\u9fff])[\s·.*_~^|/\\-]+(?=[\u4e00-\u9fff])")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,20000}={0,2}(?![A-Za-z0-9+/=])")
_HEX = re.compile(r"(?<![0-9A-Fa-f])(?:[0-9A-Fa-f]{2}[ :]?){16,5000}(?![0-9A-Fa-f])")
_LEADS_ON = re.compile(
    r"[:：]\s*[\"'“「]?\s*$|\b(?:following|below|next)\b|如下|以下|下列|下述", re.I
)
_BUT_BREAKS = re.compile(r"[^\n]")
_NEIGHBOURS = 8


def instruction_in(sentence: str) -> str:
    """Return why a sentence is an instruction to a machine, "" where it is none."""
    plain = _OF_CHINESE.sub("", unspaced(unicodedata.normalize("NFKC", sentence)))
    about = _QUOTED.sub(" ", plain) if PEOPLE.search(plain) or FORBIDDEN.search(plain) else plain
    for why, lawful, form in FORMS:
        found = form.search(about)
        if found and not (lawful and _is_lawful(about[: found.start()])):
            return why
    return _encoded(sentence)


def _is_lawful(before: str) -> bool:
    """Whether what stands before makes it a rule for people, or of what is forbidden."""
    near = before[-80:]
    return PEOPLE.search(near) is not None or FORBIDDEN.search(near) is not None


def _encoded(sentence: str) -> str:
    """Say whether words stand in a sentence as base64 or hexadecimal digits."""
    return "holds encoded text" if _encoded_runs(sentence) else ""


def _encoded_runs(sentence: str) -> list[tuple[int, int]]:
    """Return where words stand in a sentence as base64 or hexadecimal digits."""
    found = [m.span() for m in _BASE64.finditer(sentence) if _is_text(_unbase64(m[0]))]
    return found or [
        m.span()
        for m in _HEX.finditer(sentence)
        if _is_text(bytes.fromhex(re.sub("[ :]", "", m[0])))
    ]


def _unbase64(word: str) -> bytes:
    plain = word.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _is_text(raw: bytes) -> bool:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    letters = sum(c.isalpha() or c.isspace() for c in text)
    return len(text) >= 6 and text.isprintable() and letters >= 0.7 * len(text)


def detect(work: Working, detectors: tuple[Detector, ...] = (instruction_in,)) -> Working:
    """C3: blank the sentences of every passage that are instructions; the rest stays.

    Sentences of two passages are read together too, as an instruction may be cut in two.
    """
    found = {passage.place: _instructions(passage.text, detectors) for passage in work.passages}
    for place, span, why in _cut_in_two(work.passages, found, detectors):
        found[place][span] = why
    passages, lines = [], []
    for passage in work.passages:
        left, at = [], 0
        for (start, end), why in sorted(found[passage.place].items()):
            sentence = passage.text[start:end]
            lines.append(traced(DETECT, "quarantined", passage.id, f"{why}: {sentence.strip()}"))
            left += [passage.text[at:start], _BUT_BREAKS.sub(" ", sentence)]
            at = end
        passages.append(replace(passage, text="".join((*left, passage.text[at:]))))
    return replace(work, passages=tuple(passages)).traced(lines)


def _instructions(text: str, detectors: tuple[Detector, ...]) -> dict[tuple[int, int], str]:
    found: dict[tuple[int, int], str] = {}
    leading = ""
    for start, end in _units(text, detectors):
        sentence = text[start:end]
        why = next((w for d in detectors if (w := d(sentence))), "") or leading
        if why:
            found[start, end] = why
        leading = "goes on from an instruction" if why and _LEADS_ON.search(sentence) else ""
    return found


def _touched(found: dict[tuple[int, int], str], span: tuple[int, int]) -> bool:
    """Whether anything was found in a sentence: all of it, or a cell."""
    return any(start < span[1] and span[0] < end for start, end in found)


def _units(text: str, detectors: tuple[Detector, ...]) -> Iterator[tuple[int, int]]:
    """Yield sentences, and of a table row its cells where one of these alone is an instruction.

    The other cells of such a row are figures that the question may be about.
    """
    for start, end in sentences(text):
        cells = _cells(text, start, end)
        if len(cells) > 1 and any(d(text[a:b]) for a, b in cells for d in detectors):
            yield from cells
        else:
            yield from _around_encoded(text, start, end, detectors)


def _around_encoded(
    text: str, start: int, end: int, detectors: tuple[Detector, ...]
) -> Iterator[tuple[int, int]]:
    """Yield encoded words apart from a sentence that is no instruction without them."""
    runs = _encoded_runs(text[start:end])
    left = text[start:end]
    for a, b in runs:
        left = left[:a] + " " * (b - a) + left[b:]
    if not runs or any(d(left) for d in detectors):
        yield start, end
        return
    edges = [start, *(edge + start for run in runs for edge in run), end]
    yield from ((a, b) for a, b in pairwise(edges) if text[a:b].strip())


def _cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the ranges between the bars of a table row, blank ones left out."""
    if "|" not in text[start:end]:
        return []
    bars = [start - 1, *(m.start() + start for m in re.finditer(r"\|", text[start:end])), end]
    return [(a + 1, b) for a, b in pairwise(bars) if text[a + 1 : b].strip()]


def _cut_in_two(
    passages: tuple[Passage, ...],
    found: dict[int, dict[tuple[int, int], str]],
    detectors: tuple[Detector, ...],
) -> list[tuple[int, tuple[int, int], str]]:
    """Return the last and first sentences of two passages that are an instruction only together."""
    if len(passages) > _NEIGHBOURS:
        return []
    ends = [(p, spans[0], spans[-1]) for p in passages if (spans := sentences(p.text))]
    cut = []
    for one, _, last in ends:
        for other, first, _ in ends:
            if one.place == other.place:
                continue
            if _touched(found[one.place], last) or _touched(found[other.place], first):
                continue
            joined = one.text[slice(*last)].rstrip() + other.text[slice(*first)].lstrip()
            if why := next((w for d in detectors if (w := d(joined))), ""):
                cut += [
                    (one.place, last, f"{why}, cut in two"),
                    (other.place, first, f"{why}, cut in two"),
                ]
    return cut
