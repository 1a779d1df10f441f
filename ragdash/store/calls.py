"""The cache of model calls: what was answered once is not asked, and not paid, again."""

from __future__ import annotations

import json
import threading
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from pydantic import TypeAdapter, ValidationError

from ragdash.core.call import Call
from ragdash.core.fingerprint import canonical_json
from ragdash.store.layout import calls_file
from ragdash.store.migrations.calls import STEPS
from ragdash.store.migrations.runner import migrate
from ragdash.store.sqlite import open_writer, transaction, translated

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

_CALL = TypeAdapter(Call)


@dataclass(frozen=True, slots=True)
class CallTotal:
    """What the cache holds of one model on one host for one stage.

    `tokens` and `cost` are sums over the calls that say them; `n_untold` and `n_unpriced` count
    the others. `oldest` and `newest` are ISO 8601 in UTC.
    """

    host: str
    model: str
    stage: str
    n: int
    tokens: int
    n_untold: int
    cost: float
    n_unpriced: int
    oldest: str
    newest: str


@dataclass(slots=True)
class _Batch:
    """Calls that are committed together, and what came of it."""

    rows: list[tuple[object, ...]] = field(default_factory=list)
    done: bool = False
    error: BaseException | None = None


class CallStore:
    """Implements `CallCache` over calls.sqlite of a store; safe to be used from several threads.

    Only calls that gave a usable reply are kept: one that failed may succeed after an outage, and
    whoever runs again expects it to be tried.
    """

    def __init__(self, store: Path, *, now: Callable[[], datetime] | None = None) -> None:
        """Open the cache of a store, made where there is none.

        Raises:
            StoreError: it is damaged, of a newer version, or cannot be written.
        """
        store.mkdir(parents=True, exist_ok=True)
        self._path = calls_file(store)
        self._now = now or (lambda: datetime.now(UTC))
        self._lock = threading.Lock()
        self._connection = _opened(self._path)
        # a second one, as whoever reads need not wait for a commit
        self._reading_lock = threading.Lock()
        self._reading = open_writer(self._path, one_thread=False)
        self._turn = threading.Condition()
        self._next = _Batch()
        self._writing = False

    def get(self, key: str) -> Call | None:
        """Return the call that was kept under a key."""
        with self._reading_lock, translated(self._path):
            row = self._reading.execute(
                "SELECT payload FROM calls WHERE key = ?", (key,)
            ).fetchone()
        if row is None:
            return None
        try:
            return _CALL.validate_python(json.loads(row[0]))
        except (ValueError, ValidationError):
            # Written by another version of ragdash: it is asked again, and replaced.
            return None

    def put(self, key: str, call: Call) -> None:
        """Keep a call that was answered; it is on the disk when this returns.

        Threads that wait for the disk share one commit, as each costs milliseconds.
        """
        if call.reason:
            return
        at = self._now().astimezone(UTC).isoformat(timespec="seconds")
        row = (
            *(key, call.host, call.model, call.stage, at),
            *(call.prompt_tokens, call.completion_tokens, call.cost),
            canonical_json(asdict(call)),
        )
        with self._turn:
            batch = self._next
            batch.rows.append(row)
            while self._writing and not batch.done:
                self._turn.wait()
            if not batch.done:
                self._writing, self._next = True, _Batch()
        if not batch.done:
            self._write(batch)
        if batch.error is not None:
            raise batch.error

    def _write(self, batch: _Batch) -> None:
        try:
            with self._lock, translated(self._path), transaction(self._connection) as connection:
                connection.executemany(
                    "INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", batch.rows
                )
        except BaseException as error:
            batch.error = error
            raise
        finally:
            with self._turn:
                batch.done, self._writing = True, False
                self._turn.notify_all()

    def show(self) -> list[CallTotal]:
        """Return the totals by host, model and stage, sorted."""
        with self._reading_lock, translated(self._path):
            rows = self._reading.execute(
                """
                SELECT host, model, stage, count(*),
                    coalesce(sum(prompt_tokens + completion_tokens), 0),
                    sum(prompt_tokens IS NULL OR completion_tokens IS NULL),
                    coalesce(sum(cost), 0.0), sum(cost IS NULL), min(at), max(at)
                FROM calls GROUP BY host, model, stage ORDER BY host, model, stage
                """
            ).fetchall()
        return [CallTotal(*row) for row in rows]

    def clear(self, *, model: str | None = None, before: datetime | None = None) -> int:
        """Forget calls, all of them where nothing is named; return how many.

        Args:
            model: only those of this model, as it is named in the config.
            before: only those asked before this moment.
        """
        moment = before.astimezone(UTC).isoformat(timespec="seconds") if before else None
        with self._lock, translated(self._path):
            with transaction(self._connection) as connection:
                count = connection.execute(
                    """
                    DELETE FROM calls
                    WHERE (:model IS NULL OR model = :model) AND (:before IS NULL OR at < :before)
                    """,
                    {"model": model, "before": moment},
                ).rowcount
            # the replies are gone from the file too, not only from its index
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return int(count)

    def close(self) -> None:
        """Let go of the file."""
        self._reading.close()
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()


def _opened(path: Path) -> sqlite3.Connection:
    connection = open_writer(path, one_thread=False)
    try:
        migrate(connection, path, STEPS)
    except BaseException:
        connection.close()
        raise
    return connection
