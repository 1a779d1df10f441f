"""One spelling for names: half-width, simplified, lower case, character by character."""

from __future__ import annotations

import unicodedata
from functools import cache

from ragdash import shipped

_QUOTES = {"’": "'", "‘": "'", "＇": "'", "（": "(", "）": ")", "‐": "-", "‑": "-", "–": "-"}


def folded(text: str) -> str:
    """Return the text in one spelling; a character stays one, so that spans hold for both."""
    return "".join(_fold(character) for character in text)


@cache
def _fold(character: str) -> str:
    character = _QUOTES.get(character, character)
    wide = unicodedata.normalize("NFKC", character)
    if len(wide) == 1:
        character = wide
    character = _simplified().get(character, character)
    lower = character.lower()
    return lower if len(lower) == 1 else character


@cache
def _simplified() -> dict[str, str]:
    """Return simplified characters by traditional ones, from data/companies/traditional.txt."""
    file = shipped.path("data/companies/traditional.txt")
    lines = file.read_text(encoding="utf-8").splitlines()
    pairs = [pair for line in lines if not line.startswith("#") for pair in line.split()]
    return {pair[0]: pair[1] for pair in pairs}
