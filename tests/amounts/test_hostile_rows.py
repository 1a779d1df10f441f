"""Answers written to be misread, each judged as a careful person would, by class of trap.

The rows are invented or state public figures. A row is a class, a language, an answer, the gold
with its unit and tolerance, whether they match, and why.
"""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ragdash.amounts import Match, match_amount
from ragdash.core.question import Gold

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "hostile_rows.jsonl").read_text("utf-8").splitlines()
]
CLASSES = sorted({row["class"] for row in ROWS})
# A citation, a source, quotation marks: what stands around an answer is no part of its figure.
AROUND = ["{}（贵州茅台·2023年报·P45）", "{} [Apple · FY2024 10-K · P31]", "\n{}\n", "“{}”"]


def wrongly_judged(rows: list[dict[str, Any]], around: str = "{}") -> list[tuple[str, str, str]]:
    wrong = []
    for row in rows:
        gold = Gold(Decimal(row["expected_value"]), row["unit"], Decimal(row["tolerance"]))
        verdict = match_amount(around.format(row["answer"]), gold)
        if (verdict.verdict is Match.MATCH) is not row["should_match"]:
            wrong.append((row["answer"], verdict.reason, row["why"]))
    return wrong


@pytest.mark.parametrize("name", CLASSES)
def test_every_row_of_a_class_is_judged_as_a_person_would(name: str) -> None:
    assert wrongly_judged([r for r in ROWS if r["class"] == name]) == []


@pytest.mark.parametrize("around", AROUND)
def test_a_citation_or_quotation_marks_around_an_answer_change_no_verdict(around: str) -> None:
    whole = [r for r in ROWS if not r["answer"].startswith("|") and "\n" not in r["answer"]]
    assert wrongly_judged(whole, around) == []


def test_both_languages_and_both_verdicts_are_there_for_most_classes() -> None:
    languages = {(r["class"], r["lang"]) for r in ROWS}
    verdicts = {(r["class"], r["should_match"]) for r in ROWS}
    assert len(languages) > 1.5 * len(CLASSES)
    assert len(verdicts) > 1.5 * len(CLASSES)
    assert min(sum(r["class"] == c for r in ROWS) for c in CLASSES) >= 3
