"""Exact dense search: one product with every vector, then the best by a total order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ragdash.index.ranking import Ranking, best

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.models.base import FloatArray

# rows of one product: a few MB, so that a mapped file is read once and the caches hold a block
_BLOCK = 8_192
# equal texts have equal vectors, but a float32 product gives them cosines apart by some 1e-7
_DECIMALS = 6


class DenseIndex:
    """Vectors of unit length, float32, (n_chunks, dim), in memory or mapped from a file."""

    def __init__(self, vectors: FloatArray) -> None:
        self._vectors = vectors

    def __len__(self) -> int:
        """Return the number of chunks."""
        return len(self._vectors)

    def vectors(self, positions: Sequence[int]) -> FloatArray:
        """Return float32, (n, dim), the vectors at the positions."""
        return np.asarray(self._vectors[list(positions)])

    def search(self, query: FloatArray, k: int) -> Ranking:
        """Return the k chunks nearest to the query, ties by position.

        Args:
            query: float32, (dim,), unit length.
            k: how many at most.

        Returns:
            Positions with cosines, rounded to six decimals.
        """
        scores = np.empty(len(self._vectors), np.float32)
        for start in range(0, len(scores), _BLOCK):
            block = self._vectors[start : start + _BLOCK]
            np.matmul(block, query, out=scores[start : start + len(block)])
        # rounded for every chunk: cutting first and rounding then could drop one of a tie
        return best(np.round(scores.astype(np.float64), _DECIMALS), k)
