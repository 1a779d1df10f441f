"""How far two raters agree: k of n with Wilson's interval, and Cohen's kappa.

Source: Cohen (1960), A coefficient of agreement for nominal scales.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.compare.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ragdash.compare.intervals import Interval


@dataclass(frozen=True, slots=True)
class Agreement:
    """The raters say the same of `k` of `n`; `interval` is None where n is 0.

    `kappa` is None where it is undefined: nothing was rated, or both raters gave one and the same
    label throughout, so that chance alone would have them agree ("no variation").
    """

    k: int
    n: int
    interval: Interval | None
    kappa: float | None


def agreement(pairs: Iterable[tuple[str, str]]) -> Agreement:
    """Return how far two raters agree on labels, a pair for each thing that both have rated."""
    found = list(pairs)
    n, k = len(found), sum(one == other for one, other in found)
    first, second = Counter(one for one, _ in found), Counter(other for _, other in found)
    # In whole numbers: n*n times the chance agreement, so that 1 is exactly 1.
    chance = sum(first[label] * second[label] for label in first)
    kappa = None if chance == n * n else (k * n - chance) / (n * n - chance)
    return Agreement(k, n, wilson(k, n), kappa)
