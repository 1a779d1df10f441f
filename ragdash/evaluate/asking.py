"""Endpoints asked side by side: what they said is kept, and a run that cannot go on ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from ragdash.core.call import CallReason
from ragdash.core.errors import StoppedEarly
from ragdash.llm.window import in_window

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ragdash.core.call import Call, Endpoint
    from ragdash.llm.base import ChatClient, ChatReply, ChatRequest

T = TypeVar("T")
R = TypeVar("R")

ENDING = frozenset({CallReason.RATE_LIMITED, CallReason.OVER_BUDGET, CallReason.PAST_DEADLINE})
"""Reasons that the next call would meet too, so that the run stops and can be resumed."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A client whose every call is kept, in the order of asking; for one question in one thread."""

    client: ChatClient
    calls: list[Call] = field(default_factory=list)

    @property
    def endpoint(self) -> Endpoint:
        """The endpoint of the client."""
        return self.client.endpoint

    @property
    def name(self) -> str:
        """The name of the client."""
        return self.client.name

    def ask(self, request: ChatRequest) -> ChatReply:
        """Return the client's reply."""
        reply = self.client.ask(request)
        self.calls.append(reply.call)
        return reply


def beside(inputs: Iterable[T], work: Callable[[T], R], places: int) -> Iterator[R]:
    """Yield the result of each input, `places` at a time; 0 does all in this thread, in order."""
    if places < 1:
        yield from map(work, inputs)
        return
    for _, result in in_window(work, inputs, size=places):
        yield result


def ending_of(calls: Iterable[Call]) -> Call | None:
    """Return the first call after which no other need be tried."""
    return next((call for call in calls if call.reason in ENDING), None)


def stopped_early(call: Call) -> StoppedEarly:
    """Return the error of a run that this call ended."""
    return StoppedEarly(
        f"stopped early, {call.reason.value} at {call.model} on {call.host}: "
        f"{call.detail or 'the next call would meet the same'}; what is done is kept"
    )
