"""Text as it can be seen: characters that draw nothing, or reorder others, are named."""

from __future__ import annotations

import re
import unicodedata

_SAFE_CONTROLS = "\n\t"
# Letters and marks that draw nothing, and so hide in a text as well as a format character does.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(c) for c in (*range(0xFE00, 0xFE10), *range(0x180B, 0x1810))
}
BREAK = re.compile(r"\r\n?")


def is_hidden(char: str) -> bool:
    """Return whether a character would not be seen: control, format, bidi, filler, surrogate."""
    if char in _SAFE_CONTROLS:
        return False
    return char in _BLANKS or unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp", "Co"}


def visible(text: str) -> str:
    """Return a text with every hidden character as `⟦U+202E⟧`, line breaks of one kind."""
    shown = BREAK.sub("\n", text)
    return "".join(f"⟦U+{ord(c):04X}⟧" if is_hidden(c) else c for c in shown)
