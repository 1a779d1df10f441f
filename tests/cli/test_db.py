"""`ragdash db migrate` and `rm`: nothing that people said is lost, nothing is half removed."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import duckdb
import pytest

from ragdash.cli import invoke
from ragdash.core.retrieval import Mode
from ragdash.store.journal import Journal
from ragdash.store.layout import journal_file, lock_file, registry_file, run_file, run_files
from ragdash.store.lock import RunLock
from ragdash.store.migrations.registry import STEPS
from ragdash.store.migrations.runner import migrate
from ragdash.store.registry import Registry
from ragdash.store.runfile import publish
from ragdash.store.schema import SCHEMA_VERSION
from ragdash.store.sqlite import open_writer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RUN, OTHER, STOPPED = "20261130-0936-demo-3f2a", "20261130-1000-maotai-77aa", "20261201-0800-x-1b2c"
NOW = "2026-11-30T10:00:00Z"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory, make_info, make_result) -> Path:
    """Two versions of one run, another run, one that was stopped, and a review of each."""
    store: Path = tmp_path_factory.mktemp("template") / "store"
    for run_id in (RUN, RUN, OTHER):
        with Journal.create(store, make_info(run_id, modes=(Mode.DENSE,)), ["q1"]) as journal:
            journal.append(make_result())
            publish(store, journal, NOW)
    with Journal.create(store, make_info(STOPPED, modes=(Mode.DENSE,)), ["q1", "q2"]) as journal:
        journal.append(make_result())
    with closing(sqlite3.connect(registry_file(store))) as db, db:
        db.executemany(
            "INSERT INTO reviews (run_id, version, mode, question_id, reviewer, at, verdict, flag,"
            " note) VALUES (?, 1, 'dense', 'q1', '安', ?, 'ranking', 0, '口径')",
            [(RUN, NOW), (OTHER, NOW)],
        )
    return store


@pytest.fixture
def whole(template: Path, store: Path) -> Path:
    shutil.copytree(template, store)
    return store


@pytest.fixture
def ragdash(whole: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """`ragdash("db", "rm", RUN)` -> exit code, stdout, stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = invoke([*arguments, "--store", str(whole)])
        return code, *capsys.readouterr()

    return run


def reviews(store: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(registry_file(store))) as db:
        return db.execute("SELECT run_id, note FROM reviews ORDER BY number").fetchall()


def make_older(store: Path, version: int) -> None:
    """The registry as an earlier ragdash left it, with a run and a tag from then."""
    path = registry_file(store)
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
    with closing(open_writer(path)) as db:
        migrate(db, path, STEPS[:version])
        db.execute(
            "INSERT INTO runs VALUES (?, 1, 'evaluation', 'done', 's', 'f', '{}', 'd', '茅台', 'c',"
            " 'n', 'q', 6, '{}')",
            (OTHER,),
        )


def test_a_reader_of_an_older_store_is_told_both_versions_and_the_command(whole, ragdash) -> None:
    make_older(whole, 1)
    before = registry_file(whole).read_bytes()
    code, _, told = ragdash("compare", OTHER)
    assert code == 3
    assert "has schema version 1" in told
    assert f"works with version {len(STEPS)}" in told
    assert f"`ragdash db migrate --store {whole}`" in told
    assert registry_file(whole).read_bytes() == before


@pytest.mark.parametrize("version", range(1, len(STEPS)))
def test_migrate_brings_any_older_store_up_to_date_once(whole, ragdash, version: int) -> None:
    make_older(whole, version)
    code, said, _ = ragdash("db", "migrate")
    assert code == 0
    assert f"is now of version {len(STEPS)}, it was of version {version}" in said
    assert f"registry.sqlite.v{version} is the registry as it was" in said
    with closing(sqlite3.connect(whole / f"registry.sqlite.v{version}")) as db:
        assert db.execute("SELECT run_id FROM runs").fetchall() == [(OTHER,)]
    with closing(Registry.open(whole, read_only=True)) as registry:
        assert [run.corpus_name for run in registry.runs()] == ["茅台"]
    assert ragdash("db", "migrate")[:2] == (0, "the store is up to date\n")


def test_a_newer_store_is_refused_with_both_versions_and_the_command(whole, ragdash) -> None:
    with closing(sqlite3.connect(registry_file(whole))) as db, db:
        db.execute("INSERT INTO schema_steps VALUES (99, 'of tomorrow')")
    for command in (("compare", RUN), ("db", "migrate")):
        code, _, told = ragdash(*command)
        assert code == 3
        assert "has schema version 99" in told
        assert f"up to {len(STEPS)}" in told
        assert "`pip install --upgrade ragdash`" in told


