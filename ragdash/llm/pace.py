"""How fast an endpoint is asked: calls in flight, waits it asks for, and waits between retries."""

from __future__ import annotations

import math
import random
import threading
import time
from collections import deque
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# A longer wait is not sat out: the run stops early and can be resumed.
LONG_WAIT = 60.0
_FIRST_BACKOFF = 0.5
_LAST_BACKOFF = 8.0
_STORM = 0.5
# at 5 % of 429 by chance, half of 16 come once in a million replies
_RECENT = 16


class Pace:
    """The calls in flight of one client, at most `concurrency`, and the waits all of them share.

    A single 429 holds back its own call only. When half of the latest replies were 429 or the wait
    is long, everybody waits: a storm is not answered by more requests.
    """

    def __init__(self, concurrency: int) -> None:
        self._slots = threading.BoundedSemaphore(concurrency)
        self._lock = threading.Lock()
        self._recent: deque[bool] = deque(maxlen=_RECENT)
        self._long_until = 0.0
        self._storm_until = 0.0

    @contextmanager
    def slot(self, seconds: float | None) -> Iterator[bool]:
        """Hold one place in flight; False where none was free within `seconds` (None: for ever)."""
        free = self._slots.acquire(timeout=seconds)
        try:
            yield free
        finally:
            if free:
                self._slots.release()

    def held(self) -> tuple[float, float]:
        """Return for how many seconds nothing is to be sent: by a long wait, and by a storm."""
        with self._lock:
            now = time.monotonic()
            return max(0.0, self._long_until - now), max(0.0, self._storm_until - now)

    def note(self, limited: bool, wait: float) -> None:
        """Enter a reply: whether it was a 429, and the wait that it asked for in seconds."""
        with self._lock:
            until = time.monotonic() + wait
            self._recent.append(limited)
            storm = len(self._recent) == _RECENT and sum(self._recent) >= _STORM * _RECENT
            if wait > LONG_WAIT:
                self._long_until = max(self._long_until, until)
            elif limited and storm:
                self._storm_until = max(self._storm_until, until)


def backoff(attempt: int) -> float:
    """Return the seconds before retry `attempt` (from 0): doubling to 8, half of it by chance."""
    longest = min(_LAST_BACKOFF, _FIRST_BACKOFF * 2.0 ** min(attempt, 16))
    return longest * random.uniform(0.5, 1.0)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a reply asks to wait (RFC 9110 10.2.3); None where it asks nothing.

    Args:
        headers: by lower-case name. A date is read against the server's own clock where it sends
            one. `retry-after-ms` is OpenAI's.
    """
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _seconds(value)
    if seconds is not None:
        return seconds
    until = _moment(value)
    if until is None:
        return None
    now = _moment(headers.get("date")) or datetime.now(UTC)
    return max(0.0, (until - now).total_seconds())


def _seconds(value: str | None) -> float | None:
    try:
        found = float(value or "")
    except ValueError:
        return None
    return found if found >= 0 and math.isfinite(found) else None


def _moment(value: str | None) -> datetime | None:
    try:
        found = parsedate_to_datetime(value or "")
    except (ValueError, TypeError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
