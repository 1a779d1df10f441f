from __future__ import annotations

import itertools
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from ragdash.compare import exact, intervals, paired
from ragdash.compare.paired import Test as Kind

BITS = st.lists(st.tuples(st.sampled_from([0.0, 1.0]), st.sampled_from([0.0, 1.0])), max_size=12)


def modes(pairs: list[tuple[float, float]]) -> tuple[dict[str, float], dict[str, float]]:
    return (
        {f"q{i:02}": a for i, (a, _) in enumerate(pairs)},
        {f"q{i:02}": b for i, (_, b) in enumerate(pairs)},
    )


def mcnemar_by_enumeration(b: int, c: int) -> float:
    m = b + c
    seen = abs(b - c)
    return sum(comb(m, x) for x in range(m + 1) if abs(2 * x - m) >= seen) / 2**m


def sign_flip_by_enumeration(differences: list[float]) -> float:
    seen = abs(sum(differences))
    flips = list(itertools.product([1, -1], repeat=len(differences)))
    extreme = [
        s
        for s in flips
        if abs(sum(d * x for d, x in zip(differences, s, strict=True))) >= seen - 1e-9
    ]
    return len(extreme) / len(flips)


def test_the_published_table_of_six_questions_is_reproduced() -> None:
    five, six = intervals.wilson(5, 6), intervals.wilson(6, 6)
    assert five
    assert six
    assert (round(five.low, 2), round(five.high, 2)) == (0.44, 0.97)
    assert (round(six.low, 2), round(six.high, 2)) == (0.61, 1.0)
    base = {f"q{i}": float(i != 4) for i in range(1, 7)}
    other = dict.fromkeys(base, 1.0)
    result = paired.pair(base, other)
    assert result.improved == ("q4",)
    assert result.regressed == ()
    assert result.p == 1.0
    assert not result.separated


def test_six_questions_and_three_pairs_can_show_nothing() -> None:
    all_better = paired.pair(dict.fromkeys("abcdef", 0.0), dict.fromkeys("abcdef", 1.0))
    adjusted = paired.adjust([all_better, all_better, all_better])
    assert adjusted[0].p_holm == pytest.approx(0.094, abs=0.0005)
    assert not any(x.separated for x in adjusted)


def test_about_48_questions_are_needed_for_a_gain_of_one_in_six() -> None:
    needed = exact.needed_questions(1, 0, 6)
    assert needed is not None
    assert 44 <= needed <= 48
    assert exact.mcnemar_power(needed, 1 / 6, 0) >= 0.8
    assert exact.mcnemar_power(needed - 1, 1 / 6, 0) < 0.8


@given(b=st.integers(0, 12), c=st.integers(0, 12))
def test_mcnemar_equals_its_enumeration(b: int, c: int) -> None:
    p = exact.exact_mcnemar(b, c)
    if b + c == 0:
        assert p is None
    else:
        assert p == pytest.approx(mcnemar_by_enumeration(b, c), abs=1e-12)


@given(st.lists(st.sampled_from([-0.5, -0.25, 0.0, 0.1, 0.25, 1.0]), min_size=1, max_size=8))
def test_sign_flip_equals_its_enumeration(differences: list[float]) -> None:
    p = exact.sign_flip(differences)
    if any(differences):
        assert p == pytest.approx(sign_flip_by_enumeration(differences), abs=1e-9)
    else:
        assert p is None


@pytest.mark.parametrize("n", [14, 60, 400])
@pytest.mark.parametrize("shift", [0.0, 0.05, 0.2, -0.2])
def test_sign_flip_of_many_questions_is_that_of_scipy(n: int, shift: float) -> None:
    rng = np.random.default_rng(n)
    differences = np.round(rng.normal(shift, 0.5, n), 2)
    differences = differences[differences != 0]
    oracle = permutation_test(
        (differences,), lambda x, axis: x.sum(axis=axis), permutation_type="samples",
        vectorized=True, n_resamples=9999, rng=np.random.default_rng(1),
    ).pvalue  # fmt: skip
    # Both are drawn; scipy doubles the smaller tail and so its error: five of both together.
    error = (0.5**2 + 1.0**2) ** 0.5 / 9999**0.5
    assert exact.sign_flip(list(differences)) == pytest.approx(oracle, abs=5 * error)


