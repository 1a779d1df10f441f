"""The things that a question compares, in its order: 药明康德和昭衍新药, "Apple or Microsoft"."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

from ragdash.caliber.names import NameHit
from ragdash.caliber.pieces import find_pieces
from ragdash.caliber.samename import same_name
from ragdash.caliber.terms import find_scopes

_JOIN = re.compile(
    r"(?:\s?\([^()]{0,40}\)|\s?（[^（）]{0,40}）)?\s?(?:['’]s\s?)?"
    r"(?:、|,|，|和|与|及|以及|还是|或者?|跟|同|对比|vs\.?|versus|and|or|to|with|than|,\s?and|,\s?or)"
    r"\s?(?:the )?",
    re.I,
)


@lru_cache(16)
def listed_in(question: str, count: int) -> tuple[str, ...]:
    """Return the `count` names or parts that a question sets beside one another, () if it does not.

    Words that all of them share are left out: "Apple products and Apple services" compares products
    with services.
    """
    spans = _merged(question)
    for first in range(len(spans) - count + 1):
        chain = spans[first : first + count]
        joins = [_JOIN.fullmatch(question, a[1], b[0]) for a, b in itertools.pairwise(chain)]
        if count > 1 and all(joins):
            return _apart([question[slice(*s)] for s in chain])
    return ()


def find_listed(text: str, listed: tuple[str, ...]) -> tuple[NameHit, ...]:
    """Return where a text names the listed things, `asked` the place of each in the list."""
    hits: list[NameHit] = []
    for place, name in enumerate(listed):
        words = re.escape(name)
        bounded = rf"(?<![A-Za-z0-9]){words}(?![A-Za-z0-9])" if name.isascii() else words
        hits.extend(NameHit(name, m.span(), place) for m in re.finditer(bounded, text, re.I))
    for name, span in find_pieces(text):
        if any(h.span[0] < span[1] and span[0] < h.span[1] for h in hits):
            continue
        places = [i for i, other in enumerate(listed) if same_name(name, other)]
        if len(places) == 1:
            hits.append(NameHit(name, span, places[0]))
    return tuple(sorted(hits, key=lambda h: h.span))


def _merged(question: str) -> list[tuple[int, int]]:
    """Names and scope words of a question, in order, neighbours as one: "Apple products"."""
    found = sorted(
        [s for _, s in find_pieces(question)] + [s for _, s in find_scopes(question)],
        key=lambda s: (s[0], -s[1]),
    )
    out: list[tuple[int, int]] = []
    for span in found:
        if out and span[0] <= out[-1][1] + 1 and not question[out[-1][1] : span[0]].strip():
            out[-1] = (out[-1][0], max(out[-1][1], span[1]))
        else:
            out.append(span)
    return out


def _apart(names: list[str]) -> tuple[str, ...]:
    words = [n.split() for n in names]
    shared = {w.lower() for w in words[0]}.intersection(*({w.lower() for w in n} for n in words))
    return tuple(
        " ".join(w for w in own if w.lower() not in shared) or name
        for own, name in zip(words, names, strict=True)
    )
