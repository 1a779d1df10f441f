"""What the tests of endpoints share: a schema, requests, and clients of a loopback server."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from ragdash.core.call import Endpoint
from ragdash.llm.base import ChatRequest, Message
from ragdash.llm.client import EndpointClient
from ragdash.llm.loopback import Loopback

Score = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]


class Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    score: Score
    reason: str


class Graded(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    grade: Literal[0, 1, 2, 3]
    word: Literal["supported", "contradicted"]


class Verdicts(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    verdicts: list[Graded]


@pytest.fixture(autouse=True, scope="session")
def imported():
    """openai and its HTTP are imported: no test with a clock in it pays for that."""
    EndpointClient(Endpoint("http://127.0.0.1:9/v1", "tiny")).close()


@pytest.fixture(autouse=True)
def no_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


@pytest.fixture
def schemas():
    return {"verdict": Verdict, "graded": Graded, "verdicts": Verdicts}


@pytest.fixture
def asking():
    """`asking("question", schema=..., repeat=...)` -> ChatRequest for a Verdict."""

    def build(text="营业收入是多少？", *, schema=Verdict, system="You are a judge.", **fields):
        messages = (Message("system", system), Message("user", text))
        fields = {"stage": "judge", "purpose": "faithfulness", "prompt_digest": "sha256:p"} | fields
        return ChatRequest(messages=messages, schema=schema, **fields)

    return build


@pytest.fixture
def served():
    """`with served(reply, ..., tries=2) as (client, server)`; `given` are the client's own."""

    @contextmanager
    def serve(*replies, given=None, **fields):
        with Loopback(*replies) as server:
            endpoint = Endpoint(
                base_url=server.url, model="tiny", **{"tries": 2, "timeout": 30.0} | fields
            )
            with EndpointClient(endpoint, **given or {}) as client:
                yield client, server

    return serve
