"""A chat client whose replies are written down before: for tests and demos, without a network."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ragdash.core.call import Call, CallReason, Endpoint, Level
from ragdash.core.errors import InputError
from ragdash.llm.base import ChatReply
from ragdash.llm.callkey import sent_text
from ragdash.llm.parsing import parse
from ragdash.llm.text import brief

if TYPE_CHECKING:
    from ragdash.llm.base import ChatRequest

# The content of a reply, an object to be sent as JSON, or a reason why there is none.
Scripted: TypeAlias = str | dict[str, Any] | CallReason
Script: TypeAlias = (
    Sequence[Scripted] | Mapping[str, Scripted | Sequence[Scripted]] | Callable[..., Scripted]
)
SCRIPTED = Endpoint(base_url="http://scripted.localhost/v1", model="scripted")


class ScriptedClient:
    """Implements `ChatClient`; contents go through the same parser as those of an endpoint.

    A list is worked off in order, over all requests or, in a mapping, over those of one purpose; a
    single reply of a mapping is given again and again; a function gets the request. `asked` is
    every request so far.
    """

    def __init__(
        self, script: Script, *, endpoint: Endpoint = SCRIPTED, level: Level = Level.JSON_SCHEMA
    ) -> None:
        self.endpoint = endpoint
        self.level = level
        self.asked: list[ChatRequest] = []
        self._script = script
        self._counts: dict[str, int] = {}
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Model and host, as stored with what it said."""
        return f"{self.endpoint.model}@scripted"

    def ask(self, request: ChatRequest) -> ChatReply:
        """Return the scripted reply.

        Raises:
            InputError: the script has none for this request.
        """
        with self._lock:
            self.asked.append(request)
            scripted = self._next(request)
        level = Level.TEXT if request.schema is None else self.level
        parsed, reason, detail, content = None, CallReason.NONE, "", ""
        if isinstance(scripted, CallReason):
            reason, detail = scripted, "scripted"
        else:
            content = scripted if isinstance(scripted, str) else _json(scripted)
            if request.schema is not None:
                parsed, reason, detail = parse(content, request.schema, level)
        call = Call(
            stage=request.stage,
            purpose=request.purpose,
            host="scripted",
            model=self.endpoint.model,
            prompt_digest=request.prompt_digest,
            level=level,
            sent=sent_text(request, level),
            reply=content,
            reason=reason,
            detail=detail,
            finish_reason="stop" if content else "",
            tries=1,
            repeat=request.repeat,
            part=request.part,
        )
        return ChatReply(call, parsed)

    def _next(self, request: ChatRequest) -> Scripted:
        script: object = self._script
        if callable(script):
            found: Scripted = script(request)
            return found
        counted = ""
        if isinstance(script, Mapping):
            counted = request.purpose
            script = script.get(counted, ())
        if isinstance(script, str | dict | CallReason):
            return script
        assert isinstance(script, Sequence)
        at = self._counts.get(counted, 0)
        self._counts[counted] = at + 1
        if at >= len(script):
            asked = brief(request.messages[-1].content if request.messages else "", 80)
            raise InputError(
                f"the script has no reply number {at + 1} for {request.purpose!r}, asked: {asked}"
            )
        reply: Scripted = script[at]
        return reply


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
