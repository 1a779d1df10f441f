"""Whatever another system gives is scored by our code; what it does not give is never a 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from ragdash.core.answer import AnswerStatus
from ragdash.core.diagnosis import Layer
from ragdash.core.question import QuestionKind
from ragdash.core.retrieval import Extent, Mode
from ragdash.core.run import Outcome
from ragdash.core.score import ScoreStatus
from ragdash.diagnose import redo
from ragdash.evaluate import rescore
from ragdash.evaluate.rescore import Rescoring
from ragdash.filter import parse
from ragdash.filter.tree import Op, Term
from ragdash.metrics import BY_NAME
from ragdash.metrics.base import Observation

if TYPE_CHECKING:
    from collections.abc import Callable

    from ragdash.core.run import QuestionResult
    from ragdash.llm.base import ChatClient

    Results = Callable[..., list[QuestionResult]]

ZH = {"id": "q1", "question": "贵州茅台2023年营业收入是多少？", "answer": "营业收入为1,476.94亿元"}
EN = {"id": "q2", "question": "What were Apple's net sales in 2023?", "answer": "$383,285 million"}
GOLD: dict[str, Any] = {
    "gold": [{"value": "147693604994.14", "unit": "CNY", "metric": "营业收入"}],
    "evidence": [{"doc_id": "600519-2023", "page": 2}],
}
HOLDS: dict[str, Any] = {
    "chunk_id": "c1", "doc_id": "600519-2023", "company": "贵州茅台", "period": "2023",
    "doc_type": "annual", "page": 2, "text": "单位：元\n营业收入 | 147,693,604,994.14",
}  # fmt: skip
ELSEWHERE = {**HOLDS, "chunk_id": "c9", "page": 9, "text": "单位：元\n净利润 | 74,734,071,550.75"}
WRONG = {"answer": "营业收入为747.34亿元（贵州茅台·2023年报·P2）"}
CUT_OFF = {"ragdash_import": 1}
WHOLE = {"ragdash_import": 1, "whole_lists": True}


def status(result: QuestionResult, metric: str) -> tuple[str, str]:
    (score,) = [s for s in result.scores if s.metric == metric]
    return score.status.value, score.reason


def value(result: QuestionResult, metric: str) -> float | None:
    (score,) = [s for s in result.scores if s.metric == metric]
    return score.value


@pytest.mark.parametrize("row", [ZH, EN])
def test_nothing_but_id_question_and_answer_is_unscored_and_no_retrieval_is_made_up(
    results: Results, row: dict[str, Any]
) -> None:
    (found,) = results(row)

    assert found.outcome is Outcome.UNSCORED
    assert found.mode == Mode("imported")
    assert found.question.lang == ("zh" if row is ZH else "en")
    assert found.question.kind is QuestionKind.TEXT
    assert found.retrieval.extent is Extent.NOT_GIVEN
    assert (found.retrieval.top_k, found.retrieval.seconds, found.answer.seconds) == (None,) * 3
    assert (found.gold_ranks, found.diagnosis) == (None, None)
    scored = {s.metric for s in found.scores if s.status is ScoreStatus.SCORED}
    assert scored == {"has_citation"}
    assert status(found, "number_grounding") == ("undefined", "contexts_not_given")
    assert status(found, "citation_resolves") == ("undefined", "contexts_not_given")
    assert status(found, "refusal_success") == ("undefined", "answerable_not_given")
    assert status(found, "hit@5") == ("undefined", "no_qrels")
    assert status(found, "faithfulness") == ("undefined", "not_judged")


@pytest.mark.parametrize("text", ["未在所给资料中检索到", "Not found in the provided filings"])
def test_whether_a_refusal_is_right_is_open_where_nothing_is_known_of_the_answer(
    results: Results, text: str
) -> None:
    (unknown,) = results({**ZH, "answer": text})
    (wrong,) = results({**ZH, **GOLD, "answer": text})
    (right,) = results({**ZH, "answerable": False, "answer": text})

    assert unknown.outcome is Outcome.UNSCORED
    assert unknown.answer.status is AnswerStatus.REFUSED
    assert wrong.outcome is Outcome.ABSTAINED_WRONG
    assert right.outcome is Outcome.ABSTAINED_RIGHT


def test_gates_are_computed_from_the_text_and_the_systems_own_scores_stand_apart(
    results: Results,
) -> None:
    row = {**ZH, **GOLD, "scores": {"numeric_accuracy": 0, "相关性": 0.25, "x": None}, "cost": 0.5}

    (found,) = results({"ragdash_import": 1, "system": "my-rag"}, row)

    assert found.outcome is Outcome.CORRECT
    assert value(found, "numeric_accuracy") == 1
    assert value(found, "given.numeric_accuracy") == 0
    assert value(found, "given.相关性") == 0.25
    assert status(found, "given.x") == ("undefined", "not_given")
    assert value(found, "given.cost") == 0.5
    assert {s.judge for s in found.scores if s.metric == "given.相关性"} == {"my-rag"}


def test_a_refusal_that_is_declared_and_has_no_text_is_a_refusal(results: Results) -> None:
    for row in (ZH, EN):
        for text in ("", " \n\u3000"):
            (refused,) = results({**row, "answer": text, "refused": True})
            assert (refused.answer.status, refused.answer.reason) == (AnswerStatus.REFUSED, "")
            assert refused.outcome is not Outcome.ERROR
            for declared in ({}, {"refused": False}):
                (empty,) = results({**row, "answer": text, **declared})
                assert (empty.answer.status, empty.answer.reason) == ("error", "no_output")
                assert empty.outcome is Outcome.ERROR


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("zh", "zh"), ("zh-CN", "zh"), ("zh-Hans", "zh"), ("ZH-TW", "zh"), ("en-US", "en"),
        ("EN", "en"), ("fr", "fr"), ("pt-BR", "pt-BR"), ("zha", "zha"),
    ],
)  # fmt: skip
def test_a_language_is_kept_as_the_filter_asks_for_it(
    results: Results, given: str, kept: str
) -> None:
    (found,) = results({**ZH, "lang": given})
    assert found.question.lang == kept
    assert parse(f"lang:{given}") == Term("lang", Op.IS, (kept,))
    assert parse("语言:中文 lang:english") == parse("lang:zh lang:en")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("2024-05-20", "2024-05-20"),
        ("2024-05-20T09:36:00Z", "2024-05-20T09:36:00Z"),
        ("2024-05-20 09:36", "2024-05-20T09:36:00Z"),
        ("2024-05-20T08:00:00.5+08:00", "2024-05-20T00:00:00.500000Z"),
    ],
)
def test_a_start_is_kept_in_utc(received: Any, given: str, kept: str) -> None:
    assert received({"ragdash_import": 1, "started_at": given}, ZH).started_at == kept


def test_a_declared_refusal_is_believed_unless_a_figure_is_given(results: Results) -> None:
    (refused,) = results({**ZH, "answer": "抱歉", "refused": True})
    (given,) = results({**ZH, "answer": "抱歉，是1,476.94亿元", "refused": True})
    (failed,) = results({**ZH, "answer": "", "error": "timeout"})
    (silent,) = results({**ZH, "answer": " "})

    assert refused.answer.status is AnswerStatus.REFUSED
    assert (given.answer.status, given.answer.reason) == ("answered", "refusal_with_answer")
    assert (failed.outcome, failed.answer.reason) == (Outcome.ERROR, "system_failed")
    assert failed.answer.raw == "timeout"
    assert (silent.outcome, silent.answer.reason) == (Outcome.ERROR, "no_output")


def test_a_list_that_is_cut_off_tells_only_as_deep_as_it_goes(results: Results) -> None:
    row = {**ZH, **GOLD, "contexts": [ELSEWHERE, HOLDS]}

    (cut,) = results(CUT_OFF, row)
    (whole,) = results(WHOLE, row)

    assert (value(cut, "hit@1"), value(whole, "hit@1")) == (0, 0)
    assert status(cut, "hit@5") == ("undefined", "list_cut_off")
    assert value(whole, "hit@5") == 1
    assert status(cut, "mrr") == ("undefined", "list_cut_off")
    assert value(whole, "mrr") == 0.5
    for found in (cut, whole):
        assert status(found, "recall@5") == ("undefined", "index_not_given")
        assert status(found, "ndcg@10") == ("undefined", "index_not_given")


def test_whether_a_metric_is_told_does_not_depend_on_what_was_found(results: Results) -> None:
    """Else the mean would be over the lucky ones."""
    hit = {**ZH, **GOLD, "contexts": [HOLDS, ELSEWHERE]}
    miss = {**ZH, **GOLD, "contexts": [ELSEWHERE, {**ELSEWHERE, "chunk_id": "c10", "page": 10}]}
    for header in (CUT_OFF, WHOLE):
        (one,), (other,) = results(header, hit), results(header, miss)
        told = [
            {s.metric for s in found.scores if s.status is ScoreStatus.SCORED and "hit" in s.metric}
            for found in (one, other)
        ]
        assert told[0] == told[1] != set()
        assert (value(one, "hit@1"), value(other, "hit@1")) == (1, 0)


def test_passages_that_are_only_text_ground_numbers_and_tell_no_page(results: Results) -> None:
    row = {
        **ZH,
        **GOLD,
        **WRONG,
        "contexts": [HOLDS["text"], "单位：元\n净利润 | 74,734,071,550.75"],
    }

    (found,) = results(row)

    assert value(found, "number_grounding") == 1
    assert status(found, "citation_resolves") == ("undefined", "pages_not_given")
    assert status(found, "hit@1") == ("undefined", "pages_not_given")
    assert status(found, "over_refusal") == ("undefined", "pages_not_given")
    assert found.diagnosis is not None
    assert (found.diagnosis.layer, found.diagnosis.reason) == (
        Layer.UNDETERMINED,
        "pages_not_given",
    )
    assert [c.chunk.source_page for c in found.retrieval.candidates] == [None, None]


LOST = {
    "nothing given": (CUT_OFF, None, Layer.UNDETERMINED, "contexts_not_given"),
    "visible and wrong": (CUT_OFF, [ELSEWHERE, HOLDS], Layer.GENERATION, "other_chunk"),
    "below the context": (
        {**CUT_OFF, "top_k": 1}, [ELSEWHERE, HOLDS], Layer.RANKING, "below_context",
    ),
    "below, with the ranks of a stage": (
        {**CUT_OFF, "top_k": 1},
        [{**ELSEWHERE, "dense_rank": 1}, {**HOLDS, "dense_rank": 2}],
        Layer.RANKING, "below_dense",
    ),
    "not among a list that was cut off": (
        CUT_OFF, [ELSEWHERE], Layer.UNDETERMINED, "list_cut_off",
    ),
    "not among all candidates": (WHOLE, [ELSEWHERE], Layer.UNDETERMINED, "index_not_given"),
    "another part of the page": (
        WHOLE, [{**HOLDS, "text": "封面"}], Layer.UNDETERMINED, "page_in_part",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", LOST.values(), ids=LOST)
def test_a_layer_is_told_where_the_file_tells_it(results: Results, case: tuple[Any, ...]) -> None:
    header, contexts, layer, reason = case
    given = {} if contexts is None else {"contexts": contexts}

    (found,) = results(header, {**ZH, **GOLD, **WRONG, **given})

    assert found.outcome is Outcome.WRONG
    assert found.diagnosis is not None
    assert (found.diagnosis.layer, found.diagnosis.reason) == (layer, reason)
    assert found.diagnosis.evidence.en.endswith(".")
    assert found.diagnosis.evidence.zh.endswith("。")


def test_of_two_pages_that_are_needed_the_one_not_given_may_be_below_the_list(
    results: Results,
) -> None:
    both = {
        "kind": "compare",
        "gold": [*GOLD["gold"], {"value": "74734071550.75", "unit": "CNY", "metric": "净利润"}],
        "evidence": [*GOLD["evidence"], {"doc_id": "600519-2023", "page": 9}],
    }
    one_seen = {**ZH, **both, "answer": "5元", "contexts": [HOLDS]}
    other_seen = {"id": "q3", "question": "?", "answer": "5元", "contexts": [ELSEWHERE]}

    cut, _ = results(CUT_OFF, one_seen, other_seen)
    whole, _ = results(WHOLE, one_seen, other_seen)

    assert cut.diagnosis is not None
    assert whole.diagnosis is not None
    assert cut.diagnosis.reason == "list_cut_off"
    assert cut.diagnosis.facts["pages"] == [{"doc_id": "600519-2023", "page": 9}]
    assert whole.diagnosis.reason == "in_no_candidate_list"


def test_a_gold_chunk_that_the_mode_found_for_another_question_was_lost_in_recall(
    results: Results,
) -> None:
    lost = {**ZH, **GOLD, **WRONG, "contexts": [ELSEWHERE]}
    other = {**EN, "contexts": [HOLDS]}

    here, _ = results(WHOLE, lost, other)
    apart = next(r for r in results(WHOLE, lost, {**other, "mode": "v2"}) if r.mode == "imported")

    assert here.diagnosis is not None
    assert (here.diagnosis.layer, here.diagnosis.reason) == (Layer.RECALL, "in_no_candidate_list")
    assert apart.diagnosis is not None
    assert apart.diagnosis.reason == "index_not_given"  # two modes may search two indexes


def test_a_right_answer_in_english_over_given_pages_passes_every_gate(results: Results) -> None:
    row = {
        **EN,
        "answer": "Net sales were $383,285 million (Apple·FY2023 10-K·P31).",
        "company": "Apple",
        "period": "2023",
        "gold": [{"value": 383285000000, "unit": "USD", "metric": "net sales"}],
        "evidence": [{"doc_id": "aapl-2023", "page": 31}],
        "contexts": [
            {"doc_id": "aapl-2023", "company": "Apple", "period": "2023", "doc_type": "10k",
             "page": 31, "text": "(In millions)\nTotal net sales | 383,285"},
        ],
    }  # fmt: skip

    (found,) = results(row)

    assert found.outcome is Outcome.CORRECT
    for gate in ("numeric_accuracy", "number_grounding", "citation_resolves", "citation_supports"):
        assert value(found, gate) == 1, gate


def test_a_judge_is_not_asked_about_passages_that_nobody_gave(results: Results) -> None:
    (found,) = results(ZH)
    nobody = cast("ChatClient", object())  # to ask it is an error
    seen = Observation(found.question, found.retrieval, found.answer, None, None, nobody)

    for name in ("faithfulness", "context_relevance"):
        assert BY_NAME[name].score(seen).reason == "contexts_not_given"


def test_lines_tell_a_question_and_a_document_together(results: Results) -> None:
    bare = {k: HOLDS[k] for k in ("chunk_id", "doc_id", "page", "text")}
    full, less = results(
        {**ZH, **GOLD, "mode": "v1", "contexts": [HOLDS]},
        {"id": "q1", "question": ZH["question"], "answer": "无", "mode": "v2", "contexts": [bare]},
    )

    assert full.question == less.question
    assert less.retrieval.candidates[0].chunk.source.label == "2023年报"
    assert full.retrieval.candidates[0].chunk is less.retrieval.candidates[0].chunk


def test_ranks_order_a_list_and_the_top_k_tells_what_was_seen(results: Results) -> None:
    third = {**ELSEWHERE, "chunk_id": "c3", "page": 3}
    row = {
        **ZH,
        "contexts": [{**HOLDS, "rank": 7}, {**ELSEWHERE, "rank": 1}, {**third, "rank": 2}],
    }

    (found,) = results({**CUT_OFF, "top_k": 2}, row)

    traces = [(c.chunk.chunk_id, c.trace.final_rank) for c in found.retrieval.candidates]
    assert traces == [("c9", 1), ("c3", 2), ("c1", 7)]
    assert [c.chunk_id for c in found.retrieval.context] == ["c9", "c3"]


def test_facts_beside_the_file_add_to_its_header(received: Callable[..., Any]) -> None:
    header = {**CUT_OFF, "system": "my-rag", "generator": "a"}

    told = received(header, {**ZH, "contexts": [HOLDS, ELSEWHERE]}, facts={"generator": "b",
                                                                        "top_k": "1"})  # fmt: skip

    assert told.config.imported.facts == {"system": "my-rag", "generator": "b", "top_k": "1"}
    (found,) = told.results()
    assert [c.chunk_id for c in found.retrieval.context] == ["c1"]


@pytest.mark.parametrize("case", LOST.values(), ids=LOST)
def test_scoring_and_diagnosing_again_says_the_same(
    results: Results, case: tuple[Any, ...]
) -> None:
    header, contexts, *_ = case
    given = {} if contexts is None else {"contexts": contexts}
    row = {**ZH, **GOLD, **WRONG, "scores": {"faithfulness": 0.5}, **given}

    first = results(header, row)

    assert list(rescore(first, Rescoring())) == first
    again = redo(first[0])
    assert (again.outcome, again.diagnosis) == (first[0].outcome, first[0].diagnosis)
