"""Both variants against other implementations: the formula written out, and rank-bm25."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from ragdash.core.errors import ConfigError
from ragdash.index.bm25 import VARIANTS, Postings, bm25
from ragdash.index.tokenize import tokenize

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ["营业", "收入", "净利", "revenue", "net", "1476.94", "2023", "茅台"]
TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=12
)
QUERY = st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=5).map(" ".join)


def _lucene(documents: list[list[str]], query: list[str]) -> list[float]:
    """BM25 with Lucene's idf, as in Kamphuis et al. 2020, term by term."""
    average = sum(map(len, documents)) / len(documents)
    scores = []
    for document in documents:
        counts, score = Counter(document), 0.0
        for term in query:
            holding = sum(term in other for other in documents)
            idf = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
            tf = counts[term]
            if tf:
                length = 1 - 0.75 + 0.75 * len(document) / average
                score += idf * tf / (tf + 1.5 * length)
        scores.append(score)
    return scores


def _okapi(documents: list[list[str]], query: list[str]) -> list[float]:
    scores: list[float] = BM25Okapi(documents).get_scores(query).tolist()
    return scores


@pytest.mark.parametrize(("variant", "oracle"), [("lucene", _lucene), ("okapi", _okapi)])
@settings(deadline=None)
@given(texts=TEXTS, query=QUERY)
def test_scores_are_the_oracles_and_only_chunks_with_a_term_of_the_query_have_a_rank(
    variant: str, oracle, texts: list[str], query: str
) -> None:
    found = bm25(Postings.build(texts), variant).search(query, len(texts))
    documents, terms = [tokenize(text) for text in texts], tokenize(query)
    holding = {i for i, document in enumerate(documents) if set(document) & set(terms)}
    assert set(found.positions) == holding
    if holding:
        expected = oracle(documents, terms)
        np.testing.assert_allclose(found.scores, [expected[i] for i in found.positions], atol=1e-5)
    order = list(zip([-score for score in found.scores], found.positions, strict=True))
    assert order == sorted(order)


@settings(deadline=None)
@given(texts=TEXTS, block=st.integers(1, 40))
def test_the_columns_are_those_of_bm25s_bit_for_bit_however_they_are_counted(
    texts: list[str], block: int
) -> None:
    built = Postings.build(texts, block)
    if not built.vocabulary:
        return
    documents = [[built.vocabulary[token] for token in tokenize(text)] for text in texts]
    theirs = bm25s.BM25(method="lucene", k1=1.5, b=0.75, backend="numpy")
    theirs.index((documents, built.vocabulary), create_empty_token=False, show_progress=False)
    pairs = (("weights", "data"), ("chunks", "indices"), ("starts", "indptr"))
    for ours, name in pairs:
        np.testing.assert_array_equal(built.arrays[ours], theirs.scores[name])
        assert built.arrays[ours].dtype == theirs.scores[name].dtype
    flat = [token for document in documents for token in document]
    np.testing.assert_array_equal(built.arrays["ids"], np.array(flat, np.int32))
    assert np.diff(built.arrays["offsets"]).tolist() == [len(d) for d in documents]


@settings(deadline=None)
@given(texts=TEXTS, query=QUERY)
def test_lucene_scores_are_those_of_bm25s_over_the_same_tokens(
    texts: list[str], query: str
) -> None:
    documents, terms = [tokenize(text) for text in texts], tokenize(query)
    known = [term for term in terms if any(term in document for document in documents)]
    found = bm25(Postings.build(texts), "lucene").search(query, len(texts))
    if not known:
        assert found.positions == ()
        return
    theirs = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    theirs.index(documents, show_progress=False)
    expected = theirs.get_scores(known)
    np.testing.assert_allclose(found.scores, expected[list(found.positions)], atol=1e-5)
    assert set(np.flatnonzero(expected)) == set(found.positions)


