"""A gold's digits on a page where no amount reads as the gold: split, without unit, misread."""

from __future__ import annotations

import re
import unicodedata
from decimal import ROUND_HALF_UP, Context, Decimal
from itertools import pairwise
from typing import TYPE_CHECKING

from ragdash.amounts import Role, comparable, read_chunk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ragdash.amounts import Amount
    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Gold

_EXACT = Context(prec=120)
# What one printed unit may be worth: one, thousand, 万, million, 亿, billion; a percent as a share.
_UNITS = (0, 3, 4, 6, 8, 9, -2)
_POWERS = (0, 2, -2, 3, -3, 4, -4, 6, -6, 7, 8, -8, 9, -9)
_GAP = r"[\s,，.．|'’]{0,6}"
_BROKEN = re.compile(r"[\s|]")
_SHORTEST = 3
# Below this many digits two neighbouring cells may be the gold's by chance.
_SHORTEST_OVER_CELLS = 5
_TAIL = 60
_HEAD_LINES = 4
_LOOKALIKES = str.maketrans("OoQlIiSsBZzg", "000111558229")
_WRITTEN_LOOKALIKE = re.compile(r"[\dOoQlIiSsBZzg](?:[,.]?[\dOoQlIiSsBZzg]){2,}")
_SEPARATORS = re.compile(r"[\s,，.．'’]")


def split_number(chunks: Sequence[Chunk], gold: Gold) -> str | None:
    """Return the gold's digits as they stand, broken by blanks, line breaks, cells or chunks."""
    for text in _texts(chunks):
        for digits, exact in _forms(gold.value):
            for match in _pattern(digits).finditer(text):
                if not _BROKEN.search(match[0].strip()):
                    continue
                over_cells = "|" in match[0] or not exact
                if len(digits) >= (_SHORTEST_OVER_CELLS if over_cells else _SHORTEST):
                    return match[0].strip()
    return None


def misread_digits(chunks: Sequence[Chunk], gold: Gold) -> str | None:
    """Return the word that is the gold once letters are taken for the digits they look like."""
    forms = {digits for digits, _ in _forms(gold.value)}
    for chunk in chunks:
        for match in _WRITTEN_LOOKALIKE.finditer(chunk.text):
            read = _SEPARATORS.sub("", match[0].translate(_LOOKALIKES))
            if not _SEPARATORS.sub("", match[0]).isdigit() and read in forms:
                return match[0]
    return None


def other_scale(chunks: Sequence[Chunk], gold: Gold) -> tuple[Chunk, Amount] | None:
    """Return an amount written with the gold's digits that reads as another size or kind."""
    for chunk in chunks:
        for amount in _figures(chunk):
            written = abs(_EXACT.divide(amount.value, amount.factor))
            places = amount.decimals + amount.factor.adjusted()
            if len(written.normalize().as_tuple().digits) >= _SHORTEST and any(
                _round(abs(gold.value).scaleb(-power, _EXACT), places) == written
                for power in _POWERS
            ):
                return chunk, amount
    return None


def other_sign(chunks: Sequence[Chunk], gold: Gold) -> tuple[Chunk, Amount] | None:
    """Return an amount that is the gold but for its sign."""
    for chunk in chunks:
        for amount in _figures(chunk):
            if comparable(amount, gold) and amount.value == -gold.value != 0:
                return chunk, amount
    return None


def may_print(text: str, gold: Gold) -> bool:
    """Whether a text holds the gold's first digits, in Arabic figures: a cheap look before reading.

    The third digit may be rounded up.
    """
    digits = "".join(map(str, abs(gold.value).normalize().as_tuple().digits))[:_SHORTEST]
    if not digits.strip("0"):
        return False
    bare = _SEPARATORS.sub("", unicodedata.normalize("NFKC", text))
    return digits in bare or str(int(digits) + 1).rstrip("0") in bare


def _figures(chunk: Chunk) -> list[Amount]:
    no_figure = (Role.CITATION, Role.DATE, Role.IDENTIFIER)
    return [a for a in read_chunk(chunk.text, chunk.unit_note) if a.role not in no_figure]


def _texts(chunks: Sequence[Chunk]) -> Iterator[str]:
    """Yield each chunk, and the seams between neighbours without the next one's header lines."""
    texts = [unicodedata.normalize("NFKC", chunk.text) for chunk in chunks]
    yield from texts
    for one, after in pairwise(texts):
        lines = after.split("\n")
        for skipped in range(min(_HEAD_LINES, len(lines))):
            yield f"{one[-_TAIL:]}\n{chr(10).join(lines[skipped:])[:_TAIL]}"


def _forms(value: Decimal) -> Iterator[tuple[str, bool]]:
    """Yield the digits that a filing may print for a value, and whether they are all of them."""
    for unit in _UNITS:
        shown = abs(value).scaleb(-unit, _EXACT)
        for places in range(5):
            rounded = _round(shown, places)
            digits = f"{rounded:f}".replace(".", "").lstrip("0")
            if len(digits) >= _SHORTEST:
                exact = rounded == shown
                if exact or len(digits) >= _SHORTEST_OVER_CELLS:
                    yield digits, exact
            if rounded == shown and places >= 2:
                break


def _pattern(digits: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\d)(?<!\d[,.]){_GAP.join(digits)}(?!\d|[,.]\d)")


def _round(value: Decimal, places: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _EXACT)
