"""How far a judge disagrees with itself, and whether two modes differ by more than that.

Repeats are not extra questions: they tell how well one question's value is known, and nothing about
other questions. The standard error here is the judge's alone, as if the questions were all there
are. Source: one-way analysis of variance, pooled within-group variance (Fisher, 1925).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    # Values of a metric by question and repeat; None where a repeat has none.
    Repeats: TypeAlias = Mapping[str, Sequence[float | None]]

# A difference below so many standard errors is the judge's noise: metrics.md section 5.
NOISE_FACTOR = 2.0
# A judge metric may be gated from here on: metrics.md section 6.
LEAST_REPEATS = 3
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Spread:
    """One question's repeats in one mode.

    `sd` is the sample's (n - 1), None below two values. `flips` counts the repeats on the smaller
    side of the threshold, 0 where all agree; a value at the threshold has passed it. `missing`
    counts repeats without a value, which stand in none of the rest.
    """

    n: int
    missing: int
    mean: float | None
    sd: float | None
    low: float | None
    high: float | None
    flips: int


@dataclass(frozen=True, slots=True)
class ModeNoise:
    """One mode's repeats over its questions.

    `mean` is that of the question means over the `n` questions with a value. `sd` is pooled over
    the questions with two values or more, `se` the judge's standard error of the mean; both are
    None where no question has two. `flipped` are the questions with a flip; `repeats` is the least
    number of values of any question.
    """

    n: int
    mean: float | None
    sd: float | None
    se: float | None
    low: float | None
    high: float | None
    flipped: tuple[str, ...]
    repeats: int
    missing: int


@dataclass(frozen=True, slots=True)
class NoiseBetween:
    """Two modes over the questions that both have a value for.

    `difference` is other minus base, `se` the judge's standard error of it, None where a mode has
    no question with two values. `within` is None where either is.
    """

    n: int
    unpaired: tuple[str, ...]
    difference: float | None
    se: float | None
    within: bool | None


def spread(values: Sequence[float | None], threshold: float) -> Spread:
    """Return how the repeats of one question lie; nothing is imputed for a missing one."""
    kept = [v for v in values if v is not None]
    n = len(kept)
    passed = sum(v >= threshold for v in kept)
    return Spread(
        n=n,
        missing=len(values) - n,
        mean=sum(kept) / n if n else None,
        sd=sqrt(_squares(kept) / (n - 1)) if n > 1 else None,
        low=min(kept, default=None),
        high=max(kept, default=None),
        flips=min(passed, n - passed),
    )


def mode_noise(repeats: Repeats, threshold: float) -> ModeNoise:
    """Return one mode's mean with the judge's part of its uncertainty."""
    found = {question: spread(values, threshold) for question, values in repeats.items()}
    kept = _kept(repeats)
    means = [sum(values) / len(values) for values in kept.values()]
    variance = _pooled(kept)
    noise = _variance_of_mean(kept, variance)
    every = [v for values in kept.values() for v in values]
    return ModeNoise(
        n=len(kept),
        mean=sum(means) / len(means) if means else None,
        sd=None if variance is None else sqrt(variance),
        se=None if noise is None else sqrt(noise),
        low=min(every, default=None),
        high=max(every, default=None),
        flipped=tuple(question for question, one in found.items() if one.flips),
        repeats=min((one.n for one in found.values()), default=0),
        missing=sum(one.missing for one in found.values()),
    )


def noise_between(base: Repeats, other: Repeats) -> NoiseBetween:
    """Return the difference of two modes and the judge's noise in it, over paired questions."""
    first, second = _kept(base), _kept(other)
    paired = sorted(first.keys() & second.keys())
    unpaired = tuple(sorted((base.keys() | other.keys()) - set(paired)))
    if not paired:
        return NoiseBetween(0, unpaired, None, None, None)
    moved = [_mean(second[q]) - _mean(first[q]) for q in paired]
    difference = sum(moved) / len(moved)
    parts = [_noise({q: side[q] for q in paired}) for side in (first, second)]
    known = [part for part in parts if part is not None]
    se = sqrt(sum(known)) if len(known) == len(parts) else None
    within = None if se is None else within_noise(difference, se)
    return NoiseBetween(len(paired), unpaired, difference, se, within)


def within_noise(difference: float, se: float) -> bool:
    """Whether a difference is below twice the judge's standard error; no difference always is."""
    # Equal means that were summed in another order differ by rounding alone.
    return abs(difference) < max(NOISE_FACTOR * se, _ROUNDING)


def _kept(repeats: Repeats) -> dict[str, list[float]]:
    kept = {q: [v for v in values if v is not None] for q, values in repeats.items()}
    return {question: values for question, values in kept.items() if values}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _squares(values: Sequence[float]) -> float:
    mean = _mean(values)
    return sum((v - mean) ** 2 for v in values)


def _pooled(kept: Mapping[str, Sequence[float]]) -> float | None:
    """Return the variance within questions, each weighed by its degrees of freedom."""
    freedom = sum(len(values) - 1 for values in kept.values())
    return sum(map(_squares, kept.values())) / freedom if freedom else None


def _noise(kept: Mapping[str, Sequence[float]]) -> float | None:
    return _variance_of_mean(kept, _pooled(kept))


def _variance_of_mean(kept: Mapping[str, Sequence[float]], variance: float | None) -> float | None:
    """Return the judge's variance of the mean of question means; more repeats make it smaller."""
    if variance is None:
        return None
    return variance * sum(1 / len(values) for values in kept.values()) / len(kept) ** 2
