"""The journal of a running run: one commit a question, so that a kill loses at most that one."""

from __future__ import annotations

import json
import sqlite3
from contextlib import ExitStack, closing, suppress
from typing import TYPE_CHECKING, Self

from ragdash.core.chunk import Source
from ragdash.core.errors import InputError, StoreError
from ragdash.core.retrieval import Mode
from ragdash.core.run import RunInfo
from ragdash.store import codec, packing
from ragdash.store.layout import journal_file, lock_file, newest_version
from ragdash.store.lock import RunLock, this_process
from ragdash.store.migrations.journal import STEPS
from ragdash.store.migrations.runner import migrate, refuse_newer, version_of
from ragdash.store.sqlite import open_reader, open_writer, transaction, translated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from ragdash.core.chunk import Chunk
    from ragdash.core.run import QuestionResult


class Journal:
    """The one writer of a live run; close it, or use it in a `with`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: RunLock) -> None:
        self._path = path
        self._connection = connection
        self._lock = lock
        self._sources: dict[str, Source] = {}
        self._chunks: dict[str, Chunk] = {}
        with translated(path):
            row = connection.execute("SELECT info, question_ids, version FROM run").fetchone()
        self._info = codec.decode(RunInfo, json.loads(row[0]))
        self.question_ids: tuple[str, ...] = tuple(json.loads(row[1]))
        self.version = int(row[2])
        self._load()

    @classmethod
    def create(cls, store: Path, info: RunInfo, question_ids: Sequence[str]) -> Self:
        """Start the journal of a run, to be published as the version after the newest one.

        Raises:
            InputError: the run has a journal already, or a question id cannot be stored or is
                there twice.
            StoreLocked: another process is writing this run.
        """
        _refuse_bad_ids(question_ids)
        path = journal_file(store, info.run_id)
        with ExitStack() as undo:
            lock = RunLock.acquire(lock_file(store, info.run_id), info.run_id, _holder(path))
            undo.callback(lock.release)
            _clear_unstarted(path, info.run_id)
            connection = undo.enter_context(closing(open_writer(path)))
            migrate(connection, path, STEPS)
            row = (
                info.run_id,
                newest_version(store, info.run_id) + 1,
                codec.dumps(codec.encode(info)),
                codec.dumps(list(question_ids)),
                this_process(),
            )
            with translated(path), transaction(connection):
                connection.execute("INSERT INTO run VALUES (?, ?, ?, ?, ?)", row)
            journal = cls(path, connection, lock)
            undo.pop_all()
        return journal

    @classmethod
    def open(cls, store: Path, run_id: str) -> Self:
        """Go on with the journal that an interrupted run left.

        Raises:
            InputError: the run has no journal.
            StoreLocked: another process is writing this run.
            StoreError: the journal is damaged or of a newer version.
        """
        path = journal_file(store, run_id)
        if not path.is_file():
            raise InputError(
                f"run {run_id} cannot be resumed: there is no {path}; `ragdash db check` lists the "
                "runs that can"
            )
        with ExitStack() as undo:
            lock = RunLock.acquire(lock_file(store, run_id), run_id, _holder(path))
            undo.callback(lock.release)
            connection = undo.enter_context(closing(open_writer(path)))
            migrate(connection, path, STEPS)
            with translated(path), transaction(connection):
                held = connection.execute("UPDATE run SET holder = ?", (this_process(),)).rowcount
            if held != 1:
                raise StoreError(f"{path} holds no run: remove it and start the run again")
            journal = cls(path, connection, lock)
            undo.pop_all()
        return journal

    def append(self, result: QuestionResult) -> None:
        """Keep one result; it is on the disk when this returns.

        Raises:
            ValueError: a number is NaN or infinite, the question or mode is not one of this run,
                or it is there already; nothing of it is kept.
        """
        key = (result.mode.value, result.question.id)
        if result.mode not in self._info.modes or result.question.id not in self.question_ids:
            raise ValueError(f"{key} is no question and mode of run {self._info.run_id}")
        packed = packing.pack(result)
        for doc_id, source in packed.sources.items():
            packing.keep_one(self._sources, doc_id, source)
        new = {key: chunk for key, chunk in packed.chunks.items() if key not in self._chunks}
        for chunk_id in packed.chunks.keys() - new.keys():
            packing.keep_one(self._chunks, chunk_id, packed.chunks[chunk_id])
        row = (
            *key,
            result.outcome.value,
            result.answer.status.value,
            result.diagnosis.layer.value if result.diagnosis else None,
            # Read for nothing but how long a live run takes; an import, scored again, takes none.
            (result.retrieval.seconds or 0.0) + (result.answer.seconds or 0.0),
            codec.dumps(packed.payload),
        )
        sources = [(k, codec.dumps(codec.encode(v))) for k, v in packed.sources.items()]
        chunks = [(key, codec.dumps(packing.pack_chunk(value))) for key, value in new.items()]
        with translated(self._path):
            try:
                with transaction(self._connection) as db:
                    db.executemany("INSERT OR IGNORE INTO sources VALUES (?, ?)", sources)
                    db.executemany("INSERT OR IGNORE INTO chunks VALUES (?, ?)", chunks)
                    db.execute("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            except sqlite3.IntegrityError as error:
                raise ValueError(f"{key} is in the journal already") from error
        self._chunks.update(new)

    def done(self) -> set[tuple[Mode, str]]:
        """Return mode and question id of every result kept."""
        with translated(self._path):
            rows = self._connection.execute("SELECT mode, question_id FROM results").fetchall()
        return {(Mode(mode), question_id) for mode, question_id in rows}

    def results(self) -> Iterator[QuestionResult]:
        """Yield every result, by mode in the run's order, then by question in the set's order."""
        done = self.done()
        for mode in self._info.modes:
            for question_id in self.question_ids:
                if (mode, question_id) in done:
                    with translated(self._path):
                        payload = self._connection.execute(
                            "SELECT payload FROM results WHERE mode = ? AND question_id = ?",
                            (mode.value, question_id),
                        ).fetchone()[0]
                    yield packing.unpack(json.loads(payload), self._chunks)

    def info(self) -> RunInfo:
        """Return what the run was started with."""
        return self._info

    def progress(self) -> tuple[int, int]:
        """Return how many (mode, question) pairs are done, and how many there are."""
        with translated(self._path):
            done = self._connection.execute("SELECT count(*) FROM results").fetchone()[0]
        return int(done), len(self.question_ids) * len(self._info.modes)

    def remove(self) -> None:
        """Delete the journal, once its run is published and registered."""
        self._connection.close()
        _unlink(self._path)
        self._lock.release()

    def close(self) -> None:
        """Let go of the journal, which stays and can be opened again."""
        self._connection.close()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def _load(self) -> None:
        with translated(self._path):
            sources = self._connection.execute("SELECT doc_id, payload FROM sources").fetchall()
            rows = self._connection.execute("SELECT chunk_id, payload FROM chunks").fetchall()
        self._sources = {key: codec.decode(Source, json.loads(text)) for key, text in sources}
        self._chunks = {
            key: packing.unpack_chunk(json.loads(text), self._sources) for key, text in rows
        }


def _refuse_bad_ids(question_ids: Sequence[str]) -> None:
    seen: set[str] = set()
    for question_id in question_ids:
        if question_id in seen:
            raise InputError(f"question id {question_id!r} is there twice: ids name one question")
        seen.add(question_id)
        try:
            question_id.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError(
                f"question id {question_id!r} holds a lone surrogate, which no file can keep: "
                "give the question another id"
            ) from error


def _holder(path: Path) -> str:
    """Return who last opened a journal for writing; empty where that cannot be read."""
    with suppress(StoreError, sqlite3.Error), closing(open_reader(path)) as connection:
        row = connection.execute("SELECT holder FROM run").fetchone()
        return str(row[0]) if row else ""
    return ""


def _clear_unstarted(path: Path, run_id: str) -> None:
    """Remove what a crash in `create` or in `remove` left; refuse a journal that holds a run."""
    if path.is_file():
        with closing(open_writer(path)) as connection, translated(path):
            refuse_newer(path, version_of(connection), STEPS)
            started = (
                version_of(connection)
                and connection.execute("SELECT count(*) FROM run").fetchone()[0]
            )
        if started:
            raise InputError(
                f"run {run_id} has been started already: go on with `ragdash run --resume {run_id}`"
            )
    _unlink(path)


def _unlink(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
