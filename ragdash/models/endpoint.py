"""Embedders and rerankers behind an HTTP endpoint: `endpoint:MODEL@BASE_URL`.

Embeddings are OpenAI's POST /embeddings, rerankers Jina's POST /rerank (model, query, documents ->
results of index and relevance_score), which Cohere, vLLM, TEI and Infinity speak too. The key comes
from OPENAI_API_KEY; a server on this machine needs none. The weights behind an endpoint cannot be
seen, so its digest is that of host, path, model and dimension.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, TypeVar
from urllib.parse import urlsplit

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragdash.core.errors import ConfigError, EnvironmentError_
from ragdash.core.fingerprint import digest
from ragdash.models.base import ModelIdentity
from ragdash.models.sentence import well_formed
from ragdash.models.spec import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from openai import OpenAI

    from ragdash.models.base import FloatArray, Progress

KEY = "OPENAI_API_KEY"
# what the usual endpoints take at once; a larger list is a 400 at some of them
BATCH = 64
_TIMEOUT = 60.0
_TRIES = 3
_SPEC = re.compile(r"endpoint:(?P<model>[^\s@]+)@(?P<url>https?://[^\s@]+)")
_LOCAL = ("localhost", "127.0.0.1", "::1")

Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Reply = TypeVar("Reply", bound=BaseModel)


class _Vector(BaseModel):
    model_config = ConfigDict(extra="ignore")
    index: Annotated[int, Field(strict=True)]
    embedding: Annotated[list[Finite], Field(min_length=1)]


class _Vectors(BaseModel):
    model_config = ConfigDict(extra="ignore")
    data: list[_Vector]


class _Relevance(BaseModel):
    model_config = ConfigDict(extra="ignore")
    index: Annotated[int, Field(strict=True)]
    relevance_score: Finite


class _Relevances(BaseModel):
    model_config = ConfigDict(extra="ignore")
    results: list[_Relevance]


def is_endpoint(spec: str) -> bool:
    """Return whether a model spec names an endpoint."""
    return spec.startswith("endpoint:")


@dataclass(frozen=True, slots=True)
class _Endpoint:
    """A model behind a base URL, and one client for it; every fault is one sentence."""

    role: Role
    spec: str
    model: str
    url: str
    client: OpenAI

    def ask(self, path: str, body: dict[str, object], reply: type[Reply]) -> Reply:
        """Return one checked reply.

        Raises:
            EnvironmentError_: no connection, a status that is no success after the retries of the
                client (429 and 5xx, Retry-After obeyed), or a reply of another form.
        """
        import openai

        try:
            found = self.client.post(path, cast_to=object, body={"model": self.model, **body})
            return reply.model_validate(found)
        except openai.APIStatusError as error:
            hint = f"; is {KEY} right?" if error.status_code in (401, 403) else ""
            raise self.fault(f"answered {error.status_code}{hint}") from error
        except openai.APIConnectionError as error:
            raise self.fault(f"cannot be reached ({type(error).__name__})") from error
        except (openai.APIError, ValueError, ValidationError) as error:
            raise self.fault(f"sent a reply that is no {path} result") from error

    def fault(self, what: str) -> EnvironmentError_:
        """Return the error of this endpoint."""
        return EnvironmentError_(
            f"the {self.role} {self.spec!r}: {self.url} {what}; check URL, model and key"
        )

    def in_order(self, indexes: list[int], n: int) -> None:
        """Refuse a reply that leaves a text out or names one twice."""
        if sorted(indexes) != list(range(n)):
            raise self.fault(f"sent {len(indexes)} results for {n} texts")

    def identity(self, dimension: int | None) -> ModelIdentity:
        """Return what a run records: the host and model, as the weights cannot be seen."""
        place = urlsplit(self.url)
        key = digest([place.hostname, place.port, place.path, self.model, dimension])
        return ModelIdentity(
            role=str(self.role),
            spec=self.spec,
            path=self.url,
            digest=f"endpoint:{key.removeprefix('sha256:')}",
            dimension=dimension,
            max_length=0,
            versions={"openai": version("openai")},
        )


def _connect(role: Role, spec: str) -> _Endpoint:
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise ConfigError(
            f"the {role} {spec!r} is no endpoint: write endpoint:MODEL@https://HOST/v1, without "
            "user or password"
        )
    from openai import OpenAI

    key = os.environ.get(KEY, "")
    if not key and urlsplit(match["url"]).hostname not in _LOCAL:
        raise EnvironmentError_(
            f"the {role} {spec!r} needs a key: set {KEY} in the environment, never in a file"
        )
    client = OpenAI(
        api_key=key or "none", base_url=match["url"], timeout=_TIMEOUT, max_retries=_TRIES - 1
    )
    return _Endpoint(role, spec, match["model"], match["url"], client)


class EndpointEmbedder:
    """Implements `Embedder` over POST /embeddings; no prefix is put before a text."""

    def __init__(self, spec: str) -> None:
        """Connect, and embed one word to learn the dimension.

        Raises:
            ConfigError: the spec is not endpoint:MODEL@URL.
            EnvironmentError_: no key, no connection, or no embedding in the reply.
        """
        self._endpoint = _connect(Role.EMBEDDER, spec)
        self._identity = self._endpoint.identity(len(self._ask(["ragdash"])[0]))

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        return self._identity

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return float32, (n, dim), unit length, in the order of `texts`."""
        return self.encode_passages(texts)

    def encode_passages(
        self, texts: Sequence[str], on_progress: Progress | None = None
    ) -> FloatArray:
        """Return float32, (n, dim), unit length; `on_progress(done, total)` after each batch."""
        vectors = np.empty((len(texts), self._identity.dimension or 0), np.float32)
        for start in range(0, len(texts), BATCH):
            batch = self._ask([well_formed(t) for t in texts[start : start + BATCH]])
            vectors[start : start + len(batch)] = batch
            if on_progress is not None:
                on_progress(start + len(batch), len(texts))
        return vectors

    def _ask(self, texts: list[str]) -> FloatArray:
        # an empty input is a 400 at most endpoints; a blank is a text without words to all of them
        body: dict[str, object] = {"input": [t or " " for t in texts], "encoding_format": "float"}
        found = sorted(
            self._endpoint.ask("/embeddings", body, _Vectors).data, key=lambda v: v.index
        )
        self._endpoint.in_order([v.index for v in found], len(texts))
        if len({len(v.embedding) for v in found}) != 1:
            raise self._endpoint.fault("sent vectors of different lengths")
        vectors = np.array([v.embedding for v in found], np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and (lengths > 0).all()):
            raise self._endpoint.fault("sent a vector without a direction")
        return np.asarray(vectors / lengths, np.float32)


class EndpointReranker:
    """Implements `Reranker` over POST /rerank."""

    def __init__(self, spec: str) -> None:
        """Connect; nothing is asked yet.

        Raises:
            ConfigError: the spec is not endpoint:MODEL@URL.
            EnvironmentError_: no key.
        """
        self._endpoint = _connect(Role.RERANKER, spec)
        self._identity = self._endpoint.identity(None)

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        return self._identity

    def score(self, query: str, passages: Sequence[str]) -> FloatArray:
        """Return float32, (n,), higher is better, in the order of `passages`."""
        if not passages:
            return np.empty(0, np.float32)
        documents = [well_formed(p) or " " for p in passages]
        body: dict[str, object] = {
            "query": well_formed(query) or " ",
            "documents": documents,
            "top_n": len(documents),
            "return_documents": False,
        }
        found = sorted(
            self._endpoint.ask("/rerank", body, _Relevances).results, key=lambda r: r.index
        )
        self._endpoint.in_order([r.index for r in found], len(documents))
        return np.array([r.relevance_score for r in found], np.float32)
