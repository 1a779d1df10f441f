from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.core.errors import ConfigError
from ragdash.retrieve.fusion import fuse

RANKING = st.lists(st.integers(0, 15), unique=True, max_size=12)
WEIGHT = st.sampled_from([0.0, 0.3, 0.5, 1.0, 2.0])


@settings(deadline=None)
@given(first=RANKING, second=RANKING, k=st.integers(0, 100), weights=st.tuples(WEIGHT, WEIGHT))
def test_the_order_is_that_of_the_formula(
    first: list[int], second: list[int], k: int, weights: tuple[float, float]
) -> None:
    fused = fuse((first, second), k, weights)
    assert {one.position for one in fused} == {*first, *second}
    exact = {
        one.position: sum(
            (
                Fraction(str(weight)) / (k + ranking.index(one.position) + 1)
                for ranking, weight in zip((first, second), weights, strict=True)
                if one.position in ranking
            ),
            Fraction(0),
        )
        for one in fused
    }
    for one in fused:
        assert math.isclose(one.score, exact[one.position], abs_tol=1e-12)
    keys = [(-exact[o.position], min(filter(None, o.ranks)), o.position) for o in fused]
    assert keys == sorted(keys)


def test_weights_are_taken_as_written_so_that_equal_sums_tie() -> None:
    fused = fuse(([0, 1, 2], [0, 1, 3, 4, 5]), 0, (0.3, 0.5))
    order = [one.position for one in fused]
    assert order.index(2) < order.index(5)


@settings(deadline=None)
@given(
    first=RANKING,
    second=RANKING,
    k=st.integers(0, 100),
    weights=st.tuples(WEIGHT, WEIGHT),
    renamed=st.permutations(range(16)),
)
def test_chunks_in_another_order_fuse_alike_but_for_those_that_tie(
    first: list[int],
    second: list[int],
    k: int,
    weights: tuple[float, float],
    renamed: list[int],
) -> None:
    fused = fuse((first, second), k, weights)
    moved = fuse(([renamed[p] for p in first], [renamed[p] for p in second]), k, weights)
    keys = {renamed[o.position]: (o.score, o.ranks) for o in fused}
    assert {o.position: (o.score, o.ranks) for o in moved} == keys
    ties = [(o.score, min(filter(None, o.ranks))) for o in fused]
    assert [(o.score, min(filter(None, o.ranks))) for o in moved] == ties
    for one, other in pairwise(moved):
        same = (one.score, min(filter(None, one.ranks))) == (
            other.score,
            min(filter(None, other.ranks)),
        )
        assert not same or one.position < other.position


@settings(deadline=None)
@given(rankings=st.lists(RANKING, max_size=4), k=st.integers(0, 60))
def test_every_input_rank_is_kept(rankings: list[list[int]], k: int) -> None:
    for one in fuse(rankings, k, [1.0] * len(rankings)):
        assert one.ranks == tuple(
            ranking.index(one.position) + 1 if one.position in ranking else None
            for ranking in rankings
        )


@settings(deadline=None)
@given(first=RANKING, second=RANKING, k=st.integers(0, 60))
def test_two_lists_of_equal_weight_may_be_swapped(
    first: list[int], second: list[int], k: int
) -> None:
    one, other = (fuse(pair, k, (1.0, 1.0)) for pair in ((first, second), (second, first)))
    assert [fused.position for fused in one] == [fused.position for fused in other]


@settings(deadline=None)
@given(ranking=RANKING, weight=WEIGHT)
def test_a_list_alone_keeps_its_order(ranking: list[int], weight: float) -> None:
    assert [one.position for one in fuse((ranking, []), 60, (weight, 1.0))] == ranking


def test_sums_that_are_equal_tie_though_their_floats_differ() -> None:
    # 1/3 + 1/6 = 1/4 + 1/4; the best single rank decides, and not the last bit
    first, second = [90, 91, 1, 2], [80, 81, 82, 2, 83, 1]
    fused = [one.position for one in fuse((first, second), 0, (1.0, 1.0))]
    assert fused.index(1) < fused.index(2)


def test_a_chunk_in_both_lists_goes_before_one_that_leads_a_single_list() -> None:
    fused = fuse(([7, 5], [8, 5]), 60, (1.0, 1.0))
    assert [one.position for one in fused] == [5, 7, 8]
    assert fused[0].ranks == (2, 2)


@pytest.mark.parametrize(
    ("k", "weights"), [(-1, (1.0, 1.0)), (60, (1.0,)), (60, (1.0, -0.5)), (60, (1.0, math.nan))]
)
def test_values_out_of_range_are_refused(k: int, weights: tuple[float, ...]) -> None:
    with pytest.raises(ConfigError, match=r"rrf_k = .* weights = .* do not fit"):
        fuse(([1], [2]), k, weights)


def test_a_list_that_holds_a_chunk_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="holds a position twice"):
        fuse(([1, 1],), 60, (1.0,))
