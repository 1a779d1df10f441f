"""`ragdash db migrate`: the files of a store in the form that this version works with.

The registry, the call cache and the journals get the steps they lack. Run files are never changed:
the reader of their own version reads them, for what an older one did not keep cannot be made up.
"""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ragdash.core.errors import RagdashError, StoreLocked
from ragdash.store.attach import opened
from ragdash.store.layout import calls_file, lock_file, registry_file, run_files
from ragdash.store.live import journals
from ragdash.store.lock import RunLock
from ragdash.store.migrations import calls, journal, registry
from ragdash.store.migrations.runner import migrate, version_of
from ragdash.store.schema import SCHEMA_VERSION
from ragdash.store.sqlite import open_reader, open_writer, translated

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ragdash.store.migrations.runner import Step


@dataclass(slots=True)
class Upgraded:
    """Sentences for a person: what was brought up to date, what stays as it is, what cannot."""

    done: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


def upgrade(store: Path) -> Upgraded:
    """Bring a store up to date; a file that is up to date already is not written.

    Of an older registry a copy is kept beside it, as reviews cannot be had again. A run that is
    under way keeps its journal as it is.
    """
    found = Upgraded()
    _one(registry_file(store), registry.STEPS, found, keep=True)
    _one(calls_file(store), calls.STEPS, found)
    for path in list(journals(store)):
        run_id = path.name.removesuffix(".sqlite")
        try:
            with RunLock.acquire(lock_file(store, run_id), run_id):
                _one(path, journal.STEPS, found)
        except StoreLocked:
            found.left.append(f"run {run_id} is under way: its journal is left alone")
    _run_files(store, found)
    return found


def _one(path: Path, steps: Sequence[Step], found: Upgraded, *, keep: bool = False) -> None:
    if not path.is_file():
        return
    try:
        with closing(open_reader(path)) as reader, translated(path):
            before = version_of(reader)
        if before == len(steps):
            return
        with closing(open_writer(path)) as connection:
            copy = path.with_name(f"{path.name}.v{before}")
            if 0 < before < len(steps) and keep and not copy.exists():
                with translated(path):
                    connection.execute("VACUUM INTO ?", (str(copy),))
                found.left.append(f"{copy} is the registry as it was")
            after = migrate(connection, path, steps)
    except RagdashError as error:
        found.failed.append(str(error))
        return
    found.done.append(f"{path} is now of version {after}, it was of version {before}")


def _run_files(store: Path, found: Upgraded) -> None:
    older: Counter[int | None] = Counter()
    for _, _, path in run_files(store):
        try:
            with opened(path) as connection:
                row = connection.execute("FROM run.meta SELECT schema_version").fetchone()
        except RagdashError as error:
            found.failed.append(str(error))
            continue
        older[row[0] if row else None] += 1
    del older[SCHEMA_VERSION]
    found.left += [
        f"{count} run files keep schema version {version} (now {SCHEMA_VERSION}) and are read as "
        "they are"
        for version, count in sorted(older.items(), key=str)
    ]
