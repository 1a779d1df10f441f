"""The three modes end to end, over tiny models that are opened by the real classes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.core.errors import ConfigError
from ragdash.core.retrieval import Mode, Retrieval
from ragdash.core.run import RetrievalConfig
from ragdash.index.corpus_index import CorpusIndex, build_index
from ragdash.models.base import Embedder, ModelIdentity, Reranker
from ragdash.models.loading import load_embedder, load_reranker
from ragdash.models.tiny import write_tiny_embedder, write_tiny_reranker
from ragdash.retrieve import RETRIEVERS, build_retrievers
from ragdash.retrieve.base import SEARCHED_TOGETHER, SearchesTogether

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import ModuleType

TEXTS = [
    "营业收入 1,476.94 亿元", "归母净利润 747.34 亿元", "研发费用 6.2 亿元", "毛利率 92%",
    "Total net sales 394,328", "Net income 99,803", "Research and development 26,251",
    "董事会会议", "营业收入 1,476.94 亿元", "分部 营业收入 12 亿元",
]  # fmt: skip
Model = TypeVar("Model")
ZH, EN = "营业收入是多少", "What was net income?"
CONFIG = RetrievalConfig(top_k=2, candidates_dense=4, candidates_bm25=4, candidates_rerank=3)


class Counting:
    """An embedder that notes its queries, around a real one."""

    def __init__(self, embedder: Embedder) -> None:
        self.identity = embedder.identity
        self.queries: list[str] = []
        self._embedder = embedder
        self.encode_passages = embedder.encode_passages

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        self.queries.extend(texts)
        return self._embedder.encode_queries(texts)


class Backwards:
    """A reranker that likes the passages that come later; `equal` likes all alike."""

    identity = ModelIdentity("reranker", "path:x", "", "sha256:0", None, 128)

    def __init__(self, *, equal: bool = False) -> None:
        self.equal = equal

    def score(self, _: str, passages: Sequence[str]) -> np.ndarray:
        return (
            np.zeros(len(passages), np.float32)
            if self.equal
            else np.arange(len(passages), dtype=np.float32)
        )


def one_thread(loaded: Model) -> Model:
    """Return it; models this small spend their time on waiting for a second thread."""
    torch.set_num_threads(1)
    return loaded


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    folder = write_tiny_embedder(tmp_path_factory.mktemp("models") / "embedder")
    return one_thread(load_embedder(f"path:{folder}"))


@pytest.fixture(scope="module")
def reranker(tmp_path_factory: pytest.TempPathFactory) -> Reranker:
    folder = write_tiny_reranker(tmp_path_factory.mktemp("models") / "reranker")
    return one_thread(load_reranker(f"path:{folder}"))


@pytest.fixture(scope="module")
def index(
    tmp_path_factory: pytest.TempPathFactory, build: ModuleType, embedder: Embedder
) -> CorpusIndex:
    source = replace(build.make_source(), company="甲", label="乙")
    chunks = [
        build.make_chunk(f"c{i}", text=text, section="", source=source)
        for i, text in enumerate(TEXTS)
    ]
    return build_index(tmp_path_factory.mktemp("corpus"), chunks, embedder)


def _order(retrieval: Retrieval) -> list[str]:
    return [candidate.chunk.chunk_id for candidate in retrieval.candidates]


@pytest.mark.parametrize("query", [ZH, EN])
def test_each_mode_traces_the_searches_that_it_ran_and_no_other(
    index: CorpusIndex, embedder: Embedder, reranker: Reranker, query: str
) -> None:
    retrievers = build_retrievers(CONFIG, list(Mode), index, embedder, reranker)
    dense, hybrid, rerank = (retrievers[mode].retrieve("q", query) for mode in Mode)
    for mode, retrieval in zip(Mode, (dense, hybrid, rerank), strict=True):
        traces = [candidate.trace for candidate in retrieval.candidates]
        assert retrieval.mode is mode
        assert [trace.final_rank for trace in traces] == list(range(1, len(traces) + 1))
        assert [trace.in_context for trace in traces] == [
            rank <= 2 for rank in range(1, len(traces) + 1)
        ]
        assert [chunk.chunk_id for chunk in retrieval.context] == _order(retrieval)[:2]
        assert retrieval.seconds > 0
        for trace in traces:
            for stage in ("dense", "bm25", "fused", "rerank"):
                rank, score = (getattr(trace, f"{stage}_{what}") for what in ("rank", "score"))
                assert (rank is None) == (score is None)
    assert all(
        (c.trace.bm25_rank, c.trace.fused_rank, c.trace.rerank_rank) == (None, None, None)
        for c in dense.candidates
    )
    assert all(c.trace.rerank_rank is None for c in hybrid.candidates)
    assert [c.trace.dense_rank for c in dense.candidates] == [1, 2, 3, 4]
    assert [c.trace.fused_rank for c in hybrid.candidates] == list(
        range(1, len(hybrid.candidates) + 1)
    )
    assert [c.trace.rerank_rank for c in rerank.candidates[:3]] == [1, 2, 3]
    assert all(c.trace.rerank_rank is None for c in rerank.candidates[3:])


def test_the_modes_share_their_searches(
    index: CorpusIndex, embedder: Embedder, reranker: Reranker
) -> None:
    counting = Counting(embedder)
    retrievers = build_retrievers(CONFIG, list(Mode), index, counting, reranker)
    found = {mode: retrievers[mode].retrieve("q", ZH) for mode in Mode}
    assert counting.queries == ["营业收入"]
    of_dense = {c.chunk.chunk_id: c.trace.dense_rank for c in found[Mode.DENSE].candidates}
    for mode in (Mode.HYBRID, Mode.RERANK):
        ranks = {c.chunk.chunk_id: c.trace.dense_rank for c in found[mode].candidates}
        assert {chunk: rank for chunk, rank in ranks.items() if rank} == of_dense
    again = build_retrievers(CONFIG, [Mode.RERANK], index, embedder, reranker)[Mode.RERANK]
    assert again.retrieve("q", ZH).candidates == found[Mode.RERANK].candidates


def test_a_mode_that_was_asked_later_does_not_seem_faster(
    index: CorpusIndex, embedder: Embedder
) -> None:
    retrievers = build_retrievers(CONFIG, [Mode.DENSE, Mode.HYBRID], index, embedder)
    dense = retrievers[Mode.DENSE].retrieve("q", ZH)
    hybrid = retrievers[Mode.HYBRID].retrieve("q", ZH)
    assert hybrid.seconds > dense.seconds


def test_hybrid_holds_each_candidate_of_both_searches_once(
    index: CorpusIndex, embedder: Embedder
) -> None:
    hybrid = build_retrievers(CONFIG, [Mode.HYBRID], index, embedder)[Mode.HYBRID].retrieve("q", EN)
    order = _order(hybrid)
    assert len(order) == len(set(order))
    by_words = {c.chunk.chunk_id for c in hybrid.candidates if c.trace.bm25_rank}
    assert by_words == {"c4", "c5"}
    assert sum(c.trace.dense_rank is not None for c in hybrid.candidates) == 4


@pytest.mark.parametrize("query", ["zzz", "", "！？", "\x00"])
def test_without_a_known_word_hybrid_is_dense(
    index: CorpusIndex, embedder: Embedder, query: str
) -> None:
    retrievers = build_retrievers(CONFIG, [Mode.DENSE, Mode.HYBRID], index, embedder)
    dense, hybrid = (retrievers[mode].retrieve("q", query) for mode in (Mode.DENSE, Mode.HYBRID))
    assert _order(dense) == _order(hybrid)
    assert all(c.trace.bm25_rank is None for c in hybrid.candidates)


def test_more_candidates_than_chunks_gives_every_chunk_once(
    index: CorpusIndex, embedder: Embedder, reranker: Reranker
) -> None:
    wide = RetrievalConfig(top_k=99, candidates_dense=99, candidates_bm25=99, candidates_rerank=99)
    for mode, retriever in build_retrievers(wide, list(Mode), index, embedder, reranker).items():
        retrieval = retriever.retrieve("q", ZH)
        assert sorted(_order(retrieval)) == sorted(f"c{i}" for i in range(len(TEXTS))), mode
        assert len(retrieval.context) == len(TEXTS)


def test_equal_chunks_stay_in_the_order_of_the_corpus(
    index: CorpusIndex, embedder: Embedder, reranker: Reranker
) -> None:
    wide = RetrievalConfig(candidates_dense=10, candidates_bm25=10, candidates_rerank=10)
    for query in (ZH, "营业收入", "分部", EN):
        for mode, retriever in build_retrievers(
            wide, list(Mode), index, embedder, reranker
        ).items():
            order = _order(retriever.retrieve("q", query))
            assert order.index("c0") < order.index("c8"), (query, mode)
            # a fusion may put another chunk between them, as their ranks follow on each other
            assert mode is Mode.HYBRID or order.index("c8") == order.index("c0") + 1


def test_the_reranker_reorders_the_first_and_leaves_the_rest_behind_them(
    index: CorpusIndex, embedder: Embedder
) -> None:
    retrievers = build_retrievers(CONFIG, [Mode.HYBRID, Mode.RERANK], index, embedder, Backwards())
    hybrid, rerank = (_order(retriever.retrieve("q", ZH)) for retriever in retrievers.values())
    assert rerank == hybrid[:3][::-1] + hybrid[3:]


def test_equal_scores_keep_the_fused_order(index: CorpusIndex, embedder: Embedder) -> None:
    retrievers = build_retrievers(
        CONFIG, [Mode.HYBRID, Mode.RERANK], index, embedder, Backwards(equal=True)
    )
    hybrid, rerank = (_order(retriever.retrieve("q", ZH)) for retriever in retrievers.values())
    assert rerank == hybrid


def test_a_weight_of_zero_keeps_the_candidates_of_that_search_last(
    index: CorpusIndex, embedder: Embedder
) -> None:
    config = replace(CONFIG, weights=(0.0, 1.0))
    hybrid = build_retrievers(config, [Mode.HYBRID], index, embedder)[Mode.HYBRID].retrieve("q", EN)
    assert [c.trace.bm25_rank for c in hybrid.candidates[:2]] == [1, 2]
    assert all(c.trace.fused_score == 0.0 for c in hybrid.candidates[2:])


@pytest.mark.parametrize("variant", ["lucene", "okapi"])
def test_both_bm25_variants_can_be_run(
    index: CorpusIndex, embedder: Embedder, variant: str
) -> None:
    config = replace(CONFIG, bm25=variant)
    hybrid = build_retrievers(config, [Mode.HYBRID], index, embedder)[Mode.HYBRID].retrieve("q", EN)
    best = next(c for c in hybrid.candidates if c.trace.bm25_rank == 1)
    assert best.chunk.text == "Net income 99,803"


def test_every_mode_has_a_retriever() -> None:
    assert set(RETRIEVERS) == set(Mode)


def test_rerank_without_a_reranker_is_refused(index: CorpusIndex, embedder: Embedder) -> None:
    with pytest.raises(ConfigError, match="mode rerank needs a reranker"):
        build_retrievers(CONFIG, [Mode.RERANK], index, embedder)


def test_an_unknown_bm25_variant_fails_before_the_first_question(
    index: CorpusIndex, embedder: Embedder
) -> None:
    with pytest.raises(ConfigError, match="bm42"):
        build_retrievers(replace(CONFIG, bm25="bm42"), [Mode.DENSE], index, embedder)


def test_an_embedder_of_another_space_is_refused(index: CorpusIndex, tmp_path: Path) -> None:
    other = load_embedder(f"path:{write_tiny_embedder(tmp_path / 'other', seed=5)}")
    with pytest.raises(ConfigError, match="cannot be searched with"):
        build_retrievers(CONFIG, [Mode.DENSE], index, other)


QUESTION = st.lists(
    st.sampled_from([*TEXTS, ZH, EN, "甲", "2023年", "乙公司", "", "\x00", "分部", "zzz"]),
    max_size=3,
).map("".join)


@pytest.mark.parametrize("chosen", ["none", "boost", "strict"])
@settings(deadline=None, max_examples=10)
@given(questions=st.lists(QUESTION, min_size=1, max_size=6), seen=st.integers(0, 6))
def test_questions_that_were_searched_together_find_what_each_finds_alone(
    index: CorpusIndex,
    embedder: Embedder,
    chosen: str,
    questions: list[str],
    seen: int,
) -> None:
    config = replace(CONFIG, filter=chosen)
    together, alone = (
        build_retrievers(config, list(Mode), index, embedder, Backwards()) for _ in range(2)
    )
    for mode in (Mode.DENSE, Mode.RERANK):
        retriever = together[mode]
        assert isinstance(retriever, SearchesTogether)
        # a part of them only, as in a run that goes on
        retriever.search_together(questions[seen % len(questions) :])
    for question in questions:
        for mode in Mode:
            found, expected = (r[mode].retrieve("q", question) for r in (together, alone))
            assert replace(found, seconds=0.0) == replace(expected, seconds=0.0)
            assert found.seconds > 0


def test_questions_that_are_searched_together_are_encoded_in_one_call_and_each_once(
    index: CorpusIndex, embedder: Embedder, reranker: Reranker
) -> None:
    calls: list[list[str]] = []

    class Noting(Counting):
        def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
            calls.append(list(texts))
            return super().encode_queries(texts)

    retrievers = build_retrievers(CONFIG, list(Mode), index, Noting(embedder), reranker)
    questions = [f"营业收入{i}" for i in range(SEARCHED_TOGETHER)]
    for mode in Mode:
        retrievers[mode].search_together([*questions, questions[0]])
    for question in questions:
        for mode in Mode:
            retrievers[mode].retrieve("q", question)
    assert len(calls) == 1
    assert len(calls[0]) == SEARCHED_TOGETHER


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_the_reranker_reads_the_configured_candidates_and_no_more(
    index: CorpusIndex, embedder: Embedder, order: tuple[int, ...]
) -> None:
    read: list[int] = []

    class Noting(Backwards):
        def score(self, query: str, passages: Sequence[str]) -> np.ndarray:
            read.append(len(passages))
            return super().score(query, passages)

    rerank = build_retrievers(CONFIG, [Mode.RERANK], index, embedder, Noting())[Mode.RERANK]
    questions = [ZH, EN, "营业收入", "分部"]
    found = [rerank.retrieve("q", questions[i]) for i in order]
    assert read == [CONFIG.candidates_rerank] * 4
    assert all(len(f.candidates) > CONFIG.candidates_rerank for f in found)
