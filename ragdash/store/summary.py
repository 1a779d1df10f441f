"""What the registry keeps of a run file: per mode its metrics and seconds."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any

from ragdash.store.attach import opened
from ragdash.store.schema import tables_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    import duckdb

ScoreRow = tuple[str, str, str, float | None, str]
Spent = tuple[int, int, float | None]
_WORST_FIRST = ("scored", "error", "undefined", "not_applicable")


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """One metric of one mode over its questions; a question's repeats count once, as their mean.

    `k` is how many scored 1 where every value is 0 or 1, else None. `mean` is None where nothing
    was scored. `low` and `high` are the mean with every error as 0 and as 1; the mean itself where
    there is no error.
    """

    mode: str
    metric: str
    mean: float | None
    k: int | None
    n_scored: int
    n_undefined: int
    n_not_applicable: int
    n_error: int
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class ModeRow:
    """One mode of a run: its place, its questions, and seconds of retrieval plus generation.

    `calls` are those to endpoints that were asked in this run, cached ones are not; `cost` is what
    they cost, None where no price is known, and `unpriced` how many were answered without one.
    """

    mode: str
    position: int
    n: int
    p50_seconds: float | None
    p95_seconds: float | None
    calls: int = 0
    unpriced: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What registering a run file takes from it as it stands; `meta` is its row, by column.

    Outcomes are not among it: reviews have a say in those (store/effective.py).
    """

    meta: dict[str, Any]
    modes: tuple[ModeRow, ...]
    metrics: tuple[MetricSummary, ...]


def read_facts(path: Path) -> RunFacts:
    """Read from a run file what the registry keeps of it.

    Raises:
        StoreError: the file is missing, damaged or of another version.
    """
    with opened(path) as connection:
        cursor = connection.execute("SELECT * FROM run.meta")
        names = [column[0] for column in cursor.description or ()]
        meta = dict(zip(names, cursor.fetchone() or (), strict=True))
        if meta["kind"] == "attack":
            metrics, modes = _attack_metrics(connection), _attack_modes(connection)
        else:
            scores = connection.execute(
                "SELECT mode, metric, question_id, value, status FROM run.scores"
            ).fetchall()
            spent = _spent(connection, meta["schema_version"])
            metrics, modes = summarise(scores), _modes(connection, spent)
    return RunFacts(meta, modes, metrics)


def summarise(scores: Iterable[ScoreRow]) -> tuple[MetricSummary, ...]:
    """Return one summary per (mode, metric), sorted.

    Args:
        scores: mode, metric, question id, value, status of every stored row. A question with
            several repeats is scored where any repeat is; else its worst status counts.
    """
    repeats: dict[tuple[str, str], dict[str, list[tuple[float | None, str]]]] = defaultdict(dict)
    for mode, metric, question_id, value, status in scores:
        repeats[mode, metric].setdefault(question_id, []).append((value, status))
    return tuple(
        _one_metric(*key, questions.values()) for key, questions in sorted(repeats.items())
    )


def _one_metric(
    mode: str, metric: str, questions: Iterable[list[tuple[float | None, str]]]
) -> MetricSummary:
    values: list[float] = []
    counts: Counter[str] = Counter()
    for rows in questions:
        known = [value for value, _ in rows if value is not None]
        counts[min((status for _, status in rows), key=_WORST_FIRST.index)] += 1
        if known:
            values.append(fsum(known) / len(known))
    total, n_error = fsum(values), counts["error"]
    tried = len(values) + n_error
    return MetricSummary(
        mode=mode,
        metric=metric,
        mean=total / len(values) if values else None,
        k=round(total) if values and all(value in (0.0, 1.0) for value in values) else None,
        n_scored=len(values),
        n_undefined=counts["undefined"],
        n_not_applicable=counts["not_applicable"],
        n_error=n_error,
        low=total / tried if tried else None,
        high=(total + n_error) / tried if tried else None,
    )


def _spent(connection: duckdb.DuckDBPyConnection, version: object) -> dict[str, Spent]:
    """Return calls asked, how many of them without a price, and the cost, by mode."""
    if not isinstance(version, int) or "calls" not in tables_of(version):
        return {}
    rows = connection.execute(
        "SELECT mode, count(*), count(*) FILTER (cost IS NULL AND reason = ''), sum(cost)"
        " FROM run.calls WHERE NOT cached GROUP BY mode"
    ).fetchall()
    return {mode: (n, unpriced, cost) for mode, n, unpriced, cost in rows}


def _modes(
    connection: duckdb.DuckDBPyConnection, spent: Mapping[str, Spent]
) -> tuple[ModeRow, ...]:
    rows = connection.execute(
        """
        WITH listed AS (
            SELECT unnest(modes::VARCHAR[]) AS mode,
                   generate_subscripts(modes::VARCHAR[], 1) AS place
            FROM run.meta
        )
        SELECT mode, place - 1, count(question_id),
               -- a system that times only the whole gives it as its generation
               quantile_disc(coalesce(retrieve_seconds, 0) + generate_seconds, 0.5),
               quantile_disc(coalesce(retrieve_seconds, 0) + generate_seconds, 0.95)
        FROM listed LEFT JOIN run.results USING (mode) GROUP BY mode, place ORDER BY place
        """
    ).fetchall()
    return tuple(ModeRow(*row, *spent.get(row[0], ())) for row in rows)


def _attack_modes(connection: duckdb.DuckDBPyConnection) -> tuple[ModeRow, ...]:
    rows = connection.execute(
        """
        WITH listed AS (
            SELECT unnest(modes::VARCHAR[]) AS policy,
                   generate_subscripts(modes::VARCHAR[], 1) AS place
            FROM run.meta
        )
        SELECT policy, place - 1, count(case_id)
        FROM listed LEFT JOIN run.attack_rows USING (policy) GROUP BY policy, place ORDER BY place
        """
    ).fetchall()
    return tuple(ModeRow(policy, at, n, None, None) for policy, at, n in rows)


def _attack_metrics(connection: duckdb.DuckDBPyConnection) -> tuple[MetricSummary, ...]:
    rows = connection.execute(
        "SELECT policy, measure, k, n, rate FROM run.attack_summary ORDER BY policy, measure"
    ).fetchall()
    return tuple(
        MetricSummary(policy, measure, rate, k if n else None, n, 0, 0, 0, rate, rate)
        for policy, measure, k, n, rate in rows
    )
