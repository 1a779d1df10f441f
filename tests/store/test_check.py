from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing

import pytest

from ragdash.core.retrieval import Mode
from ragdash.store.check import check
from ragdash.store.journal import Journal
from ragdash.store.layout import registry_file, run_file
from ragdash.store.registry import Registry
from ragdash.store.runfile import publish

RUN = "20261130-0936-demo-3f2a"
INTERRUPTED = "20261201-0800-demo-77aa"
NOW = "2026-11-30T10:00:00Z"


@pytest.fixture(scope="module")
def template(tmp_path_factory, make_info, make_result):
    """A store with two versions of one run."""
    store = tmp_path_factory.mktemp("template") / "store"
    for _ in range(2):
        with Journal.create(store, make_info(RUN, modes=(Mode.DENSE,)), ["q1"]) as journal:
            journal.append(make_result())
            publish(store, journal, NOW)
    return store


@pytest.fixture
def whole(template, store):
    shutil.copytree(template, store)
    return store


def test_a_whole_store_has_nothing_to_report(whole):
    report = check(whole)

    assert (report.n_runs, report.damaged, report.mended, report.left) == (2, [], [], [])


def test_an_empty_folder_is_whole_and_stays_empty(store):
    store.mkdir()

    report = check(store)

    assert (report.n_runs, report.damaged, report.mended, report.left) == (0, [], [], [])
    assert list(store.iterdir()) == []


def test_an_interrupted_run_is_listed_with_the_command_that_resumes_it(
    whole, make_info, make_result
):
    with Journal.create(whole, make_info(INTERRUPTED), ["q1", "q2"]) as journal:
        journal.append(make_result())
        assert check(whole).left == [f"run {INTERRUPTED} is under way: 1 of 6"]

    report = check(whole)

    assert report.left == [
        f"run {INTERRUPTED} was interrupted at 1 of 6: go on with "
        f"`ragdash run --corpus DIR --questions FILE --resume {INTERRUPTED}`"
    ]
    assert report.damaged == []


def test_run_files_without_a_row_are_registered_again(whole):
    with closing(Registry.open(whole)) as registry:
        before = (registry.runs(), registry.summaries(), registry.outcomes())
    for path in whole.glob("registry.sqlite*"):
        path.unlink()

    report = check(whole)

    assert len(report.mended) == 3
    with closing(Registry.open(whole)) as registry:
        assert (registry.runs(), registry.summaries(), registry.outcomes()) == before
    assert check(whole).mended == []


def test_a_registered_run_without_its_file_is_reported(whole):
    run_file(whole, RUN, 2).unlink()

    report = check(whole)

    assert report.left == [f"run {RUN}, version 2, is registered but its file is gone from runs/"]
    assert report.damaged == []


@pytest.mark.parametrize("at", [0, 5_000, 0.25, 0.5, 0.9, "cut", "empty"])
def test_a_damaged_run_file_is_named_and_the_others_are_still_read(whole, at):
    path = run_file(whole, RUN, 1)
    content = bytearray(path.read_bytes())
    if at == "cut":
        content = content[: len(content) // 2]
    elif at == "empty":
        content = bytearray()
    else:
        # Whole blocks, so that some of what is hit is in use.
        start = int(at * len(content)) if isinstance(at, float) else at
        content[start : start + 300_000] = b"\7" * len(content[start : start + 300_000])
    path.write_bytes(content)

    report = check(whole)

    assert len(report.damaged) == 1
    assert str(path) in report.damaged[0]
    assert report.n_runs == 1


def test_a_run_file_under_another_name_is_named(whole):
    shutil.copy(run_file(whole, RUN, 1), run_file(whole, RUN, 7))
    shutil.copy(run_file(whole, RUN, 1), whole / "runs" / "Mine (copy).duckdb")

    damaged = check(whole).damaged

    assert len(damaged) == 2
    assert "give it its own name back" in damaged[0]
    assert "Mine (copy).duckdb is not named like a run file" in damaged[1]


def test_what_an_interrupted_publish_left_is_removed(whole, make_info):
    for name in (f"{RUN}.3.duckdb.tmp", f"{RUN}.3.duckdb.tmp.wal"):
        (whole / "runs" / name).write_bytes(b"half")
    other = whole / "runs" / f"{INTERRUPTED}.duckdb.tmp"
    other.write_bytes(b"being written")
    with Journal.create(whole, make_info(INTERRUPTED), ["q1"]):
        report = check(whole)

    assert len(report.mended) == 2
    assert f"run {INTERRUPTED} is being published now" in report.left
    assert sorted(path.name for path in (whole / "runs").iterdir()) == [
        f"{RUN}.2.duckdb",
        f"{RUN}.duckdb",
        other.name,
    ]


def test_a_damaged_registry_is_named_and_left_alone(whole):
    with closing(sqlite3.connect(registry_file(whole))) as db:
        db.execute("PRAGMA journal_mode=DELETE")
    content = bytearray(registry_file(whole).read_bytes())
    content[4096:12288] = b"\7" * 8192
    registry_file(whole).write_bytes(content)

    report = check(whole)

    assert len(report.damaged) == 1
    assert "registry.sqlite" in report.damaged[0]
    assert registry_file(whole).read_bytes() == bytes(content)


def test_a_damaged_journal_is_named(whole):
    path = whole / "live" / f"{INTERRUPTED}.sqlite"
    path.write_bytes(b"SQLite format 3\0" + b"\7" * 8000)

    report = check(whole)

    assert len(report.damaged) == 1
    assert str(path) in report.damaged[0]


def test_what_a_removed_journal_left_beside_is_cleared_away(whole):
    for suffix in (".lock", ".sqlite-shm", ".sqlite-wal"):
        (whole / "live" / f"{RUN}{suffix}").touch()

    check(whole)

    assert list((whole / "live").iterdir()) == []
