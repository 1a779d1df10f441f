"""What one search returned, and the one order that all searches share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Ranking:
    """Chunk positions, best first, each with its score; the first has rank 1."""

    positions: tuple[int, ...]
    scores: tuple[float, ...]


def best(
    scores: npt.NDArray[np.floating[Any]], k: int, among: npt.NDArray[np.intp] | None = None
) -> Ranking:
    """Return the k best by score, ties by position: a total order.

    Args:
        scores: (n,), finite.
        k: how many at most; fewer where there are fewer.
        among: ascending positions that may be returned; all where None.
    """
    positions = np.arange(len(scores)) if among is None else among
    values = scores[positions]
    if 0 < k < len(positions):
        # the k-th best value, then all that reach it: argpartition alone would pick among ties
        threshold = np.partition(values, len(values) - k)[len(values) - k]
        reached = values >= threshold
        positions, values = positions[reached], values[reached]
    order = np.lexsort((positions, -values))[: max(k, 0)]
    return Ranking(tuple(positions[order].tolist()), tuple(values[order].tolist()))
