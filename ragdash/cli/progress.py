"""Progress on stderr: one line that moves on a terminal, a line every tenth elsewhere."""

from __future__ import annotations

import sys
import time
from collections import deque
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

RECENT = 60.0
"""Seconds whose pace the time left is reckoned from; the last texts may be faster."""
LEAST = 5.0
"""Seconds to watch before a time left is named."""


class Progress:
    """Shows `what done/total` and about how long the rest takes; use as a context manager."""

    def __init__(self, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque()
        self._moves = sys.stderr.isatty()
        self._tenth = -1
        self._open = False
        self._width = 0

    def update(self, done: int, total: int) -> None:
        """Show how many of `total` are done; safe to call often."""
        left = self._left(done, total)
        line = f"{self._what} {done}/{total}{left}"
        tenth = done * 10 // max(1, total)
        if self._moves:
            # What a longer line before has left over is blanked out.
            click.echo(f"\r{line:<{self._width}}", nl=False, err=True)
            self._width, self._open = len(line), True
            if done >= total:
                self._end()
        elif tenth != self._tenth:
            click.echo(line, err=True)
        self._tenth = tenth

    def _left(self, done: int, total: int) -> str:
        """Say how long the rest takes at the pace of the last minute."""
        now = self._clock()
        if self._seen and done < self._seen[-1][1]:
            self._seen.clear()
        self._seen.append((now, done))
        while len(self._seen) > 2 and now - self._seen[1][0] >= RECENT:
            self._seen.popleft()
        since, before = self._seen[0]
        if done == before or now - since < LEAST or done >= total:
            return ""
        return f", about {_span((now - since) / (done - before) * (total - done))} left"

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._open:
            self._end()

    def _end(self) -> None:
        click.echo(err=True)
        self._open = False
        self._width = 0


def _span(seconds: float) -> str:
    """A length of time as a person says it."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"
