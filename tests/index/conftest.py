"""Chunks by their text, and an embedder that counts what it is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from ragdash.models.base import ModelIdentity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from ragdash.core.chunk import Chunk


class CountingEmbedder:
    """Vectors of character counts; `asked` holds every passage it was given."""

    def __init__(self, name: str = "a", fails_after: int | None = None) -> None:
        self.identity = ModelIdentity(
            "embedder", f"path:{name}", f"/{name}", f"sha256:{name * 64}", 16, 128
        )
        self.asked: list[str] = []
        self._fails_after = fails_after

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        return self._encode(texts)

    def encode_passages(
        self, texts: Sequence[str], on_progress: Callable[[int, int], None] | None = None
    ) -> np.ndarray:
        if self._fails_after is not None and len(self.asked) >= self._fails_after:
            raise KeyboardInterrupt
        self.asked.extend(texts)
        if on_progress is not None:
            on_progress(len(texts), len(texts))
        return self._encode(texts)

    def _encode(self, texts: Sequence[str]) -> np.ndarray:
        vectors = np.zeros((len(texts), 16), np.float32)
        for row, text in enumerate(texts):
            for char in text or " ":
                vectors[row, ord(char) % 16] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture
def make_embedder() -> type[CountingEmbedder]:
    return CountingEmbedder


@pytest.fixture
def make_chunks(build: ModuleType) -> Callable[..., list[Chunk]]:
    def make(*texts: str) -> list[Chunk]:
        return [build.make_chunk(f"c{i}", text=text) for i, text in enumerate(texts)]

    return make
