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
) -> bool:
    """Put in place what an attached run file and people say now; return whether that was other.

    Args:
        db: the registry, in a writing transaction.
        file: the run file, as `run`.
        run_id: the run.
        version: the version that the file holds.
    """
    said = people_in(db, run_id, version)
    outcomes = {(run_id, version, *names, n) for names, n in count_outcomes(file, said).items()}
    metrics = {(run_id, version, *astuple(row)) for row in summarise_decided(file, said)}
    if _kept(db, run_id, version) == (outcomes, metrics):
        return False
    for query in (_DROP_OUTCOMES, _DROP_DECIDED):
        db.execute(query, (run_id, version))
    db.executemany("INSERT INTO outcomes VALUES (?, ?, ?, ?, ?)", outcomes)
    db.executemany(f"INSERT INTO summaries VALUES ({', '.join('?' * 12)})", metrics)  # noqa: S608
    return True


_DROP_OUTCOMES = "DELETE FROM outcomes WHERE run_id = ? AND version = ?"
_OF_DECIDED = f"WHERE run_id = ? AND version = ? AND metric IN {DECIDED!r}"
_DROP_DECIDED = f"DELETE FROM summaries {_OF_DECIDED}"  # noqa: S608 - ours


def _kept(
    db: sqlite3.Connection, run_id: str, version: int
) -> tuple[set[tuple[object, ...]], set[tuple[object, ...]]]:
    outcomes = "SELECT * FROM outcomes WHERE run_id = ? AND version = ?"
    metrics = f"SELECT * FROM summaries {_OF_DECIDED}"  # noqa: S608 - ours
    found = [db.execute(q, (run_id, version)).fetchall() for q in (outcomes, metrics)]
    return set(found[0]), set(found[1])


def count_outcomes(file: duckdb.DuckDBPyConnection, said: People) -> dict[tuple[str, str], int]:
    """Return how many questions of an attached run have each outcome, by (mode, outcome)."""
    rows = file.execute(_OUTCOMES, bound(said)).fetchall()
    return {(mode, outcome): n for mode, outcome, n in rows}


def summarise_decided(file: duckdb.DuckDBPyConnection, said: People) -> tuple[MetricSummary, ...]:
    """Return the summaries of the metrics in which a person has a say."""
    rows = file.execute(_SCORES, {**bound(said), "decided": list(DECIDED)}).fetchall()
    return summarise(rows)
