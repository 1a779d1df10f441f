"""A person's caliber verdict holds at once and everywhere: every place tells the same numbers."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ragdash.cli import invoke
from ragdash.compare.factors import Side
from ragdash.core.retrieval import Mode
from ragdash.core.run import Outcome
from ragdash.core.score import scored, undefined
from ragdash.core.spot_check import (
    Caliber,
    CheckKey,
    CheckProposal,
    Confidence,
    Fit,
    Judgement,
)
from ragdash.evaluate.rescore import Rescoring, rescore
from ragdash.gate.asking import gated
from ragdash.gate.rules import Rule, Rules, Threshold
from ragdash.gate.verdict import Verdict
from ragdash.store.attach import attach
from ragdash.store.journal import Journal
from ragdash.store.layout import run_file
from ragdash.store.registered import Ref
from ragdash.store.registry import Registry
from ragdash.store.results import read_results
from ragdash.store.runfile import publish
from ragdash.store.said import people_of
from ragdash.store.spot_checks import save_check
from ragdash.store.stored import info_of
from ragdash.views import compare, comparison, history, question, triage
from ragdash.views.comparison import Opened
from ragdash.views.runs import overview
from ragdash.views.triage import Filters

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.store.effective import People
    from ragdash.views.query import Cursor

RUN, AT = "20261130-0936-demo-3f2a", "2026-11-30T10:00:00Z"
MODES = (Mode.DENSE, Mode.HYBRID)
# Of each question: the number is the gold's, and what the caliber rule said.
RULED = {
    "q1": (True, None),
    "q2": (True, 1),
    "q3": (True, 0),
    "q4": (False, None),
    "口径五": (True, None),
    "q6": (False, None),
}
FAILED = [outcome.value for outcome in Outcome]


@pytest.fixture(scope="module")
def store(build: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two modes that are ruled alike."""
    made: Path = tmp_path_factory.mktemp("override") / "store"
    info = build.make_info(RUN, modes=MODES, n_questions=len(RULED))
    with Journal.create(made, info, list(RULED)) as journal:
        for mode in MODES:
            for name, (is_right, caliber) in RULED.items():
                right = is_right and caliber != 0
                rows = (
                    scored("numeric_accuracy", is_right),
                    undefined("caliber", "needs_review")
                    if caliber is None
                    else scored("caliber", caliber, "label"),
                    scored("answer_accuracy", right, "rule"),
                )
                outcome = Outcome.CORRECT if right else Outcome.WRONG
                journal.append(build.make_result(name, mode, outcome=outcome, scores=rows))
        publish(made, journal, AT)
    return made


def say(store: Path, mode: str, name: str, fit: Fit, reviewer: str = "李雷") -> None:
    said = Judgement(fit, Confidence.HIGH, *([Caliber.CONSOLIDATED] * 3))
    key = CheckKey(RUN, mode, name)
    save_check(store, CheckProposal(key, 1, reviewer, said, AT, blind=True))


