"""One HTTP reply read: the content of a chat completion, or why there is none and what to do."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from ragdash.core.call import CallReason
from ragdash.llm.pace import LONG_WAIT, retry_after
from ragdash.llm.text import brief, well_formed

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

# a run file keeps every raw reply; no completion is longer than this
_KEPT = 200_000
_FORMAT = re.compile(r"response[ _-]?format|json[ _-]?schema|json[ _-]?object", re.I)
_CONTEXT = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum context|prompt is too long|input is too long"
    r"|too many (?:input )?tokens|input length should be|上下文.{0,6}(?:长度|超)"
    r"|输入.{0,8}(?:过长|超过|超出|超长)",
    re.I,
)
_FILTER = re.compile(
    r"content[ _]?filter|content management policy|data_?inspection_?failed|敏感内容|内容安全", re.I
)
_QUOTA = re.compile(r"insufficient[_ ](?:quota|balance)|billing|余额不足|欠费", re.I)
_TRANSIENT = frozenset({408, 409, 425, 429})
_FILTERED_ENDS = frozenset({"content_filter", "sensitive"})
_ERROR_WORDS = ("error", "errors", "detail", "message", "msg", "error_msg", "error_code", "code")


@dataclass(frozen=True, slots=True)
class Received:
    """What came back for one request.

    `status` is 0 where nothing did, and `fault` then says why; headers go by lower-case name.
    `seconds` is from sending to the last byte.
    """

    status: int
    body: bytes
    headers: Mapping[str, str]
    seconds: float
    fault: CallReason = CallReason.NONE
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """One reply, read.

    `unsupported` is the field of the request that the endpoint does not take. `transient` means
    that the same request may succeed later, after `wait` seconds where the endpoint named them.
    `logprobs` is whether they came.
    """

    reason: CallReason
    detail: str = ""
    content: str = ""
    finish_reason: str = ""
    fingerprint: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    status: int = 0
    unsupported: str = ""
    transient: bool = False
    wait: float | None = None
    logprobs: bool = False

    @property
    def came(self) -> bool:
        """Whether the endpoint served the request, well or badly."""
        return 200 <= self.status < 300


def read(received: Received, sent: Collection[str]) -> Reading:
    """Return what a reply holds.

    Args:
        received: the reply, or the fault in its place.
        sent: the names of the request's fields, of which an endpoint may refuse one.
    """
    if received.fault:
        transient = received.fault in (CallReason.TIMEOUT, CallReason.UNREACHABLE)
        return Reading(received.fault, received.detail, transient=transient)
    text = received.body.decode("utf-8", "replace").lstrip("\ufeff")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    if 200 <= received.status < 300:
        return _completion(body, text, received)
    return _refusal(body, text, received, sent)


def _refusal(body: object, text: str, received: Received, sent: Collection[str]) -> Reading:
    status = received.status
    message = message_of(body) or ("" if _is_html(text) else text)
    told = _told(status, message, text, received.headers)
    if status in _TRANSIENT or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _later(status, message, told, retry_after(received.headers))
    reason, unsupported = CallReason.REJECTED, ""
    if _CONTEXT.search(message):
        reason = CallReason.CONTEXT_TOO_LONG
    elif status in (400, 404, 422):
        unsupported = _unsupported(message, sent)
        if not unsupported and _FILTER.search(message):
            reason = CallReason.FILTERED
    return Reading(reason, told, status=status, unsupported=unsupported)


def _later(status: int, message: str, told: str, wait: float | None) -> Reading:
    limited = status == HTTPStatus.TOO_MANY_REQUESTS
    if limited and _QUOTA.search(message):
        # waiting fills no account; the long wait lets the run stop early
        return Reading(CallReason.RATE_LIMITED, told, status=status, wait=LONG_WAIT + 1)
    if wait is not None and wait > LONG_WAIT:
        told = f"{told}; it asks to wait {wait:.0f} seconds"
        return Reading(CallReason.RATE_LIMITED, told, status=status, wait=wait)
    reason = CallReason.RATE_LIMITED if limited else CallReason.SERVER_ERROR
    return Reading(reason, told, status=status, wait=wait, transient=True)


def _unsupported(message: str, sent: Collection[str]) -> str:
    if "response_format" in sent and _FORMAT.search(message):
        return "response_format"
    for name in ("logprobs", "seed", "temperature"):
        if name in sent and re.search(rf"\b{name}\b", message):
            return name
    if "max_tokens" in sent and "max_completion_tokens" in message:
        return "max_tokens"
    return ""


def message_of(body: object) -> str:
    """Return what an error object says; never what it repeats of the request.

    OpenAI's {"error": {"message", "param", "code"}}, FastAPI's {"detail": [{"loc", "msg"}]}, and
    flat {"code", "message"} are read.
    """
    if isinstance(body, str):
        return body
    if isinstance(body, list):
        return "; ".join(filter(None, map(message_of, body)))
    if not isinstance(body, dict):
        return ""
    nested = [message_of(body[k]) for k in ("error", "errors", "detail") if k in body]
    flat = [
        str(body[k])
        for k in ("message", "msg", "error_msg", "error_code", "type", "code", "param")
        if isinstance(body.get(k), str | int) and str(body[k])
    ]
    loc = body.get("loc")
    where = [".".join(map(str, loc))] if isinstance(loc, list) else []
    return " ".join(filter(None, nested + flat + where))


def _told(status: int, message: str, text: str, headers: Mapping[str, str]) -> str:
    if 300 <= status < 400:
        target = brief(well_formed(headers.get("location", "elsewhere")))
        return f"answered {status}, a redirect to {target}, which is not followed"
    if not message:
        message = "an HTML page" if _is_html(text) else "nothing"
    return f"answered {status}: {brief(well_formed(message))}"


def _is_html(text: str) -> bool:
    return bool(re.match(r"\s*(?:<!--.*?-->\s*)*<(?:!doctype|html|head|body)\b", text, re.I | re.S))


def _completion(body: object, text: str, received: Received) -> Reading:
    kept = well_formed(text[:_KEPT])
    if not isinstance(body, dict):
        kind = brief(well_formed(received.headers.get("content-type", ""))) or "no content type"
        what = "an HTML page" if _is_html(text) else f"no JSON object ({kind})"
        if not text.strip():
            what = "an empty body"
        return _bad(f"answered 200 with {what}", kept)
    if body.get("error"):
        return _bad(f"answered 200 with an error: {brief(well_formed(message_of(body)))}", kept)
    choices = body.get("choices")
    if "choices" not in body and any(body.get(word) for word in _ERROR_WORDS):
        return _bad(f"answered 200 with an error: {brief(well_formed(message_of(body)))}", kept)
    if not choices and (choices is None or isinstance(choices, list)):
        return _with_counts(body, Reading(CallReason.EMPTY, "no choices in the reply", kept))
    if not isinstance(choices, list) or not isinstance(choices[0], dict):
        return _bad("answered 200 with choices that are no list of objects", kept)
    return _with_counts(body, _choice(choices[0], kept))


def _bad(detail: str, text: str) -> Reading:
    return Reading(CallReason.BAD_RESPONSE, detail, text, status=200)


def _choice(choice: dict[str, Any], text: str) -> Reading:
    message = choice.get("message")
    finish = choice.get("finish_reason")
    finish = well_formed(finish) if isinstance(finish, str) else ""
    if choice.get("error") or finish == "error":
        said = brief(well_formed(message_of(choice)))
        return _bad(f"answered 200 with an error in its choice: {said}", text)
    if message is None:
        return Reading(CallReason.EMPTY, "no message in the reply", text, finish)
    if not isinstance(message, dict):
        return _bad("answered 200 with a message that is no object", text)
    content, refusal = message.get("content"), message.get("refusal")
    if content is not None and not isinstance(content, str):
        return _bad(f"answered 200 with content that is a {type(content).__name__}", text)
    content = well_formed(content or "")
    logprobs = choice.get("logprobs")
    told = isinstance(logprobs, dict) and bool(logprobs.get("content"))
    if refusal:
        said = well_formed(refusal if isinstance(refusal, str) else json.dumps(refusal))
        return Reading(CallReason.JUDGE_REFUSED, brief(said), content or said, finish)
    if finish in _FILTERED_ENDS:
        return Reading(CallReason.FILTERED, "stopped by a content filter", content, finish)
    if finish == "length":
        return Reading(CallReason.TRUNCATED, "stopped at max_tokens", content, finish)
    if not content.strip():
        called = "tool calls in place of content" if message.get("tool_calls") else "no content"
        return Reading(CallReason.EMPTY, called, content, finish)
    return Reading(CallReason.NONE, "", content, finish, logprobs=told)


def _with_counts(body: dict[str, Any], reading: Reading) -> Reading:
    usage = body.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    fingerprint = body.get("system_fingerprint")
    return replace(
        reading,
        status=200,
        fingerprint=well_formed(fingerprint)[:200] if isinstance(fingerprint, str) else "",
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
    )


def _count(value: object) -> int | None:
    # sqlite's integers end at 2**63, and no count of tokens comes near
    fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**40
    return value if fits and isinstance(value, int) else None
