"""One writer a run: a lock that the operating system drops when its holder dies."""

from __future__ import annotations

import os
import platform
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from ragdash.core.errors import StoreLocked

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

# A reader that asks whether a run is alive holds the file for microseconds; a writer waits.
_WAIT_SECONDS = 0.5


class RunLock:
    """The right to write one run of a store, held until `release` or the end of the process.

    An exclusive SQLite transaction on an empty file of its own: such a lock works on every
    platform, shuts out a second opening in the same process too, and no kill can leave it behind.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection

    @classmethod
    def acquire(cls, path: Path, run_id: str, holder: str = "") -> Self:
        """Take the lock, or say who has it.

        Raises:
            StoreLocked: another process, or another part of this one, is writing this run.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            path.touch()
            before = path.stat().st_ino
            connection = sqlite3.connect(
                path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                connection.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                connection.close()
                by = f" ({holder})" if holder else ""
                raise StoreLocked(
                    f"run {run_id} is being written by another process{by}: wait until it is done, "
                    "or stop it and resume the run"
                ) from error
            # The last holder removes the file; whoever opened it just before holds nothing.
            with suppress(FileNotFoundError):
                if path.stat().st_ino == before:
                    return cls(path, connection)
            connection.close()

    def release(self) -> None:
        """Give the lock back; a second call does nothing."""
        with suppress(FileNotFoundError, PermissionError):
            if self._held:
                self._path.unlink()
        self._connection.close()

    @property
    def _held(self) -> bool:
        try:
            return self._connection.in_transaction
        except sqlite3.ProgrammingError:
            return False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.release()


def is_held(path: Path) -> bool:
    """Return whether some process holds the lock at this moment; takes nothing and never waits."""
    if not path.is_file():
        return False
    connection = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        return True
    finally:
        connection.close()
    return False


def this_process() -> str:
    """Return who we are, for the sentence that another process will show."""
    return f"process {os.getpid()} on {platform.node()}"
