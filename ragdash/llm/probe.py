"""What an endpoint really honours: asked once, for answers it would not give by itself."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ConfigDict, create_model

from ragdash.core.call import CallReason, Level, Probe
from ragdash.llm.address import address_of
from ragdash.llm.base import ChatRequest, Message
from ragdash.llm.client import EndpointClient
from ragdash.llm.dialect import Dialect
from ragdash.llm.faults import fault
from ragdash.llm.parsing import parse
from ragdash.llm.text import brief
from ragdash.llm.wording import response_format

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ragdash.core.call import Endpoint
    from ragdash.llm.reading import Reading
    from ragdash.llm.spending import Spending

# JSON is named, as endpoints demand for json_object, and is not what anybody would answer.
_PLAIN = "In one plain sentence, without any JSON: what is the capital of France?"
_CHANCE = "Write twenty random digits and nothing else."
# a sentence; a reply that is cut is asked for once more with four times as many
_TOKENS = 256


class _RefusedError(Exception):
    """The endpoint does not take the response format that is probed."""


class _Fixed(Dialect):
    """Requests with fields of the probe's own."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(Level.TEXT)
        self._fields = fields

    def refuse(self, name: str, level: Level) -> None:
        super().refuse(name, level)
        if name == "response_format":
            raise _RefusedError
        self._fields.pop(name, None)

    def body(
        self, endpoint: Endpoint, request: ChatRequest, level: Level, max_tokens: int
    ) -> dict[str, Any]:
        return super().body(endpoint, request, level, max_tokens) | self._fields


def probe(
    endpoint: Endpoint,
    *,
    spending: Spending | None = None,
    mark: str | None = None,
) -> Probe:
    """Ask an endpoint up to five short questions and return what it honoured.

    A level is honoured where a question that calls for a plain sentence brings the schema's odd
    names and values (json_schema) or a JSON object and nothing else (json_object). Only a refusal
    that names the response format, and a reply that is not held to it, lower the level.

    Args:
        endpoint: which model, where; its `level` is where the probe begins.
        spending: the budget of the run; what the probe costs counts.
        mark: the odd part of names and values; by chance where None.

    Raises:
        ConfigError: the endpoint's address or one of its numbers cannot be.
        EnvironmentError_: no key, or the endpoint gives no chat completions: wrong host, model not
            found, key not accepted, rate limit, server error, a page in place of a reply.
    """
    mark = mark or secrets.token_hex(4)
    why: list[str] = []
    with EndpointClient(endpoint, spending=spending) as client:
        level = endpoint.level or Level.JSON_SCHEMA
        while level is not Level.TEXT:
            refusal = _not_honoured(client, level, mark)
            if not refusal:
                break
            why.append(f"{level}: {refusal}")
            level = Level.JSON_OBJECT if level is Level.JSON_SCHEMA else Level.TEXT
        return _with_extras(client, level, tuple(why))


def _request(text: str) -> ChatRequest:
    return ChatRequest(
        stage="probe",
        purpose="probe",
        messages=(Message("user", text),),
        prompt_digest="",
        max_tokens=_TOKENS,
    )


def _odd_schema(mark: str) -> type[BaseModel]:
    # two values, as one alone becomes `const`, which some endpoints do not know
    odd: Any = Literal[f"value_{mark}", f"other_{mark}"]
    fields: Any = {f"field_{mark}": (odd, ...), f"count_{mark}": (Literal[7, 8], ...)}
    return create_model("Probe", __config__=ConfigDict(extra="forbid", strict=True), **fields)


def _not_honoured(client: EndpointClient, level: Level, mark: str) -> str:
    """Return why a level is not honoured, or nothing where it is."""
    schema = _odd_schema(mark)
    asking = client.asking(_request(_PLAIN), _Fixed(response_format=response_format(schema, level)))
    try:
        asking.answered()
    except _RefusedError:
        return asking.last.detail
    reading = asking.last
    if reading.reason is CallReason.SERVER_ERROR:
        _say_if_the_format_is_to_blame(client, level, reading)
    _raise_fault(client, reading)
    content = reading.content.strip()
    cut = reading.reason is CallReason.TRUNCATED
    if level is Level.JSON_OBJECT:
        held = content.startswith("{") if cut else _is_json_object(content)
    else:
        # no stripping here: an endpoint that holds a model to a schema sends nothing around it
        held = _is_json_object(content) and parse(content, schema, level)[0] is not None
    return "" if held else f"accepted and not kept to, it said: {brief(content, 120)}"


def _say_if_the_format_is_to_blame(client: EndpointClient, level: Level, reading: Reading) -> None:
    control = client.asking(_request(_PLAIN), _Fixed())
    control.answered()
    if not control.last.reason:
        raise fault(client.endpoint, reading, asked_for=level)


def _raise_fault(client: EndpointClient, reading: Reading) -> None:
    told = reading.reason in (CallReason.NONE, CallReason.JUDGE_REFUSED, CallReason.FILTERED)
    if told or (reading.reason is CallReason.TRUNCATED and reading.content.strip()):
        return
    raise fault(client.endpoint, reading)


def _is_json_object(content: str) -> bool:
    try:
        return isinstance(json.loads(content), dict)
    except (ValueError, RecursionError):
        return False


def _with_extras(client: EndpointClient, level: Level, why: tuple[str, ...]) -> Probe:
    endpoint = client.endpoint
    # Chance must have a part in the reply: at temperature 0 two would agree without any seed.
    dialect = _Fixed(temperature=1.0, logprobs=True)
    first = client.asking(_request(_CHANCE), dialect)
    first.answered()
    _raise_fault(client, first.last)
    seed = None
    if endpoint.seed is not None and "seed" not in dialect.dropped:
        second = client.asking(_request(_CHANCE), dialect)
        second.answered()
        _raise_fault(client, second.last)
        seed = first.last.content == second.last.content
    return Probe(
        host=client.host,
        model=endpoint.model,
        level=level,
        why=why,
        seed=seed,
        logprobs=first.last.logprobs,
        fingerprint=first.last.fingerprint,
        dropped=tuple(name for name in dialect.dropped if name != "logprobs"),
    )


def probe_lines(probe: Probe) -> list[str]:
    """Return what was found, a line each, for a terminal."""
    seeds = {True: "two seeded replies agreed", False: "two seeded replies differed"}
    lines = [
        f"{probe.model} at {probe.host}",
        f"  structured output: {probe.level}",
        *(f"    not {reason}" for reason in probe.why),
        f"  seed: {seeds.get(probe.seed, 'not accepted or not asked for')}"
        if probe.seed is not None
        else "  seed: not accepted or not asked for",
        f"  logprobs: {'yes' if probe.logprobs else 'no'}",
    ]
    if probe.dropped:
        lines.append(f"  not accepted, and left out: {', '.join(probe.dropped)}")
    if probe.fingerprint:
        lines.append(f"  fingerprint: {probe.fingerprint}")
    return lines


def self_judged(generator: Endpoint, judge: Endpoint) -> bool:
    """Return whether a judge would judge itself: the same model on the same host."""
    return _identity(generator) == _identity(judge)


def _identity(endpoint: Endpoint) -> tuple[str, str]:
    address = address_of(endpoint.base_url)
    host = address.host
    if address.loopback:
        host = f"loopback{host[len(host.rpartition(':')[0]) :]}"
    model = endpoint.model.strip().casefold().removesuffix(":latest")
    return host, model
