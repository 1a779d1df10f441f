"""Exact dense search: the cosine with every vector, then the best by a total order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ragdash.index.ranking import Ranking, best

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from ragdash.index.ranking import Within
    from ragdash.models.base import FloatArray

# equal texts have equal vectors, but a float32 product gives them cosines apart by some 1e-7
_DECIMALS = 6
BOOST = 0.03
"""Added to the cosine of a preferred chunk; cosines of e5 differ by about as much."""
# beyond the rounding: what a product of matrices and a dot product may differ by
_MARGIN = 3 * 10.0**-_DECIMALS
# below every cosine, above the score of a chunk that is left out
_NO_COSINE = -2.0
# rows to a product: its scores stay in the cache for some hundred queries
_BLOCK = 8_192


class DenseIndex:
    """Vectors of unit length, float32, (n_chunks, dim), in memory or mapped from a file."""

    def __init__(self, vectors: FloatArray) -> None:
        # a plain view, as numpy is slower with the class of a mapped file
        self._vectors: FloatArray = np.asarray(vectors)

    def __len__(self) -> int:
        """Return the number of chunks."""
        return len(self._vectors)

    def vectors(self, positions: Sequence[int]) -> FloatArray:
        """Return float32, (n, dim), the vectors at the positions."""
        return np.asarray(self._vectors[list(positions)])

    def extended(self, vectors: FloatArray) -> DenseIndex:
        """Return an index over these chunks and, behind them, those of more vectors.

        Both are copied into one array in memory; a mapped file is only read.
        """
        return DenseIndex(np.concatenate([self._vectors, vectors.astype(np.float32, copy=False)]))

    def search(self, query: FloatArray, k: int, within: Within | None = None) -> Ranking:
        """Return the k chunks nearest to the query, ties by position.

        Args:
            query: float32, (dim,), unit length.
            k: how many at most.
            within: the chunks that are preferred; none are where None.

        Returns:
            Positions with cosines, rounded to six decimals, those preferred with their boost.
        """
        # a dot product a row reads the matrix as fast as memory gives it, which matrix times vector
        # does not everywhere (OpenBLAS: 10 GB/s against 24), and needs no thread
        scores = np.vecdot(self._vectors, query)
        if within is None:
            return best(scores, k, decimals=_DECIMALS)
        if within.strict:
            return best(scores, k, np.flatnonzero(within.inside), _DECIMALS)
        return best(scores + np.float32(BOOST) * within.inside, k, decimals=_DECIMALS)

    def search_many(
        self, queries: FloatArray, k: int, within: Sequence[Within | None] = ()
    ) -> list[Ranking]:
        """Return what `search` returns for each query, bit for bit, reading the matrix once.

        Products of blocks say which chunks can be among the best; those few are scored once more as
        `search` scores them.

        Args:
            queries: float32, (n, dim), unit length.
            k: how many at most.
            within: the chunks that each query prefers; none does where it is empty.
        """
        preferred = list(within) or [None] * len(queries)
        if not 0 < k < len(self._vectors):
            return [self.search(q, k, w) for q, w in zip(queries, preferred, strict=True)]
        reached = [_Reached(k) for _ in preferred]
        for start in range(0, len(self._vectors), _BLOCK):
            scores = queries @ self._vectors[start : start + _BLOCK].T
            for row, one in enumerate(preferred):
                if one is not None:
                    _prefer(scores[row], one, start)
            lowest = np.array([one.threshold for one in reached], np.float32) - _MARGIN
            for row in np.flatnonzero(scores.max(axis=1, initial=-np.inf) >= lowest).tolist():
                reached[row].add(start, scores[row])
        return list(map(self._again, queries, reached, preferred))

    def _again(self, query: FloatArray, reached: _Reached, within: Within | None) -> Ranking:
        among = reached.positions()
        scores = np.vecdot(self._vectors[among], query)
        if within is not None and not within.strict:
            scores = scores + np.float32(BOOST) * within.inside[among]
        found = best(scores, reached.k, decimals=_DECIMALS)
        return Ranking(tuple(among[list(found.positions)].tolist()), found.scores)


def _prefer(scores: FloatArray, within: Within, start: int) -> None:
    """Change the scores of a block that begins at `start` as a search within would."""
    inside = within.inside[start : start + len(scores)]
    if within.strict:
        scores[~inside] = -np.inf
    else:
        scores += np.float32(BOOST) * inside


class _Reached:
    """The chunks of one query whose product reaches the k-th best seen so far, less the margin."""

    def __init__(self, k: int) -> None:
        self.k = k
        self.threshold = _NO_COSINE
        self._positions = np.empty(0, np.intp)
        self._scores = np.empty(0, np.float32)

    def add(self, start: int, scores: FloatArray) -> None:
        """Take what reaches the threshold from a block that begins at `start`; raise it."""
        near = np.flatnonzero(scores >= self.threshold - _MARGIN)
        self._positions = np.concatenate([self._positions, near + start])
        self._scores = np.concatenate([self._scores, scores[near]])
        if len(self._scores) > self.k:
            at = len(self._scores) - self.k
            self.threshold = float(np.partition(self._scores, at)[at])
            kept = self._scores >= self.threshold - _MARGIN
            self._positions, self._scores = self._positions[kept], self._scores[kept]

    def positions(self) -> npt.NDArray[np.intp]:
        """Return the positions, ascending."""
        return np.sort(self._positions)
