"""The first failing layer, one test a layer, from ranks that a person can check."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from ragdash.contract import parse_citations
from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.chunk import ChunkKind
from ragdash.core.diagnosis import Layer
from ragdash.core.question import Evidence, Gold, QuestionKind
from ragdash.core.retrieval import Mode, RankedChunk, RankTrace, Retrieval
from ragdash.diagnose import diagnose, evidence_chunks
from ragdash.metrics import METRICS
from ragdash.metrics.base import Observation
from ragdash.metrics.qrels import by_page, gold_chunks, gold_ranks

GOLD = "单位：元\n项目 | 2023年\n营业收入 | 147,693,604,994.14\n营业总收入 | 150,560,330,316.45"
WRONG = "营业收入为1.00亿元(贵州茅台·2023年报·P45)。"


@pytest.fixture
def lose(build):
    """`lose(gold_trace=..., answer=...)` -> the diagnosis of one lost question."""

    def run(
        trace: RankTrace | None,
        answer: str = WRONG,
        *,
        mode: Mode = Mode.HYBRID,
        status: AnswerStatus = AnswerStatus.ANSWERED,
        indexed: bool = True,
        question=None,
        gold_text: str = GOLD,
    ):
        question = question or build.make_question()
        chunk = build.make_chunk("gold", text=gold_text, kind=ChunkKind.TABLE, unit_note="单位：元")
        other = build.make_chunk("other", source_page=99, text="公司治理")
        candidates = [RankedChunk(other, RankTrace(1, 1, 1, None, 1, in_context=True))]
        if trace is not None:
            candidates.append(RankedChunk(chunk, trace))
        retrieval = Retrieval(mode, question.id, tuple(candidates), 5, 0.0)
        pages = by_page([chunk] if indexed else [other])
        gold = gold_chunks(question, pages)
        seen = Observation(
            question,
            retrieval,
            Answer(answer, status, parse_citations(answer), "test"),
            gold_ranks(question, gold, retrieval),
            None,
        )
        scores = {m.name: m.score(seen) for m in METRICS}
        return diagnose(seen, scores, evidence_chunks(question, gold, pages))

    return run


VISIBLE = RankTrace(2, 2, 2, None, 2, in_context=True)


def test_an_evidence_page_without_chunks_is_lost_at_ingest(lose) -> None:
    found = lose(None, indexed=False)
    assert found.layer is Layer.INGEST
    assert "P45" in found.evidence.en
    assert "P45" in found.evidence.zh


def test_a_passage_in_no_candidate_list_is_lost_at_recall(lose) -> None:
    found = lose(None)
    assert (found.layer, found.reason) == (Layer.RECALL, "in_no_candidate_list")


def test_a_passage_below_the_cut_is_lost_at_ranking_with_its_ranks(lose) -> None:
    found = lose(RankTrace(7, None, 14, None, 14, in_context=False))
    assert found.layer is Layer.RANKING
    assert "dense 7, BM25 -, fused 14" in found.evidence.en
    assert "below the top 5" in found.evidence.en


@pytest.mark.parametrize(
    ("mode", "trace", "reason"),
    [
        (Mode.DENSE, RankTrace(9, None, None, None, 9, in_context=False), "below_dense"),
        (Mode.HYBRID, RankTrace(3, 40, 9, None, 9, in_context=False), "below_fusion"),
        (Mode.HYBRID, RankTrace(8, 9, 9, None, 9, in_context=False), "below_both_legs"),
        (Mode.RERANK, RankTrace(1, 1, 1, 9, 9, in_context=False), "below_rerank"),
    ],
)
def test_ranking_says_which_stage_dropped_the_passage(lose, mode, trace, reason) -> None:
    assert lose(trace, mode=mode).reason == reason


def test_a_visible_passage_and_another_figure_is_generation_and_names_both(lose) -> None:
    found = lose(VISIBLE)
    assert found.layer is Layer.GENERATION
    for sentence in (found.evidence.en, found.evidence.zh):
        assert "100,000,000" in sentence
        assert "147,693,604,994.14 CNY" in sentence


def test_a_refusal_before_visible_evidence_is_generation(lose) -> None:
    found = lose(VISIBLE, "未在所给资料中检索到。", status=AnswerStatus.REFUSED)
    assert (found.layer, found.reason) == (Layer.GENERATION, "refused_with_evidence")


def test_the_figure_of_a_sibling_caliber_is_business(lose) -> None:
    found = lose(VISIBLE, "营业收入为150,560,330,316.45元(贵州茅台·2023年报·P45)。")
    assert found.layer is Layer.BUSINESS
    assert found.facts["found"] == "营业总收入"


def test_a_product_row_passed_off_as_the_total_is_business(lose) -> None:
    table = GOLD + "\n茅台酒 | 126,589,000,000.00"
    found = lose(VISIBLE, "营业收入为1,265.89亿元(贵州茅台·2023年报·P45)。", gold_text=table)
    assert found.layer is Layer.BUSINESS


def test_another_metric_is_generation_and_not_business(lose) -> None:
    table = GOLD + "\n销售费用 | 4,648,613,585.82"
    found = lose(VISIBLE, "营业收入为46.49亿元(贵州茅台·2023年报·P45)。", gold_text=table)
    assert found.layer is Layer.GENERATION


def test_an_answered_no_answer_question_should_have_been_refused(lose, build) -> None:
    question = build.make_question(gold=(), evidence=(), answerable=False)
    assert lose(None, question=question).reason == "should_have_refused"


def test_without_evidence_pages_the_layer_is_undetermined(lose, build) -> None:
    assert lose(None, question=build.make_question(evidence=())).layer is Layer.UNDETERMINED


def test_a_comparison_with_one_page_missing_in_the_index_is_lost_at_ingest(lose, build) -> None:
    question = replace(
        build.make_question(),
        kind=QuestionKind.COMPARE,
        evidence=(Evidence("600519-2023", 45), Evidence("600519-2023", 46)),
    )
    found = lose(VISIBLE, question=question)
    assert found.layer is Layer.INGEST
    assert "P46" in found.evidence.en


def test_the_parent_company_s_statement_is_a_sibling_of_the_group_s(build) -> None:
    """Both statements print 销售费用; only the section above tells whose figure it is."""
    parent = build.make_chunk(
        "parent", section="母公司利润表", kind=ChunkKind.TABLE, unit_note="单位：元",
        text="单位：元\n项目 | 2023年\n销售费用 | 14,768,686.47",
    )  # fmt: skip
    group = build.make_chunk(
        "group", section="合并利润表", source_page=46, kind=ChunkKind.TABLE, unit_note="单位：元",
        text="单位：元\n项目 | 2023年\n销售费用 | 27,881,056.45",
    )  # fmt: skip
    gold = Gold(
        Decimal("27881056.45"), "CNY", metric="销售费用", scope="consolidated", period="2023"
    )
    question = build.make_question(gold=(gold,), evidence=(Evidence("600519-2023", 46),))
    text = "销售费用为14,768,686.47元(贵州茅台·2023年报·P45)。"
    answer = Answer(text, AnswerStatus.ANSWERED, parse_citations(text), "test")
    ranked = tuple(
        RankedChunk(c, RankTrace(n, None, None, None, n, in_context=True))
        for n, c in enumerate((parent, group), 1)
    )
    found_gold = gold_chunks(question, by_page([parent, group]))
    retrieval = Retrieval(Mode.DENSE, question.id, ranked, 5, 0.0)
    ranks = gold_ranks(question, found_gold, retrieval)
    seen = Observation(question, retrieval, answer, ranks, None)
    kept = evidence_chunks(question, found_gold, by_page([parent, group]))
    found = diagnose(seen, {m.name: m.score(seen) for m in METRICS}, kept)
    assert found.layer is Layer.BUSINESS
    assert "母公司" in found.evidence.zh
    assert "parent company" in found.evidence.en


def test_a_rounded_sibling_figure_is_business_too(lose) -> None:
    found = lose(VISIBLE, "营业收入为1,505.60亿元(贵州茅台·2023年报·P45)。")
    assert found.layer is Layer.BUSINESS


def test_last_year_s_sibling_is_another_period_and_no_business(lose) -> None:
    table = (
        "单位：元\n项目 | 2023年 | 2022年\n营业收入 | 147,693,604,994.14 | 124,099,843,771.99\n"
        "营业总收入 | 150,560,330,316.45 | 127,553,959,355.97"
    )
    text = "营业收入为127,553,959,355.97元(贵州茅台·2023年报·P45)。"
    assert lose(VISIBLE, text, gold_text=table).layer is Layer.GENERATION


def test_an_unknown_row_outside_a_table_of_parts_is_no_sibling(lose) -> None:
    table = GOLD + "\n资产处置收益 | 1,234,567.89"
    text = "营业收入为1,234,567.89元(贵州茅台·2023年报·P45)。"
    assert lose(VISIBLE, text, gold_text=table).layer is Layer.GENERATION


def test_a_gold_that_no_chunk_prints_readably_is_lost_at_ingest(lose) -> None:
    """The page is indexed and visible, but its digits were misread."""
    table = "单位：元\n项目 | 2023年\n营业收入 | l47,693,6O4,994.l4\n营业成本 | 11,867,274,000.00"
    found = lose(VISIBLE, "营业收入为11,867,274,000.00元。", gold_text=table)
    assert (found.layer, found.reason) == (Layer.INGEST, "misread_digits")
    assert "147,693,604,994.14 CNY" in found.evidence.en
    refused = lose(VISIBLE, "未在所给资料中检索到", status=AnswerStatus.REFUSED, gold_text=table)
    assert refused.layer is Layer.INGEST


def test_a_computed_figure_need_not_be_printed(lose, build) -> None:
    gold = (Gold(Decimal("19.01"), "percent"),)
    question = build.make_question(kind=QuestionKind.COMPUTED, gold=gold)
    assert lose(VISIBLE, question=question).layer is Layer.GENERATION


def test_a_comparison_of_which_one_figure_is_right_says_which_is_missing(lose, build) -> None:
    golds = (
        Gold(Decimal("147693604994.14"), "CNY", metric="营业收入", period="2023"),
        Gold(Decimal("150560330316.45"), "CNY", metric="营业总收入", period="2023"),
    )
    question = build.make_question(kind=QuestionKind.COMPARE, gold=golds)
    found = lose(VISIBLE, "营业收入为147,693,604,994.14元。", question=question)
    assert found.reason == "visible_but_some_figures_missing"
    assert "150,560,330,316.45 CNY" in found.evidence.en


def test_the_sentence_names_the_document_beside_the_page(lose) -> None:
    found = lose(RankTrace(7, None, 14, None, 14, in_context=False))
    assert "600519-2023 P45" in found.evidence.en
    assert "600519-2023 P45" in found.evidence.zh
