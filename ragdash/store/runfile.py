"""One immutable DuckDB file a run: built beside, made durable, and published by a rename."""

from __future__ import annotations

import os
from contextlib import closing, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ragdash.core.errors import InputError, StoreError
from ragdash.core.fingerprint import digest
from ragdash.core.run import Outcome
from ragdash.store.attach import opened
from ragdash.store.codec import encode
from ragdash.store.layout import journal_file, lock_file, newest_version, run_file
from ragdash.store.lock import RunLock
from ragdash.store.registry import Registry
from ragdash.store.rows import Row, Tables, as_json, attack_tables, evaluation_rows
from ragdash.store.schema import INSERTS, SCHEMA_VERSION, schema_sql

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import duckdb
    import pyarrow as pa

    from ragdash.core.attack import AttackInfo, AttackRow, AttackSummary
    from ragdash.core.run import QuestionResult, RunInfo
    from ragdash.store.journal import Journal


def publish(store: Path, journal: Journal, finished_at: str, status: str = "done") -> Path:
    """Publish what a journal holds as a new run file, register it and remove the journal.

    Interrupted at any point it can be called again: a file is either not there or whole, and a
    file that an earlier call had published is taken as it is.

    Args:
        store: the store's folder.
        journal: open for writing; it is gone afterwards.
        finished_at: ISO 8601 in UTC.
        status: done, failed or partial.

    Raises:
        ValueError: `done` although questions are missing.
        StoreError: something else lies where the file belongs.
    """
    info = journal.info()
    done, total = journal.progress()
    if status == "done" and done < total:
        raise ValueError(f"run {info.run_id} is not done: {done} of {total} questions are there")
    path = run_file(store, info.run_id, journal.version)
    if path.exists():
        _refuse_stranger(path, info.run_id, info.started_at)
    else:
        tables = evaluation_rows(journal.results(), journal.question_ids)
        tables["meta"] = [_run_row(info, journal.version, finished_at, status)]
        _build(path, tables)
    with closing(Registry.open(store)) as registry:
        registry.register(path)
    journal.remove()
    return path


def publish_results(
    store: Path, info: RunInfo, results: Iterable[QuestionResult], question_ids: Sequence[str]
) -> Path:
    """Publish results that come all at once, without a journal: nothing of them can be resumed.

    Args:
        store: the store's folder.
        info: of the run; its id is new.
        results: in the order of modes and questions.
        question_ids: in the order of the set.

    Raises:
        InputError: the run is there already.
        StoreLocked: another process is writing this run.
    """
    with RunLock.acquire(lock_file(store, info.run_id), info.run_id):
        if newest_version(store, info.run_id) or journal_file(store, info.run_id).exists():
            raise InputError(f"run id {info.run_id} is taken: try again")
        path = run_file(store, info.run_id, 1)
        tables = evaluation_rows(results, question_ids)
        failed = any(row["outcome"] == Outcome.ERROR for row in tables["results"])
        finished_at = datetime.now(UTC).isoformat(timespec="seconds")
        tables["meta"] = [_run_row(info, 1, finished_at, "partial" if failed else "done")]
        _build(path, tables)
        with closing(Registry.open(store)) as registry:
            registry.register(path)
    return path


def publish_attack(
    store: Path,
    info: AttackInfo,
    rows: Iterable[AttackRow],
    summaries: Iterable[AttackSummary],
    finished_at: str,
) -> Path:
    """Publish an attack run; one whose id is taken becomes the next version beside it.

    Raises:
        InputError: an evaluation with this id is under way.
        StoreLocked: another process is writing this run.
    """
    with RunLock.acquire(lock_file(store, info.run_id), info.run_id):
        if journal_file(store, info.run_id).exists():
            raise InputError(f"run id {info.run_id} belongs to a run under way: take another")
        version = newest_version(store, info.run_id) + 1
        path = run_file(store, info.run_id, version)
        tables = attack_tables(rows, summaries)
        tables["meta"] = [_attack_run_row(info, version, finished_at)]
        _build(path, tables)
        with closing(Registry.open(store)) as registry:
            registry.register(path)
    return path


def _run_row(info: RunInfo, version: int, finished_at: str, status: str) -> Row:
    plain = encode(info)
    plain["config"] = _said(plain["config"])
    return {
        **plain,
        "version": version,
        "kind": "evaluation",
        "schema_version": SCHEMA_VERSION,
        "finished_at": finished_at,
        "status": status,
        "modes": as_json(plain["modes"]),
        "config": as_json(plain["config"]),
        "config_digest": digest(plain["config"]),
        "environment": as_json(plain["environment"]),
    }


