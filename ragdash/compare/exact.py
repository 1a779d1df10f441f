"""Exact paired tests, their correction over several pairs, and the questions they would need.

Sources: McNemar's test in its exact binomial form; Fisher's sign-flip test; Holm (1979).
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

ALPHA = 0.05
POWER = 0.8
# A search for the needed number of questions stops here: "more than" is answer enough.
NEEDED_CAP = 5000
_RESAMPLES = 9999
# So many differences that move have fewer sign flips than would be drawn.
_EXACT_TO = 13
# Signs drawn at once, so that many questions do not fill the memory.
_CELLS = 1_000_000
_SEED = 20_240_501


def exact_mcnemar(b: int, c: int) -> float | None:
    """Return the two-sided exact p over b and c discordant pairs; None where there are none."""
    if b + c == 0:
        return None
    from scipy.stats import binomtest

    return float(binomtest(b, b + c).pvalue)


def sign_flip(differences: Sequence[float]) -> float | None:
    """Return the two-sided p of the mean under all sign flips; None where every one is 0.

    Exact up to 13 non-zero differences, else 9,999 seeded flips. Zeros do not change the sum,
    so leaving them out keeps the test exact for more questions.
    """
    moved = [d for d in differences if d != 0]
    if not moved:
        return None
    if len(moved) == 1:
        return 1.0
    return _sampled(moved) if len(moved) > _EXACT_TO else _enumerated(moved)


def _enumerated(moved: Sequence[float]) -> float:
    import numpy as np
    from scipy.stats import permutation_test

    def total(x: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.asarray(x.sum(axis=axis))

    result = permutation_test(
        (np.asarray(moved, dtype=float),),
        total,
        permutation_type="samples",
        vectorized=True,
        n_resamples=_RESAMPLES,
    )
    return min(1.0, float(result.pvalue))


def _sampled(moved: Sequence[float]) -> float:
    """Return the share of drawn sign flips that are as far from 0, what was seen being one of them.

    By hand: scipy.stats.permutation_test takes 0.7 s over 1,000 questions, where a page has six
    such tests, and a product of matrices 0.03 s. It is the oracle in the tests.
    """
    import numpy as np

    values = np.asarray(moved, dtype=float)
    rng = np.random.default_rng(_SEED)
    # Sums that differ by rounding alone are equal.
    seen = abs(values.sum()) - 100 * np.finfo(float).eps * abs(values).sum()
    rows, extreme = max(1, _CELLS // len(values)), 0
    for start in range(0, _RESAMPLES, rows):
        size = (min(rows, _RESAMPLES - start), len(values))
        flipped = np.unpackbits(
            np.frombuffer(rng.bytes(-(-size[0] * size[1] // 8)), np.uint8), count=size[0] * size[1]
        ).reshape(size)
        sums = values.sum() - 2 * (flipped @ values)
        extreme += int(np.count_nonzero(abs(sums) >= seen))
    return (extreme + 1) / (_RESAMPLES + 1)


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Return Holm's adjusted p for each; None (no test) stays None and is not counted."""
    tested = sorted((p, i) for i, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    running = 0.0
    for rank, (p, i) in enumerate(tested):
        running = max(running, min(1.0, p * (len(tested) - rank)))
        adjusted[i] = running
    return adjusted


def mcnemar_power(n: int, share_better: float, share_worse: float) -> float:
    """Return the power of the exact test with n questions at given discordant shares."""
    import numpy as np
    from scipy.stats import binom

    discordant = share_better + share_worse
    if n == 0 or discordant == 0:
        return 0.0
    m = np.arange(n + 1)
    weight = binom.pmf(m, n, min(1.0, discordant))
    # The largest count on one side that is still rejected, -1 where none is.
    critical = binom.ppf(ALPHA / 2, m, 0.5)
    critical = np.where(2 * binom.cdf(critical, m, 0.5) <= ALPHA, critical, critical - 1)
    split = share_better / discordant
    reject = binom.cdf(critical, m, split) + binom.sf(m - critical - 1, m, split)
    return float((weight * np.where(critical >= 0, reject, 0.0)).sum())


def needed_questions(b: int, c: int, n: int) -> int | None:
    """Return the smallest number of questions with 80% power at b and c out of n discordant.

    None where the two are equal or where more than 5,000 would be needed.
    """
    if b == c or n == 0:
        return None
    size = 4
    while mcnemar_power(size, b / n, c / n) < POWER:
        if size >= NEEDED_CAP:
            return None
        size = min(size * 2, NEEDED_CAP)
    low, high = size // 2, size
    while low < high:
        middle = (low + high) // 2
        if mcnemar_power(middle, b / n, c / n) >= POWER:
            high = middle
        else:
            low = middle + 1
    return high


def needed_graded(differences: Sequence[float]) -> int | None:
    """Return about how many questions give 80% power at the seen mean; None as above."""
    mean = sum(differences) / len(differences)
    if len(differences) < 2 or mean == 0:
        return None
    variance = sum((d - mean) ** 2 for d in differences) / (len(differences) - 1)
    # Normal approximation: 1.96 for the two-sided 5%, 0.8416 for 80% power.
    size = ceil((1.96 + 0.8416) ** 2 * variance / mean**2)
    return size if size <= NEEDED_CAP else None
