"""What the rows of a selection add up to, by mode, for the head of a report."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ragdash.compare.intervals import Interval, wilson
from ragdash.core.score import MetricKind
from ragdash.filter.relation import HEADLINE
from ragdash.metrics import METRICS
from ragdash.store.effective import RESULTS, SCORES, bound
from ragdash.views.query import rows

if TYPE_CHECKING:
    from ragdash.export.asking import Selection

_JUDGED = [m.name for m in METRICS if m.kind is MetricKind.SIGNAL]
_ROWS = "(SELECT unnest($modes::VARCHAR[]) AS mode, unnest($questions::VARCHAR[]) AS question_id)"
_COUNTS = f"""
    SELECT mode, outcome, layer, count(*) AS n
    FROM ({RESULTS}) JOIN {_ROWS} USING (mode, question_id) GROUP BY ALL ORDER BY ALL
"""  # noqa: S608 - relations of ours
_RIGHT = f"""
    SELECT mode, count(*) AS total, count(value) AS n, count(*) FILTER (value = 1) AS k
    FROM {{rows}} LEFT JOIN (
        SELECT mode, question_id, avg(value) AS value FROM ({SCORES})
        WHERE metric = $headline GROUP BY ALL
    ) USING (mode, question_id) GROUP BY ALL
"""  # noqa: S608 - relations of ours
_WHOLE = "(SELECT mode, question_id FROM run.results WHERE list_contains($modes::VARCHAR[], mode))"
_ERRORS = f"""
    SELECT count(*) FILTER (status = 'error') AS k,
           count(*) FILTER (status IN ('error', 'scored')) AS n
    FROM run.scores JOIN {_ROWS} USING (mode, question_id)
    WHERE list_contains($judged::VARCHAR[], metric)
"""  # noqa: S608 - relations of ours


@dataclass(frozen=True, slots=True)
class Right:
    """How many questions are right of those scored, of all rows of a mode."""

    k: int
    n: int
    total: int

    @property
    def interval(self) -> Interval | None:
        """The 95% interval of the share (Wilson); None where nothing is scored."""
        return wilson(self.k, self.n)


@dataclass(slots=True)
class Counts:
    """Outcomes and layers by mode, then by code; failed measurements of judges, of those tried.

    `right` is over the rows of the selection, `whole` over every question of the run.
    """

    outcomes: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    layers: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    right: dict[str, Right] = field(default_factory=dict)
    whole: dict[str, Right] = field(default_factory=dict)
    judge_errors: int = 0
    judge_tried: int = 0


def counts(chosen: Selection) -> Counts:
    """Return the counts over exactly the rows that are exported."""
    asked: dict[str, object] = {
        "modes": [mode for mode, _ in chosen.keys],
        "questions": [name for _, name in chosen.keys],
    }
    people = bound(chosen.said)
    found = Counts()
    for row in rows(chosen.cursor, _COUNTS, {**asked, **people}):
        mode, n = row["mode"], row["n"]
        outcomes, layers = found.outcomes[mode], found.layers[mode]
        outcomes[row["outcome"]] = outcomes.get(row["outcome"], 0) + n
        if row["layer"] is not None:
            layers[row["layer"]] = layers.get(row["layer"], 0) + n
    listed = {**asked, **people, "headline": HEADLINE}
    found.right = _right(chosen, _ROWS, listed)
    every = {"modes": list(chosen.modes), **people, "headline": HEADLINE}
    found.whole = _right(chosen, _WHOLE, every)
    (errors,) = rows(chosen.cursor, _ERRORS, {**asked, "judged": _JUDGED})
    found.judge_errors, found.judge_tried = errors["k"], errors["n"]
    return found


def _right(chosen: Selection, which: str, asked: dict[str, object]) -> dict[str, Right]:
    found = rows(chosen.cursor, _RIGHT.replace("{rows}", which), asked)
    return {row["mode"]: Right(row["k"], row["n"], row["total"]) for row in found}
