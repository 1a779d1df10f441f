"""The README's first command, on the real models: a table, a store, and nothing done twice."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ragdash.store.attach import attach

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.e5


def demo(store: Path) -> subprocess.CompletedProcess[str]:
    readme = (ROOT / "README.md").read_text("utf-8")
    marked = re.search(r"<!-- demo command -->\n```\n(.+)\n```", readme)
    assert marked is not None
    words = marked[1].split("&& ")[-1].split()
    assert words[0].endswith("/ragdash")
    return subprocess.run(
        [sys.executable, "-m", "ragdash.cli", *words[1:], "--no-serve", "--store", str(store)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def first(tmp_path_factory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    store = tmp_path_factory.mktemp("demo")
    return store, demo(store)


def test_the_demo_ends_with_three_modes_k_of_n_and_a_link(first) -> None:
    _, done = first
    assert re.search(r"dense\s+hybrid\s+rerank", done.stdout)
    assert re.search(r"■ answer_accuracy\s+\d+/\d+ .*\d+/\d+ .*\d+/\d+", done.stdout)
    assert re.search(r"■ refusal_success\s+\d+/9 ", done.stdout)
    assert "/triage?run=" in done.stdout
    assert "trusted_echo" in done.stdout


def test_every_lost_question_of_the_demo_has_a_layer_and_its_evidence(first) -> None:
    store, _ = first
    (path,) = (store / "runs").glob("*-demo-*.duckdb")
    cursor = attach(path)
    lost = cursor.execute(
        """SELECT layer, evidence_en, evidence_zh, outcome FROM run.results
           WHERE outcome IN ('wrong', 'abstained_wrong', 'error')"""
    ).fetchall()
    assert len(lost) > 0
    assert all(layer and en and zh for layer, en, zh, _ in lost)
    none = cursor.execute(
        "SELECT count(*) FROM run.results WHERE outcome = 'correct' AND layer IS NOT NULL"
    ).fetchone()
    assert none == (0,)
    assert cursor.execute("SELECT count(*) > 250 FROM run.chunks").fetchone() == (True,)


def test_no_metric_of_the_demo_failed_to_be_measured(first) -> None:
    store, _ = first
    (path,) = (store / "runs").glob("*-demo-*.duckdb")
    failed = attach(path).execute("SELECT * FROM run.scores WHERE status = 'error'").fetchall()
    assert failed == []


def test_a_second_call_reuses_run_and_attacks(first) -> None:
    store, _ = first
    before = sorted(p.name for p in (store / "runs").iterdir())
    done = demo(store)
    assert "is reused" in done.stderr
    assert sorted(p.name for p in (store / "runs").iterdir()) == before
