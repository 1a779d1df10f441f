"""Two modes on the same questions: who improved, by how much, and whether that separates them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from ragdash.compare import exact
from ragdash.compare.intervals import Interval, bootstrap, newcombe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    # Value by question id, None where unscored.
    Values: TypeAlias = Mapping[str, float | None]

# Below this a coloured difference suggests more than the questions hold.
COLOUR_FROM = 30
# Below this not even a difference on every question can have p < 0.05 (2 / 2**5 is more), so that
# shares of so few say nothing about how many questions would be needed.
NEEDED_FROM = 6


class Test(StrEnum):
    """Which test gave a p, or why there is none.

    untested: a model's values, of which nobody knows how far they would move if asked again.
    """

    MCNEMAR = "mcnemar"
    SIGN_FLIP = "sign_flip"
    NO_DIFFERENCE = "no_difference"
    NO_PAIRS = "no_pairs"
    UNTESTED = "untested"


@dataclass(frozen=True, slots=True)
class Paired:
    """One metric of one mode against the base mode, over the questions both have scored.

    `delta` is the mean of other minus base (raw, whatever the direction); improved and regressed
    follow the direction. `p` is two-sided; `p_holm` is adjusted over the pairs shown together.
    `needed` is how many questions would give 80% power at the seen difference (None: not asked
    for, fewer than `NEEDED_FROM` pairs, no difference, or more than `exact.NEEDED_CAP`).
    """

    improved: tuple[str, ...]
    regressed: tuple[str, ...]
    same: tuple[str, ...]
    not_comparable: tuple[str, ...]
    delta: float | None
    interval: Interval | None
    p: float | None
    p_holm: float | None
    test: Test
    needed: int | None

    @property
    def n(self) -> int:
        """How many questions are paired."""
        return len(self.improved) + len(self.regressed) + len(self.same)

    @property
    def may_extrapolate(self) -> bool:
        """Whether so many pairs say anything about how many questions would be needed."""
        return self.n >= NEEDED_FROM

    @property
    def separated(self) -> bool:
        """Whether the questions separate the modes after Holm's correction."""
        return self.p_holm is not None and self.p_holm <= exact.ALPHA

    @property
    def may_colour(self) -> bool:
        """Whether a page may colour the difference: enough questions, and separated."""
        return self.n >= COLOUR_FROM and self.separated


def pair(
    base: Values,
    other: Values,
    *,
    higher_is_better: bool = True,
    binary: bool = True,
    size: bool = True,
) -> Paired:
    """Pair two modes by question id; a question one side has not scored is not comparable.

    Args:
        base: value by question id, None where unscored.
        other: the same of the other mode.
        higher_is_better: the metric's direction.
        binary: values are 0 or 1, so that the tests of shares apply.
        size: also search for the number of questions that would be needed, which takes longest.
    """
    moved = _moved(base, other)
    result = _sorted(moved, _left_out(base, other, moved), 1 if higher_is_better else -1)
    if not moved:
        return result
    if binary:
        tested = _with_share_tests(result, [(base[q], other[q]) for q in moved])
    else:
        tested = _with_graded_tests(result, list(moved.values()))
    if not size or not tested.may_extrapolate:
        return tested
    return replace(tested, needed=_needed(tested, list(moved.values()), binary))


def _sorted(moved: Mapping[str, float], left_out: Sequence[str], sign: int) -> Paired:
    return Paired(
        improved=tuple(q for q, d in moved.items() if d * sign > 0),
        regressed=tuple(q for q, d in moved.items() if d * sign < 0),
        same=tuple(q for q, d in moved.items() if d == 0),
        not_comparable=tuple(left_out),
        delta=None,
        interval=None,
        p=None,
        p_holm=None,
        test=Test.NO_PAIRS,
        needed=None,
    )


def _needed(tested: Paired, differences: Sequence[float], binary: bool) -> int | None:
    if binary:
        return exact.needed_questions(len(tested.improved), len(tested.regressed), tested.n)
    return exact.needed_graded(differences)


def pair_untested(base: Values, other: Values, *, higher_is_better: bool = True) -> Paired:
    """Pair two modes as `pair` does, without a p: for values of which a p would say too much."""
    moved = _moved(base, other)
    result = _sorted(moved, _left_out(base, other, moved), 1 if higher_is_better else -1)
    if not moved:
        return result
    differences = list(moved.values())
    return replace(
        result,
        delta=sum(differences) / len(differences),
        interval=bootstrap(differences),
        test=Test.UNTESTED,
    )


def _moved(base: Values, other: Values) -> dict[str, float]:
    """Return other minus base of each question that both have scored, by id."""
    both = ((q, base[q], other[q]) for q in sorted(base.keys() & other.keys()))
    return {q: b - a for q, a, b in both if a is not None and b is not None}


def _left_out(base: Values, other: Values, moved: Values) -> list[str]:
    return sorted((base.keys() | other.keys()) - moved.keys())


def _with_share_tests(result: Paired, pairs: Sequence[tuple[float | None, float | None]]) -> Paired:
    n, better, worse = len(pairs), pairs.count((0, 1)), pairs.count((1, 0))
    both = pairs.count((1, 1))
    p = exact.exact_mcnemar(better, worse)
    return replace(
        result,
        delta=(better - worse) / n,
        interval=newcombe(both + worse, both + better, both, n),
        p=p,
        p_holm=p,
        test=Test.NO_DIFFERENCE if p is None else Test.MCNEMAR,
    )


def _with_graded_tests(result: Paired, differences: Sequence[float]) -> Paired:
    p = exact.sign_flip(differences)
    return replace(
        result,
        delta=sum(differences) / len(differences),
        interval=bootstrap(differences),
        p=p,
        p_holm=p,
        test=Test.NO_DIFFERENCE if p is None else Test.SIGN_FLIP,
    )


def adjust(pairs: Sequence[Paired]) -> list[Paired]:
    """Return the pairs of one metric with Holm's correction over them."""
    return [
        replace(x, p_holm=p) for x, p in zip(pairs, exact.holm([x.p for x in pairs]), strict=True)
    ]
