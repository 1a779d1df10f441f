"""C1: text as a reader sees it, so that no later control is passed by look-alikes."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from ragdash.attack.controls.working import traced

if TYPE_CHECKING:
    from ragdash.attack.controls.working import Passage, Working

NORMALISE = "C1_normalize"

# Letters of other scripts that no reader tells from Latin ones (Unicode confusables, the letters
# and the Greek capitals); a filing in Chinese or English has no use for them.
_LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухԁԛԝһӏвкмнтгпьԍҮүΑΒΕΖΗΙΚΜΝΟΡΤΥΧονικαρτυχɑɡıȷℓ∕⁄․‚٫ꓲꓳꓑꓝ",
    "ABESIJKMHOPCTYXaesijopcyxdqwhlbkmhtrnbgYyABEZHIKMNOPTYXovikaptuxagijl//.,,IOPF",
)
_WIDE = {code: chr(code - 0xFEE0) for code in range(0xFF10, 0xFF5B) if chr(code - 0xFEE0).isalnum()}
_WIDE |= {0xFF05: "%", 0xFF04: "$", 0xFF0B: "+", 0xFF0D: "-", 0xFF0E: ".", 0xFF3F: "_"}
_WIDE |= {0xFF1C: "<", 0xFF1E: ">", 0xFF5C: "|", 0xFF0F: "/", 0xFF40: "`", 0xFF02: '"'}
# Invisible although no format character: fillers, joiners, variation selectors, tags.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0000-\U000e0fff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
)
# Bold, script and double-struck letters and digits, circled letters, superscript letters.
_STYLED = re.compile("[\U0001d400-\U0001d7ff\u24b6-\u24e9\u2100-\u214f\U0001f130-\U0001f169]")
_PLAIN = re.compile(
    r"[\t\n\r -~\u2010-\u2027\u3001-\u301f\u4e00-\u9fff\uff08\uff09\uff0c\uff1a\uff1b\uff1f\uff01]*"
)
# i-g-n-o-r-e a-l-l keeps its blanks between words; i g n o r e has none to keep.
_HYPHENED = re.compile(r"(?<![A-Za-z])(?:[A-Za-z][._*~|/-]){2,}[A-Za-z](?![A-Za-z])")
_SPACED = re.compile(r"(?<![A-Za-z])(?:[A-Za-z][ ._*-]){3,}[A-Za-z](?![A-Za-z])")


def folded(text: str) -> str:
    """Return text without what is invisible, look-alikes and full width written plainly.

    Chinese punctuation stays. Character by character: the fold of a beginning is the beginning of
    the fold, but for combining marks.
    """
    if _PLAIN.fullmatch(text):
        return text
    text = unicodedata.normalize("NFC", _UNSEEN.sub("", text))
    text = _STYLED.sub(lambda m: unicodedata.normalize("NFKC", m[0]), text)
    text = text.translate(_WIDE).translate(_LOOK_ALIKES)
    strange = {c for c in set(text) if unicodedata.category(c) in ("Cf", "Mn", "Me", "Co", "Cs")}
    return text.translate({ord(c): None for c in strange}) if strange else text


def unspaced(text: str) -> str:
    """Return text with words that were spelled out letter by letter joined: i g n o r e."""
    text = _HYPHENED.sub(lambda m: re.sub(r"[._*~|/-]", "", m[0]), text)
    return _SPACED.sub(lambda m: re.sub(r"[ ._*-]", "", m[0]), text)


def normalise(work: Working) -> Working:
    """C1: fold every passage and the query."""
    passages, lines = [], []
    for passage in work.passages:
        text = folded(passage.text)
        passages.append(_moved(passage, text))
        if text != passage.text:
            why = "invisible or look-alike characters"
            lines.append(traced(NORMALISE, "folded", passage.id, why))
    return replace(work, passages=tuple(passages), query=folded(work.query)).traced(lines)


def _moved(passage: Passage, text: str) -> Passage:
    """Keep the hidden spans on their words."""
    if text == passage.text:
        return passage
    spans = tuple(
        (len(folded(passage.text[:start])), len(folded(passage.text[:end])), why)
        for start, end, why in passage.meta.hidden_spans
    )
    return replace(passage, text=text, meta=replace(passage.meta, hidden_spans=spans))
