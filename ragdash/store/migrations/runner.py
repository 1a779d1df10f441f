"""Numbered steps, each applied with its record in one transaction."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.core.errors import OtherVersion
from ragdash.store.sqlite import transaction, translated

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from pathlib import Path

NEWER = "pip install --upgrade ragdash"


@dataclass(frozen=True, slots=True)
class Step:
    """One change of a schema; its number is its place in the list, from 1."""

    name: str
    statements: tuple[str, ...]


def version_of(connection: sqlite3.Connection) -> int:
    """Return the number of the last step applied; 0 for an empty file."""
    known = connection.execute(
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'schema_steps'"
    ).fetchone()[0]
    if not known:
        return 0
    found = connection.execute("SELECT coalesce(max(number), 0) FROM schema_steps").fetchone()[0]
    return int(found)


def refuse_newer(path: Path, found: int, steps: Sequence[Step]) -> None:
    """Raise where a file has steps that this version does not know.

    Raises:
        OtherVersion: naming both versions and the command.
    """
    if found > len(steps):
        raise OtherVersion(
            f"{path} has schema version {found}, this ragdash knows versions up to {len(steps)}; "
            "use the ragdash that wrote it, or a newer one",
            found=found,
            known=len(steps),
            command=NEWER,
        )


def refuse_older(path: Path, found: int, steps: Sequence[Step]) -> None:
    """Raise where a file lacks steps: who only reads changes nothing, also not its version.

    Raises:
        OtherVersion: naming both versions and the command.
    """
    if found < len(steps):
        raise OtherVersion(
            f"{path} has schema version {found}, this ragdash works with version {len(steps)}; "
            "bring the store up to date, its runs and reviews stay",
            found=found,
            known=len(steps),
            command=f"ragdash db migrate --store {shlex.quote(str(path.parent))}",
        )


def migrate(connection: sqlite3.Connection, path: Path, steps: Sequence[Step]) -> int:
    """Apply the steps that are missing; return the version reached.

    Two processes may do this at once: each step looks again inside its own transaction. A new file
    gets all of them in one, so that a reader never meets a schema that was never released.

    Raises:
        StoreError: the file is of a newer version, or a step failed; the step is then undone.
    """
    with translated(path):
        found = version_of(connection)
        refuse_newer(path, found, steps)
        while found < len(steps):
            with transaction(connection):
                found = version_of(connection)
                refuse_newer(path, found, steps)
                until = len(steps) if found == 0 else found + 1
                while found < min(until, len(steps)):
                    _apply(connection, found + 1, steps[found])
                    found += 1
    return found


def _apply(connection: sqlite3.Connection, number: int, step: Step) -> None:
    connection.execute(
        "CREATE TABLE IF NOT EXISTS schema_steps (number INTEGER PRIMARY KEY, name TEXT NOT NULL)"
    )
    for statement in step.statements:
        connection.execute(statement)
    connection.execute("INSERT INTO schema_steps VALUES (?, ?)", (number, step.name))
