"""How far two raters agree: k of n with Wilson's interval, and Cohen's kappa.

Source: Cohen (1960), A coefficient of agreement for nominal scales.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdash.compare.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from ragdash.compare.intervals import Interval

NO_PAIRS, NO_VARIATION = "no_pairs", "no_variation"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two raters say the same of `k` of `n`; `interval` is None where n is 0.

    `kappa` is None where it is undefined, and `reason` says why: no_pairs, or no_variation where
    both gave one and the same label throughout, so that chance alone has them agree.
    """

    k: int
    n: int
    interval: Interval | None
    kappa: float | None
    reason: str = ""


def agreement(pairs: Iterable[tuple[Hashable, Hashable]]) -> Agreement:
    """Return how far two raters agree, a pair of labels for each thing that both have judged."""
    return of_counts(Counter(pairs))


def of_counts(counts: Mapping[tuple[Any, Any], int]) -> Agreement:
    """Return the same of how often each pair of labels occurs."""
    n = sum(counts.values())
    k = sum(count for (one, other), count in counts.items() if one == other)
    if not n:
        return Agreement(0, 0, None, None, NO_PAIRS)
    first: Counter[Hashable] = Counter()
    second: Counter[Hashable] = Counter()
    for (one, other), count in counts.items():
        first[one] += count
        second[other] += count
    # In whole numbers: n*n times the agreement by chance, so that certainty is exactly that.
    chance = sum(count * second[label] for label, count in first.items())
    if chance == n * n:
        return Agreement(k, n, wilson(k, n), None, NO_VARIATION)
    return Agreement(k, n, wilson(k, n), (k * n - chance) / (n * n - chance))
