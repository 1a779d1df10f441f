"""What the company and period of a question do to each mode: nothing, a boost, a filter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ragdash.core.chunk import DocType
from ragdash.core.errors import ConfigError
from ragdash.core.retrieval import Mode, SubjectState
from ragdash.core.run import RetrievalConfig
from ragdash.index.corpus_index import CorpusIndex, build_index
from ragdash.retrieve import build_retrievers
from ragdash.retrieve.subject import SubjectFilter
from tests.builders import make_chunk, make_source
from tests.index.conftest import CountingEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.retrieval import Retrieval

WIDE = RetrievalConfig(candidates_dense=50, candidates_bm25=50, candidates_rerank=50)
SOURCES = [
    make_source("m22", period="2022", label="2022年报"),
    make_source("m23", period="2023", label="2023年报"),
    make_source("z23", company="昭衍新药", period="2023", label="2023年报"),
    make_source(
        "p22",
        company="PepsiCo",
        period="2022",
        doc_type=DocType.FORM_10K,
        label="FY2022 10-K",
        lang="en",
    ),
]
TEXTS = ["营业收入 1,476.94 亿元", "净利润 747.34 亿元", "Net sales 86,392", "Net income 8,910"]


class InOrder:
    """A reranker that keeps the order, and notes what it was asked."""

    def __init__(self) -> None:
        self.identity = CountingEmbedder("r").identity
        self.queries: list[str] = []

    def score(self, query: str, passages: Sequence[str]) -> np.ndarray:
        self.queries.append(query)
        return -np.arange(len(passages), dtype=np.float32)


@pytest.fixture(scope="module")
def chunks() -> list[Chunk]:
    return [
        make_chunk(f"{source.doc_id}#p{page}c1", source=source, source_page=page, text=text)
        for source in SOURCES
        for page, text in enumerate(TEXTS, start=20)
    ]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, chunks: list[Chunk]) -> CorpusIndex:
    return build_index(tmp_path_factory.mktemp("corpus"), chunks, CountingEmbedder())


def found(index: CorpusIndex, question: str, **config: object) -> dict[Mode, Retrieval]:
    settings = replace(WIDE, **config)
    retrievers = build_retrievers(settings, list(Mode), index, CountingEmbedder(), InOrder())
    return {mode: retrievers[mode].retrieve("q", question) for mode in Mode}


def documents(retrieval: Retrieval) -> set[str]:
    return {c.chunk.source.doc_id for c in retrieval.candidates}


@pytest.mark.parametrize(
    ("question", "only"),
    [("茅台2023年的营业收入是多少？", {"m23"}), ("What were Pepsi's FY2022 net sales?", {"p22"})],
)
def test_a_strict_filter_leaves_only_the_documents_of_the_subject_in_every_mode(
    index: CorpusIndex, question: str, only: set[str]
) -> None:
    for retrieval in found(index, question, filter="strict").values():
        assert documents(retrieval) == only
        assert retrieval.subject is not None
        assert set(retrieval.subject.doc_ids) == only
        assert retrieval.subject.state is SubjectState.MATCHED


@pytest.mark.parametrize("question", ["五粮液2023年的营业收入", "Tesla's FY2022 net sales"])
def test_a_company_that_the_corpus_has_no_document_of_gives_no_candidate_and_says_so(
    index: CorpusIndex, question: str
) -> None:
    for retrieval in found(index, question, filter="strict").values():
        assert retrieval.candidates == ()
        assert retrieval.subject is not None
        assert retrieval.subject.state is SubjectState.NO_COMPANY
        assert retrieval.subject.absent


@pytest.mark.parametrize(
    ("question", "state", "only"),
    [
        ("茅台2031年的净利润", SubjectState.NO_PERIOD, {"m22", "m23"}),
        ("茅台2021年的净利润", SubjectState.LATER, {"m22"}),
        ("净利润是多少", SubjectState.UNRECOGNISED, {"m22", "m23", "z23", "p22"}),
    ],
)
def test_what_a_strict_filter_cannot_match_is_a_named_state_and_never_an_empty_list(
    index: CorpusIndex, question: str, state: SubjectState, only: set[str]
) -> None:
    for retrieval in found(index, question, filter="strict").values():
        assert retrieval.subject is not None
        assert (retrieval.subject.state, documents(retrieval)) == (state, only)


def test_a_boost_moves_the_subject_up_and_keeps_the_others(index: CorpusIndex) -> None:
    question = "茅台2022年的净利润"
    plain, boosted = found(index, question, query="asked"), found(index, question, filter="boost")
    for mode in Mode:
        assert documents(boosted[mode]) == documents(plain[mode])

        def best(retrieval: Retrieval) -> int:
            own = [c for c in retrieval.candidates if c.chunk.source.doc_id == "m22"]
            return min(c.trace.final_rank for c in own)

        assert best(boosted[mode]) <= best(plain[mode])
    assert boosted[Mode.HYBRID].candidates[0].chunk.source.doc_id == "m22"


def test_without_a_filter_every_document_may_be_found_and_the_subject_is_still_recorded(
    index: CorpusIndex,
) -> None:
    retrieval = found(index, "茅台2023年的净利润", filter="none")[Mode.DENSE]
    assert documents(retrieval) == {s.doc_id for s in SOURCES}
    assert retrieval.subject is not None
    assert retrieval.subject.doc_ids == ("m23",)


@pytest.mark.parametrize("query", ["asked", "resolved"])
def test_embedder_and_reranker_get_the_text_that_is_recorded(
    index: CorpusIndex, query: str
) -> None:
    question, reranker = "茅台2023年的净利润是多少？", InOrder()
    config = replace(WIDE, query=query)
    (retriever,) = build_retrievers(
        config, [Mode.RERANK], index, CountingEmbedder(), reranker
    ).values()
    subject = retriever.retrieve("q", question).subject
    assert subject is not None
    assert reranker.queries == [subject.query]
    assert (subject.query == question) == (query == "asked")


@pytest.mark.parametrize("variant", ["lucene", "okapi"])
def test_a_strict_filter_is_the_unfiltered_order_without_the_others(
    index: CorpusIndex, chunks: list[Chunk], variant: str
) -> None:
    question = "茅台2023年的净利润"
    _, within = SubjectFilter(replace(WIDE, filter="strict"), chunks).read(question)
    assert within is not None
    leg = index.bm25(variant)
    every = leg.search(question, len(chunks))
    kept = [p for p in every.positions if within.inside[p]]
    assert list(leg.search(question, len(chunks), within).positions) == kept
    vector = CountingEmbedder().encode_queries([question])[0]
    near = index.dense.search(vector, len(chunks)).positions
    strict = index.dense.search(vector, len(chunks), within).positions
    assert list(strict) == [p for p in near if within.inside[p]]


def test_a_filter_of_another_name_is_refused(chunks: list[Chunk]) -> None:
    with pytest.raises(ConfigError, match="'hard'"):
        SubjectFilter(replace(WIDE, filter="hard"), chunks)
