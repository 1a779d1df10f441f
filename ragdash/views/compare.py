"""Metric by column (a mode of a run): k of n, intervals, signed and paired differences."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ragdash.compare.intervals import Interval, bootstrap, wilson
from ragdash.compare.noise import noise_between
from ragdash.compare.paired import Paired, adjust, pair, pair_untested
from ragdash.core.score import MetricKind
from ragdash.metrics import BY_NAME, METRICS
from ragdash.store.effective import DECIDED, RESULTS, SCORES, bound
from ragdash.views import judge
from ragdash.views.passage import EXTENTS
from ragdash.views.query import Cursor, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from ragdash.compare.noise import NoiseBetween
    from ragdash.store.effective import People
    from ragdash.views.judge import Repeats
    from ragdash.views.query import Row

HEADLINE = "answer_accuracy"
# A rule decides, and people may decide otherwise.
_PARTLY = frozenset(DECIDED)
FAILED_LAYERS = ("ingest", "recall", "ranking", "generation", "business", "undetermined")
EVIDENCE_ROWS = ("visible", "in_corpus", "not_visible", "not_in_corpus", "unknown", "not_told")
# Rows that are shown only where there is something in them; two are of other systems' results.
SELDOM = ("not_visible", "unknown", "not_told")


@dataclass(frozen=True, slots=True)
class Column:
    """One mode of one run, with what people say of it; `name` tells it from the other columns."""

    name: str
    cursor: Cursor
    mode: str
    people: People


@dataclass(frozen=True, slots=True)
class Cell:
    """One metric in one column, `mode` being its name.

    `k` is None for a graded metric, `value` None where n is 0.
    `errors` counts questions without any value. `low` and `high` are the mean with every failed
    measurement as 0 and as 1, None without one. `noise` is the judge's part of the difference.
    `by_people` counts the questions whose value is a person's.
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
    noise: NoiseBetween | None
    by_people: int


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


@dataclass(slots=True)
class _Told:
    """What one metric says of one mode; `mode` is the name of the column.

    `values` are by question, None where nothing was measured. `low` and `high` are their mean with
    every failed repeat as 0 and as 1, None without one; `errors` counts the questions that have
    nothing else.
    """

    mode: str
    values: Values = field(default_factory=dict)
    low: float | None = None
    high: float | None = None
    errors: int = 0
    by_people: int = 0
    repeats: Repeats | None = None

    def take(self, row: Row) -> None:
        """Take in what the database says of it."""
        self.values = dict(zip(row["ids"], row["means"], strict=True))
        self.low, self.high = row["low"], row["high"]
        self.errors, self.by_people = row["errors"], row["by_people"]


def metric_rows(cursor: Cursor, modes: Sequence[str], base: str, people: People) -> list[MetricRow]:
    """Return every stored metric of one run in display order, each mode paired with the base."""
    columns = [Column(mode, cursor, mode, people) for mode in modes]
    return adjusted([table(columns, base, lambda _, __: True)])[0]


def table(
    columns: Sequence[Column],
    base: str,
    may_pair: Callable[[str, str], bool],
    metrics: Collection[str] | None = None,
) -> list[MetricRow]:
    """Return the stored metrics in display order; each column paired with the one named `base`.

    Repeats of a judge are averaged first: they are not extra questions. A metric whose model was
    not asked in a run is left out there. p is not corrected yet: see `adjusted`.

    Args:
        columns: in display order; their questions must be of one set.
        base: the name of a column.
        may_pair: whether a metric of a column, both by name, may be held against the base.
        metrics: those that are asked for, or None for every one.
    """
    only = None if metrics is None else list(metrics)
    found: dict[str, dict[str, _Told]] = defaultdict(
        lambda: {column.name: _Told(column.name) for column in columns}
    )
    for column in columns:
        values = {"mode": column.mode, "only": only, **bound(column.people)}
        for row in rows(column.cursor, _VALUES, values):
            found[row["metric"]][column.name].take(row)
        for name, repeats in judge.repeats(column.cursor, column.mode).items():
            if name in found:
                found[name][column.name].repeats = repeats
    order = {metric.name: i for i, metric in enumerate(METRICS)}
    names = sorted(found, key=lambda n: (order.get(n, len(order)), n))
    return [_row(name, list(found[name].values()), base, may_pair) for name in names]


def adjusted(tables: Sequence[Sequence[MetricRow]]) -> list[list[MetricRow]]:
    """Return tables that are shown together with Holm's correction over the pairs of a metric."""
    found: dict[str, list[Paired]] = defaultdict(list)
    for rows_ in tables:
        for row in rows_:
            found[row.name] += [cell.pair for cell in row.cells if cell.pair]
    left = {name: iter(adjust(pairs)) for name, pairs in found.items()}

    def corrected(row: MetricRow) -> MetricRow:
        cells = (replace(c, pair=next(left[row.name])) if c.pair else c for c in row.cells)
        return replace(row, cells=tuple(cells))

    return [[corrected(row) for row in rows_] for rows_ in tables]


