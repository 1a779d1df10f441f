"""What is wrong with an endpoint that gives no chat completions, in one sentence each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.core.call import CallReason
from ragdash.core.errors import EnvironmentError_
from ragdash.llm.address import address_of

if TYPE_CHECKING:
    from ragdash.core.call import Endpoint, Level
    from ragdash.llm.reading import Reading

_MODEL = re.compile(r"model|模型", re.I)
_SCHEMA = re.compile(r"schema|grammar", re.I)


def fault(
    endpoint: Endpoint, reading: Reading, *, asked_for: Level | None = None
) -> EnvironmentError_:
    """Return the error of an endpoint: what, which value, where, what to do.

    Args:
        endpoint: which was asked.
        reading: what came back, or why nothing did.
        asked_for: the level that only fails together with its response format.
    """
    address = address_of(endpoint.base_url)
    where = f"{endpoint.model!r} at {address.url}"
    said = reading.detail
    if asked_for is not None:
        return EnvironmentError_(
            f"{where} answers, but with response_format {asked_for} it {said}: ask it at a weaker "
            f"level (level = {'json_object' if asked_for == 'json_schema' else 'text'!r})"
        )
    return EnvironmentError_(f"{where} {said}: {_advice(endpoint, reading, address.host)}")


def _advice(endpoint: Endpoint, reading: Reading, host: str) -> str:
    status = reading.status
    if status in (401, 403):
        return f"check the key in {endpoint.api_key_env} and what it is allowed to use"
    if 300 <= status < 400:
        return "put the address it points to into base_url, if you trust it"
    if "HTML page" in reading.detail:
        return "a proxy or a web server answers there; check base_url, most end in /v1"
    if status == 404 and _MODEL.search(reading.detail):
        return f"check model; {host} does not know this one"
    if status == 404:
        return "check base_url, most end in /v1"
    if reading.reason is CallReason.REJECTED and _SCHEMA.search(reading.detail):
        return "it does not take this JSON schema; use another model or server"
    return _BY_REASON.get(reading.reason, "check base_url and model")


_BY_REASON = {
    CallReason.UNREACHABLE: "check the host in base_url, and that the server runs",
    CallReason.TIMEOUT: "check that the server is up, or raise timeout",
    CallReason.RATE_LIMITED: "wait, lower concurrency, or look at the account's limits",
    CallReason.SERVER_ERROR: "try again later, or look into the server's log",
    CallReason.CONTEXT_TOO_LONG: "use a model with a longer window, or lower max_tokens",
    CallReason.TRUNCATED: "it thinks longer than it may write; raise max_tokens",
    CallReason.EMPTY: "it sends no text; check model, it may be none for chat",
    CallReason.OVER_BUDGET: "raise the budget of the run",
    CallReason.PAST_DEADLINE: "raise the seconds of the run",
}
