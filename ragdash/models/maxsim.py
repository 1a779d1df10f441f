"""e5-maxsim: late interaction over the token embeddings of e5-small, without any training.

Query and passage are encoded apart; the score is the mean, over the query's tokens, of the best
cosine with a token of the passage (Khattab and Zaharia 2020, length-normalised). The prompts
"query: " and "passage: " are encoded, as the model expects them, but do not take part in the score:
they are alike in every pair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ragdash.core.fingerprint import digest
from ragdash.models import e5
from ragdash.models.batches import BATCH, equal_lengths
from ragdash.models.pairs import finite
from ragdash.models.sentence import well_formed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sentence_transformers import MultiVectorEncoder
    from torch import nn

    from ragdash.models.base import FloatArray, ModelIdentity

DIGEST = digest({"base": e5.DIGEST, "score": "maxsim, prompts masked"})


class MaxSimReranker:
    """Implements `Reranker`; a score is a mean cosine, -1 to 1."""

    def __init__(self, model: MultiVectorEncoder, identity: ModelIdentity) -> None:
        self._model = model
        self._identity = identity

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        return self._identity

    def score(self, query: str, passages: Sequence[str]) -> FloatArray:
        """Return float32, (n,), higher is better, in the order of `passages`."""
        if not passages:
            return np.empty(0, np.float32)
        question = self._model.encode_query([well_formed(query)], show_progress_bar=False)
        texts = [well_formed(text) for text in passages]
        documents: list[Any] = [None] * len(texts)
        for batch in equal_lengths(self._model, texts, self._model.prompts.get("document")):
            alike = [texts[i] for i in batch]
            encoded = self._model.encode_document(alike, batch_size=BATCH, show_progress_bar=False)
            for i, tokens in zip(batch, encoded, strict=True):
                documents[i] = tokens
        scores = self._model.similarity(question, documents)[0]
        return finite(scores.float().cpu().numpy(), self._identity)


def load_maxsim(folder: Path) -> MultiVectorEncoder:
    """Return the MultiVectorEncoder over a SentenceTransformer folder; about 1 s."""
    import torch
    from sentence_transformers import MultiVectorEncoder, SentenceTransformer
    from sentence_transformers.multi_vector_encoder.modules import MultiVectorMask
    from sentence_transformers.sentence_transformer.modules import Normalize

    base = SentenceTransformer(
        str(folder), local_files_only=True, model_kwargs={"dtype": torch.float32}
    )
    return MultiVectorEncoder(
        modules=[
            base[0],
            MultiVectorMask(),
            prompt_mask(),
            Normalize(module_input_name="token_embeddings"),
        ],
        prompts={name: text or "" for name, text in base.prompts.items()},
        similarity_fn_name="meanmaxsim",
    )


def prompt_mask() -> nn.Module:
    """Return the module that takes the first token and the prompt's tokens out of the score.

    A text that is nothing but its prompt keeps its last token, as a mean over none is undefined.
    """
    from sentence_transformers.base.modules import Module

    class PromptMask(Module):
        def __init__(self) -> None:
            super().__init__()  # type: ignore[no-untyped-call]

        def forward(self, features: dict[str, Any], **_: Any) -> dict[str, Any]:
            mask = features["attention_mask"].bool().clone()
            mask[:, : features.get("prompt_length") or 1] = False
            features["attention_mask"] = mask
            return features

        def save(self, output_path: str, *_: Any, **__: Any) -> None:
            raise NotImplementedError(f"built in code, not kept as a folder: {output_path}")

    return PromptMask()
