"""C4 and C13: which passages may be read at all, by where they come from and what they imitate."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from ragdash.attack.controls.working import traced
from ragdash.index.tokenize import tokenize

if TYPE_CHECKING:
    from ragdash.attack.controls.working import Passage, Working

PROVENANCE = "C4_provenance"
GUARD = "C13_retrieval_guard"

_NUMBER = re.compile(r"\d[\d,.]*")
_REPEATS = 0.75
_ALIKE = 0.6
_FEWEST = 6
# Beyond this many passages only the question is looked for, as every pair would be compared.
_MOST_COMPARED = 60
_READ = 4_000


def provenance(work: Working) -> Working:
    """C4: keep registered documents that came through a filing channel, whatever they declare."""
    kept = tuple(p for p in work.passages if p.trusted)
    lines = [
        traced(
            PROVENANCE,
            "put aside",
            p.id,
            f"not registered, or by channel {p.meta.channel or 'unknown'}",
        )
        for p in work.passages
        if not p.trusted
    ]
    return replace(work, passages=kept).traced(lines)


def retrieval_guard(work: Working) -> Working:
    """C13: put aside what repeats the question to be found, or copies a registered passage.

    A registered passage is never put aside: it is the one that is copied.
    """
    asked = _pairs(work.query)
    compared = [p for p in work.passages if p.trusted][:_MOST_COMPARED]
    registered = [(p, _pairs(p.text)) for p in compared]
    kept, lines = [], []
    for passage in work.passages:
        why = "" if passage.trusted else _imitates(passage, asked, registered)
        if why:
            lines.append(traced(GUARD, "put aside", passage.id, why))
        else:
            kept.append(passage)
    return replace(work, passages=tuple(kept)).traced(lines)


def _imitates(
    passage: Passage,
    asked: Counter[tuple[str, str]],
    registered: list[tuple[Passage, Counter[tuple[str, str]]]],
) -> str:
    own = _pairs(passage.text)
    if sum(asked.values()) >= _FEWEST and _share(asked, own) >= _REPEATS:
        return "repeats the question"
    for other, pairs in registered:
        figures = _NUMBER.findall(passage.text[:_READ]), _NUMBER.findall(other.text[:_READ])
        if (
            sum(own.values()) >= _FEWEST
            and figures[0] != figures[1]
            and _share(pairs, own) >= _ALIKE
        ):
            return f"copies passage {other.id} with other figures"
    return ""


def _pairs(text: str) -> Counter[tuple[str, str]]:
    """Neighbouring terms without figures: a copy with others is to be told by its words."""
    return Counter(pairwise(tokenize(_NUMBER.sub("#", text[:_READ]))))


def _share(wanted: Counter[tuple[str, str]], found: Counter[tuple[str, str]]) -> float:
    total = sum(wanted.values())
    return sum((wanted & found).values()) / total if total else 0.0
