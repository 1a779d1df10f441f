"""How far the repeats of a judge lie apart, question by question, in bins and by name."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.views import judge_facts as facts
from ragdash.views.judge import JUDGED, of_questions
from ragdash.views.query import Cursor, rows

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDEST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Widest:
    """A question on which the repeats of one metric lie farthest apart, with every value."""

    mode: str
    question_id: str
    sd: float
    mean: float
    repeats: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Spreads:
    """How the standard deviations of questions lie, for one metric.

    `counts` has for each mode how many questions are in each bin of `judge_facts.BINS`: the first
    holds those without any spread, the last has no end. `widest` are the farthest apart.
    """

    counts: Mapping[str, tuple[int, ...]]
    widest: tuple[Widest, ...]


def spreads(cursor: Cursor) -> dict[str, Spreads]:
    """Return how the repeats spread, by metric; nothing where no question was asked twice."""
    counts: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for row in rows(cursor, facts.SPREADS, {**of_questions(), "edges": list(facts.BINS)}):
        of = counts[row["metric"]].setdefault(row["mode"], [0] * (len(facts.BINS) + 1))
        of[row["bin"]] = row["n"]
    widest: dict[str, list[Widest]] = defaultdict(list)
    for row in rows(cursor, facts.WIDEST, {**of_questions(), "most": WIDEST_SHOWN}):
        found = (row["mode"], row["question_id"], row["sd"], row["mean"], tuple(row["repeats"]))
        widest[row["metric"]].append(Widest(*found))
    return {
        metric: Spreads({m: tuple(c) for m, c in counts[metric].items()}, tuple(widest[metric]))
        for metric in JUDGED
        if metric in counts
    }
