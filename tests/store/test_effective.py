"""The relations of what holds, against a loop in Python over the same rows."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.core.review import Verdict
from ragdash.core.run import Outcome
from ragdash.core.spot_check import (
    Caliber,
    CheckKey,
    Confidence,
    Fit,
    Judgement,
    RuleVerdict,
    SpotCheck,
    gate_told,
    rule_verdict,
)
from ragdash.store.effective import (
    NOBODY,
    CaliberFinding,
    Finding,
    People,
    bound,
    disputed_checks,
    people,
    results_of,
    scores_of,
)

BEFORE_THE_ANSWER = ("ingest", "recall", "ranking")


def digest(answer: str) -> str:
    return hashlib.sha256(answer.encode()).hexdigest()


@dataclass(frozen=True)
class Ruled:
    """What the rule said of one question in one mode; None: no such score row."""

    outcome: str
    layer: str | None
    status: str
    answerable: bool
    answer: str
    numeric: tuple[float | None, str, str] | None
    caliber: tuple[float | None, str, str] | None
    accuracy: tuple[float | None, str, str] | None


ANSWERS = ["营业收入为1,476.94亿元", "it's 'quoted': $394.3 billion"]
NUMERIC = [
    (1.0, "scored", "match"),
    (0.0, "scored", "other_figure"),
    (0.0, "scored", "sibling_metric"),
    (0.0, "scored", "whole_company"),
    (None, "undefined", "no_gold_amount"),
    (None, "error", "no_output"),
    None,
]
CALIBER = [
    (1.0, "scored", "label_fits"),
    (0.0, "scored", "sibling_label"),
    (None, "undefined", "needs_review"),
    (None, "undefined", "no_matched_amount"),
    (None, "undefined", "no_gold_amount"),
    None,
]
ACCURACY = [
    (1.0, "scored", "right"),
    (0.0, "scored", "mismatch"),
    (None, "undefined", "no_gold_amount"),
    (None, "error", "no_output"),
    None,
]
RULED = st.builds(
    Ruled,
    st.sampled_from([o.value for o in Outcome]),
    st.sampled_from(
        ["ingest", "recall", "ranking", "generation", "business", "undetermined", None]
    ),
    st.sampled_from(["answered", "answered", "answered", "refused", "error"]),
    st.booleans(),
    st.sampled_from(ANSWERS),
    st.sampled_from(NUMERIC),
    st.sampled_from(CALIBER),
    st.sampled_from(ACCURACY),
)
QUESTIONS = ("q1", "问'2", 'q"3', "q4", "q5", "{q6}", "$q7", "q8", "q9", "第十题")
KEYS = [(mode, question) for mode in ("dense", "hybrid") for question in QUESTIONS]
FINDING = st.builds(
    Finding,
    st.sampled_from(Verdict) | st.none(),
    st.sampled_from(["李雷", "Ann"]),
    st.booleans(),
)
CALIBER_FINDING = st.builds(
    CaliberFinding,
    st.sampled_from(Fit),
    st.sampled_from(["韩梅梅", 'B"o']),
    st.sampled_from([digest(answer) for answer in ANSWERS]),
    st.booleans(),
)
# Optional keys: half of the questions are spoken of, so that each case comes up many times.
FINDINGS = st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, FINDING))
CALIBERS = st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, CALIBER_FINDING))
RULES = st.fixed_dictionaries(dict.fromkeys(KEYS, RULED))


TABLES = {
    "results": {
        "mode": "VARCHAR",
        "question_id": "VARCHAR",
        "outcome": "VARCHAR",
        "caliber_reviewed": "BOOLEAN",
        "answer_status": "VARCHAR",
        "answer": "VARCHAR",
        "layer": "VARCHAR",
    },
    "questions": {"question_id": "VARCHAR", "answerable": "BOOLEAN"},
    "scores": {
        "mode": "VARCHAR",
        "question_id": "VARCHAR",
        "metric": "VARCHAR",
        "repeat": "INTEGER",
        "value": "DOUBLE",
        "status": "VARCHAR",
        "reason": "VARCHAR",
    },
}


@pytest.fixture(scope="module")
def file():
    """Attached runs with as much of their tables as the relations read."""
    connection = duckdb.connect()
    for alias in ("run", "base"):
        connection.execute(f"ATTACH ':memory:' AS {alias}")
        for table, columns in TABLES.items():
            listed = ", ".join(f"{name} {kind}" for name, kind in columns.items())
            connection.execute(f"CREATE TABLE {alias}.{table} ({listed})")
    return connection


def fill(file: Any, alias: str, rules: dict[tuple[str, str], Ruled]) -> dict[str, bool]:
    """Put rows in place of those before; return which questions can be answered."""
    answerable: dict[str, bool] = {}
    results, scores = [], []
    for (mode, question), rule in rules.items():
        answerable.setdefault(question, rule.answerable)
        is_ruled = rule.caliber is not None and rule.caliber[0] is not None
        row = (mode, question, rule.outcome, is_ruled, rule.status, rule.answer, rule.layer)
        results.append(row)
        told = {"caliber": rule.caliber, "answer_accuracy": rule.accuracy}
        told["mrr"] = (0.5, "scored", "")
        told["numeric_accuracy"] = rule.numeric
        scores += [(mode, question, name, 0, *row) for name, row in told.items() if row is not None]
    made = {"results": results, "questions": list(answerable.items()), "scores": scores}
    for table, found in made.items():
        columns = TABLES[table]
        data = json.dumps([dict(zip(columns, row, strict=True)) for row in found])
        shape = json.dumps([columns])
        file.execute(DROP.replace("{table}", f"{alias}.{table}"))
        file.execute(FILL.replace("{table}", f"{alias}.{table}"), [data, shape])
    return answerable


DROP = "DELETE FROM {table}"
FILL = "INSERT INTO {table} SELECT unnest(from_json(?, ?), recursive := true)"
EVERY = "SELECT * FROM ({relation}) ORDER BY mode, question_id"


def rows(file: Any, relation: str, values: dict[str, Any]) -> list[dict[str, Any]]:
    found = file.execute(EVERY.replace("{relation}", relation), values)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def held(rule: Ruled, answerable: bool, said: CaliberFinding | None) -> dict[str, Any]:
    """What metrics.md section 1 and the rule of overriding say, written out once more."""
    fit = said.fit if said and said.answer_digest == digest(rule.answer) else None
    decides = (
        fit in (Fit.FITS, Fit.CONFLICT)
        and rule.status == "answered"
        and answerable
        and rule.outcome in ("correct", "wrong", "unscored")
    )
    matched = rule.outcome == "correct" if rule.numeric is None else rule.numeric[0] == 1
    if rule.numeric is not None and rule.numeric[0] is None:
        matched = rule.outcome == "correct"
    outcome, layer = rule.outcome, rule.layer
    if decides and fit is Fit.CONFLICT:
        outcome = "wrong"
        layer = layer if layer in BEFORE_THE_ANSWER else "business"
    elif decides and (rule.outcome == "unscored" or matched):
        outcome, layer = "correct", None
    decided = decides and (fit is Fit.CONFLICT or rule.outcome == "unscored" or matched)
    return {"fit": fit, "decides": decides, "decided": decided, "outcome": outcome, "layer": layer}


@settings(max_examples=40)
@given(RULES, FINDINGS, CALIBERS, st.sampled_from(["run", "base"]))
def test_the_relation_of_results_equals_a_loop(file, rules, findings, calibers, alias) -> None:
    answerable = fill(file, alias, rules)

    found = rows(file, results_of(alias), bound(People(findings, calibers), alias))

    assert {(row["mode"], row["question_id"]) for row in found} == set(KEYS)
    assert len(found) == len(KEYS)
    for row in found:
        key = (row["mode"], row["question_id"])
        rule, finding, caliber = rules[key], findings.get(key), calibers.get(key)
        expected = held(rule, answerable[key[1]], caliber)
        layer = expected["layer"]
        if finding is not None and finding.verdict is not None:
            layer = None if finding.verdict is Verdict.NO_FAULT else finding.verdict.value
        is_held = expected["fit"] is not None
        assert row == {
            "mode": key[0],
            "question_id": key[1],
            "outcome": expected["outcome"],
            "rule_outcome": rule.outcome,
            "layer": layer,
            "rule_layer": rule.layer,
            "verdict": finding.verdict.value if finding and finding.verdict else None,
            "reviewer": finding.reviewer if finding else None,
            "flag": bool(finding and finding.flag),
            "caliber_reviewed": expected["decides"]
            or (rule.caliber is not None and rule.caliber[0] is not None),
            "caliber_rule": ruled(rule)[0],
            "caliber_told": ruled(rule)[1],
            "caliber_verdict": expected["fit"].value if is_held else None,
            "caliber_reviewer": caliber.reviewer if is_held else None,
            "caliber_disputed": is_held and caliber.disputed,
            "by_person": expected["decides"],
            "outcome_by": caliber.reviewer if expected["decided"] else None,
            "layer_by": finding.reviewer
            if finding and finding.verdict
            else caliber.reviewer
            if expected["decides"] and layer != rule.layer
            else None,
        }


def ruled(rule: Ruled) -> tuple[str, str | None]:
    """What the code said of the caliber, and why where the numeric gate said it."""
    value, _, reason = rule.caliber or (None, "", "")
    if value is not None:
        return ("fits" if value else "conflict"), None
    if reason == "needs_review":
        return "needs_review", None
    number, _, why = rule.numeric or (None, "", "")
    told = None
    if rule.status == "answered" and number == 0 and why in ("sibling_metric", "whole_company"):
        told = why
    elif rule.status == "answered" and rule.layer == "business":
        told = "sibling_caliber"
    # The queue reads the same of what was answered.
    if rule.status == "answered":
        assert gate_told(number, why, rule.layer) == told
        assert rule_verdict(value, reason, told) == ("conflict" if told else "not_checked")
    return ("conflict" if told else "not_checked"), told


@settings(max_examples=40)
@given(RULES, FINDINGS, CALIBERS)
def test_the_relation_of_scores_equals_a_loop(file, rules, findings, calibers) -> None:
    answerable = fill(file, "run", rules)

    found = rows(file, scores_of("run"), bound(People(findings, calibers)))

    n_rows = file.execute("SELECT count(*) FROM run.scores").fetchall()[0][0]
    assert len(found) == n_rows
    for row in found:
        key = (row["mode"], row["question_id"])
        rule, caliber = rules[key], calibers.get(key)
        expected = held(rule, answerable[key[1]], caliber)
        before = (row["rule_value"], row["rule_status"], row["rule_reason"])
        stored = {"caliber": rule.caliber, "answer_accuracy": rule.accuracy}.get(row["metric"])
        assert stored is None or before == stored
        hers = expected["decides"] and (
            row["metric"] == "caliber"
            or (
                row["metric"] == "answer_accuracy"
                and row["rule_status"] == "scored"
                and (expected["fit"] is Fit.CONFLICT or expected["outcome"] == "correct")
            )
        )
        after = (row["value"], row["status"], row["reason"])
        if hers:
            fit = expected["fit"].value
            assert after == (1.0 if fit == "fits" else 0.0, "scored", f"person_{fit}")
            assert row["caliber_reviewer"] == caliber.reviewer
        else:
            assert after == before
            assert row["caliber_reviewer"] is None
        assert row["by_person"] is hers
        # An accuracy says what the outcome says, wherever a person decided and there was a gold.
        if hers and row["metric"] == "answer_accuracy":
            assert (row["value"] == 1) == (expected["outcome"] == "correct")


@settings(max_examples=10)
@given(RULES)
def test_where_nobody_has_spoken_the_rule_holds(file, rules) -> None:
    fill(file, "run", rules)
    for row in rows(file, results_of("run"), bound(NOBODY)):
        assert (row["outcome"], row["layer"]) == (row["rule_outcome"], row["rule_layer"])
        assert not row["by_person"]
    for row in rows(file, scores_of("run"), bound(NOBODY)):
        assert (row["value"], row["status"]) == (row["rule_value"], row["rule_status"])


def check(number: int, question: str, reviewer: str, fit: Fit, supersedes: int | None) -> SpotCheck:
    said = Judgement(fit, Confidence.HIGH, *([Caliber.CONSOLIDATED] * 3))
    return SpotCheck(
        number=number,
        key=CheckKey("r", "dense", question),
        version=1,
        reviewer=reviewer,
        at="2026-11-30T10:00:00Z",
        judgement=said,
        blind=True,
        rule=RuleVerdict.NEEDS_REVIEW,
        outcome=Outcome.CORRECT,
        answer_digest="d",
        supersedes=supersedes,
    )


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["q1", "问2"]),
            st.sampled_from(["Ann", "李雷", "Bo"]),
            st.sampled_from(Fit),
        ),
        max_size=12,
    ),
    st.randoms(),
)
def test_the_newest_check_that_its_author_holds_to_decides_and_differing_is_told(said, order):
    checks, last = [], {}
    for number, (question, reviewer, fit) in enumerate(said, 1):
        checks.append(check(number, question, reviewer, fit, last.get((question, reviewer))))
        last[question, reviewer] = number
    order.shuffle(checks)

    found = people([], checks).calibers

    for question in ("q1", "问2"):
        mine = [(who, fit) for of, who, fit in said if of == question]
        if not mine:
            assert ("dense", question) not in found
            continue
        told, holds = found["dense", question], dict(mine)
        assert (told.reviewer, told.fit) == mine[-1]
        assert told.disputed == (len(set(holds.values())) > 1)
        assert (("dense", question) in disputed_checks(checks)[1]) == told.disputed
    shared = {q for q in ("q1", "问2") if len({who for of, who, _ in said if of == q}) > 1}
    assert disputed_checks(checks)[0] == len(shared)
