"""kill -9 in the middle of a run, then --resume: as if nothing had happened."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from ragdash.store.attach import attach
from ragdash.store.live import live_runs

if TYPE_CHECKING:
    from pathlib import Path

# Everything but wall times, which no two runs share.
TABLES = {
    "results": "* EXCLUDE (retrieve_seconds, generate_seconds)",
    "candidates": "*",
    "scores": "* EXCLUDE (seconds)",
    "citations": "*",
    "questions": "*",
    "chunks": "*",
}


def contents(store: Path) -> dict[str, list[tuple[object, ...]]]:
    (path,) = (store / "runs").glob("*.duckdb")
    cursor = attach(path)
    return {
        table: cursor.execute(f"SELECT {columns} FROM run.{table} ORDER BY ALL").fetchall()  # noqa: S608
        for table, columns in TABLES.items()
    }


@pytest.fixture(scope="module")
def undisturbed(bench, tmp_path_factory) -> dict[str, list[tuple[object, ...]]]:
    store = tmp_path_factory.mktemp("undisturbed")
    bench.ragdash(*bench.run_arguments(store))
    return contents(store)


def kill_in_the_middle(bench, store: Path) -> tuple[str, int]:
    """Start a run, kill it once a part is done, and return its id and how much was kept."""
    process = subprocess.Popen(
        bench.command(*bench.run_arguments(store)),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=bench.env(),
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        live = live_runs(store)
        if live and 5 <= live[0].done < live[0].total:
            process.send_signal(signal.SIGKILL)
            process.wait()
            left = live_runs(store)[0]
            assert left.done < left.total
            return left.run_id, left.done
        if process.poll() is not None:
            pytest.fail("the run ended before it could be killed")
        time.sleep(0.005)
    pytest.fail("the run did not start in 120 s")


def test_a_killed_run_resumes_to_the_same_results(bench, undisturbed, tmp_path) -> None:
    run_id, kept = kill_in_the_middle(bench, tmp_path)
    done = bench.ragdash(*bench.run_arguments(tmp_path), "--resume", run_id)
    # The first progress line says how much was there: none of it is asked again.
    assert f"{run_id} {kept}/120" in done.stderr
    assert contents(tmp_path) == undisturbed
    assert live_runs(tmp_path) == []


def test_a_resumed_run_must_be_given_what_it_was_started_with(bench, tmp_path) -> None:
    run_id, kept = kill_in_the_middle(bench, tmp_path)
    other = bench.ragdash(
        *bench.run_arguments(tmp_path), "--limit", "3", "--resume", run_id, expect=2
    )
    assert "another question set" in other.stderr
    assert live_runs(tmp_path)[0].done == kept


def test_resuming_an_unknown_run_is_one_sentence(bench, tmp_path) -> None:
    done = bench.ragdash(*bench.run_arguments(tmp_path), "--resume", "nothing", expect=2)
    assert done.stderr.count("\n") == 1
    assert "nothing" in done.stderr


def test_a_finished_run_has_nothing_to_resume(bench, tmp_path) -> None:
    done = bench.ragdash(*bench.run_arguments(tmp_path), "dense", "--limit", "1", "--json")
    run_id = json.loads(done.stdout)["run"]
    again = bench.ragdash(*bench.run_arguments(tmp_path), "--resume", run_id, expect=2)
    assert f"run {run_id} is finished" in again.stderr


def test_evidence_that_is_not_in_the_corpus_is_warned_of_and_the_run_goes_on(
    bench, tmp_path
) -> None:
    row = json.loads(bench.questions.read_text("utf-8").splitlines()[0])
    row["evidence"] = [{"doc_id": "doc_0", "page": 1}]
    questions = tmp_path / "q.jsonl"
    questions.write_text(json.dumps(row, ensure_ascii=False), "utf-8")
    arguments = list(bench.run_arguments(tmp_path / "store"))
    arguments[arguments.index("--questions") + 1] = str(questions)
    done = bench.ragdash(*arguments, "dense")
    assert "did you mean doc-0?" in done.stderr
    assert "ragdash serve --store" in done.stdout
