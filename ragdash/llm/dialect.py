"""What one endpoint was found not to take, remembered for a client."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from ragdash.core.call import Level
from ragdash.llm.wording import response_format, worded

if TYPE_CHECKING:
    from ragdash.core.call import Endpoint
    from ragdash.llm.base import ChatRequest

_LEVELS = tuple(Level)


def lower(level: Level) -> Level:
    """Return the next weaker level; text below text."""
    return _LEVELS[min(_LEVELS.index(level) + 1, len(_LEVELS) - 1)]


class Dialect:
    """The level that an endpoint takes and the fields it does not; it only ever gets poorer."""

    def __init__(self, level: Level) -> None:
        self._lock = threading.Lock()
        self._level = level
        self._dropped: frozenset[str] = frozenset()

    @property
    def level(self) -> Level:
        """The strongest level not refused yet."""
        return self._level

    @property
    def dropped(self) -> tuple[str, ...]:
        """The fields of a request that were refused, sorted."""
        return tuple(sorted(self._dropped))

    def refuse(self, name: str, level: Level) -> None:
        """Enter that a field was refused at a level; no later request has it.

        Several calls may find the same at once, and the level falls by one all the same.
        """
        with self._lock:
            if name != "response_format":
                self._dropped |= {name}
            elif self._level is level:
                self._level = lower(level)

    def body(
        self, endpoint: Endpoint, request: ChatRequest, level: Level, max_tokens: int
    ) -> dict[str, Any]:
        """Return the fields of a request as this endpoint takes them."""
        dropped = self._dropped
        named = "max_completion_tokens" if "max_tokens" in dropped else "max_tokens"
        fields: dict[str, Any] = {
            "model": endpoint.model,
            "messages": [{"role": m.role, "content": m.content} for m in worded(request, level)],
            named: max_tokens,
            "temperature": endpoint.temperature,
            "seed": endpoint.seed,
            "response_format": response_format(request.schema, level),
        }
        return {
            k: v for k, v in fields.items() if v is not None and (k == named or k not in dropped)
        }
