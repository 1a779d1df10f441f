"""One short turn at the registry: to write in one transaction, or to read."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from ragdash.store.layout import registry_file
from ragdash.store.migrations.registry import STEPS
from ragdash.store.migrations.runner import migrate
from ragdash.store.sqlite import open_reader, open_writer, transaction, translated

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def writing(store: Path) -> Iterator[sqlite3.Connection]:
    """Give one short writing transaction on the registry, brought up to date first.

    Raises:
        StoreError: the registry cannot be written.
        StoreLocked: somebody else has been writing for ten seconds.
    """
    path = registry_file(store)
    with translated(path), closing(open_writer(path)) as connection:
        migrate(connection, path, STEPS)
        with transaction(connection) as db:
            yield db


@contextmanager
def reading(store: Path, *tables: str) -> Iterator[sqlite3.Connection | None]:
    """Give a connection for reading; None where the registry has not all of the tables yet.

    Raises:
        StoreError: the registry cannot be read.
    """
    path = registry_file(store)
    if not path.is_file():
        yield None
        return
    with translated(path), closing(open_reader(path)) as connection:
        yield connection if has(connection, *tables) else None


def has(db: sqlite3.Connection, *tables: str) -> bool:
    """Return whether a registry has tables: an older one lacks those of later steps."""
    known = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return known.issuperset(tables)
