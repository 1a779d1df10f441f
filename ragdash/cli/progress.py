"""Progress on stderr: one line that moves on a terminal, a line every tenth elsewhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from types import TracebackType


class Progress:
    """Shows `what done/total`; use as a context manager."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._moves = sys.stderr.isatty()
        self._tenth = -1
        self._open = False

    def update(self, done: int, total: int) -> None:
        """Show how many of `total` are done; safe to call often."""
        tenth = done * 10 // max(1, total)
        if self._moves:
            click.echo(f"\r{self._what} {done}/{total}", nl=False, err=True)
            self._open = True
        elif tenth != self._tenth:
            click.echo(f"{self._what} {done}/{total}", err=True)
        self._tenth = tenth

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._open:
            click.echo(err=True)
