"""The run's own vectors, as the similarity signals ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.index.corpus_index import CorpusIndex
    from ragdash.models.base import Embedder, FloatArray


class IndexSimilarity:
    """Implements the `Similarity` of metrics: chunks are looked up, other texts are embedded."""

    def __init__(self, index: CorpusIndex, embedder: Embedder) -> None:
        self.name = str(embedder.identity)
        self._index = index
        self._embedder = embedder
        self._positions = {chunk.chunk_id: i for i, chunk in enumerate(index.chunks)}

    def queries(self, texts: Sequence[str]) -> FloatArray:
        """Return float32, (n, dim), unit length, for questions."""
        return self._embedder.encode_queries(texts)

    def passages(self, texts: Sequence[str]) -> FloatArray:
        """Return float32, (n, dim), unit length, for sentences."""
        return self._embedder.encode_passages(texts)

    def chunks(self, chunks: Sequence[Chunk]) -> FloatArray:
        """Return float32, (n, dim), unit length, as they are in the index."""
        return self._index.dense.vectors([self._positions[chunk.chunk_id] for chunk in chunks])
