"""Mode hybrid: by meaning and by words, fused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.retrieval import Mode, Retrieval
from ragdash.retrieve.base import Asked, fused_candidates, ranked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.retrieve.base import Legs


class HybridRetriever:
    """Orders by reciprocal rank fusion of the dense and the BM25 ranking."""

    def __init__(self, legs: Legs) -> None:
        self._legs = legs

    def search_together(self, queries: Sequence[str]) -> None:
        """Do the dense searches of the questions at once."""
        self._legs.search_together(queries)

    def retrieve(self, question_id: str, query: str) -> Retrieval:
        """Return every chunk of either search, with its ranks in both."""
        candidates, seconds = fused_candidates(self._legs, query)
        return ranked(self._legs, Mode.HYBRID, Asked(question_id, query), candidates, seconds)
