"""`ragdash gate`: 0, 1 and 2, and what is behind each; no measurement that failed ever passes."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from ragdash.cli import invoke
from ragdash.core.retrieval import Mode
from ragdash.core.run import Outcome
from ragdash.core.score import failed, scored
from ragdash.store.journal import Journal
from ragdash.store.registry import Registry
from ragdash.store.runfile import publish

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

A, B = "20261130-0900-a-1", "20261130-1000-b-2"
ENVIRONMENT = {"ragdash": "0.1", "commit": "abc", "code": "sha256:" + "c" * 64, "models": {}}


def published(build: ModuleType, store: Path, run: str, right: str, **fields: Any) -> None:
    """Publish a run of one mode: "1" right, "0" wrong, "e" not to be measured."""
    info = build.make_info(
        run, modes=(Mode.HYBRID,), n_questions=len(right), environment=ENVIRONMENT
    )
    ids = [f"q{i:02}" for i in range(len(right))]
    with Journal.create(store, replace(info, **fields), ids) as journal:
        for name, bit in zip(ids, right, strict=True):
            one = (
                failed("answer_accuracy", "no_output")
                if bit == "e"
                else scored("answer_accuracy", int(bit))
            )
            outcome = Outcome.CORRECT if bit == "1" else Outcome.WRONG
            journal.append(
                build.make_result(name, mode=Mode.HYBRID, outcome=outcome, scores=(one,))
            )
        publish(store, journal, "2026-11-30T11:00:00Z")


@pytest.fixture
def ask(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, dict[str, Any], str]]:
    """`ask(rules, "RUN:mode", ...)` -> exit code, the data of --json, stderr."""

    def asked(rules: str, *words: str) -> tuple[int, dict[str, Any], str]:
        path = tmp_path / "rules.toml"
        path.write_text(rules, "utf-8")
        capsys.readouterr()
        arguments = ["gate", *words, "--rules", str(path), "--store", str(store), "--json"]
        code = invoke(arguments)
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else {}, err

    return asked


def rule(**keys: Any) -> str:
    body = "\n".join(f"{key} = {json.dumps(value)}" for key, value in keys.items())
    return f'[[questions]]\nmetric = "answer_accuracy"\n{body}\n'


@pytest.mark.parametrize(
    ("right", "keys", "code", "reason"),
    [
        ("1100", {"min": 0.5}, 0, ""),
        ("1000", {"min": 0.5}, 1, ""),
        ("1100", {"min": 0.5, "min_scored": 5}, 2, "too_few"),
        ("110e", {"min": 0.1}, 2, "errors"),
        ("eeee", {"min": 0.0}, 2, "errors"),
        ("1111", {"min": 0.6, "by": "interval"}, 1, ""),
        ("1" * 40, {"min": 0.9, "by": "interval"}, 0, ""),
    ],
)
def test_a_threshold_passes_fails_or_cannot_be_said(
    build, store, ask, right, keys, code, reason
) -> None:
    published(build, store, A, right)
    found, data, _ = ask(rule(**keys), f"{A}:hybrid")
    assert found == code == data["exit_code"]
    (one,) = data["rules"]
    assert one["reason"] == reason
    assert one["n"] == sum(bit != "e" for bit in right)
    assert one["errors"] == right.count("e")


def test_every_bound_is_passed_exactly_where_the_share_reaches_it(build, store, ask) -> None:
    published(build, store, A, "1110")
    bounds = [i / 20 for i in range(21)]
    _, data, _ = ask("".join(rule(min=bound) for bound in bounds), f"{A}:hybrid")
    passed = [one["bound"] for one in data["rules"] if one["verdict"] == "pass"]
    assert passed == [bound for bound in bounds if bound <= 0.75]


def test_a_failure_is_1_although_another_rule_cannot_be_said(build, store, ask) -> None:
    published(build, store, A, "1000")
    code, data, _ = ask(rule(min=0.9) + rule(min=0.1, min_scored=9), f"{A}:hybrid")
    assert (code, data["verdict"]) == (1, "fail")


@pytest.mark.parametrize(
    ("base", "this", "code"),
    [("1" * 30 + "0" * 30, "1" * 30 + "0" * 30, 0), ("1" * 60, "1" * 30 + "0" * 30, 1)],
)
def test_not_worse_than_the_baseline_is_read_from_the_paired_interval(
    build, store, ask, base, this, code
) -> None:
    published(build, store, A, base)
    published(build, store, B, this)
    with closing(Registry.open(store)) as registry:
        registry.tag(A, "baseline", reason="首版", author="me", at="2026-11-30T12:00:00Z")
    found, data, _ = ask(rule(non_inferior=0.05), f"{B}:hybrid")
    assert (found, data["base"]) == (code, f"{A}:hybrid")
    assert data["rules"][0]["low"] <= data["rules"][0]["value"] <= data["rules"][0]["high"]


def test_without_a_base_or_with_another_question_set_nothing_is_said(build, store, ask) -> None:
    published(build, store, A, "1" * 40)
    published(build, store, B, "1" * 40, questions_digest="sha256:" + "d" * 64)
    code, data, _ = ask(rule(non_inferior=0.5), f"{B}:hybrid")
    assert (code, data["rules"][0]["reason"]) == (2, "no_base")
    code, data, _ = ask(rule(non_inferior=0.5), f"{B}:hybrid", "--base", f"{A}:hybrid")
    assert (code, data["verdict"]) == (2, "not_comparable")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["none:hybrid"], "none"),
        ([f"{A}:rerank"], "rerank"),
        ([f"{A}:hybrid", "--base", f"{A}:hybrid"], "its own base"),
        ([f"{A}:hybrid", "--base", "no-such-run"], "no-such-run"),
    ],
)
def test_a_ref_that_names_nothing_is_one_sentence(build, store, ask, words, says) -> None:
    published(build, store, A, "11")
    code, data, err = ask(rule(non_inferior=0.1), *words)
    assert (code, data) == (2, {})
    assert says in err
    assert err.count("\n") == 1


def judged_run(build: ModuleType, store: Path, told: list[tuple[float, ...]]) -> None:
    """Publish a run whose judge gave these values, a tuple of repeats for each question."""
    info = build.make_info(A, modes=(Mode.HYBRID,), n_questions=len(told), environment=ENVIRONMENT)
    ids = [f"q{i:02}" for i in range(len(told))]
    with Journal.create(store, info, ids) as journal:
        for name, values in zip(ids, told, strict=True):
            scores = tuple(
                replace(scored("faithfulness", value), repeat=i) for i, value in enumerate(values)
            )
            journal.append(build.make_result(name, mode=Mode.HYBRID, scores=scores))
        publish(store, journal, "2026-11-30T11:00:00Z")


@pytest.mark.parametrize(
    ("told", "bound", "reason", "code"),
    [
        ([(1.0, 0.5, 1.0)] * 10, 0.10, "", 0),
        ([(1.0, 0.5, 1.0)] * 10, 0.80, "judge_noise", 2),
        ([(1.0, 0.5, 1.0)] * 10, 0.90, "judge_noise", 2),
        ([(0.0, 0.5, 0.0)] * 10, 0.90, "", 1),
        ([(1.0, 1.0)] * 10, 0.10, "few_repeats", 2),
        ([(1.0, 1.0, 1.0)] * 9 + [(1.0,)], 0.10, "few_repeats", 2),
    ],
)
def test_a_judge_is_gated_only_with_repeats_and_a_margin_above_its_noise(
    build, store, ask, told, bound, reason, code
) -> None:
    judged_run(build, store, told)
    found, data, _ = ask(f'[[questions]]\nmetric = "faithfulness"\nmin = {bound}\n', f"{A}:hybrid")
    (one,) = data["rules"]
    assert (found, one["reason"], one["deterministic"]) == (code, reason, "no")


def test_a_judge_that_failed_once_does_not_pass(build, rich, judged, store, ask) -> None:
    rich.make_rich_store(build, store)
    judged.make_judged_run(build, rich, store)
    code, data, _ = ask(
        '[[questions]]\nmetric = "faithfulness"\nmin = 0.01\n', f"{judged.RUN}:hybrid"
    )
    assert (code, data["rules"][0]["reason"]) == (2, "errors")


def test_an_attack_run_is_gated_by_its_own_rules(build, rich, store, ask) -> None:
    rich.make_rich_store(build, store)
    attack = '[[attacks]]\nmetric = "unsafe_action"\nmax = 0.0\n'
    code, data, _ = ask(attack, f"{rich.ATTACK}:baseline")
    stored = rich_rate(store, rich.ATTACK, "baseline")
    assert (data["rules"][0]["k"], data["rules"][0]["n"]) == stored
    assert code == (1 if stored[0] else 0)
    code, _, err = ask(rule(min=0.5), f"{rich.ATTACK}:baseline")
    assert code == 2
    assert "no [[attacks]]" in err


def rich_rate(store: Path, run: str, policy: str) -> tuple[int, int]:
    from ragdash.store.attach import attach
    from ragdash.store.layout import run_file
    from ragdash.views.attacks import rates

    found = rates(attach(run_file(store, run, 1)))[policy]["unsafe_action"]
    return found.k, found.n


def test_junit_has_a_case_for_each_rule_and_counts_as_the_verdict_does(
    build, store, ask, tmp_path
) -> None:
    published(build, store, A, "1000")
    rules = rule(min=0.1) + rule(min=0.9) + rule(min=0.1, min_scored=9)
    path = tmp_path / "out" / "gate.xml"
    code, _, err = ask(rules, f"{A}:hybrid", "--junit", str(path))
    assert (code, path.exists()) == (2, False)
    assert "cannot be written" in err
    path.parent.mkdir()
    ask(rules, f"{A}:hybrid", "--junit", str(path))
    suite = ET.parse(path).getroot()
    assert {k: suite.get(k) for k in ("tests", "failures", "errors")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
    }
    assert suite[0].get("name") == "answer_accuracy >= 0.1"
    assert sorted(p.name for p in path.parent.iterdir()) == ["gate.xml"]


def test_an_attack_run_cannot_become_what_gates_over_questions_compare_with(
    build, rich, store, capsys
) -> None:
    rich.make_rich_store(build, store)
    arguments = ["tag", f"{rich.ATTACK}:baseline", "baseline", "--reason", "x"]
    assert invoke([*arguments, "--store", str(store)]) == 2
    assert "is a run of attacks" in capsys.readouterr().err
    assert invoke([*arguments[:2], "attacks-of-may", *arguments[3:], "--store", str(store)]) == 0
