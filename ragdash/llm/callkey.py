"""The key of a call: equal questions to one endpoint have one key, and are asked once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.call import Level
from ragdash.core.fingerprint import digest
from ragdash.llm.address import address_of
from ragdash.llm.schema import schema_digest
from ragdash.llm.wording import worded

if TYPE_CHECKING:
    from ragdash.core.call import Endpoint
    from ragdash.llm.base import ChatRequest


def call_key(endpoint: Endpoint, level: Level, request: ChatRequest) -> str:
    """Return the tagged digest of everything that the reply may depend on.

    That is host and path, model, prompt and schema digests, level, temperature, seed, token limit,
    the messages as they are sent, repeat and part; not the stage or purpose, nor the key.
    """
    free = request.schema is None
    return digest(
        {
            "place": address_of(endpoint.base_url).place,
            "model": endpoint.model,
            "prompt": request.prompt_digest,
            "schema": schema_digest(request.schema),
            "level": Level.TEXT if free else level,
            "temperature": endpoint.temperature,
            "seed": endpoint.seed,
            "max_tokens": request.max_tokens or endpoint.max_tokens,
            "messages": [[m.role, m.content] for m in worded(request, level)],
            "repeat": request.repeat,
            "part": request.part,
        }
    )


def sent_text(request: ChatRequest, level: Level) -> str:
    """Return the messages of a request as one text, as a call keeps them."""
    return "\n\n".join(f"[{m.role}]\n{m.content}" for m in worded(request, level))
