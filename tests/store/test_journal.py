from __future__ import annotations

import importlib.util
import random
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ragdash.core.errors import InputError, StoreError, StoreLocked
from ragdash.core.retrieval import Mode
from ragdash.core.run import Outcome
from ragdash.store.journal import Journal
from ragdash.store.layout import journal_file, lock_file
from ragdash.store.live import live_runs
from ragdash.store.lock import is_held

RUN = "20261130-0936-demo-3f2a"
WRITER = Path(__file__).with_name("writer.py")


@pytest.fixture
def journal(store, make_info):
    with Journal.create(store, make_info(RUN), ["q1", "q2"]) as journal:
        yield journal


def test_results_come_back_by_mode_then_question_whatever_order_they_came_in(journal, make_result):
    given = [make_result("q2", Mode.RERANK), make_result("q2"), make_result("q1", Mode.RERANK)]
    for result in given:
        journal.append(result)

    assert list(journal.results()) == [given[1], given[2], given[0]]
    assert journal.done() == {("dense", "q2"), ("rerank", "q1"), ("rerank", "q2")}
    assert journal.progress() == (3, 6)


def test_an_opened_journal_goes_on_where_the_last_one_stopped(store, make_info, make_result):
    info = make_info(RUN)
    with Journal.create(store, info, ["q1", "q2"]) as first:
        first.append(make_result("q1"))

    with Journal.open(store, RUN) as second:
        second.append(make_result("q2"))

        assert second.info() == info
        assert second.question_ids == ("q1", "q2")
        assert list(second.results()) == [make_result("q1"), make_result("q2")]


def test_a_killed_writer_loses_at_most_the_question_under_way(store):
    """Five kills at random moments; every result that was reported done is still there."""
    moments = random.Random(7)
    reported: list[str] = []
    for _ in range(5):
        process = start_writer(store, n=60)
        try:
            seen = [process.stdout.readline() for _ in range(moments.randint(1, 12))]
            time.sleep(moments.random() / 200)
        finally:
            process.kill()
        seen += process.stdout.read().splitlines(keepends=True)
        process.wait()
        process.stdout.close()
        reported += [line.strip() for line in seen if line.endswith("\n")]

        assert not is_held(lock_file(store, RUN))
        with Journal.open(store, RUN) as journal:
            kept = {f"{mode} {question_id}" for mode, question_id in journal.done()}
        assert set(reported) <= kept
        assert len(kept) <= len(reported) + 5
    assert len(set(reported)) == len(reported) > 5

    assert start_writer(store, n=60).communicate(timeout=60)[0]
    with Journal.open(store, RUN) as journal:
        assert list(journal.results()) == list(writer().results(60))


def test_a_second_process_is_told_who_writes_the_run(store):
    process = start_writer(store, n=2, pause=30)
    try:
        process.stdout.readline()
        with pytest.raises(StoreLocked, match=rf"{RUN} is being .* \(process {process.pid} on .*"):
            Journal.open(store, RUN)
        assert live_runs(store)[0].alive
    finally:
        process.kill()
        process.communicate()

    assert not live_runs(store)[0].alive
    Journal.open(store, RUN).close()


@pytest.mark.usefixtures("journal")
def test_the_same_process_cannot_write_a_run_twice_either(store):
    with pytest.raises(StoreLocked):
        Journal.open(store, RUN)


def test_a_closed_journal_leaves_no_lock_behind(store, journal):
    journal.close()

    assert sorted(path.name for path in (store / "live").iterdir()) == [f"{RUN}.sqlite"]


def test_a_started_run_is_not_started_again(store, journal, make_info):
    journal.close()

    with pytest.raises(InputError, match=f"ragdash run --resume {RUN}"):
        Journal.create(store, make_info(RUN), ["q1"])


def test_what_a_crash_in_create_leaves_is_no_obstacle(store, make_info, make_result):
    path = journal_file(store, RUN)
    path.parent.mkdir(parents=True)
    path.touch()
    path.with_name(path.name + "-wal").write_bytes(b"left by another journal of this name")

    with Journal.create(store, make_info(RUN), ["q1"]) as journal:
        journal.append(make_result("q1"))
        assert len(journal.done()) == 1


def test_a_run_without_a_journal_cannot_be_resumed(store):
    with pytest.raises(InputError, match="ragdash db check"):
        Journal.open(store, RUN)


def test_a_journal_of_a_newer_version_is_refused_with_both_versions(store, journal):
    journal.close()
    with sqlite3.connect(journal_file(store, RUN)) as db:
        db.execute("INSERT INTO schema_steps VALUES (9, 'from the future')")
    db.close()

    with pytest.raises(StoreError, match=r"version 9, this ragdash knows versions up to 1"):
        Journal.open(store, RUN)
    assert not is_held(lock_file(store, RUN))