@pytest.mark.parametrize("variant", VARIANTS)
@settings(deadline=None)
@given(texts=TEXTS, query=QUERY, data=st.data())
def test_the_order_of_the_chunks_changes_no_score_and_ties_go_by_position(
    variant: str, texts: list[str], query: str, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(texts))))
    found = bm25(Postings.build(texts), variant).search(query, len(texts))
    moved = bm25(Postings.build([texts[i] for i in order]), variant).search(query, len(texts))
    scores = dict(zip(found.positions, found.scores, strict=True))
    again = {order[p]: s for p, s in zip(moved.positions, moved.scores, strict=True)}
    assert again.keys() == scores.keys()
    # a sum of idfs runs in the order in which terms are met, which may cost the last bits
    assert all(math.isclose(again[i], scores[i], rel_tol=1e-9, abs_tol=1e-12) for i in scores)
    for ranking in (found, moved):
        keys = [(-s, p) for s, p in zip(ranking.scores, ranking.positions, strict=True)]
        assert keys == sorted(keys)


@pytest.mark.parametrize("variant", VARIANTS)
@settings(deadline=None)
@given(texts=TEXTS, query=QUERY, k=st.integers(0, 14))
def test_the_first_k_are_the_start_of_the_whole_ranking(
    variant: str, texts: list[str], query: str, k: int
) -> None:
    searched = bm25(Postings.build(texts), variant)
    assert searched.search(query, k).positions == searched.search(query, 99).positions[:k]


@pytest.mark.parametrize("variant", VARIANTS)
def test_postings_come_back_from_their_folder_as_they_went(tmp_path: Path, variant: str) -> None:
    texts = ["贵州茅台 营业收入 1,476.94 亿元", "", "Apple net sales 394,328", "净利润 净利润 747"]
    built = Postings.build(texts)
    built.save(tmp_path)
    loaded = Postings.load(tmp_path)
    for query in ("营业收入 net", "747 394328", "茅台 sales 净利润"):
        assert bm25(loaded, variant).search(query, 9) == bm25(built, variant).search(query, 9)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("texts", [[], [""], ["", "…"]])
def test_a_corpus_without_any_term_answers_with_no_rank(
    tmp_path: Path, variant: str, texts: list[str]
) -> None:
    Postings.build(texts).save(tmp_path)
    loaded = Postings.load(tmp_path)
    assert len(loaded) == len(texts)
    assert bm25(loaded, variant).search("营业收入", 5).positions == ()


def test_a_name_that_is_in_every_chunk_ranks_below_none_with_lucene_but_may_with_okapi() -> None:
    texts = ["贵州茅台", "贵州茅台", "会"]
    query = "贵州茅台"
    lucene, okapi = (bm25(Postings.build(texts), variant).search(query, 3) for variant in VARIANTS)
    assert set(lucene.positions) == set(okapi.positions) == {0, 1}
    assert min(lucene.scores) > 0 > max(okapi.scores)


def test_equal_chunks_are_ranked_by_position() -> None:
    texts = ["营业收入 100", "net sales", "营业收入 100", "营业收入 100"]
    for variant in VARIANTS:
        assert bm25(Postings.build(texts), variant).search("营业收入", 9).positions == (0, 2, 3)


def test_an_unknown_variant_names_those_there_are() -> None:
    with pytest.raises(ConfigError, match="bm25 is 'bm42': write one of lucene, okapi"):
        bm25(Postings.build(["x"]), "bm42")


@settings(deadline=None)
@given(texts=TEXTS, more=TEXTS, block=st.integers(1, 40))
def test_postings_that_were_extended_are_those_of_all_texts_bit_for_bit(
    texts: list[str], more: list[str], block: int
) -> None:
    first = Postings.build(texts)
    kept = {name: array.copy() for name, array in first.arrays.items()}
    found, whole = first.extended(more, block), Postings.build([*texts, *more])
    assert found.vocabulary == whole.vocabulary
    for name in Postings.FILES:
        np.testing.assert_array_equal(found.arrays[name], whole.arrays[name])
        np.testing.assert_array_equal(first.arrays[name], kept[name])
