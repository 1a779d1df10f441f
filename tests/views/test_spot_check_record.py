"""What stands beside a check in the files for an audit."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from ragdash.core.question import Gold
from ragdash.core.retrieval import Mode
from ragdash.core.run import Outcome
from ragdash.core.score import scored
from ragdash.core.spot_check import (
    Caliber,
    CheckKey,
    Confidence,
    Fit,
    Judgement,
    RuleVerdict,
    SpotCheck,
)
from ragdash.store.attach import attach
from ragdash.store.journal import Journal
from ragdash.store.runfile import publish
from ragdash.views import spot_check_record as view

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

RUN = "20261130-1000-audit-1a2b"


def check(doc_id: str | None, page: int | None) -> SpotCheck:
    said = Judgement(
        Fit.CONFLICT, Confidence.HIGH, *[Caliber.CONSOLIDATED] * 3, doc_id=doc_id, page=page
    )
    return SpotCheck(
        number=1,
        key=CheckKey(RUN, "dense", "q1"),
        version=1,
        reviewer="韩梅梅",
        at="2026-11-30T12:00:00Z",
        judgement=said,
        blind=True,
        rule=RuleVerdict.CONFLICT,
        outcome=Outcome.WRONG,
        answer_digest="x",
        supersedes=None,
    )


def test_an_answer_is_told_with_its_figure_its_golds_and_the_row_on_the_page(
    build: ModuleType, tmp_path: Path
) -> None:
    golds = (
        Gold(Decimal("1500.5"), "CNY", metric="归母净利润", attribution="归母", period="2023"),
    )
    candidate = {"text": "1,000.00元", "value": "1000.00"}
    score = scored("numeric_accuracy", 0, "sibling_metric", verdicts=[{"candidate": candidate}])
    info = build.make_info(RUN, modes=(Mode.DENSE,), n_questions=2)
    with Journal.create(tmp_path, info, ["q1", "q2"]) as journal:
        for name, scores in (("q1", (score,)), ("q2", ())):
            question = build.make_question(name, gold=golds if name == "q1" else ())
            journal.append(build.make_result(question=question, mode=Mode.DENSE, scores=scores))
        path = publish(tmp_path, journal, "2026-11-30T10:05:00Z")
    cursor = attach(path)
    found = view.records(cursor, "dense", ["q1", "q2"])
    record = found["q1"]
    assert "147,693,604,994.14" in record.answer
    assert record.figures == ("1,000.00元",)
    assert record.golds == ("1500.5 CNY 归母净利润 归母 2023",)
    assert (found["q2"].figures, found["q2"].golds) == ((), ())
    assert view.records(cursor, "dense", []) == {}
    page = cursor.execute(
        "SELECT k.source_page, k.text FROM run.chunks k WHERE k.text LIKE '%1,000.00%'"
    ).fetchall()
    assert page
    row = view.row_of(cursor, check("600519-2023", page[0][0]), record)
    assert row == page[0][1]
    assert view.row_of(cursor, check("600519-2023", 1_000), record) is None
    assert view.row_of(cursor, check(None, None), record) is None
    assert view.row_of(cursor, check("600519-2023", page[0][0]), found["q2"]) is None


@pytest.mark.parametrize("stored", ["x", "NaN", "", "Infinity"])
def test_a_stored_value_that_is_no_number_matches_no_row(stored: str) -> None:
    assert view._decimal(stored) is None
