"""Mode by metric: k of n, intervals and signed differences on the same questions."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.compare.intervals import Interval, bootstrap, wilson
from ragdash.compare.paired import Paired, adjust, pair
from ragdash.core.score import MetricKind
from ragdash.metrics import METRICS
from ragdash.views.query import Cursor, rows

if TYPE_CHECKING:
    from collections.abc import Sequence

HEADLINE = "answer_accuracy"
FAILED_LAYERS = ("ingest", "recall", "ranking", "generation", "business", "undetermined")
EVIDENCE_ROWS = ("visible", "in_corpus", "not_in_corpus", "unknown")


@dataclass(frozen=True, slots=True)
class Cell:
    """One metric in one mode; `k` is None for a graded metric, `value` None where n is 0.

    `low` and `high` are the mean with errors counted as 0 and as 1, None without errors.
    """

    mode: str
    value: float | None
    k: int | None
    n: int
    total: int
    errors: int
    interval: Interval | None
    low: float | None
    high: float | None
    pair: Paired | None


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric over the modes, in display order of the modes."""

    name: str
    kind: MetricKind
    graded: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class RefusalCell:
    """How many questions were refused and answered where the evidence was."""

    mode: str
    evidence: str
    refused: int
    answered: int


Values = dict[str, float | None]


def metric_rows(cursor: Cursor, modes: Sequence[str], base: str) -> list[MetricRow]:
    """Return every stored metric in display order, each mode paired with the base.

    Repeats of a judge are averaged first: they are not extra questions.
    """
    values: dict[str, dict[str, Values]] = defaultdict(lambda: defaultdict(dict))
    errors: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows(
        cursor,
        "SELECT metric, mode, question_id, avg(value) AS value,"
        " bool_and(status = 'error') AS failed"
        " FROM run.scores GROUP BY ALL ORDER BY ALL",
    ):
        values[row["metric"]][row["mode"]][row["question_id"]] = row["value"]
        errors[row["metric"], row["mode"]] += bool(row["failed"])
    known = {metric.name: metric for metric in METRICS}
    order = {name: i for i, name in enumerate(known)}
    result = []
    for name in sorted(values, key=lambda n: (order.get(n, len(order)), n)):
        metric = known.get(name)
        result.append(
            _row(
                name,
                # A metric this version does not know is shown as a direction only.
                metric.kind if metric else MetricKind.SIGNAL,
                metric.higher_is_better if metric else True,
                [(m, values[name].get(m, {}), errors[name, m]) for m in modes],
                base,
            )
        )
    return result


def _row(
    name: str,
    kind: MetricKind,
    higher: bool,
    by_mode: Sequence[tuple[str, Values, int]],
    base: str,
) -> MetricRow:
    scored = [v for _, values, _ in by_mode for v in values.values() if v is not None]
    graded = any(v not in (0, 1) for v in scored)
    against = next(values for mode, values, _ in by_mode if mode == base)
    others = [mode for mode, _, _ in by_mode if mode != base]
    pairs = adjust(
        [
            pair(against, values, higher_is_better=higher, binary=not graded, size=name == HEADLINE)
            for mode, values, _ in by_mode
            if mode != base
        ]
    )
    paired = dict(zip(others, pairs, strict=True))
    cells = tuple(_cell(m, v, e, graded, paired.get(m)) for m, v, e in by_mode)
    return MetricRow(name, kind, graded, cells)


def _cell(mode: str, values: Values, errors: int, graded: bool, found: Paired | None) -> Cell:
    scored = [v for v in values.values() if v is not None]
    n, total = len(scored), sum(scored)
    return Cell(
        mode=mode,
        value=total / n if n else None,
        k=None if graded else round(total),
        n=n,
        total=len(values),
        errors=errors,
        interval=bootstrap(scored) if graded else wilson(round(total), n),
        low=total / (n + errors) if errors else None,
        high=(total + errors) / (n + errors) if errors else None,
        pair=found,
    )


def outcome_counts(cursor: Cursor) -> dict[str, dict[str, int]]:
    """Return how many questions have each outcome, by mode."""
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    for row in rows(
        cursor, "SELECT mode, outcome, count(*) AS n FROM run.results GROUP BY ALL ORDER BY ALL"
    ):
        counts[row["mode"]][row["outcome"]] = row["n"]
    return dict(counts)


def layer_counts(cursor: Cursor) -> dict[tuple[str, str], int]:
    """Return how many failed questions were lost at each (layer, mode)."""
    found = rows(
        cursor,
        "SELECT layer, mode, count(*) AS n FROM run.results"
        " WHERE layer IS NOT NULL GROUP BY ALL ORDER BY ALL",
    )
    return {(row["layer"], row["mode"]): row["n"] for row in found}


def refusal_table(cursor: Cursor) -> list[RefusalCell]:
    """Return refused and answered questions by mode and by where the evidence was."""
    found = rows(
        cursor,
        """
        SELECT r.mode,
               CASE WHEN NOT q.answerable THEN 'not_in_corpus'
                    WHEN r.evidence_visible THEN 'visible'
                    WHEN r.evidence_visible IS NULL THEN 'unknown'
                    ELSE 'in_corpus' END AS evidence,
               count(*) FILTER (r.answer_status = 'refused') AS refused,
               count(*) FILTER (r.answer_status = 'answered') AS answered
        FROM run.results r JOIN run.questions q USING (question_id)
        GROUP BY ALL ORDER BY ALL
        """,
    )
    return [RefusalCell(**row) for row in found]
