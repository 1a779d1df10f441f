"""One request put to an endpoint until it is answered or given up: the one retry layer."""

from __future__ import annotations

import math
import time
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ragdash.core.call import Call, CallReason, Level
from ragdash.llm.base import ChatReply
from ragdash.llm.callkey import sent_text
from ragdash.llm.pace import backoff
from ragdash.llm.parsing import parse
from ragdash.llm.reading import Reading, read
from ragdash.llm.spending import tokens_at_least

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel

    from ragdash.core.call import Endpoint
    from ragdash.llm.base import ChatRequest
    from ragdash.llm.dialect import Dialect
    from ragdash.llm.keys import Key
    from ragdash.llm.pace import Pace
    from ragdash.llm.reading import Received
    from ragdash.llm.spending import Spending

# a reply that was cut gets this much more room, once
_MORE = 4


@dataclass(slots=True)
class Asking:
    """The state of one call while it is being asked.

    Retries for 429, 5xx and lost connections are at most `endpoint.tries` requests; beside them a
    cut reply and a number out of range are each asked once more, and a refused field is left out.
    With `holds` the place in flight stays taken until `release`, so that no other call is sent
    before this one's reply is kept: after a kill no more are asked again than were in flight.
    """

    request: ChatRequest
    endpoint: Endpoint
    host: str
    key: Key
    send: Callable[[dict[str, Any], float], Received]
    dialect: Dialect
    pace: Pace
    spending: Spending
    kept: Callable[[ChatRequest], ChatReply | None]
    level: Level = Level.TEXT
    tries: int = 0
    _max_tokens: int = 0
    _failed: int = 0
    _least: int = -1
    _seconds: float = 0.0
    _prompt: int | None = None
    _completion: int | None = None
    _cost: float | None = None
    _unpriced: bool = False
    _once: set[CallReason] = field(default_factory=set)
    _stands: tuple[CallReason, str, Reading] | None = None
    holds: bool = False
    _place: ExitStack = field(default_factory=ExitStack)
    last: Reading = field(default_factory=lambda: Reading(CallReason.NONE))

    def answered(self) -> ChatReply:
        """Ask until there is a usable reply or a reason why there is none."""
        self._max_tokens = self.request.max_tokens or self.endpoint.max_tokens
        self._set_level()
        if self._cannot_fit():
            window = self.endpoint.context_window
            told = f"the prompt and {self._max_tokens} tokens of reply exceed a window of {window}"
            return self._reply(CallReason.CONTEXT_TOO_LONG, told)
        while True:
            given_up = self._one_request()
            reading = self.last
            if given_up:
                return self._given_up(given_up, reading.detail)
            if reading.unsupported:
                self.dialect.refuse(reading.unsupported, self.level)
                self._set_level()
                found = self.kept(self.request)
                if found is not None:
                    return found
            elif reading.transient:
                stopped = self._wait()
                if stopped:
                    return self._given_up(stopped, reading.detail)
            elif not reading.came:
                return self._given_up(reading.reason, reading.detail)
            else:
                reply = self._settled(reading)
                if reply is not None:
                    return reply

    def _given_up(self, reason: CallReason, detail: str) -> ChatReply:
        """Return the reply where there is none; one that came stands, if only the second did not.

        That is one which was cut or out of range, and then could not be had once more.
        """
        if self._stands is None:
            return self._reply(reason, detail)
        reason, detail, self.last = self._stands
        return self._reply(reason, detail)

    def _settled(self, reading: Reading) -> ChatReply | None:
        """Return the final reply; None where the same is to be asked once more."""
        reason, detail, parsed = reading.reason, reading.detail, None
        if not reason and self.request.schema is not None:
            parsed, reason, detail = parse(reading.content, self.request.schema, self.level)
        again = reason in (CallReason.TRUNCATED, CallReason.OUT_OF_RANGE)
        if again and reason not in self._once:
            self._once.add(reason)
            self._stands = (reason, detail, reading)
            return None if self._room(reason) else self._reply(reason, detail)
        return self._reply(reason, detail, parsed)

    def _room(self, reason: CallReason) -> bool:
        if reason is CallReason.OUT_OF_RANGE:
            return True
        more = self._max_tokens * _MORE
        if self.endpoint.context_window is not None:
            more = min(more, self.endpoint.context_window - self._prompt_at_least())
        if more <= self._max_tokens:
            return False
        self._max_tokens = more
        return True

    def _one_request(self) -> CallReason:
        """Send one request into `last`, or say why it was not sent."""
        long, storm = self.pace.held()
        if long or (storm and self._beyond(storm)):
            told = f"{self.host} asked to wait another {max(long, storm):.0f} seconds"
            self.last = Reading(CallReason.RATE_LIMITED, told)
            return CallReason.RATE_LIMITED
        if storm:
            time.sleep(storm)
        self.release()
        with ExitStack() as place:
            free = place.enter_context(self.pace.slot(self.spending.remaining()))
            refused = self._claim() if free else CallReason.PAST_DEADLINE
            if refused:
                if not self.last.detail:
                    self.last = Reading(refused, _BUDGET[refused])
                return refused
            tokens, money = 0, 0.0
            try:
                tokens, money = self._exchange()
            finally:
                self.spending.settle(tokens, money)
            if self.holds and self.last.came and not self.last.transient:
                self._place = place.pop_all()
        limited = self.last.status == 429
        self.pace.note(limited, self.last.wait or 0.0)
        if self.last.reason is CallReason.TIMEOUT and self.spending.remaining() == 0:
            return CallReason.PAST_DEADLINE
        return CallReason.NONE

    def release(self) -> None:
        """Give up the place in flight that `holds` keeps beyond the reply."""
        self._place.close()

    def _claim(self) -> CallReason:
        tokens = self._prompt_at_least() + self._max_tokens
        return self.spending.claim(tokens, self._price(0, tokens) or 0.0)

    def _exchange(self) -> tuple[int, float]:
        """Send and read one request; return the tokens and money it has cost."""
        body = self.dialect.body(self.endpoint, self.request, self.level, self._max_tokens)
        remaining = self.spending.remaining()
        seconds = min(self.endpoint.timeout, math.inf if remaining is None else remaining)
        received = self.send(body, seconds)
        self.tries += 1
        self._seconds += received.seconds
        self.last = self._clean(read(received, body.keys()))
        return self._counted(self.last)

    def _clean(self, reading: Reading) -> Reading:
        redact = self.key.redact
        return replace(
            reading,
            detail=redact(reading.detail),
            content=redact(reading.content),
            finish_reason=redact(reading.finish_reason),
            fingerprint=redact(reading.fingerprint),
        )

    def _counted(self, reading: Reading) -> tuple[int, float]:
        if not reading.came:
            return 0, 0.0
        prompt, completion = reading.prompt_tokens, reading.completion_tokens
        self._prompt = _sum(self._prompt, prompt)
        self._completion = _sum(self._completion, completion)
        cost = None
        if prompt is not None and completion is not None:
            cost = self._price(prompt, completion)
        self._unpriced |= cost is None
        self._cost = None if self._unpriced else (self._cost or 0.0) + (cost or 0.0)
        # An endpoint that does not count still uses up the budget, by what it surely took.
        prompt = self._prompt_at_least() if prompt is None else prompt
        completion = tokens_at_least(reading.content) if completion is None else completion
        return prompt + completion, self._price(prompt, completion) or 0.0

    def _price(self, prompt: int, completion: int) -> float | None:
        each, said = self.endpoint.price_prompt, self.endpoint.price_completion
        if each is None or said is None:
            return None
        return (prompt * each + completion * said) / 1e6

    def _wait(self) -> CallReason:
        """Sleep before a retry, or say why there is none."""
        self._failed += 1
        reading = self.last
        if self._failed >= self.endpoint.tries:
            return reading.reason
        own = backoff(self._failed - 1)
        # a little on top, so that all who were told the same do not come back at once
        seconds = own if reading.wait is None else reading.wait + min(own, 0.1)
        if self._beyond(seconds):
            return CallReason.PAST_DEADLINE
        self.last = Reading(CallReason.NONE, reading.detail)
        time.sleep(seconds)
        return CallReason.NONE

    def _beyond(self, seconds: float) -> bool:
        remaining = self.spending.remaining()
        return remaining is not None and seconds >= remaining

    def _set_level(self) -> None:
        self.level = Level.TEXT if self.request.schema is None else self.dialect.level

    def _prompt_at_least(self) -> int:
        if self._least < 0:
            self._least = sum(tokens_at_least(m.content) for m in self.request.messages)
        return self._least

    def _cannot_fit(self) -> bool:
        window = self.endpoint.context_window
        return window is not None and self._prompt_at_least() + self._max_tokens > window

    def _reply(self, reason: CallReason, detail: str, parsed: BaseModel | None = None) -> ChatReply:
        reading = self.last
        call = Call(
            stage=self.request.stage,
            purpose=self.request.purpose,
            host=self.host,
            model=self.endpoint.model,
            prompt_digest=self.request.prompt_digest,
            level=self.level,
            sent=self.key.redact(sent_text(self.request, self.level)),
            reply=reading.content,
            reason=reason,
            detail=detail,
            finish_reason=reading.finish_reason,
            fingerprint=reading.fingerprint,
            prompt_tokens=self._prompt,
            completion_tokens=self._completion,
            cost=self._cost,
            seconds=self._seconds,
            tries=self.tries,
            repeat=self.request.repeat,
            part=self.request.part,
        )
        return ChatReply(call, parsed)


_BUDGET = {
    CallReason.OVER_BUDGET: "the run's budget of calls, tokens or money is spent",
    CallReason.PAST_DEADLINE: "the run's seconds are over",
}


def _sum(so_far: int | None, more: int | None) -> int | None:
    return so_far if more is None else (so_far or 0) + more