# A row a metric: a thousand questions of thirty metrics are slow as rows.
_VALUES = """
    WITH asked AS (
        SELECT metric, question_id, avg(value) AS value, count(value) AS n,
               count(*) FILTER (status = 'error') AS failed, bool_or(by_person) AS by_person
        FROM ({scores})
        WHERE mode = $mode AND ($only IS NULL OR list_contains($only::VARCHAR[], metric))
          AND metric NOT IN (
            SELECT metric FROM run.scores GROUP BY metric
            HAVING count(value) = 0 AND bool_or(reason = 'not_judged')
        )
        GROUP BY ALL
    ), bounded AS (
        SELECT *, CASE WHEN n + failed > 0 THEN coalesce(value, 0) * n / (n + failed) END AS low,
               CASE WHEN n + failed > 0
                    THEN (coalesce(value, 0) * n + failed) / (n + failed) END AS high
        FROM asked
    )
    SELECT metric, list(question_id ORDER BY question_id) AS ids,
           list(value ORDER BY question_id) AS means,
           CASE WHEN sum(failed) > 0 THEN avg(low) END AS low,
           CASE WHEN sum(failed) > 0 THEN avg(high) END AS high,
           count(*) FILTER (failed > 0 AND n = 0) AS errors,
           count(*) FILTER (by_person) AS by_people
    FROM bounded GROUP BY metric ORDER BY metric
""".replace("{scores}", SCORES)


def _row(
    name: str, told: Sequence[_Told], base: str, may_pair: Callable[[str, str], bool]
) -> MetricRow:
    metric = BY_NAME.get(name)
    # A metric this version does not know is shown as a direction only.
    kind = metric.kind if metric else MetricKind.SIGNAL
    higher = metric.higher_is_better if metric else True
    graded = any(v not in (0, 1, None) for one in told for v in one.values.values())
    against = next(one for one in told if one.mode == base)
    cells = []
    for one in told:
        noise, found = None, None
        if one is not against and may_pair(name, one.mode):
            if against.repeats is not None and one.repeats is not None:
                noise = noise_between(against.repeats, one.repeats)
            if kind is MetricKind.SIGNAL and (noise is None or noise.se is None):
                # A p is about other questions; how far the model itself would move is not known.
                found = pair_untested(against.values, one.values, higher_is_better=higher)
            else:
                found = pair(
                    against.values,
                    one.values,
                    higher_is_better=higher,
                    binary=not graded,
                    size=name == HEADLINE,
                )
        cells.append(_cell(one, graded, found, noise))
    return MetricRow(name, kind, graded, tuple(cells))


def _cell(told: _Told, graded: bool, found: Paired | None, noise: NoiseBetween | None) -> Cell:
    scored = [v for v in told.values.values() if v is not None]
    n, total = len(scored), sum(scored)
    return Cell(
        mode=told.mode,
        value=total / n if n else None,
        k=None if graded else round(total),
        n=n,
        total=len(told.values),
        errors=told.errors,
        interval=bootstrap(scored) if graded else wilson(round(total), n),
        low=told.low,
        high=told.high,
        pair=found,
        noise=noise,
        by_people=told.by_people,
    )


def deterministic(name: str) -> str:
    """Return whether a metric gives the same value whenever it is asked: yes, partly or no."""
    metric = BY_NAME.get(name)
    if metric is None or metric.kind is MetricKind.SIGNAL:
        return "no"
    return "partly" if name in _PARTLY else "yes"


_OUTCOMES = """
    SELECT mode, outcome, count(*) AS n FROM ({run}) GROUP BY ALL ORDER BY ALL
""".replace("{run}", RESULTS)
_LAYERS = """
    SELECT layer, mode, count(*) AS n FROM ({run}) WHERE layer IS NOT NULL
    GROUP BY ALL ORDER BY ALL
""".replace("{run}", RESULTS)


def outcome_counts(cursor: Cursor, people: People) -> dict[str, dict[str, int]]:
    """Return how many questions have each outcome, by mode."""
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    for row in rows(cursor, _OUTCOMES, bound(people)):
        counts[row["mode"]][row["outcome"]] = row["n"]
    return dict(counts)


def layer_counts(cursor: Cursor, people: People) -> dict[tuple[str, str], int]:
    """Return how many questions were lost at each (layer, mode), by people where they said so."""
    found = rows(cursor, _LAYERS, bound(people))
    return {(row["layer"], row["mode"]): row["n"] for row in found}


def refusal_table(cursor: Cursor) -> list[RefusalCell]:
    """Return refused and answered questions by mode and by where the evidence was."""
    found = rows(
        cursor,
        """
        SELECT r.mode,
               CASE WHEN NOT q.answerable THEN 'not_in_corpus'
                    WHEN r.evidence_visible THEN 'visible'
                    WHEN r.evidence_visible IS NULL
                    THEN CASE WHEN json_array_length(q.evidence) = 0 THEN 'unknown'
                         ELSE 'not_told' END
                    WHEN x.extent <> 'whole' THEN 'not_visible'
                    ELSE 'in_corpus' END AS evidence,
               count(*) FILTER (r.answer_status = 'refused') AS refused,
               count(*) FILTER (r.answer_status = 'answered') AS answered
        FROM run.results r JOIN run.questions q USING (question_id)
        JOIN ({extents}) x USING (mode, question_id)
        GROUP BY ALL ORDER BY ALL
        """.replace("{extents}", EXTENTS),
    )
    return [RefusalCell(**row) for row in found]
