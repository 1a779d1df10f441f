from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.compare.agreement import agreement
from ragdash.compare.intervals import wilson

LABELS = ("fits", "conflict", "unclear", "口径不符")
PAIRS = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), max_size=40)


def test_cohens_own_way_of_counting_gives_his_kappa() -> None:
    # 20 both yes, 15 both no, 5 and 10 apart: 0.7 seen, 0.5 by chance.
    pairs = [("yes", "yes")] * 20 + [("no", "no")] * 15 + [("yes", "no")] * 5 + [("no", "yes")] * 10
    found = agreement(pairs)
    assert (found.k, found.n, found.reason) == (35, 50, "")
    assert found.kappa == pytest.approx(0.4)
    assert found.interval == wilson(35, 50)


@given(PAIRS)
def test_kappa_equals_that_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    found = agreement(pairs)
    if found.kappa is None:
        assert len({label for pair in pairs for label in pair}) < 2
        return
    firsts, seconds = zip(*pairs, strict=True)
    assert found.kappa == pytest.approx(metrics.cohen_kappa_score(firsts, seconds))


@given(PAIRS)
def test_who_is_named_first_and_what_a_label_is_called_makes_no_difference(
    pairs: list[tuple[str, str]],
) -> None:
    found = agreement(pairs)
    names = dict(zip(LABELS, range(len(LABELS)), strict=True))
    assert agreement([(b, a) for a, b in pairs]) == found
    assert agreement([(names[a], names[b]) for a, b in pairs]) == found
    assert agreement(reversed(pairs)) == found


@given(PAIRS)
def test_it_is_never_nan_and_lies_in_its_range(pairs: list[tuple[str, str]]) -> None:
    found = agreement(pairs)
    assert (found.kappa is None) == bool(found.reason)
    if found.kappa is not None:
        assert math.isfinite(found.kappa)
        assert -1 <= found.kappa <= 1
        assert (found.kappa == 1) == (found.k == found.n)


@given(st.lists(st.sampled_from(LABELS), min_size=1, max_size=20))
def test_two_who_say_the_same_agree_wholly_where_there_is_something_to_tell_apart(
    labels: list[str],
) -> None:
    found = agreement(zip(labels, labels, strict=True))
    assert (found.k, found.n) == (len(labels), len(labels))
    assert (found.kappa, found.reason) == (
        (1.0, "") if len(set(labels)) > 1 else (None, "no_variation")
    )


def test_nothing_judged_by_two_is_no_agreement_of_nought() -> None:
    found = agreement([])
    assert (found.k, found.n, found.interval, found.kappa) == (0, 0, None, None)
    assert found.reason == "no_pairs"
