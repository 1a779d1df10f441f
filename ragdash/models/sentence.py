"""The embedder: any SentenceTransformer, fed in batches of like length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ragdash.core.errors import EnvironmentError_
from ragdash.models.batches import BATCH, equal_lengths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sentence_transformers import SentenceTransformer

    from ragdash.models.base import FloatArray, ModelIdentity, Progress


def well_formed(text: str) -> str:
    """Return the text without lone surrogates, which tokenizers refuse."""
    return text.encode("utf-8", "replace").decode("utf-8")


class SentenceEmbedder:
    """Implements `Embedder`; prompts are those that the model was saved with."""

    def __init__(self, model: SentenceTransformer, identity: ModelIdentity) -> None:
        self._model = model
        self._identity = identity

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        return self._identity

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return float32, (n, dim), unit length, in the order of `texts`.

        A vector does not depend on the other texts: what is encoded together is of one length.
        """
        cleaned = [well_formed(text) for text in texts]
        batches = equal_lengths(self._model, cleaned, self._model.prompts.get("query"))
        return self._encode(cleaned, batches, self._model.encode_query, None)

    def encode_passages(
        self, texts: Sequence[str], on_progress: Progress | None = None
    ) -> FloatArray:
        """Return float32, (n, dim), unit length; `on_progress(done, total)` after each batch.

        Encoded longest first, so that a batch wastes little padding and an estimate is safe. Length
        is counted in bytes of UTF-8: about four to a token in both languages.
        """
        cleaned = [well_formed(text) for text in texts]
        order = sorted(range(len(cleaned)), key=lambda i: -len(cleaned[i].encode("utf-8")))
        batches = (order[start : start + BATCH] for start in range(0, len(order), BATCH))
        return self._encode(cleaned, batches, self._model.encode_document, on_progress)

    def _encode(
        self,
        texts: Sequence[str],
        batches: Iterable[list[int]],
        encode: Callable[..., FloatArray],
        on_progress: Progress | None,
    ) -> FloatArray:
        vectors = np.empty((len(texts), self._identity.dimension or 0), np.float32)
        done = 0
        for batch in batches:
            vectors[batch] = encode(
                [texts[i] for i in batch],
                batch_size=BATCH,
                show_progress_bar=False,
                convert_to_numpy=True,
                normalize_embeddings=True,
            )
            done += len(batch)
            if on_progress is not None:
                on_progress(done, len(texts))
        if not np.isfinite(vectors).all():
            raise EnvironmentError_(
                f"the embedder {self._identity} returned a vector that is not finite: "
                "its weights are damaged, load another model"
            )
        return vectors
