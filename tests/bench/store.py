"""Ratios of the store (design: every bar is a ratio inside one run, medians of interleaved rounds).

    python tests/bench/store.py [N_QUESTIONS]

Prints, for a run of N questions (1,000: 3,000 answers with 50 candidates each): publishing against
journalling it, one Arrow INSERT against row by row, and a drill-down with 30 run files against one.
"""

# ruff: noqa: T201 - it is run by hand, for what it prints
from __future__ import annotations

import importlib.util
import shutil
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import duckdb

from ragdash.store.attach import attach
from ragdash.store.journal import Journal
from ragdash.store.registry import Registry
from ragdash.store.runfile import publish

if TYPE_CHECKING:
    from collections.abc import Callable

CANDIDATES = 50
N_RUNS = 30


def loaded_builders() -> Any:
    spec = importlib.util.spec_from_file_location(
        "builders", Path(__file__).parents[1] / "builders.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


builders = loaded_builders()


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def write_run(store: Path, run_id: str, n: int) -> tuple[float, float, Path]:
    """Return seconds of journalling and of publishing a run of three modes, and its file."""
    ids = [f"q{at}" for at in range(n)]
    # 600 chunks of about 600 characters, shared as in a real run.
    chunks = [
        builders.make_chunk(f"c{at}", text=f"第{at}段 " + "营业收入与净利润的说明。" * 50)
        for at in range(600)
    ]
    results = []
    for mode in builders.ALL_MODES:
        for at, question_id in enumerate(ids):
            result = builders.make_result(question_id, mode, n_candidates=CANDIDATES)
            ranked = tuple(
                builders.replace(c, chunk=chunks[(at * 7 + place) % len(chunks)])
                for place, c in enumerate(result.retrieval.candidates)
            )
            retrieval = builders.replace(result.retrieval, candidates=ranked)
            results.append(builders.replace(result, retrieval=retrieval))
    with Journal.create(store, builders.make_info(run_id), ids) as journal:
        journalling = timed(lambda: [journal.append(result) for result in results])
        began = time.perf_counter()
        path = publish(store, journal, "2026-11-30T10:00:00Z")
        return journalling, time.perf_counter() - began, path


def bulk_against_rows(path: Path, folder: Path) -> float:
    """Return seconds a row of INSERTs in one transaction / of one INSERT from Arrow."""
    with closing(duckdb.connect(path, read_only=True)) as run:
        table = run.sql("FROM candidates").to_arrow_table()
    some = 1_000
    rows = [tuple(row.values()) for row in table.slice(0, some).to_pylist()]
    marks = ", ".join("?" * table.num_columns)
    with closing(duckdb.connect(folder / "x.duckdb")) as db:
        db.register("arrow", table)
        for name in ("one", "bulk"):
            db.execute(f"CREATE TABLE {name} AS FROM arrow LIMIT 0")
        insert = f"INSERT INTO one VALUES ({marks})"  # noqa: S608 - marks only
        db.execute("BEGIN")
        single = timed(lambda: [db.execute(insert, row) for row in rows])
        db.execute("COMMIT")
        bulk = timed(lambda: db.execute("INSERT INTO bulk FROM arrow"))
    return (single / some) / (bulk / table.num_rows)


QUESTION = (
    "SELECT final_rank, text FROM run.candidates JOIN run.chunks USING (chunk_id) "
    "WHERE mode = 'hybrid' AND question_id = ? ORDER BY final_rank"
)


def drill_down(paths: list[Path], n: int, rounds: int) -> list[float]:
    """Return the median seconds of opening a question, for each run file, taking turns."""
    times: list[list[float]] = [[] for _ in paths]
    for at in range(rounds):
        for place, path in enumerate(paths):
            cursor, values = attach(path), [f"q{at * 37 % n}"]
            times[place].append(timed(lambda c=cursor, v=values: c.execute(QUESTION, v).fetchall()))
    return [statistics.median(seconds) for seconds in times]


def main(n: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = folder / "store"
        ratios = []
        for at in range(3):
            journalling, publishing, path = write_run(store, f"20261130-0936-big-{at}", n)
            ratios.append(publishing / journalling)
        print(
            f"publish / journalling, {3 * n} answers, {3 * n * CANDIDATES} candidates: "
            f"{statistics.median(ratios):.2f} (bar 1.0; {publishing:.1f} s / {journalling:.1f} s)"
        )
        print(f"row by row / one INSERT, per row: {bulk_against_rows(path, folder):.0f} (bar 200)")
        for at in range(N_RUNS):
            write_run(store, f"20261130-0936-small-{at}", 3)
        lonely = folder / "alone" / "runs" / path.name
        lonely.parent.mkdir(parents=True)
        shutil.copy(path, lonely)
        alone, among = drill_down([lonely, path], n, 60)
        print(
            f"drill-down among {N_RUNS + 3} runs / alone: {among / alone:.2f} "
            f"(bar 2.0; {1000 * among:.1f} ms)"
        )
        with closing(Registry.open(store, read_only=True)) as registry:
            seconds = statistics.median(
                timed(lambda: (registry.runs(), registry.summaries(), registry.outcomes()))
                for _ in range(20)
            )
        print(f"Runs page from the registry, {N_RUNS + 3} runs: {1000 * seconds:.1f} ms")
        print(f"run file: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(int((*sys.argv, "1000")[1]))
