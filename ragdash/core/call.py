"""Endpoint, Call and Probe: which model is asked over HTTP, what it replied and what that cost."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How far an endpoint holds a reply to a schema, strongest first (metrics.md section 5)."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    TEXT = "text"


class CallReason(StrEnum):
    """Why a call gave nothing usable; the empty string where it did.

    Each is stored as it is, with the raw reply: nothing is imputed and nothing repaired.
    """

    NONE = ""
    INVALID_JSON = "invalid_json"
    TRUNCATED = "truncated"
    JUDGE_REFUSED = "judge_refused"
    FILTERED = "filtered"
    EMPTY = "empty"
    OUT_OF_RANGE = "out_of_range"
    VERDICT_MISMATCH = "verdict_mismatch"
    RATE_LIMITED = "rate_limited"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    SERVER_ERROR = "server_error"
    BAD_RESPONSE = "bad_response"
    REJECTED = "rejected"
    CONTEXT_TOO_LONG = "context_too_long"
    OVER_BUDGET = "over_budget"
    PAST_DEADLINE = "past_deadline"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible address and how it is asked; the key is named, never held.

    `temperature` and `seed` are None where they are not to be sent. `timeout` is seconds a try,
    `concurrency` calls in flight, `tries` at most per call. Prices are money per million tokens in
    the currency of the budget; None where unknown, and then the cost is unknown, not 0.
    `context_window` is tokens that prompt and reply may take together; None where unknown.
    `level` is the strongest form of reply that is tried; None for the strongest there is.
    """

    base_url: str
    model: str
    api_key_env: str = "OPENAI_API_KEY"
    temperature: float | None = 0.0
    seed: int | None = 0
    max_tokens: int = 1024
    timeout: float = 60.0
    concurrency: int = 4
    tries: int = 4
    price_prompt: float | None = None
    price_completion: float | None = None
    context_window: int | None = None
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may spend: calls, tokens, money and seconds; None is no limit."""

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One question put to an endpoint, with everything that came back.

    `stage` is generate, judge or probe; `purpose` the metric or step; `part` numbers the calls of
    one purpose from 0. `sent` is the messages as one text, `reply` the raw content. Tokens are None
    where the endpoint does not count them, `cost` None where no price is known. `seconds` is wall
    time over all `tries`; `cached` means that nothing was asked this time.
    """

    stage: str
    purpose: str
    host: str
    model: str
    prompt_digest: str
    level: Level
    sent: str
    reply: str = ""
    reason: CallReason = CallReason.NONE
    detail: str = ""
    finish_reason: str = ""
    fingerprint: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    seconds: float = 0.0
    tries: int = 0
    repeat: int = 0
    part: int = 0
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Probe:
    """What an endpoint was found to honour, by asking it once.

    `level` is the strongest that was really honoured; `why` tells for each stronger one what
    happened. `seed` is True where two seeded replies agreed, None where it was not accepted;
    `logprobs` whether they came back. `dropped` is the fields of a request that it refused and that
    are left out: temperature, seed, or max_tokens (max_completion_tokens takes its place).
    """

    host: str
    model: str
    level: Level
    why: tuple[str, ...] = ()
    seed: bool | None = None
    logprobs: bool = False
    fingerprint: str = ""
    dropped: tuple[str, ...] = ()
