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


@dataclass(frozen=True, slots=True, eq=False)
class Within:
    """The chunks that a search prefers: `inside` is boolean, (n_chunks,).

    `strict`: no other chunk is returned. Else their scores gain, by a share for words and by an
    addition for cosines, and others may still come before them.
    """

    inside: npt.NDArray[np.bool_]
    strict: bool


def best(
    scores: npt.NDArray[np.floating[Any]],
    k: int,
    among: npt.NDArray[np.intp] | None = None,
    decimals: int | None = None,
) -> Ranking:
    """Return the k best by score, ties by position: a total order.

    Args:
        scores: (n,), finite.
        k: how many at most; fewer where there are fewer.
        among: ascending positions that may be returned; all where None.
        decimals: scores are rounded to these before they are compared; exact where None.
    """
    values = scores if among is None else scores[among]
    if 0 < k < len(values):
        # all that reach the k-th best value, as argpartition alone would pick among ties; and those
        # that rounding may lift to it
        margin = 0.0 if decimals is None else 2 * 10.0**-decimals
        threshold = np.partition(values, len(values) - k)[len(values) - k] - margin
        reached = np.flatnonzero(values >= threshold)
    else:
        reached = np.arange(len(values))
    values = values[reached].astype(np.float64)
    if decimals is not None:
        values = np.round(values, decimals)
    positions = reached if among is None else among[reached]
    order = np.lexsort((positions, -values))[: max(k, 0)]
    return Ranking(tuple(positions[order].tolist()), tuple(values[order].tolist()))