SAID = st.lists(
    st.tuples(
        st.sampled_from([mode.value for mode in MODES]),
        st.sampled_from(list(RULED)),
        st.sampled_from(Fit),
        st.sampled_from(["李雷", "Ann"]),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SAID)
@example(
    [
        ("hybrid", "q1", Fit.CONFLICT, "李雷"),
        ("dense", "q2", Fit.CONFLICT, "Ann"),
        ("hybrid", "q3", Fit.FITS, "Ann"),
        ("dense", "q4", Fit.FITS, "李雷"),
    ]
)
def test_every_place_tells_the_same(store: Path, said: list[tuple[str, str, Fit, str]]) -> None:
    for one in said:
        say(store, *one)
    path = run_file(store, RUN, 1)
    cursor: Cursor = attach(path)
    people = people_of(store, RUN, 1)
    with closing(Registry.open(store)) as registry:
        (line,) = overview(registry)
        verdicts = {
            mode: gated(registry, store, f"{RUN}:{mode}", None, RULES) for mode in told_modes()
        }
    accuracy: dict[str, dict[str, float]] = {}
    for mode in told_modes():
        details = {name: detail(cursor, mode, name, people) for name in RULED}
        outcomes = counted(found.result["outcome"] for found in details.values())
        accuracy[mode] = {name: score(found, "answer_accuracy") for name, found in details.items()}
        right = sum(accuracy[mode].values())
        assert right == outcomes.get("correct", 0)

        (shown,) = [one for one in line.modes if one.mode == mode]
        assert {code: n for code, n in shown.outcomes.items() if n} == outcomes
        assert (shown.k, shown.n) == (right, len(RULED))
        assert compare.outcome_counts(cursor, people)[mode] == outcomes
        facets = triage.facets(cursor, Filters(mode), people)
        assert dict(facets.outcomes) == outcomes
        for outcome in outcomes:
            listed = triage.ids(cursor, Filters(mode, outcomes=(outcome,)), people)
            assert set(listed) == {q for q, d in details.items() if d.result["outcome"] == outcome}
        short = triage.ids(cursor, Filters(mode, short=("answer_accuracy",)), people)
        assert set(short) == {name for name, value in accuracy[mode].items() if value < 1}
        layers = counted(d.result["layer"] for d in details.values() if d.result["layer"])
        told = {layer: n for (layer, of), n in compare.layer_counts(cursor, people).items()
                if of == mode}  # fmt: skip
        assert told == layers

        headline, caliber = verdicts[mode].checks
        assert (headline.k, headline.n, headline.by_people) == (
            right,
            len(RULED),
            sum(score_by(found, "answer_accuracy") for found in details.values()),
        )
        known = [v for d in details.values() if (v := score(d, "caliber")) is not None]
        assert (caliber.k or 0, caliber.n) == (sum(known), len(known))
        assert shown.gates.get("caliber", (0, 0)) == (sum(known), len(known))
        assert caliber.by_people == sum(score_by(d, "caliber") for d in details.values())
        assert {caliber.deterministic, headline.deterministic} == {"partly"}

    name = said[-1][1]
    then = history.asked(store, line.run, name, people)
    assert then is not None
    assert {t.mode: t.outcome for t in then} == detail(cursor, "dense", name, people).outcomes
    moved(store, people, accuracy)


def told_modes() -> list[str]:
    return [mode.value for mode in MODES]


RULES = Rules(
    (
        Rule("answer_accuracy", Threshold.MIN, 0.5, by_interval=False, min_scored=1),
        Rule("caliber", Threshold.MIN, 0.5, by_interval=False, min_scored=1),
    ),
    (),
)


def detail(cursor: Cursor, mode: str, name: str, people: People) -> question.Detail:
    found = question.detail(cursor, mode, name, people)
    assert found is not None
    return found


def score(found: question.Detail, metric: str) -> Any:
    return next(s.value for s in found.scores if s.metric == metric)


def score_by(found: question.Detail, metric: str) -> bool:
    return next(s.overridden is not None for s in found.scores if s.metric == metric)


def counted(codes: Any) -> dict[str, int]:
    listed = list(codes)
    return {code: listed.count(code) for code in set(listed)}


def moved(store: Path, people: People, accuracy: dict[str, dict[str, float]]) -> None:
    """Compare pairs by what holds, and Triage lists the same questions as changed."""
    with closing(Registry.open(store)) as registry:
        info = info_of(registry.runs()[0])
    path = run_file(store, RUN, 1)
    sides = [Opened(m.value, Side(info, m, 1), attach(path), people) for m in MODES]
    (found,) = comparison.compared([sides], ["dense"])
    pair = found.headline()["hybrid"]
    before, now = accuracy["dense"], accuracy["hybrid"]
    assert set(pair.regressed) == {q for q in RULED if now[q] < before[q]}
    assert set(pair.improved) == {q for q in RULED if now[q] > before[q]}
    base = Filters("hybrid", base=Ref(RUN, 1, "dense"), base_people=people)
    for change in ("regressed", "improved"):
        asked = replace(base, changes=(change,))
        assert set(triage.ids(attach(path, path), asked, people)) == set(getattr(pair, change))


@pytest.fixture
def alone(build: ModuleType, tmp_path: Path) -> Path:
    """One run of one mode with two right answers that nobody has looked at."""
    made = tmp_path / "store"
    rows = (
        scored("numeric_accuracy", 1),
        undefined("caliber", "needs_review"),
        scored("answer_accuracy", 1, "right_caliber_unreviewed"),
    )
    with Journal.create(made, build.make_info(RUN, modes=(Mode.DENSE,)), ["q1", "q2"]) as journal:
        for name in ("q1", "q2"):
            journal.append(build.make_result(name, scores=rows, caliber_reviewed=False))
        publish(made, journal, AT)
    return made


def test_a_gate_that_passed_fails_from_the_moment_a_person_says_conflict(
    alone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('[[questions]]\nmetric = "answer_accuracy"\nmin = 0.75\n', "utf-8")
    words = ["gate", f"{RUN}:dense", "--rules", str(rules), "--store", str(alone)]
    assert invoke(words) == 0
    assert "by people" not in capsys.readouterr().out
    say(alone, "dense", "q1", Fit.CONFLICT)
    junit = tmp_path / "gate.xml"
    assert invoke([*words, "--junit", str(junit)]) == 1
    assert "partly, 1 by people" in capsys.readouterr().out
    assert "partly, 1 by people" in junit.read_text("utf-8")
    say(alone, "dense", "q1", Fit.UNCLEAR)
    assert invoke([*words, "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["rules"]
    assert (one["verdict"], one["k"], one["by_people"]) == (Verdict.PASS.value, 2, 0)


def test_diagnose_says_whose_layer_it_is(alone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say(alone, "dense", "q2", Fit.CONFLICT, "韩 梅梅")
    assert invoke(["diagnose", f"{RUN}:dense", "--store", str(alone)]) == 0
    told = capsys.readouterr().out
    assert "wrong by the caliber verdict of 韩 梅梅" in told
    assert "business by 韩 梅梅" in told
    assert invoke(["diagnose", f"{RUN}:dense", "--json", "--store", str(alone)]) == 0
    found = {
        q["question_id"]: q["people"] for q in json.loads(capsys.readouterr().out)["questions"]
    }
    assert found["q2"] == {
        "outcome": "wrong",
        "outcome_by": "韩 梅梅",
        "layer": "business",
        "layer_by": "韩 梅梅",
    }


def test_scoring_again_changes_no_answer_so_that_what_was_checked_is_still_what_is_there(
    alone: Path,
) -> None:
    stored = list(read_results(run_file(alone, RUN, 1), (Mode.DENSE,)))
    again = list(rescore(stored, Rescoring()))
    assert [one.answer for one in again] == [one.answer for one in stored]
    assert [one.question for one in again] == [one.question for one in stored]
