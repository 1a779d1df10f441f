"""Mode rerank: the first of the fused candidates, put in order by a model that reads them."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from ragdash.core.retrieval import Mode, Retrieval
from ragdash.retrieve.base import Asked, fused_candidates, ranked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.models.base import Reranker
    from ragdash.retrieve.base import Legs

# equal passages get float32 scores apart by their last bits, depending on their batch
_DECIMALS = 5


class RerankRetriever:
    """Reorders the first candidates_rerank fused candidates; the rest stay behind them as fused."""

    def __init__(self, legs: Legs, reranker: Reranker) -> None:
        self._legs = legs
        self._reranker = reranker

    def search_together(self, queries: Sequence[str]) -> None:
        """Do the dense searches of the questions at once."""
        self._legs.search_together(queries)

    def retrieve(self, question_id: str, query: str) -> Retrieval:
        """Return every fused candidate; those that were read have a rerank rank."""
        candidates, seconds = fused_candidates(self._legs, query)
        started = time.perf_counter()
        cut = self._legs.config.candidates_rerank
        read, rest = candidates[:cut], candidates[cut:]
        chunks, text = self._legs.index.chunks, self._legs.subject(query).query
        passages = [chunks[candidate.position].indexed_text for candidate in read]
        scores = [round(float(s), _DECIMALS) for s in self._reranker.score(text, passages)]
        # equal scores keep the fused order: the sort is stable
        order = sorted(range(len(read)), key=lambda i: -scores[i])
        reordered = [
            replace(read[i], rerank=(rank, scores[i])) for rank, i in enumerate(order, start=1)
        ]
        seconds += time.perf_counter() - started
        asked = Asked(question_id, query)
        return ranked(self._legs, Mode.RERANK, asked, [*reordered, *rest], seconds)