def test_the_smallest_p_of_drawn_flips_is_one_in_ten_thousand() -> None:
    assert exact.sign_flip([1.0] * 500) == 1 / 10_000
    assert exact.sign_flip([0.1] * 7 + [-0.1] * 7) == 1.0


def test_sign_flip_of_many_questions_is_seeded_and_near_the_normal_value() -> None:
    differences = [0.1, -0.05] * 20
    assert exact.sign_flip(differences) == exact.sign_flip(differences)
    assert 0.02 < (exact.sign_flip(differences) or 1) < 0.12


@pytest.mark.parametrize(("n", "better", "worse"), [(6, 0.3, 0.1), (14, 0.25, 0.05), (9, 0.2, 0)])
def test_power_equals_the_sum_over_every_outcome(n: int, better: float, worse: float) -> None:
    total = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            p = exact.exact_mcnemar(b, c)
            if p is not None and p <= exact.ALPHA:
                same = n - b - c
                total += (
                    comb(n, b)
                    * comb(n - b, c)
                    * better**b
                    * worse**c
                    * (1 - better - worse) ** same
                )
    assert exact.mcnemar_power(n, better, worse) == pytest.approx(total, abs=1e-9)


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=8))
def test_holm_equals_its_definition(ps: list[float | None]) -> None:
    tested = sorted(p for p in ps if p is not None)
    expected = [
        None
        if p is None
        else max(
            min(1.0, (len(tested) - j) * tested[j]) for j in range(len(tested)) if tested[j] <= p
        )
        for p in ps
    ]
    assert exact.holm(ps) == pytest.approx(expected)


@settings(deadline=None)
@given(BITS.filter(bool))
def test_the_interval_of_a_difference_holds_it_and_turns_with_the_sides(
    pairs: list[tuple[float, float]],
) -> None:
    base, other = modes(pairs)
    ahead, back = paired.pair(base, other), paired.pair(other, base)
    assert ahead.interval
    assert back.interval
    assert ahead.delta is not None
    assert -1 <= ahead.interval.low <= ahead.delta + 1e-12
    assert ahead.delta - 1e-12 <= ahead.interval.high <= 1
    assert back.interval.low == pytest.approx(-ahead.interval.high)
    assert ahead.improved == back.regressed


def test_the_interval_of_a_difference_covers_the_truth_by_enumeration() -> None:
    n, cells = 10, (0.5, 0.25, 0.1, 0.15)  # both, only other, only base, neither
    truth, covered = cells[1] - cells[2], 0.0
    for both in range(n + 1):
        for only_other in range(n + 1 - both):
            for only_base in range(n + 1 - both - only_other):
                rest = n - both - only_other - only_base
                chance = (
                    comb(n, both)
                    * comb(n - both, only_other)
                    * comb(n - both - only_other, only_base)
                    * cells[0] ** both
                    * cells[1] ** only_other
                    * cells[2] ** only_base
                    * cells[3] ** rest
                )
                ci = intervals.newcombe(both + only_base, both + only_other, both, n)
                covered += chance * (ci.low <= truth <= ci.high)
    assert 0.94 <= covered <= 0.995


@given(k=st.integers(0, 40), extra=st.integers(0, 40))
def test_wilson_equals_its_formula(k: int, extra: int) -> None:
    n = k + extra
    interval = intervals.wilson(k, n)
    if n == 0:
        assert interval is None
        return
    assert interval
    z, p = 1.959963984540054, k / n
    middle, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert interval.low == pytest.approx((middle - half) / (1 + z * z / n), abs=1e-9)
    assert interval.high == pytest.approx((middle + half) / (1 + z * z / n), abs=1e-9)


def test_a_question_only_one_side_has_scored_is_listed_and_not_counted() -> None:
    result = paired.pair({"甲": 1.0, "乙": None, "丙": 0.0}, {"甲": 0.0, "乙": 1.0, "丁": 1.0})
    assert result.regressed == ("甲",)
    assert set(result.not_comparable) == {"乙", "丙", "丁"}
    assert result.n == 1


