"""`ragdash db rm`: one run with all its versions out of a store; what people said of it stays."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.core.errors import InputError
from ragdash.store.layout import (
    checked_run_id,
    journal_file,
    lock_file,
    registry_file,
    run_files,
)
from ragdash.store.lock import RunLock
from ragdash.store.migrations.registry import STEPS
from ragdash.store.migrations.runner import migrate
from ragdash.store.registry import Registry
from ragdash.store.sqlite import open_reader, open_writer, transaction, translated

if TYPE_CHECKING:
    from pathlib import Path

# What people began to write stays, as what they said does.
_WITH_RUN = ("runs", "ablations", "spot_check_locks")


@dataclass(frozen=True, slots=True)
class Removal:
    """What of a run is in the store: its files, and what the registry says of it.

    `tags` are the names that stand for it now; `reviews` and `checks` is how many people's verdicts
    on layers and on calibers there are, which stay.
    """

    run_id: str
    files: tuple[Path, ...]
    tags: tuple[str, ...]
    reviews: int
    checks: int


def find(store: Path, run_id: str) -> Removal:
    """Return what there is of a run.

    Raises:
        InputError: there is nothing of it; a tag does not name a run here.
    """
    with closing(Registry.open(store)) as registry:
        versions = [row.version for row in registry.runs() if row.run_id == run_id]
        tags = tuple(name for name, tag in registry.tags().items() if tag.ref.run_id == run_id)
        files = _files(store, run_id)
        if not versions and not files:
            # Says what is near; a tag or RUN:mode names a run and is not one.
            ref = registry.resolve(run_id)
            raise InputError(f"{run_id!r} is no run, it stands for {ref}: name the run itself")
    return Removal(run_id, files, tags, *_said(store, run_id))


def refuse_tagged(found: Removal) -> None:
    """Raise where a name stands for the run.

    Raises:
        InputError: it does; the text lists the names.
    """
    if found.tags:
        raise InputError(
            f"run {found.run_id} is what {', '.join(found.tags)} stands for: tag another run "
            "first, or give --force"
        )


def remove(store: Path, run_id: str, *, force: bool = False) -> Removal:
    """Remove every version of a run, its journal and what was computed from it.

    Interrupted, it can be called again. A page that has the run open finds it gone.

    Raises:
        InputError: there is nothing of it, or a tag stands for it and `force` is not given.
        StoreLocked: the run is under way.
    """
    found = find(store, run_id)
    if not force:
        refuse_tagged(found)
    path = registry_file(store)
    with (
        RunLock.acquire(lock_file(store, checked_run_id(run_id)), run_id),
        translated(path),
        closing(open_writer(path)) as connection,
    ):
        migrate(connection, path, STEPS)
        with transaction(connection) as db:
            for table in _WITH_RUN:
                db.execute(f"DELETE FROM {table} WHERE run_id = ?", (run_id,))  # noqa: S608 - ours
        # The row first: what is left by a kill is registered again by `db check`, not half a run.
        for file in found.files:
            file.unlink(missing_ok=True)
    return found


def _files(store: Path, run_id: str) -> tuple[Path, ...]:
    published = [path for found, _, path in run_files(store) if found == run_id]
    try:
        journal = journal_file(store, run_id)
    except InputError:
        return ()
    journals = [journal.with_name(journal.name + end) for end in ("", "-wal", "-shm")]
    return (*published, *(path for path in journals if path.is_file()))


def _said(store: Path, run_id: str) -> tuple[int, int]:
    path = registry_file(store)
    query = (
        "SELECT (SELECT count(*) FROM reviews WHERE run_id = ?1), "
        "(SELECT count(*) FROM spot_checks WHERE run_id = ?1)"
    )
    with translated(path), closing(open_reader(path)) as connection:
        reviews, checks = connection.execute(query, (run_id,)).fetchone()
    return int(reviews), int(checks)
