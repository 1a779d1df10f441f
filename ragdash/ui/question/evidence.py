"""What to mark in a text: by value, the gold figures and the amounts behind the numeric verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ragdash.amounts import printed, read_amounts, read_chunk, restates
from ragdash.core.question import Gold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ragdash.amounts import Amount
    from ragdash.views.query import Row
    from ragdash.views.question import ChunkRow, Detail, ScoreRow

Spans = list[tuple[int, int]]
# A short figure ("5") occurs everywhere; marking it says nothing.
_SHORTEST = 3
# Characters of an answer that are read for marking a chunk; as much as a page shows of it.
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Figures:
    """The gold figures of a question, and the ranges of its answer that were judged."""

    golds: tuple[Gold, ...]
    answer: str
    judged: frozenset[tuple[int, int]]

    def said(self, unit_note: str) -> tuple[Amount, ...]:
        """Return the judged amounts; the unit line of a chunk is for those without a unit."""
        if not self.judged:
            return ()
        read = _read(self.answer[:_LONGEST], unit_note)
        return tuple(a for a in read if a.span in self.judged)


@lru_cache(maxsize=16)
def _read(answer: str, unit_note: str) -> tuple[Amount, ...]:
    # Most chunks of a question share their unit line.
    return tuple(read_amounts(answer, unit_note=unit_note))


def figures(found: Detail) -> Figures:
    """Return what a chunk of this question is searched for."""
    judged = frozenset(amount_spans(found.scores))
    return Figures(golds_of(found), found.result["answer"], judged)


def golds_of(found: Detail) -> tuple[Gold, ...]:
    """Return the gold figures of a question whose numbers can be read."""
    return tuple(gold for row in found.golds if (gold := _gold(row)))


def _gold(row: Row) -> Gold | None:
    """Return a stored gold figure; None where its number cannot be read."""
    try:
        value, tolerance = Decimal(row["value_text"]), Decimal(row["tolerance"])
    except InvalidOperation:
        return None
    if not (value.is_finite() and tolerance.is_finite()):
        return None
    names = ("unit", "decimals", "metric", "scope", "attribution", "period")
    return Gold(value=value, tolerance=tolerance, **{name: row[name] for name in names})


def _verdicts(scores: Iterable[ScoreRow]) -> list[dict[str, Any]]:
    for score in scores:
        if score.metric == "numeric_accuracy" and isinstance(score.evidence, dict):
            found = score.evidence.get("verdicts")
            if isinstance(found, list):
                return [v for v in found if isinstance(v, dict)]
    return []


def amount_spans(scores: Iterable[ScoreRow]) -> Spans:
    """Return the ranges of the answer that the numeric gate chose."""
    candidates = (verdict.get("candidate") for verdict in _verdicts(scores))
    spans = (c.get("span") for c in candidates if isinstance(c, dict))
    return [(s[0], s[1]) for s in spans if isinstance(s, list) and len(s) == 2]


def chunk_spans(chunk: ChunkRow, sought: Figures) -> Spans:
    """Return where a chunk prints a gold figure, or the figure that the answer gives."""
    said = [a for a in sought.said(chunk.unit_note) if a.value]
    # "decreased by 10.9%" restates a printed (10.9) and a printed 10.9 alike.
    said += [replace(a, value=-a.value) for a in said]
    return [
        amount.span
        for amount in read_chunk(chunk.text, chunk.unit_note)
        if not amount.excluded
        and sum(c.isdigit() for c in amount.text) >= _SHORTEST
        and (
            any(printed(amount, gold) for gold in sought.golds)
            or any(restates(one, amount) for one in said)
        )
    ]


def gold_places(row: Row, gold_text: str) -> int:
    """Return how many decimal places the set's own wording states a gold figure with."""
    gold = _gold(row)
    if gold is None:
        return 0
    stated = (a for a in read_amounts(gold_text) if not a.excluded and printed(a, gold))
    return max((a.decimals for a in stated if a.value == gold.value), default=0)
