from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.errors import StoreError
from ragdash.core.retrieval import Mode
from ragdash.store.attach import attach, opened
from ragdash.store.journal import Journal
from ragdash.store.runfile import publish

RUN = "20261130-0936-demo-3f2a"
NOW = "2026-11-30T10:00:00Z"


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory, make_info, make_result):
    """Two run files: four questions answered 'first N', and two answered 'second N'."""
    store = tmp_path_factory.mktemp("runs") / "store"
    paths = []
    for run_id, word, n in ((RUN, "first", 4), ("20261201-0800-demo-77aa", "second", 2)):
        ids = [f"q{at}" for at in range(n)]
        info = make_info(run_id, modes=(Mode.DENSE,))
        with Journal.create(store, info, ids) as journal:
            for at, question_id in enumerate(ids):
                answer = Answer(f"{word} {at}", AnswerStatus.ANSWERED, (), "extractive, no LLM")
                journal.append(make_result(question_id, answer=answer))
            paths.append(publish(store, journal, NOW))
    return paths


def answers(cursor, alias="run"):
    query = f"FROM {alias}.results SELECT answer ORDER BY question_id"
    return [row[0] for row in cursor.execute(query).fetchall()]


def test_run_files_answer_to_run_and_base_and_other(two_runs):
    first, second = two_runs

    cursor = attach(first, second, first)

    assert answers(cursor, "run") == [f"first {n}" for n in range(4)]
    assert answers(cursor, "base") == ["second 0", "second 1"]
    assert answers(cursor, "other") == answers(cursor, "run")


def test_a_run_is_compared_with_itself(two_runs):
    cursor = attach(two_runs[0], two_runs[0])

    found = cursor.execute(
        "SELECT count(*) FROM run.results JOIN base.results USING (mode, question_id) "
        "WHERE run.results.answer = base.results.answer"
    ).fetchone()
    assert found == (4,)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM glob('/etc/*')",
        "ATTACH '/tmp/x.duckdb' AS x",
        "COPY (SELECT 1) TO '/tmp/x.csv'",
        "EXPORT DATABASE '/tmp/x'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "RESET threads",
        "PRAGMA enable_profiling",
        "DELETE FROM run.results",
        "UPDATE run.meta SET status = 'failed'",
        "DROP TABLE run.scores",
        "SELECT * FROM two_runs",
    ],
)
def test_a_page_can_neither_write_nor_reach_a_file(two_runs, statement):
    cursor = attach(two_runs[0])
    before = two_runs[0].read_bytes()

    with pytest.raises(duckdb.Error):
        cursor.execute(statement)

    assert two_runs[0].read_bytes() == before
    assert answers(attach(two_runs[0])) == [f"first {n}" for n in range(4)]


def test_values_are_bound_whatever_they_hold(two_runs):
    cursor = attach(two_runs[0])

    for value in ("q1' OR 'a'='a", "q1\0", "问"):
        query = "SELECT answer FROM run.results WHERE question_id = $id"
        assert cursor.execute(query, {"id": value}).fetchall() == []


def test_threads_with_a_cursor_each_see_their_own_rows(two_runs):
    """One connection shared by threads returned other sessions' rows (store.md section 1)."""

    def ask(number):
        for _ in range(20):
            cursor = attach(*two_runs)
            row = cursor.execute("SELECT ?, count(*) FROM run.results", [number]).fetchone()
            if row != (number, 4):
                return row
        return None

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(40))) == {None}


def test_a_replaced_file_is_seen_and_not_the_one_kept_open(two_runs, tmp_path):
    place = tmp_path / "贵州 'quoted'.duckdb"
    shutil.copy(two_runs[0], place)
    held = attach(place)
    assert answers(held)[0] == "first 0"

    shutil.copy(two_runs[1], tmp_path / "beside")
    (tmp_path / "beside").replace(place)

    assert answers(attach(place))[0] == "second 0"
    assert answers(held)[0] == "first 0"


def test_many_files_do_not_stay_open_for_ever(two_runs, tmp_path):
    copies = [tmp_path / f"{n}.duckdb" for n in range(12)]
    for path in copies:
        shutil.copy(two_runs[0], path)
    oldest = attach(copies[0])

    for path in copies:
        assert len(answers(attach(path))) == 4

    assert len(answers(oldest)) == 4
    assert len(open_files(tmp_path)) <= 10


def open_files(folder):
    """Return what this process holds open in a folder; where there is no /proc, nothing."""
    handles = Path("/proc/self/fd")
    paths = [fd.resolve() for fd in handles.iterdir()] if handles.exists() else []
    return [path for path in paths if folder in path.parents]


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda path: path.unlink(), "is not there"),
        (lambda path: path.write_bytes(b""), "cannot be read|has schema version"),
        (lambda path: path.write_bytes(b"x" * 100_000), "cannot be read"),
        (lambda path: path.write_bytes(path.read_bytes()[:50_000]), "cannot be read"),
        (lambda path: foreign(path), "cannot be read"),
        (lambda path: later(path), "schema version 99, this ragdash reads versions up to 6"),
    ],
)
def test_a_file_that_is_no_run_of_ours_is_named_in_one_sentence(two_runs, tmp_path, spoil, why):
    path = tmp_path / "x.duckdb"
    shutil.copy(two_runs[0], path)
    spoil(path)

    for read in (lambda: attach(path), lambda: opened(path).__enter__()):
        with pytest.raises(StoreError, match=why) as caught:
            read()
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)


def foreign(path):
    path.unlink()
    with closing(duckdb.connect(path)) as other:
        other.execute("CREATE TABLE t (a INTEGER)")


def later(path):
    with closing(duckdb.connect(path)) as run:
        run.execute("UPDATE meta SET schema_version = 99")


def test_one_to_three_files_can_be_attached(two_runs):
    for paths in ([], [*two_runs, *two_runs]):
        with pytest.raises(ValueError, match="one to 3"):
            attach(*paths)
