"""Where the gold fell before the context, and what stands in its place, against a plain oracle."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragdash.core.answer import AnswerStatus
from ragdash.core.diagnosis import Diagnosis, Layer
from ragdash.core.question import Evidence, QuestionKind
from ragdash.core.retrieval import Mode, RankTrace

GOLD = "单位：元\n项目 | 2023年\n营业收入 | 147,693,604,994.14\n营业成本 | 11,867,274,000.00"


@pytest.fixture
def gold(build):
    return build.make_chunk("gold", text=GOLD)


@pytest.fixture
def other(build):
    """`other(3)` -> a chunk of page 103 that is no gold."""
    return lambda n: build.make_chunk(f"other{n}", source_page=100 + n, text=f"第{n}段 公司治理")


def visible(dense, bm25, fused, rerank, final):
    return RankTrace(dense, bm25, fused, rerank, final, in_context=True)


def below(dense, bm25, fused, rerank, final):
    return RankTrace(dense, bm25, fused, rerank, final, in_context=False)


def test_recall_says_how_deep_each_search_looked(ask, build, gold, other) -> None:
    found = ask(
        build.make_question(),
        [gold, other(1), other(2)],
        [(other(1), visible(1, 1, 1, None, 1)), (other(2), visible(2, None, 2, None, 2))],
    )
    assert (found.layer, found.reason) == (Layer.RECALL, "in_no_candidate_list")
    assert found.facts["depth"] == {"dense": 2, "BM25": 1}
    assert "dense returned 2, BM25 returned 1" in found.evidence.en
    assert "dense 返回 2 个，BM25 返回 1 个" in found.evidence.zh
    assert found.facts["of_document"] == 2


def test_the_dense_mode_speaks_of_no_other_search(ask, build, gold, other) -> None:
    found = ask(
        build.make_question(),
        [gold],
        [(other(1), visible(1, None, None, None, 1))],
        mode=Mode.DENSE,
    )
    assert "BM25" not in found.evidence.en + found.evidence.zh
    assert found.facts["depth"] == {"dense": 1}


def test_a_failed_retriever_is_told_from_an_empty_one(ask, build, gold) -> None:
    question = build.make_question()
    assert ask(question, [gold], status=AnswerStatus.ERROR).reason == "retrieval_failed"
    assert ask(question, [gold]).reason == "in_no_candidate_list"


def test_fusion_names_the_chunks_that_stood_behind_the_gold_in_its_best_search(
    ask, build, gold, other
) -> None:
    found = ask(
        build.make_question(),
        [gold],
        [
            (other(1), visible(1, 9, 1, None, 1)),
            (other(2), visible(8, 2, 2, None, 2)),
            (other(3), visible(None, 1, 3, None, 3)),
            (gold, below(2, None, 4, None, 4)),
        ],
        top_k=3,
    )
    assert (found.layer, found.reason) == (Layer.RANKING, "below_fusion")
    assert [c["chunk_id"] for c in found.facts["displaced_by"]] == ["other2", "other3"]
    assert found.facts["missed_by"] == ["BM25"]
    assert "in its place: 600519-2023 P102 (dense 8, BM25 2, fused 2)" in found.evidence.en
    assert "取而代之的是：600519-2023 P102" in found.evidence.zh


def test_rerank_names_the_chunks_that_the_reranker_put_before_it(ask, build, gold, other) -> None:
    found = ask(
        build.make_question(),
        [gold],
        [
            (other(1), visible(5, 5, 7, 1, 1)),
            (other(2), visible(1, 1, 1, 2, 2)),
            (gold, below(2, 2, 2, 3, 3)),
        ],
        mode=Mode.RERANK,
        top_k=2,
    )
    assert found.reason == "below_rerank"
    (one,) = found.facts["displaced_by"]
    assert one == {
        "chunk_id": "other1", "doc_id": "600519-2023", "page": 101,
        "dense": 5, "BM25": 5, "fused": 7, "rerank": 1, "final": 1,
    }  # fmt: skip


def test_what_the_reranker_never_read_is_no_fault_of_it(ask, build, gold, other) -> None:
    found = ask(
        build.make_question(),
        [gold],
        [(other(1), visible(9, 1, 1, 1, 1)), (gold, below(3, None, 2, None, 2))],
        mode=Mode.RERANK,
        top_k=1,
    )
    assert found.reason == "not_reranked"
    assert "the reranker never read the passage" in found.no_help.en


def test_chunks_that_were_always_ahead_are_not_said_to_have_overtaken(
    ask, build, gold, other
) -> None:
    found = ask(
        build.make_question(),
        [gold],
        [(other(1), visible(1, None, None, None, 1)), (gold, below(2, None, None, None, 2))],
        mode=Mode.DENSE,
        top_k=1,
    )
    assert found.facts["overtaken"] is False
    assert "ahead of it: 600519-2023 P101 (dense 1)" in found.evidence.en
    assert "排在它前面的是" in found.evidence.zh


def test_the_list_of_what_displaced_it_is_capped_and_counted(ask, build, gold, other) -> None:
    ahead = [(other(n), visible(n, None, None, None, n)) for n in range(1, 10)]
    found = ask(
        build.make_question(),
        [gold],
        [*ahead, (gold, below(10, None, None, None, 10))],
        mode=Mode.DENSE,
        top_k=9,
    )
    assert len(found.facts["displaced_by"]) == 5
    assert found.facts["n_displacing"] == 9
    assert "and 6 more" in found.evidence.en
    assert "另有 6 个" in found.evidence.zh


@st.composite
def rankings(draw):
    """Candidates of a mode as a run makes them, some of them gold: (is_gold, trace) by rank."""
    mode = draw(st.sampled_from(Mode))
    n, top_k = draw(st.integers(0, 8)), draw(st.integers(1, 4))
    golds = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    dense = draw(st.permutations(range(1, n + 1)))
    bm25 = draw(st.permutations(range(1, n + 1)))
    fused = draw(st.permutations(range(1, n + 1)))
    read = draw(st.integers(0, n))
    rows = []
    for final in range(1, n + 1):
        at = final - 1
        if mode is Mode.DENSE:
            ranks = (final, None, None, None)
        elif mode is Mode.HYBRID:
            ranks = (dense[at], bm25[at], final, None)
        else:
            ranks = (dense[at], bm25[at], fused[at], final if final <= read else None)
        rows.append((golds[at], RankTrace(*ranks, final, in_context=final <= top_k)))
    return mode, top_k, rows


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(rankings(), st.sampled_from(AnswerStatus), st.booleans(), st.booleans())
def test_every_lost_question_has_one_layer_and_what_is_visible_is_past_ranking(
    ask, build, drawn, status, indexed, readable
) -> None:
    mode, top_k, rows = drawn
    text = GOLD if readable else GOLD.replace("147,693,604,994.14", "-")
    chunks = [
        build.make_chunk(f"c{n}", source_page=45 if is_gold else 60 + n, text=text)
        for n, (is_gold, _) in enumerate(rows)
    ]
    if not indexed:
        chunks = [build.make_chunk(c.chunk_id, source_page=60 + n) for n, c in enumerate(chunks)]
        rows = [(False, trace) for _, trace in rows]
    never_found = [build.make_chunk("gold", text=text)] if indexed else []
    found = ask(
        build.make_question(),
        [*chunks, *never_found],
        [(c, trace) for c, (_, trace) in zip(chunks, rows, strict=True)],
        "营业收入为1.00亿元(贵州茅台·2023年报·P45)。" if status is AnswerStatus.ANSWERED else "",
        mode=mode,
        top_k=top_k,
        status=status,
    )
    assert isinstance(found, Diagnosis)
    golds = [trace for is_gold, trace in rows if is_gold]
    if not indexed or not readable:
        assert found.layer is Layer.INGEST
    elif any(trace.in_context for trace in golds):
        assert found.layer in (Layer.GENERATION, Layer.BUSINESS)
    elif golds:
        assert found.layer is Layer.RANKING
        assert found.facts["final"] == min(trace.final_rank for trace in golds)
        ids = {c["chunk_id"] for c in found.facts["displaced_by"]}
        assert ids <= {f"c{n}" for n, (_, t) in enumerate(rows) if t.in_context}
    else:
        assert found.layer is Layer.RECALL


@pytest.mark.parametrize(("kind", "layer"), [("lookup", "generation"), ("compare", "ranking")])
def test_a_comparison_needs_every_page_and_a_lookup_one(ask, build, gold, kind, layer) -> None:
    second = build.make_chunk("second", source_page=46, text=GOLD)
    question = build.make_question(
        kind=QuestionKind(kind),
        evidence=(Evidence("600519-2023", 45), Evidence("600519-2023", 46)),
    )
    found = ask(
        question,
        [gold, second],
        [(gold, visible(1, 1, 1, None, 1)), (second, below(2, 2, 2, None, 2))],
        top_k=1,
    )
    assert found.layer is Layer(layer)
    if layer == "ranking":
        assert "600519-2023 P46" in found.evidence.en
