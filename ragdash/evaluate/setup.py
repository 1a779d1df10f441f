"""What a run evaluates with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.retrieval import Mode
    from ragdash.generate.base import Generator
    from ragdash.llm.base import ChatClient
    from ragdash.metrics.base import Similarity
    from ragdash.retrieve.base import Retriever


@dataclass(frozen=True, slots=True)
class Setup:
    """What a run evaluates with; only the retriever differs between its modes.

    `judge` is asked `repeats` times for each of its metrics, None where the run has no such judge.
    `in_flight` is how many questions wait for endpoints at once; 0 where none is asked, and then
    everything happens in the caller's thread.
    """

    retrievers: Mapping[Mode, Retriever]
    generator: Generator
    chunks: Sequence[Chunk]
    top_k: int
    similarity: Similarity | None
    judge: ChatClient | None = None
    repeats: int = 1
    in_flight: int = 0
