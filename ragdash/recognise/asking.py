"""The texts that are searched for a question: one name a company, no words that only ask."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import TYPE_CHECKING

from ragdash import shipped
from ragdash.caliber import find_terms, term
from ragdash.core.errors import StoreError

_OTHER_NAMES = 3
"""A term's usual names; rarer ones find other lines."""

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


def words_of(subject: str, query: str) -> str:
    """Return what BM25 searches: in English, the terms asked for by their other names as well.

    A Chinese statement has its labels by regulation and they are asked for by name; an American
    filer writes "purchases of property, plant and equipment" for capital expenditure. So that the
    added words do not outweigh it, the subject is then said again. Measured by tests/bench.
    """
    if not query.isascii():
        return query
    names: dict[str, None] = {}
    for hit in find_terms(query):
        found = term(hit.key)
        spelled = [a for a in found.aliases if a.isascii()] if found else []
        new = [a for a in spelled if _stems(a) - _stems(query)]
        names |= dict.fromkeys(new[:_OTHER_NAMES])
    return " ".join((query, *names, subject, subject)) if names else query


def _stems(text: str) -> set[str]:
    """Return the words of a text without the s of a plural."""
    return {word.rstrip("s") for word in re.findall(r"[a-z]+", text.lower())}


@cache
def _asking() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of data/companies/asking.toml, each with what stands in its place.

    Raises:
        StoreError: the file is damaged.
    """
    path = shipped.path("data/companies/asking.toml")
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["pattern"]
        return tuple((re.compile(row["find"]), row.get("keep", " ")) for row in rows)
    except (OSError, tomllib.TOMLDecodeError, KeyError, re.error) as error:
        raise StoreError(f"{path} cannot be read ({error}): restore it") from error
