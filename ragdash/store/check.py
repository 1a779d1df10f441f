"""`ragdash db check`: is everything in the store what it says, and what can be mended."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ragdash.core.errors import RagdashError, StoreLocked
from ragdash.store.attach import opened
from ragdash.store.layout import calls_file, lock_file, named_run, registry_file, run_files
from ragdash.store.live import journals, read_live
from ragdash.store.lock import RunLock
from ragdash.store.migrations.calls import STEPS
from ragdash.store.migrations.runner import refuse_newer, version_of
from ragdash.store.registry import Registry
from ragdash.store.renewal import renew
from ragdash.store.schema import tables_of
from ragdash.store.sqlite import open_reader, translated
from ragdash.store.turns import writing

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(slots=True)
class Report:
    """What a check found: sentences for a person, by what they mean.

    `damaged` needs a person; `mended` has been put right; `left` is neither: runs under way,
    runs to resume, registered runs whose file has been taken away.
    """

    n_runs: int = 0
    damaged: list[str] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def check(store: Path) -> Report:
    """Read every file of a store whole; register run files that the registry does not know.

    Summary rows that are not what run file and people say together are made anew.

    A registry that is not there is made again from the run files; tags and reviews are not in them.
    """
    report = Report()
    whole = _check_run_files(store, report)
    if _check_registry(store, report):
        _reconcile(store, whole, report)
    _check_calls(store, report)
    _check_journals(store, report)
    return report


def _check_run_files(store: Path, report: Report) -> dict[tuple[str, int], Path]:
    whole = {}
    for run_id, version, path in run_files(store):
        try:
            with opened(path) as connection:
                row = connection.execute(
                    "SELECT run_id, version, schema_version FROM run.meta"
                ).fetchone()
                for table in tables_of(row[2]) if row else ():
                    # Reads every block of every column, which checks their checksums.
                    connection.execute(
                        f"FROM run.{table} SELECT bit_xor(hash(COLUMNS(*)))"
                    ).fetchall()
        except RagdashError as error:
            report.damaged.append(str(error))
            continue
        named = row[:2] if row else None
        if named != (run_id, version):
            report.damaged.append(
                f"run file {path} holds {named}, not what its name says: give it its own name back"
            )
            continue
        whole[run_id, version] = path
    report.n_runs = len(whole)
    for path in sorted((store / "runs").glob("*.tmp*")):
        _clear_unfinished(store, path, report)
    strange = [p for p in (store / "runs").glob("*.duckdb") if named_run(p) is None]
    report.damaged += [f"{path} is not named like a run file: move it away" for path in strange]
    return whole


def _clear_unfinished(store: Path, path: Path, report: Report) -> None:
    named = named_run(path.with_name(path.name.partition(".tmp")[0]))
    if named is None:
        report.left.append(f"{path} is not ours")
        return
    try:
        with RunLock.acquire(lock_file(store, named[0]), named[0]):
            path.unlink(missing_ok=True)
        report.mended.append(f"removed {path}, which an interrupted publish had left")
    except StoreLocked:
        report.left.append(f"run {named[0]} is being published now")


def _check_registry(store: Path, report: Report) -> bool:
    path = registry_file(store)
    if not path.exists():
        if run_files(store):
            report.mended.append(
                f"made {path} again from the run files; tags and reviews are lost with it"
            )
        return bool(run_files(store))
    try:
        with closing(open_reader(path)) as connection, translated(path):
            found = [row[0] for row in connection.execute("PRAGMA integrity_check(20)")]
            found += [str(row) for row in connection.execute("PRAGMA foreign_key_check")]
        if found != ["ok"]:
            report.damaged.append(_remake(path, "; ".join(found)))
            return False
        Registry.open(store).close()
    except RagdashError as error:
        report.damaged.append(_remake(path, str(error)))
        return False
    return True


def _remake(path: Path, why: str) -> str:
    return (
        f"{path} cannot be read ({why}): move it away and run `ragdash db check` again, which "
        "makes it anew from the run files; tags and reviews are lost with it"
    )


def _check_calls(store: Path, report: Report) -> None:
    path = calls_file(store)
    if not path.exists():
        return
    try:
        with closing(open_reader(path)) as connection, translated(path):
            found = [row[0] for row in connection.execute("PRAGMA integrity_check(20)")]
            refuse_newer(path, version_of(connection), STEPS)
        why = "" if found == ["ok"] else "; ".join(found)
    except RagdashError as error:
        why = str(error)
    if why:
        report.damaged.append(
            f"{path} cannot be read ({why}): move it away; what it kept will be asked, and paid, "
            "again"
        )


def _reconcile(store: Path, whole: dict[tuple[str, int], Path], report: Report) -> None:
    with closing(Registry.open(store)) as registry:
        known = {(run.run_id, run.version) for run in registry.runs()}
        for key in sorted(whole.keys() - known):
            registry.register(whole[key])
            report.mended.append(f"registered {whole[key]} again")
        for key in sorted(whole.keys() & known):
            with opened(whole[key]) as file, writing(store) as db:
                renewed = renew(db, file, *key)
            if renewed:
                report.mended.append(
                    f"summed {whole[key]} up again, with what people say of its questions"
                )
        there = {(run_id, version) for run_id, version, _ in run_files(store)}
        report.left += [
            f"run {run_id}, version {version}, is registered but its file is gone from runs/"
            for run_id, version in sorted(known - there)
        ]


def _check_journals(store: Path, report: Report) -> None:
    _clear_live(store)
    for path in journals(store):
        try:
            run = read_live(store, path)
        except RagdashError as error:
            report.damaged.append(str(error))
            continue
        if run is None:
            report.left.append(f"{path} holds no run yet")
        elif run.alive:
            report.left.append(f"run {run.run_id} is under way: {run.done} of {run.total}")
        else:
            report.left.append(
                f"run {run.run_id} was interrupted at {run.done} of {run.total}: go on with "
                f"`ragdash run --corpus DIR --questions FILE --resume {run.run_id}`"
            )


def _clear_live(store: Path) -> None:
    """Remove what a crash at the end of a run leaves beside its journal, which is gone."""
    for path in sorted((store / "live").glob("*")):
        run_id, _, kind = path.name.partition(".")
        if kind not in ("lock", "sqlite-wal", "sqlite-shm"):
            continue
        if not path.with_name(f"{run_id}.sqlite").exists():
            with suppress(RagdashError), RunLock.acquire(lock_file(store, run_id), run_id):
                path.unlink(missing_ok=True)
