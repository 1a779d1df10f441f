"""Mode dense: by meaning alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.retrieval import Mode, Retrieval
from ragdash.retrieve.base import Asked, Candidate, ranked, ranks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.retrieve.base import Legs


class DenseRetriever:
    """Orders by cosine."""

    def __init__(self, legs: Legs) -> None:
        self._legs = legs

    def search_together(self, queries: Sequence[str]) -> None:
        """Do the dense searches of the questions at once."""
        self._legs.search_together(queries)

    def retrieve(self, question_id: str, query: str) -> Retrieval:
        """Return the nearest chunks; only their dense rank is set."""
        ranking, seconds = self._legs.dense(query)
        candidates = [Candidate(position, dense=place) for position, place in ranks(ranking)]
        return ranked(self._legs, Mode.DENSE, Asked(question_id, query), candidates, seconds)
