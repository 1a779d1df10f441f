"""One client for any OpenAI-compatible endpoint: what is asked comes back as a stored call."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from ragdash.core.call import Budget, Level
from ragdash.core.errors import ConfigError
from ragdash.llm.address import address_of
from ragdash.llm.asking import Asking
from ragdash.llm.base import ChatReply
from ragdash.llm.callkey import call_key, sent_text
from ragdash.llm.dialect import Dialect
from ragdash.llm.keys import key_of
from ragdash.llm.pace import Pace
from ragdash.llm.parsing import parse
from ragdash.llm.spending import Spending
from ragdash.llm.wire import Wire

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from ragdash.core.call import Endpoint
    from ragdash.llm.base import CallCache, ChatRequest


class EndpointClient:
    """Implements `ChatClient` over HTTP; safe to be used from several threads.

    A request that is in the cache is not asked; of two equal ones at the same time, one is. Only
    calls that gave a usable reply are kept: after an outage the same request is a new try.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        level: Level = Level.JSON_SCHEMA,
        cache: CallCache | None = None,
        spending: Spending | None = None,
    ) -> None:
        """Check address, key and limits, before anything is asked.

        Args:
            endpoint: which model, where.
            level: the strongest to begin with, best as `probe` found it.
            cache: where calls are kept; None keeps none.
            spending: the budget of the run, shared by its clients; None is without limits.

        Raises:
            ConfigError: the endpoint's address or one of its numbers cannot be.
            EnvironmentError_: its key is not set.
        """
        _check(endpoint, spending)
        address = address_of(endpoint.base_url)
        self.endpoint = endpoint
        self._host = address.host
        self._key = key_of(endpoint, address)
        self._wire = Wire(address, self._key, endpoint.concurrency)
        self._dialect = Dialect(level)
        self._pace = Pace(endpoint.concurrency)
        self._cache = cache
        self._spending = spending or Spending(Budget())
        self._flights: dict[str, tuple[threading.Lock, int]] = {}
        self._flights_lock = threading.Lock()

    def __repr__(self) -> str:
        return f"EndpointClient({self.name})"

    @property
    def name(self) -> str:
        """Model and host, as stored with what it said."""
        return f"{self.endpoint.model}@{self._host}"

    @property
    def host(self) -> str:
        """The host as stored with each call, with its port where that is not the usual one."""
        return self._host

    @property
    def level(self) -> Level:
        """The strongest level that this endpoint has not refused."""
        return self._dialect.level

    @property
    def dropped(self) -> tuple[str, ...]:
        """The request fields that this endpoint has refused (seed, temperature, ...)."""
        return self._dialect.dropped

    def ask(self, request: ChatRequest) -> ChatReply:
        """Return the reply to one request; it never raises for what an endpoint does.

        Raises:
            StoreError: the cache cannot be read or written.
        """
        if self._cache is None:
            return self._asked(request)
        # The level may fall while we wait or ask; a key is looked up at each that is tried.
        with self._alone(call_key(self.endpoint, self.level, request)):
            return self._kept(request) or self._asked(request)

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def _kept(self, request: ChatRequest) -> ChatReply | None:
        level = self.level
        if self._cache is None:
            return None
        call = self._cache.get(call_key(self.endpoint, level, request))
        if call is None:
            return None
        parsed = None
        if request.schema is not None:
            parsed, reason, _ = parse(call.reply, request.schema, call.level)
            if reason:
                return None
        return ChatReply(
            replace(
                call,
                stage=request.stage,
                purpose=request.purpose,
                sent=self._key.redact(sent_text(request, call.level)),
                cached=True,
            ),
            parsed,
        )

    def asking(self, request: ChatRequest, dialect: Dialect | None = None) -> Asking:
        """Return a call that has not been asked yet, past the cache.

        Args:
            request: what will be asked.
            dialect: what the endpoint takes, where that is not what this client has learnt.
        """
        return Asking(
            request=request,
            endpoint=self.endpoint,
            host=self._host,
            key=self._key,
            send=self._wire.send,
            dialect=dialect or self._dialect,
            pace=self._pace,
            spending=self._spending,
            kept=self._kept,
        )

    def _asked(self, request: ChatRequest) -> ChatReply:
        asking = self.asking(request)
        asking.holds = self._cache is not None
        try:
            reply = asking.answered()
            if self._cache is not None and not reply.call.reason and not reply.call.cached:
                # the messages are in the key, and are put back from the request
                call = replace(reply.call, sent="")
                self._cache.put(call_key(self.endpoint, asking.level, request), call)
            return reply
        finally:
            asking.release()

    @contextmanager
    def _alone(self, key: str) -> Iterator[None]:
        with self._flights_lock:
            lock, waiting = self._flights.get(key, (threading.Lock(), 0))
            self._flights[key] = (lock, waiting + 1)
        try:
            with lock:
                yield
        finally:
            with self._flights_lock:
                waiting = self._flights[key][1] - 1
                if waiting:
                    self._flights[key] = (lock, waiting)
                else:
                    del self._flights[key]


def _check(endpoint: Endpoint, spending: Spending | None) -> None:
    if not endpoint.model.strip():
        raise ConfigError(f"no model is named for {endpoint.base_url!r}: set model")
    least = {"timeout": 0.001, "concurrency": 1, "tries": 1, "max_tokens": 1}
    for name, low in least.items():
        value = getattr(endpoint, name)
        if not low <= value < 1e9:
            raise ConfigError(
                f"{name} {value!r} of {endpoint.model!r} is out of range: it starts at {low:g}"
            )
    priced = endpoint.price_prompt is not None and endpoint.price_completion is not None
    if spending is not None and spending.budget.money is not None and not priced:
        raise ConfigError(
            f"the budget is in money and {endpoint.model!r} has no prices: set price_prompt and "
            "price_completion (per million tokens), or limit calls or tokens"
        )
