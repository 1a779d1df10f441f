"""The judge's noise: repeats tell how well a question is known, and are no extra questions."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.compare.noise import mode_noise, noise_between, spread, within_noise

VALUES = st.floats(0, 1, allow_nan=False)
REPEATS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q4"]),
    st.lists(st.one_of(st.none(), VALUES), max_size=5),
    max_size=4,
)


def test_three_repeats_have_mean_sd_ends_and_one_flip() -> None:
    # mean (0.6 + 0.9 + 0.9) / 3 = 0.8; squares 0.04 + 0.01 + 0.01 = 0.06; sd sqrt(0.06 / 2)
    found = spread([0.6, 0.9, 0.9], threshold=0.8)
    assert found.mean == pytest.approx(0.8)
    assert found.sd == pytest.approx(math.sqrt(0.03))
    assert (found.low, found.high, found.flips, found.n, found.missing) == (0.6, 0.9, 1, 3, 0)


@pytest.mark.parametrize(
    ("values", "flips"),
    [([0.9, 0.9, 0.9], 0), ([0.1, 0.2], 0), ([0.8, 0.79], 1), ([1, 0, 1, 0], 2), ([], 0)],
)
def test_a_flip_is_a_repeat_on_the_smaller_side_and_the_threshold_itself_passes(
    values, flips
) -> None:
    assert spread(values, threshold=0.8).flips == flips


def test_a_missing_repeat_is_counted_and_never_imputed() -> None:
    """i39, i02: neither 0 nor 0.5 nor a better mean comes of a judge that failed."""
    found = spread([1.0, None, 0.0, None], threshold=0.5)
    assert (found.n, found.missing, found.mean) == (2, 2, 0.5)
    none = spread([None, None], threshold=0.5)
    assert (none.n, none.missing, none.mean, none.sd, none.low) == (0, 2, None, None, None)
    assert spread([0.4], threshold=0.5).sd is None


def test_the_standard_error_of_a_difference_by_hand() -> None:
    # base: q1 {0.5, 0.7} squares 0.02; q2 {0.8, 1.0} squares 0.02; pooled 0.04 / 2 = 0.02
    #   variance of the mean: 0.02 * (1/2 + 1/2) / 4 = 0.005
    # other: q1 {0.9, 0.9}, q2 {1.0, 1.0}: 0
    base = {"q1": [0.5, 0.7], "q2": [0.8, 1.0]}
    other = {"q1": [0.9, 0.9], "q2": [1.0, 1.0]}
    found = noise_between(base, other)
    assert found.n == 2
    assert found.difference == pytest.approx(0.95 - 0.75)
    assert found.se == pytest.approx(math.sqrt(0.005))
    assert found.within is False  # 0.2 against 2 * 0.0707
    assert mode_noise(base, 0.75).se == pytest.approx(math.sqrt(0.005))
    assert mode_noise(base, 0.75).sd == pytest.approx(math.sqrt(0.02))


def test_unequal_repeats_are_pooled_by_their_degrees_of_freedom() -> None:
    # q1 {0, 1, 0.5}: squares 0.5, 2 degrees; q2 {1}: none; pooled 0.25
    # variance of the mean 0.25 * (1/3 + 1) / 4 = 1/12
    found = mode_noise({"q1": [0, 1, 0.5], "q2": [1.0, None]}, 0.5)
    assert found.sd == pytest.approx(0.5)
    assert found.se == pytest.approx(math.sqrt(1 / 12))
    assert (found.n, found.mean, found.repeats, found.missing) == (2, 0.75, 1, 1)
    assert found.flipped == ("q1",)


def test_a_small_difference_is_within_the_noise_and_a_single_repeat_says_nothing_of_it() -> None:
    base = {"q1": [0.0, 1.0, 1.0], "q2": [1.0, 0.0, 1.0]}
    other = {"q1": [1.0, 1.0, 1.0], "q2": [1.0, 0.0, 1.0]}
    assert noise_between(base, other).within is True
    once = noise_between({"q1": [0.2]}, {"q1": [0.9]})
    assert once.difference == pytest.approx(0.7)
    assert (once.se, once.within) == (None, None)


def test_questions_that_one_side_has_not_are_listed_and_left_out() -> None:
    found = noise_between(
        {"q1": [0, 1], "q2": [1, 1], "q3": [None]}, {"q1": [1, 1], "q3": [1], "q4": []}
    )
    assert found.n == 1
    assert found.unpaired == ("q2", "q3", "q4")
    assert noise_between({}, {}).difference is None


@pytest.mark.parametrize(
    ("difference", "se", "within"),
    [(0.1, 0.06, True), (-0.1, 0.06, True), (0.12, 0.06, False), (0, 0, True), (0.01, 0, False)],
)
def test_below_twice_the_standard_error_is_noise(difference, se, within) -> None:
    assert within_noise(difference, se) is within


@given(st.lists(VALUES, min_size=2, max_size=9))
def test_mean_and_sd_agree_with_the_standard_library(values) -> None:
    found = spread(values, 0.5)
    assert found.mean == pytest.approx(statistics.fmean(values))
    assert found.sd == pytest.approx(statistics.stdev(values), abs=1e-9)


@given(REPEATS, REPEATS)
def test_swapping_the_modes_turns_the_sign_and_keeps_the_noise(base, other) -> None:
    one, two = noise_between(base, other), noise_between(other, base)
    assert (one.n, one.unpaired, one.within) == (two.n, two.unpaired, two.within)
    if one.difference is not None and two.difference is not None:
        assert one.difference == pytest.approx(-two.difference)
        assert 0 <= one.n <= 4
    assert one.se == pytest.approx(two.se)


@given(st.lists(VALUES, min_size=2, max_size=4), st.integers(2, 6))
def test_repeats_are_no_extra_questions_but_make_each_better_known(values, times) -> None:
    """The same spread, seen more often: the questions stay as many, the noise shrinks."""
    few = mode_noise({"q1": values, "q2": values}, 0.5)
    many = mode_noise({"q1": values * times, "q2": values * times}, 0.5)
    assert many.n == few.n == 2
    assert many.mean == pytest.approx(few.mean)
    assert few.se is not None
    assert many.se is not None
    assert many.se <= few.se + 1e-12