def test_a_damaged_journal_is_named(store, journal):
    journal.close()
    journal_file(store, RUN).write_bytes(b"SQLite format 3\0" + b"\7" * 5000)

    with pytest.raises(StoreError, match=RUN):
        Journal.open(store, RUN)


def test_a_refused_result_leaves_nothing_of_itself(store, journal, make_result):
    bad = make_result("q1")
    bad = replace(bad, retrieval=replace(bad.retrieval, seconds=float("nan")))

    with pytest.raises(ValueError, match=r"Retrieval.seconds: nan is not a finite number"):
        journal.append(bad)

    assert journal.progress() == (0, 6)
    with sqlite3.connect(journal_file(store, RUN)) as db:
        assert db.execute("SELECT count(*) FROM chunks").fetchone() == (0,)
    db.close()


def test_no_question_is_kept_twice(journal, make_result):
    journal.append(make_result("q1"))

    with pytest.raises(ValueError, match="in the journal already"):
        journal.append(make_result("q1", outcome=Outcome.WRONG))

    assert [r.outcome for r in journal.results()] == [Outcome.CORRECT]


def test_a_question_or_mode_that_is_not_of_this_run_is_refused(store, make_info, make_result):
    with Journal.create(store, make_info(RUN, modes=(Mode.DENSE,)), ["q1"]) as journal:
        for stranger in (make_result("q9"), make_result("q1", Mode.HYBRID)):
            with pytest.raises(ValueError, match="no question and mode of run"):
                journal.append(stranger)


@pytest.mark.parametrize(
    ("ids", "why"), [(["q1", "q1"], "there twice"), (["q\ud800"], "lone surrogate")]
)
def test_question_ids_that_cannot_be_kept_are_refused_before_the_run(store, make_info, ids, why):
    with pytest.raises(InputError, match=why):
        Journal.create(store, make_info(RUN), ids)

    assert not store.exists()


@pytest.mark.parametrize("run_id", ["../up", "a/b", "", "Demo", "a.2", "a--b", "x" * 81, "a\n"])
def test_a_run_id_that_is_no_safe_file_name_is_refused(store, make_info, run_id):
    with pytest.raises(InputError, match="run id"):
        Journal.create(store, make_info(run_id), ["q1"])


def test_any_text_comes_back_from_a_reopened_journal(store, make_info, make_result, build):
    hostile = "NUL \0, surrogate \ud83d, 'quote\"; DROP TABLE results; --, 贵州茅台 ‮, 𝟙"
    result = make_result(
        hostile.replace("\ud83d", ""),
        answer=replace(build.make_answer(), text=hostile, raw=hostile, prompt=hostile),
    )
    with Journal.create(store, make_info(RUN), [result.question.id]) as journal:
        journal.append(result)

    with Journal.open(store, RUN) as journal:
        assert list(journal.results()) == [result]


def test_one_chunk_id_with_two_contents_in_a_run_is_refused_after_a_resume_too(
    store, make_info, make_result
):
    with Journal.create(store, make_info(RUN), ["q1", "q2"]) as journal:
        journal.append(make_result("q1"))
    other = make_result("q2")
    first, *rest = other.retrieval.candidates
    first = replace(first, chunk=replace(first.chunk, text="另一段"))
    other = replace(other, retrieval=replace(other.retrieval, candidates=(first, *rest)))

    with (
        Journal.open(store, RUN) as journal,
        pytest.raises(ValueError, match="two different contents in one run"),
    ):
        journal.append(other)


def test_live_runs_tell_progress_and_outcomes_while_the_run_is_written(store, journal, make_result):
    journal.append(make_result("q1"))
    journal.append(make_result("q2", outcome=Outcome.ABSTAINED_WRONG))

    (live,) = live_runs(store)

    assert (live.run_id, live.version, live.alive, live.done, live.total) == (RUN, 1, True, 2, 6)
    assert live.modes == ("dense", "hybrid", "rerank")
    assert live.outcomes == {("dense", "correct"): 1, ("dense", "abstained_wrong"): 1}
    assert live.last_update > "2026"


def test_a_store_without_live_runs_has_none(store):
    assert live_runs(store) == []


def start_writer(store: Path, *, n: int, pause: float = 0.0) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(WRITER), str(store), RUN, str(n), str(pause)],
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={"PYTHONIOENCODING": "utf-8", "PATH": "/usr/bin:/bin"},
    )


def writer():
    spec = importlib.util.spec_from_file_location("ragdash_test_writer", WRITER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
