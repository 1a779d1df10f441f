"""Retrieval metrics agree with their definitions written out, and ties are not broken at random."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.metrics.retrieval import calculate

IDS = [f"c{i}" for i in range(30)]


@settings(deadline=None)
@given(st.permutations(IDS), st.sets(st.sampled_from(IDS), min_size=1, max_size=5))
def test_values_equal_the_written_out_definitions(ranked: list[str], gold: set[str]) -> None:
    ranks = sorted(ranked.index(g) + 1 for g in gold)
    for k in (1, 5, 10, 20):
        assert calculate(f"Success@{k}", frozenset(gold), tuple(ranked)) == float(ranks[0] <= k)
    recall = sum(r <= 5 for r in ranks) / len(gold)
    assert calculate("R@5", frozenset(gold), tuple(ranked)) == pytest.approx(recall, abs=1e-9)
    assert calculate("RR", frozenset(gold), tuple(ranked)) == pytest.approx(1 / ranks[0], abs=1e-9)
    gained = sum(1 / math.log2(r + 1) for r in ranks if r <= 10)
    ideal = sum(1 / math.log2(r + 1) for r in range(1, min(10, len(gold)) + 1))
    assert calculate("nDCG@10", frozenset(gold), tuple(ranked)) == pytest.approx(
        gained / ideal, abs=1e-9
    )


@settings(deadline=None)
@given(
    ranked=st.lists(st.sampled_from(IDS), unique=True, max_size=30),
    gold=st.sets(st.sampled_from([*IDS, "missing", "缺页"]), min_size=1, max_size=5),
    renamed=st.permutations([*IDS, "missing", "缺页"]),
)
def test_only_the_places_of_the_gold_count_whatever_the_chunks_are_called(
    ranked: list[str], gold: set[str], renamed: list[str]
) -> None:
    names = dict(zip([*IDS, "missing", "缺页"], renamed, strict=True))
    for measure in ("Success@1", "Success@20", "R@5", "RR", "nDCG@10"):
        before = calculate(measure, frozenset(gold), tuple(ranked))
        after = calculate(
            measure, frozenset(names[g] for g in gold), tuple(names[r] for r in ranked)
        )
        assert after == pytest.approx(before, abs=1e-9)


def test_an_empty_ranking_scores_zero_and_a_missing_gold_too() -> None:
    assert calculate("RR", frozenset({"c1"}), ()) == 0
    assert calculate("Success@5", frozenset({"c1"}), ("c2", "c3")) == 0
