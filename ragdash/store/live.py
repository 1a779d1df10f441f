"""The runs that are under way, or were when they died; reading them never disturbs them."""

from __future__ import annotations

import json
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ragdash.core.errors import StoreError
from ragdash.core.run import RunInfo
from ragdash.store import codec
from ragdash.store.layout import lock_file
from ragdash.store.lock import is_held
from ragdash.store.migrations.journal import STEPS
from ragdash.store.migrations.runner import refuse_newer, version_of
from ragdash.store.sqlite import open_reader, translated

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class LiveRun:
    """A run with a journal: `done` of `total` (mode, question) pairs.

    `alive` is whether a process is writing it now; if not, it can be resumed. `last_update` is
    when its journal was last written, ISO 8601 in UTC. `outcomes` counts (mode, outcome).
    """

    run_id: str
    version: int
    modes: tuple[str, ...]
    done: int
    total: int
    started_at: str
    last_update: str
    alive: bool
    outcomes: dict[tuple[str, str], int]
    questions_name: str
    corpus_name: str


def live_runs(store: Path) -> list[LiveRun]:
    """Return every run with a journal, the latest start first.

    A journal that ends (is published) or begins while this reads is left out.

    Raises:
        StoreError: a journal is damaged or of a newer version.
    """
    found = [run for path in journals(store) if (run := read_live(store, path)) is not None]
    return sorted(found, key=lambda run: (run.started_at, run.run_id), reverse=True)


def journals(store: Path) -> Iterator[Path]:
    """Yield the journals of a store, sorted by run id."""
    yield from sorted((store / "live").glob("*.sqlite"))


def read_live(store: Path, path: Path) -> LiveRun | None:
    """Return the run of one journal; None where it holds none (yet, or any more).

    Raises:
        StoreError: it is damaged or of a newer version.
    """
    try:
        with closing(open_reader(path)) as connection, translated(path):
            refuse_newer(path, version_of(connection), STEPS)
            if version_of(connection) == 0:
                return None
            return _read(store, path, connection)
    except StoreError:
        if not path.is_file():
            return None
        raise


def _read(store: Path, path: Path, connection: sqlite3.Connection) -> LiveRun | None:
    row = connection.execute("SELECT info, question_ids, version FROM run").fetchone()
    if row is None:
        return None
    info = codec.decode(RunInfo, json.loads(row[0]))
    counts = connection.execute(
        "SELECT mode, outcome, count(*) FROM results GROUP BY mode, outcome ORDER BY mode, outcome"
    ).fetchall()
    return LiveRun(
        run_id=info.run_id,
        version=row[2],
        modes=tuple(mode.value for mode in info.modes),
        done=sum(n for _, _, n in counts),
        total=len(info.modes) * len(json.loads(row[1])),
        started_at=info.started_at,
        last_update=_last_write(path),
        alive=is_held(lock_file(store, info.run_id)),
        outcomes={(mode, outcome): n for mode, outcome, n in counts},
        questions_name=info.questions_name,
        corpus_name=info.corpus_name,
    )


def _last_write(path: Path) -> str:
    """Return when a journal was last written to: commits go to the WAL beside it."""
    newest = 0.0
    for name in (path.name, f"{path.name}-wal"):
        with suppress(FileNotFoundError):
            newest = max(newest, path.with_name(name).stat().st_mtime)
    return datetime.fromtimestamp(newest, UTC).isoformat(timespec="seconds")
