"""The text that is searched for a question: one name a company, no words that only ask."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import TYPE_CHECKING

from ragdash.core.errors import StoreError
from ragdash.recognise.folding import DATA

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ragdash.recognise.names import NameHit


def searched_text(question: str, hits: Iterable[NameHit]) -> str:
    """Return the question with each known company named as the corpus names it, asking words out.

    A question of nothing but such words is searched as it is.
    """
    parts, done = [], 0
    for hit in hits:
        if hit.known:
            parts += [question[done : hit.span[0]], f" {hit.company} "]
            done = hit.span[1]
    text = "".join((*parts, question[done:]))
    for pattern, kept in _asking():
        text = pattern.sub(kept, text)
    return " ".join(text.split()) or question


@cache
def _asking() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of data/companies/asking.toml, each with what stands in its place.

    Raises:
        StoreError: the file is damaged.
    """
    path = DATA / "asking.toml"
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["pattern"]
        return tuple((re.compile(row["find"]), row.get("keep", " ")) for row in rows)
    except (OSError, tomllib.TOMLDecodeError, KeyError, re.error) as error:
        raise StoreError(f"{path} cannot be read ({error}): restore it") from error