def _said(config: dict[str, Any]) -> dict[str, Any]:
    """Return a config as it is stored: of an import only what was declared, no defaults of ours."""
    if config["imported"] is None:
        return config
    kept = {name: config[name] for name in ("imported", "judge", "budget")}
    facts = config["imported"]["facts"]
    if kind := facts.get("generator") or facts.get("system"):
        kept["generator"] = {"kind": kind, "endpoint": None}
    if top_k := facts.get("top_k"):
        kept["retrieval"] = {"top_k": int(top_k)}
    return kept


def _attack_run_row(info: AttackInfo, version: int, finished_at: str) -> Row:
    factors = ("support_threshold", "oracle_trust", "registry_digest")
    config = {name: getattr(info, name) for name in factors}
    if info.pipeline is not None:
        config["pipeline"] = info.pipeline
    return {
        "run_id": info.run_id,
        "version": version,
        "kind": "attack",
        "schema_version": SCHEMA_VERSION,
        "started_at": info.started_at,
        "finished_at": finished_at,
        "status": "done",
        "modes": as_json(info.policies),
        "config": as_json(config),
        "config_digest": digest(config),
        "corpus_name": info.corpus_name,
        "corpus_digest": info.corpus_digest,
        "questions_name": info.fixtures_name,
        "questions_digest": info.fixtures_digest,
        "n_questions": info.n_cases,
        "environment": as_json(encode(info)["environment"]),
    }


def _build(path: Path, tables: Tables) -> None:
    """Write a run file beside its place and move it there; the run's lock is held."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".tmp")
    wal = path.with_name(unfinished.name + ".wal")
    for leftover in (unfinished, wal):
        leftover.unlink(missing_ok=True)
    try:
        _write(unfinished, tables)
        if wal.exists():
            raise StoreError(f"{unfinished} was not written whole: {wal} is still there")
        _sync(unfinished)
        unfinished.rename(path)
        _sync(path.parent)
    except BaseException:
        for leftover in (unfinished, wal):
            leftover.unlink(missing_ok=True)
        raise


def _write(path: Path, tables: Tables) -> None:
    import duckdb

    with closing(duckdb.connect(":memory:", config={"threads": "2"})) as connection:
        quoted = str(path.resolve()).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS run (STORAGE_VERSION 'v1.5.0')")
        connection.execute("USE run")
        # One transaction: each of its own would be synced to the WAL by itself.
        connection.execute("BEGIN")
        connection.execute(schema_sql())
        for table, insert in INSERTS.items():
            if tables.get(table):
                connection.register("rows", _arrow(connection, table, tables[table]))
                connection.execute(insert)
                connection.unregister("rows")
        connection.execute("COMMIT")
        connection.execute("CHECKPOINT run")
        connection.execute("USE memory")
        connection.execute("DETACH run")


def _arrow(connection: duckdb.DuckDBPyConnection, table: str, rows: list[Row]) -> pa.Table:
    """Return rows as Arrow, in the types that the schema declares; a column too few raises."""
    import pyarrow as pa

    types = {
        "VARCHAR": pa.large_string(),
        "JSON": pa.large_string(),
        "INTEGER": pa.int32(),
        "DOUBLE": pa.float64(),
        "FLOAT": pa.float32(),
        "BOOLEAN": pa.bool_(),
        "DECIMAL(38,4)": pa.decimal128(38, 4),
    }
    declared = connection.execute(f"DESCRIBE run.{table}").fetchall()
    columns = {}
    for name, kind, *_ in declared:
        columns[name] = _column([row[name] for row in rows], types[kind])
    return pa.table(columns)


def _column(values: list[Any], kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    with suppress(UnicodeEncodeError):
        return pa.array(values, kind)
    return pa.array([None if value is None else _valid(value) for value in values], kind)


def _valid(text: str) -> str:
    """Return text with U+FFFD for each lone surrogate, which has no UTF-8 form."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _sync(path: Path) -> None:
    if os.name == "nt" and path.is_dir():
        return  # Windows opens no folder; its rename is durable with the file system's own log
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _refuse_stranger(path: Path, run_id: str, started_at: str) -> None:
    with opened(path) as connection:
        found = connection.execute("SELECT run_id, started_at FROM run.meta").fetchone()
    if found != (run_id, started_at):
        raise StoreError(
            f"{path} is there already and holds {found}, not run {run_id} started {started_at}: "
            "move it out of the store and publish again"
        )
