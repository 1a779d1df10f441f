"""The reranker that reads query and passage together: any CrossEncoder with one output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ragdash.core.errors import EnvironmentError_
from ragdash.models.batches import BATCH, equal_lengths
from ragdash.models.sentence import well_formed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sentence_transformers import CrossEncoder

    from ragdash.models.base import FloatArray, ModelIdentity


@dataclass(frozen=True, slots=True)
class Prompts:
    """What is put before a query and before a passage."""

    query: str = ""
    passage: str = ""


class PairReranker:
    """Implements `Reranker`; a score is the model's raw output, without a sigmoid."""

    def __init__(
        self, model: CrossEncoder, identity: ModelIdentity, prompts: Prompts = Prompts()
    ) -> None:
        self._model = model
        self._identity = identity
        self._prompts = prompts

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        return self._identity

    def score(self, query: str, passages: Sequence[str]) -> FloatArray:
        """Return float32, (n,), higher is better, in the order of `passages`."""
        if not passages:
            return np.empty(0, np.float32)
        question = self._prompts.query + well_formed(query)
        pairs = [(question, self._prompts.passage + well_formed(text)) for text in passages]
        scores = np.empty(len(pairs), np.float32)
        for batch in equal_lengths(self._model, pairs):
            alike = [pairs[i] for i in batch]
            scores[batch] = self._model.predict(alike, batch_size=BATCH, show_progress_bar=False)
        return finite(scores, self._identity)


def finite(scores: FloatArray, identity: ModelIdentity) -> FloatArray:
    """Return the scores as they are.

    Raises:
        EnvironmentError_: one of them is NaN or infinite.
    """
    if not np.isfinite(scores).all():
        raise EnvironmentError_(
            f"the reranker {identity} returned a score that is not finite: "
            "its weights are damaged, load another model"
        )
    return scores
