from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.store.effective import NOBODY
from ragdash.views import question, trace

if TYPE_CHECKING:
    from ragdash.views.query import Cursor


def test_the_picker_follows_the_question_set(cursor: Cursor) -> None:
    assert [q.question_id for q in question.picker(cursor)] == [f"q{i:02}" for i in range(1, 7)]


def test_context_is_what_the_generator_saw_and_lost_gold_stands_below(cursor: Cursor) -> None:
    found = question.detail(cursor, "dense", "q06", NOBODY)
    assert found
    assert [c.final_rank for c in found.context] == [1, 2]
    assert [c.final_rank for c in found.lost_gold] == [4]
    assert found.lost_gold[0].text


def test_text_of_other_candidates_is_not_read(cursor: Cursor) -> None:
    found = question.detail(cursor, "dense", "q06", NOBODY)
    assert found
    assert [c.text == "" for c in found.chunks] == [False, False, True, False]


def test_a_citation_has_its_three_verdicts(cursor: Cursor) -> None:
    right, wrong = (question.detail(cursor, "dense", q, NOBODY) for q in ("q01", "q02"))
    assert right
    assert wrong
    (cited,) = right.citations
    assert (cited.well_formed, cited.resolves, cited.supports) == (True, True, True)
    assert wrong.citations[0].supports is False


def test_an_unscored_citation_metric_leaves_the_verdict_open(cursor: Cursor) -> None:
    found = question.detail(cursor, "hybrid", "q05", NOBODY)
    assert found
    assert [(c.resolves, c.supports) for c in found.citations] == [(None, None)]


def test_evidence_pages_are_named_by_company_and_label(cursor: Cursor) -> None:
    found = question.detail(cursor, "dense", "q01", NOBODY)
    assert found
    assert found.evidence == ("贵州茅台 · 2023年报 · P45",)


def test_the_trace_keeps_missing_ranks_missing(cursor: Cursor) -> None:
    frame = trace.trace(cursor, "rerank", "q01")
    assert frame["final_rank"].tolist() == [1, 2, 3, 4]
    assert frame["bm25_rank"].isna().tolist() == [False, True, False, False]
    assert trace.trace(cursor, "dense", "q01")["rerank_rank"].isna().all()


def test_a_question_or_mode_that_is_not_there_is_none(cursor: Cursor) -> None:
    assert question.detail(cursor, "dense", "nope", NOBODY) is None
    assert question.detail(cursor, "nope", "q01", NOBODY) is None
