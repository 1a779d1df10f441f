"""Cosines among questions, sentences and chunks in a corpus's own vector space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.index.corpus_index import CorpusIndex
    from ragdash.models.base import Embedder, FloatArray, Progress


class AskedOnce:
    """An embedder that encodes a question once, however often it is asked."""

    def __init__(self, embedder: Embedder) -> None:
        self.identity = embedder.identity
        self._embedder = embedder
        self._asked: dict[str, FloatArray] = {}

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return float32 (n, dim), unit length, in the order of `texts`."""
        new = [t for t in dict.fromkeys(texts) if t not in self._asked]
        if new:
            self._asked |= dict(zip(new, self._embedder.encode_queries(new), strict=True))
        return np.stack([self._asked[t] for t in texts])

    def encode_passages(
        self, texts: Sequence[str], on_progress: Progress | None = None
    ) -> FloatArray:
        """Return float32 (n, dim), unit length, each call anew."""
        return self._embedder.encode_passages(texts, on_progress)


class IndexSimilarity:
    """Vectors for the similarity signals: indexed ones for chunks, fresh ones for all else.

    `name` is stored as the judge of each signal.
    """

    def __init__(self, index: CorpusIndex, embedder: Embedder) -> None:
        self._dense = index.dense
        self._position = {chunk.chunk_id: at for at, chunk in enumerate(index.chunks)}
        self._embedder = AskedOnce(embedder)
        self.name = f"similarity of {embedder.identity.spec}, not entailment"

    def queries(self, texts: Sequence[str]) -> FloatArray:
        """Return float32 (n, dim), unit length; a question of a run is encoded once."""
        return self._embedder.encode_queries(texts)

    def passages(self, texts: Sequence[str]) -> FloatArray:
        """Return float32 (n, dim), unit length."""
        return self._embedder.encode_passages(texts)

    def chunks(self, chunks: Sequence[Chunk]) -> FloatArray:
        """Return the vectors of indexed chunks, float32 (n, dim), unit length."""
        return self._dense.vectors([self._position[c.chunk_id] for c in chunks])
