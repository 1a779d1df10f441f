"""Opening the SQLite files of a store: WAL, explicit transactions, and errors in one sentence."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ragdash.core.errors import StoreError, StoreLocked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# A writer of the registry holds it for milliseconds; ten seconds mean that somebody is stuck.
BUSY_SECONDS = 10.0


def open_writer(path: Path, *, one_thread: bool = True) -> sqlite3.Connection:
    """Open or create a SQLite file for short transactions, beside which readers go on reading.

    synchronous is FULL: a commit is on the disk when it returns. A commit a question costs
    milliseconds where a question costs seconds, and reviews cannot be had again.

    Args:
        path: made where there is none, in a folder that exists.
        one_thread: whether only this thread will use it; several have to take turns.

    Raises:
        StoreError: it is no SQLite file, or it cannot be opened.
    """
    with translated(path):
        connection = sqlite3.connect(
            path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=one_thread
        )
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA foreign_keys=ON")
        except sqlite3.Error:
            connection.close()
            raise
    return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """Open a SQLite file that exists for reading only; it never waits for a writer.

    Raises:
        StoreError: there is no such file, or it is no SQLite file.
    """
    if not path.is_file():
        raise StoreError(f"there is no {path}")
    with translated(path):
        uri = f"{path.resolve().as_uri()}?mode=ro{_unwritten(path)}"
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.Error:
            connection.close()
            raise
    return connection


def _unwritten(path: Path) -> str:
    """Return what lets a file be read where its folder cannot be written and nobody has it open.

    A reader of a WAL file makes a file of its own beside it; a writer's is there while it writes.
    """
    effective = os.access in os.supports_effective_ids
    if os.access(path.parent, os.W_OK, effective_ids=effective):
        return ""
    return "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Run one writing transaction: all of it or nothing.

    IMMEDIATE, because a transaction that first reads and then writes cannot wait for its turn.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours, naming the file."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise StoreLocked(
                f"{path} stayed locked for {BUSY_SECONDS:.0f} seconds: another process is writing "
                "to it; try again when it is done"
            ) from error
        raise StoreError(f"{path} cannot be used: {error}") from error
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise  # a mistake of the caller says nothing about the file
    except sqlite3.DatabaseError as error:
        raise StoreError(
            f"{path} is damaged ({error}): run `ragdash db check`, or restore it from a copy"
        ) from error
