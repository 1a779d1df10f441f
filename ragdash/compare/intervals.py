"""95% intervals of a share, of a paired difference of shares, and of a mean.

Sources: Wilson (1927); Newcombe (1998), method 10; the percentile bootstrap.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]
    IntArray = NDArray[np.int64]

# Below this a bootstrap suggests more than the questions hold.
BOOTSTRAP_FROM = 20
_RESAMPLES = 2000
# Drawn at once, so that many questions do not fill the memory.
_CELLS = 1_000_000
# 32 MB for each number of questions; four are kept.
_KEPT_CELLS = 4_000_000
_SEED = 20_240_501


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95% interval, both ends inside the range of the quantity."""

    low: float
    high: float


# SciPy computes a p-value with it, which takes a millisecond, and a page shows two hundred.
@lru_cache(maxsize=8192)
def wilson(k: int, n: int) -> Interval | None:
    """Return Wilson's 95% interval of k out of n; None where n is 0."""
    if n == 0:
        return None
    from scipy.stats import binomtest

    ci = binomtest(k, n).proportion_ci(method="wilson")
    return Interval(max(0.0, float(ci.low)), min(1.0, float(ci.high)))


def newcombe(k_base: int, k_other: int, k_both: int, n: int) -> Interval:
    """Return the 95% interval of a paired difference of shares (other minus base).

    Args:
        k_base: questions the base has right.
        k_other: questions the other has right.
        k_both: questions both have right.
        n: pairs, at least 1.
    """
    first, second = wilson(k_other, n), wilson(k_base, n)
    if first is None or second is None:
        raise ValueError(f"an interval over {n} pairs: at least one pair is needed")
    p1, p2 = k_other / n, k_base / n
    only_other, only_base, neither = (
        k_other - k_both,
        k_base - k_both,
        n - k_other - k_base + k_both,
    )
    phi = _phi(k_both, only_other, only_base, neither)
    d1, d2 = (p1 - first.low, second.high - p2), (first.high - p1, p2 - second.low)
    low = p1 - p2 - sqrt(max(0.0, d1[0] ** 2 - 2 * phi * d1[0] * d1[1] + d1[1] ** 2))
    high = p1 - p2 + sqrt(max(0.0, d2[0] ** 2 - 2 * phi * d2[0] * d2[1] + d2[1] ** 2))
    return Interval(max(-1.0, low), min(1.0, high))


def _phi(both: int, only_other: int, only_base: int, neither: int) -> float:
    rows = (both + only_other) * (only_base + neither) * (both + only_base) * (only_other + neither)
    if rows == 0:
        return 0.0
    cross = both * neither - only_other * only_base
    if cross > 0:
        # Newcombe's continuity correction keeps small positive correlations from
        # narrowing the interval too much.
        return max(cross - (both + only_other + only_base + neither) / 2, 0.0) / sqrt(rows)
    return cross / sqrt(rows)


def bootstrap(differences: Sequence[float]) -> Interval | None:
    """Return the 95% percentile interval of the mean; None below 20 questions."""
    if len(differences) < BOOTSTRAP_FROM:
        return None
    import numpy as np

    values = np.asarray(differences, dtype=float)
    n = len(values)
    if n * _RESAMPLES <= _KEPT_CELLS:
        means = _weights(n) @ values
    else:
        means = np.concatenate([values[drawn].mean(axis=1) for drawn in _resampled(n)])
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(low), float(high))


@lru_cache(maxsize=4)
def _weights(n: int) -> FloatArray:
    """Return the weight of each of n values in each resample: (2,000, n), rows add up to 1.

    Every metric of a page is resampled by the same draws, and the draws are what takes long.
    """
    import numpy as np

    rows = [np.bincount(one, minlength=n) for drawn in _resampled(n) for one in drawn]
    return np.stack(rows) / n


def _resampled(n: int) -> Iterator[IntArray]:
    """Yield the seeded draws in blocks: which of n values each resample takes."""
    import numpy as np

    rng = np.random.default_rng(_SEED)
    block = max(1, _CELLS // n)
    for done in range(0, _RESAMPLES, block):
        yield rng.integers(0, n, (min(block, _RESAMPLES - done), n))
