"""What a chat client is: messages and a schema in, a Call and the parsed reply out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ragdash.core.fingerprint import digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel

    from ragdash.core.call import Call, Endpoint


@dataclass(frozen=True, slots=True)
class Prompt:
    """A versioned prompt in both languages: instructions, and a template for the data.

    `system` and `user` go by "zh" and "en". `user` holds `{name}` places that `messages` fills;
    what fills them is data and is never formatted again. A changed word changes the digest, and a
    changed digest is another judge.
    """

    name: str
    version: int
    system: Mapping[str, str]
    user: Mapping[str, str]

    @property
    def digest(self) -> str:
        """The tagged digest over every word of both languages."""
        return digest([self.name, self.version, dict(self.system), dict(self.user)])


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat: role (system, user or assistant) and content."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question to an endpoint; what is equal here is asked once and read from the cache after.

    `schema` is the strict pydantic model that the reply must be, None for free text. `repeat`
    counts independent repeats of the same question, which are different calls. `max_tokens` is the
    endpoint's own where None.
    """

    stage: str
    purpose: str
    messages: tuple[Message, ...]
    prompt_digest: str
    schema: type[BaseModel] | None = None
    repeat: int = 0
    part: int = 0
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What came back: the call as it is stored, and the parsed reply where it was asked for.

    `parsed` is None exactly where `call.reason` says why, or no schema was asked for.
    """

    call: Call
    parsed: BaseModel | None = None


class ChatClient(Protocol):
    """Asks an endpoint; never raises for what an endpoint may do (see CallReason)."""

    @property
    def endpoint(self) -> Endpoint:
        """Whom it asks."""

    @property
    def name(self) -> str:
        """Model and host, as stored with what it said."""

    def ask(self, request: ChatRequest) -> ChatReply:
        """Return the reply to one request; safe to be called from several threads."""


class CallCache(Protocol):
    """Keeps calls by key (host, model, prompt digest, schema, parameters, input, repeat)."""

    def get(self, key: str) -> Call | None:
        """Return the call that was kept under a key."""

    def put(self, key: str, call: Call) -> None:
        """Keep a call that was answered; durable when this returns."""
