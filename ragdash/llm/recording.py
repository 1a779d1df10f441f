"""Calls kept in a file, to be given again without an endpoint: JSON lines, keyed as the cache is.

The first line names the endpoint; each further one holds a key and a call. Calls without a usable
reply are recorded too: what an endpoint did wrong can be shown again.
"""

from __future__ import annotations

import json
import threading
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from ragdash.core.call import Call, Endpoint, Level
from ragdash.core.errors import InputError
from ragdash.core.fingerprint import canonical_json
from ragdash.llm.base import ChatReply
from ragdash.llm.callkey import call_key
from ragdash.llm.parsing import parse
from ragdash.llm.text import brief

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.llm.base import ChatClient, ChatRequest

_FORM = "ragdash calls 1"


class Recorder:
    """Implements `ChatClient`: asks another one and writes down what it said, each key once."""

    def __init__(self, client: ChatClient, path: Path) -> None:
        """Begin a new recording.

        Raises:
            InputError: there is one already, which would be lost.
        """
        if path.exists():
            raise InputError(f"{path} exists: name a new file, or remove that recording first")
        self.endpoint = client.endpoint
        self._client = client
        self._path = path
        self._lock = threading.Lock()
        self._seen: set[str] = set()
        self._write({"form": _FORM, "endpoint": asdict(client.endpoint)})

    @property
    def name(self) -> str:
        """Model and host of the client that is asked."""
        return self._client.name

    def ask(self, request: ChatRequest) -> ChatReply:
        """Ask, and record the call before it is returned."""
        reply = self._client.ask(request)
        key = call_key(self.endpoint, reply.call.level, request)
        with self._lock:
            if key not in self._seen:
                self._seen.add(key)
                self._write({"key": key, "call": asdict(replace(reply.call, cached=False))})
        return reply

    def _write(self, line: dict[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(canonical_json(line) + "\n")


class Replay:
    """Implements `ChatClient` over a recording; what is not in it is refused loudly."""

    def __init__(self, path: Path) -> None:
        """Read a recording whole.

        Raises:
            InputError: there is none, or a line of it is damaged.
        """
        self._path = path
        self._calls: dict[str, Call] = {}
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"the recording {path} cannot be read: {error}") from error
        self.endpoint = self._endpoint(lines[0] if lines else "")
        for number, line in enumerate(lines[1:], 2):
            try:
                found = json.loads(line)
                self._calls[str(found["key"])] = call_of(found["call"])
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    f"line {number} of the recording {path} is no call ({type(error).__name__}): "
                    "record it again"
                ) from error

    def _endpoint(self, line: str) -> Endpoint:
        try:
            head = json.loads(line)
            if head["form"] != _FORM:
                raise ValueError("another form")
            return TypeAdapter(Endpoint).validate_python(head["endpoint"])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{self._path} does not begin like a recording of calls: record it again"
            ) from error

    @property
    def name(self) -> str:
        """Model and host, as they were."""
        host = next((c.host for c in self._calls.values()), "recorded")
        return f"{self.endpoint.model}@{host}"

    def ask(self, request: ChatRequest) -> ChatReply:
        """Return the recorded reply to a request.

        Raises:
            InputError: this request was not recorded.
        """
        for level in Level:
            call = self._calls.get(call_key(self.endpoint, level, request))
            if call is not None and call.level is (level if request.schema else Level.TEXT):
                call = replace(call, stage=request.stage, purpose=request.purpose, cached=True)
                if request.schema is None or call.reason:
                    return ChatReply(call)
                parsed, reason, detail = parse(call.reply, request.schema, call.level)
                return ChatReply(replace(call, reason=reason, detail=detail), parsed)
        asked = brief(request.messages[-1].content if request.messages else "", 80)
        raise InputError(
            f"{self._path} holds no {request.stage} call for {request.purpose!r} (part "
            f"{request.part}, repeat {request.repeat}), asked: {asked}; record it again"
        )


def call_of(fields: Any) -> Call:
    """Return a call from its JSON fields.

    Raises:
        ValueError: they are no call.
    """
    try:
        return TypeAdapter(Call).validate_python(fields)
    except ValidationError as error:
        raise ValueError(brief(str(error))) from error
