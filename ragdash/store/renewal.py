"""The registry's summary rows of a run, as people and results together say them."""

from __future__ import annotations

from dataclasses import astuple
from typing import TYPE_CHECKING

from ragdash.store.effective import DECIDED, RESULTS, SCORES, bound
from ragdash.store.said import people_in
from ragdash.store.summary import summarise

if TYPE_CHECKING:
    import sqlite3

    import duckdb

    from ragdash.store.effective import People
    from ragdash.store.summary import MetricSummary

_OUTCOMES = "SELECT mode, outcome, count(*) FROM ({run}) GROUP BY ALL".replace("{run}", RESULTS)
_SCORES = """
    SELECT mode, metric, question_id, value, status FROM ({scores})
    WHERE list_contains($decided::VARCHAR[], metric)
""".replace("{scores}", SCORES)


def renew(
    db: sqlite3.Connection, file: duckdb.DuckDBPyConnection, run_id: str, version: int
) -> None:
    """Put in place what an attached run file and people say now; the rest is left as it is."""
    said = people_in(db, run_id, version)
    db.execute("DELETE FROM outcomes WHERE run_id = ? AND version = ?", (run_id, version))
    db.executemany(
        "INSERT INTO outcomes VALUES (?, ?, ?, ?, ?)",
        [(run_id, version, *names, n) for names, n in count_outcomes(file, said).items()],
    )
    # OR REPLACE: the rows of these metrics are there, with what was said before.
    db.executemany(
        "INSERT OR REPLACE INTO summaries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(run_id, version, *astuple(row)) for row in summarise_decided(file, said)],
    )


def count_outcomes(file: duckdb.DuckDBPyConnection, said: People) -> dict[tuple[str, str], int]:
    """Return how many questions of an attached run have each outcome, by (mode, outcome)."""
    rows = file.execute(_OUTCOMES, bound(said)).fetchall()
    return {(mode, outcome): n for mode, outcome, n in rows}


def summarise_decided(file: duckdb.DuckDBPyConnection, said: People) -> tuple[MetricSummary, ...]:
    """Return the summaries of the metrics in which a person has a say."""
    rows = file.execute(_SCORES, {**bound(said), "decided": list(DECIDED)}).fetchall()
    return summarise(rows)
