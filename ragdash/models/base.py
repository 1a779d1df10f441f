"""ModelIdentity, and what an embedder and a reranker can do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from ragdash.core.fingerprint import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    FloatArray: TypeAlias = npt.NDArray[np.float32]
    Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Which model this is, as it is recorded in a run.

    `role` is "embedder" or "reranker". `path` is where it was read from on this machine. `digest`
    covers the weights and is equal on every machine: of the files, or `commit:` and a revision of
    the hub. `dimension` is None for a reranker, `max_length` counts tokens, `versions` names the
    libraries.
    """

    role: str
    spec: str
    path: str
    digest: str
    dimension: int | None
    max_length: int
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """A name of 16 hexadecimal digits; equal where the same texts get the same vectors."""
        return digest([self.digest, self.dimension, self.max_length]).removeprefix("sha256:")[:16]

    def __str__(self) -> str:
        """Return the spec and the start of the digest, enough to tell two models apart."""
        kind, _, value = self.digest.partition(":")
        return f"{self.spec} ({kind}:{value[:12]})"


class Embedder(Protocol):
    """Turns texts into vectors whose dot product is their cosine."""

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return float32, (n, dim), unit length, in the order of `texts`."""

    def encode_passages(
        self, texts: Sequence[str], on_progress: Progress | None = None
    ) -> FloatArray:
        """Return float32, (n, dim), unit length; `on_progress(done, total)` after each batch."""


class Reranker(Protocol):
    """Scores passages against one query; only the order within one query means something."""

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""

    def score(self, query: str, passages: Sequence[str]) -> FloatArray:
        """Return float32, (n,), higher is better, in the order of `passages`."""