def test_run_files_of_other_versions_are_named_and_left_as_they_are(whole, ragdash) -> None:
    for version, schema in ((1, 3), (2, 99)):
        with closing(duckdb.connect(str(run_file(whole, RUN, version)))) as file:
            file.execute("UPDATE meta SET schema_version = ?", [schema])
    before = {path: path.read_bytes() for _, _, path in run_files(whole)}
    code, said, told = ragdash("db", "migrate")
    assert code == 3
    assert f"1 run files keep schema version 3 (now {SCHEMA_VERSION}) and are read" in said
    assert "has schema version 99" in told
    assert {path: path.read_bytes() for _, _, path in run_files(whole)} == before


def test_a_journal_of_a_run_under_way_is_left_alone(whole, ragdash) -> None:
    with RunLock.acquire(lock_file(whole, STOPPED), STOPPED):
        code, said, _ = ragdash("db", "migrate")
    assert code == 0
    assert f"run {STOPPED} is under way" in said


def test_rm_removes_every_version_and_keeps_what_people_said(whole, ragdash) -> None:
    code, said, _ = ragdash("db", "rm", RUN, "--yes")
    assert code == 0
    assert said.endswith(f"removed run {RUN}, 2 files; 1 reviews of it stay on record\n")
    assert [found for found, _, _ in run_files(whole)] == [OTHER]
    with closing(Registry.open(whole)) as registry:
        assert [run.run_id for run in registry.runs()] == [OTHER]
        assert {run_id for run_id, _ in registry.summaries()} == {OTHER}
    assert reviews(whole) == [(RUN, "口径"), (OTHER, "口径")]
    assert ragdash("db", "check")[0] == 0


def test_rm_removes_the_journal_of_a_run_that_was_stopped(whole, ragdash) -> None:
    assert ragdash("db", "rm", STOPPED, "--yes")[0] == 0
    assert not list(journal_file(whole, STOPPED).parent.glob("*"))
    assert f"{STOPPED}" not in ragdash("db", "check")[1]


def test_rm_asks_and_takes_no_for_an_answer(whole, ragdash, monkeypatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    code, said, told = ragdash("db", "rm", RUN)
    assert code == 2
    assert str(run_file(whole, RUN, 2)) in said
    assert f"run {RUN} is kept" in told
    assert len(run_files(whole)) == 3


@pytest.mark.parametrize("name", ["baseline", "基线"])
def test_rm_refuses_what_a_name_stands_for_until_it_is_forced(whole, ragdash, name: str) -> None:
    assert ragdash("tag", f"{RUN}:dense", name, "--reason", "last release")[0] == 0
    code, _, told = ragdash("db", "rm", RUN, "--yes")
    assert code == 2
    assert name in told
    assert "--force" in told
    assert len(run_files(whole)) == 3
    assert ragdash("db", "rm", name, "--yes")[0] == 2
    assert ragdash("db", "rm", RUN, "--yes", "--force")[0] == 0
    with closing(Registry.open(whole)) as registry:
        assert [tag.name for tag in registry.tag_history()] == [name]


def test_rm_refuses_a_run_under_way(whole, ragdash) -> None:
    with RunLock.acquire(lock_file(whole, STOPPED), STOPPED):
        code, _, told = ragdash("db", "rm", STOPPED, "--yes")
    assert code == 3
    assert "is being written by another process" in told
    assert journal_file(whole, STOPPED).is_file()


@pytest.mark.parametrize("name", ["nope", "../registry", f"{RUN}:dense", f"{RUN}.1", "*"])
def test_rm_takes_the_id_of_a_run_and_nothing_else(whole, ragdash, name: str) -> None:
    before = sorted(path.name for path in whole.rglob("*.duckdb"))
    code, _, told = ragdash("db", "rm", name, "--yes")
    assert code == 2
    assert "ragdash: " in told
    assert sorted(path.name for path in whole.rglob("*.duckdb")) == before


def test_rm_that_was_killed_after_the_registry_can_be_called_again(whole, ragdash) -> None:
    with closing(sqlite3.connect(registry_file(whole))) as db, db:
        db.execute("DELETE FROM runs WHERE run_id = ?", (RUN,))
    assert ragdash("db", "rm", RUN, "--yes")[0] == 0
    assert [found for found, _, _ in run_files(whole)] == [OTHER]