def test_no_pair_at_all_is_a_state_and_not_a_zero() -> None:
    result = paired.pair({"a": None}, {"a": 1.0})
    assert (result.delta, result.p, result.test) == (None, None, Kind.NO_PAIRS)


def test_equal_modes_say_no_difference_instead_of_a_p() -> None:
    same = {"a": 1.0, "b": 0.0}
    result = paired.pair(same, same)
    assert (result.delta, result.p, result.test) == (0, None, Kind.NO_DIFFERENCE)
    assert result.needed is None


def test_lower_is_better_turns_improved_round_but_not_the_delta() -> None:
    result = paired.pair({"a": 1.0}, {"a": 0.0}, higher_is_better=False)
    assert result.improved == ("a",)
    assert result.delta == -1


def test_a_graded_interval_exists_from_twenty_questions_on() -> None:
    def graded(n: int) -> paired.Paired:
        base = {f"q{i}": 0.5 for i in range(n)}
        other = {f"q{i}": 0.5 + 0.1 * (i % 3) for i in range(n)}
        return paired.pair(base, other, binary=False)

    assert graded(19).interval is None
    twenty = graded(20)
    assert twenty.interval
    assert twenty.delta is not None
    assert twenty.interval.low <= twenty.delta <= twenty.interval.high


def test_nothing_is_coloured_below_thirty_questions() -> None:
    def clear(n: int) -> paired.Paired:
        ids = [f"q{i}" for i in range(n)]
        return paired.pair(dict.fromkeys(ids, 0.0), dict.fromkeys(ids, 1.0))

    assert clear(29).separated
    assert not clear(29).may_colour
    assert clear(30).may_colour


def test_the_bootstrap_is_seeded_and_near_the_normal_interval() -> None:
    differences = [(i % 7 - 3) / 10 for i in range(210)]
    interval = intervals.bootstrap(differences)
    assert interval == intervals.bootstrap(differences)
    assert interval
    half = 1.96 * 0.2 / sqrt(210)
    assert interval.low == pytest.approx(-half, abs=0.005)
    assert interval.high == pytest.approx(half, abs=0.005)


@pytest.mark.parametrize("n", [20, 333, 2000, 2001])
def test_the_bootstrap_is_that_of_its_own_draws_however_many_questions(n: int) -> None:
    values = np.random.default_rng(n).normal(0.1, 0.4, n)
    rng = np.random.default_rng(intervals._SEED)
    drawn = rng.integers(0, n, (intervals._RESAMPLES, n))
    low, high = np.quantile(values[drawn].mean(axis=1), [0.025, 0.975])
    found = intervals.bootstrap(list(values))
    assert found
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-12)


def test_the_needed_number_is_searched_only_where_it_is_asked_for() -> None:
    base, other = dict.fromkeys("abcdef", 0.0), {**dict.fromkeys("abcdef", 0.0), "a": 1.0}
    asked, not_asked = paired.pair(base, other), paired.pair(base, other, size=False)
    assert asked.needed is not None
    assert not_asked.needed is None
    assert not_asked.p == asked.p


def test_no_number_of_questions_is_extrapolated_from_fewer_than_six() -> None:
    few = paired.pair(*modes([(0, 1), *[(1, 1)] * 4]))
    assert (few.n, few.may_extrapolate, few.needed) == (5, False, None)
    enough = paired.pair(*modes([(0, 1), *[(1, 1)] * 5]))
    assert enough.may_extrapolate
    assert enough.needed is not None


@settings(deadline=None)
@given(BITS)
def test_without_a_test_who_moved_is_the_same_and_no_p_is_given(pairs) -> None:
    base, other = modes(pairs)
    tested, untested = paired.pair(base, other), paired.pair_untested(base, other)
    for name in ("improved", "regressed", "same", "not_comparable"):
        assert getattr(untested, name) == getattr(tested, name)
    assert untested.delta == pytest.approx(tested.delta)
    assert (untested.p, untested.p_holm, untested.needed) == (None, None, None)
    assert untested.test is (Kind.UNTESTED if pairs else Kind.NO_PAIRS)
    assert not untested.may_colour
