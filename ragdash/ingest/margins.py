"""What heads and foots the pages of a document: running lines and page numbers."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.ingest.tables import is_page_number, is_row, unit_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.chunk import Page

_DEEP = 2
"""Lines from the top and from the bottom in which a running line is looked for."""
_REACH = 3
"""Lines from the top and from the bottom in which one that was found is left out."""
_LONGEST = 120
"""Characters of a running line."""
_NUMBER = re.compile(r"\d{1,4}")
_INSIDE = re.compile(r"(?<![\d.,])\d{1,4}(?![\d.,])")
_SAYS_SOMETHING = re.compile("[□√☑☒■]|[。；！？]$")
"""A ticked box answers a question, and a whole sentence states something, wherever it stands."""


@dataclass(frozen=True, slots=True)
class Margins:
    """The running lines of a document, and how far its printed page numbers are off the pages.

    `numbered` are running lines that hold the page's number, written "#", with its offset.
    """

    running: frozenset[str]
    offsets: frozenset[int]
    numbered: frozenset[tuple[str, int]] = frozenset()

    def body(self, page: Page) -> list[str]:
        """Return the lines of a page without the running lines and folios at its two ends.

        A page that holds nothing else keeps its lines: they are all it says.
        """
        lines = [line.strip() for line in page.text.split("\n") if line.strip()]
        last = len(lines) - _REACH
        kept = [
            line
            for at, line in enumerate(lines)
            if _REACH <= at < last or not self._passes(line, page.page)
        ]
        return kept or lines

    def _passes(self, line: str, page: int) -> bool:
        if line in self.running or self._is_folio(line, page):
            return True
        return bool(self.numbered) and any(key in self.numbered for key in _masked(line, page))

    def _is_folio(self, line: str, page: int) -> bool:
        """A bare number is a folio where the pages around count on with it, else it may be data."""
        if _NUMBER.fullmatch(line):
            return int(line) - page in self.offsets
        return is_page_number(line)


def margins(pages: Sequence[Page]) -> Margins:
    """Return what the pages of one document have in common at their two ends."""
    offsets: Counter[int] = Counter()
    for page in pages:
        numbers = {line for line in _ends(page) if _NUMBER.fullmatch(line)}
        offsets.update({int(number) - page.page for number in numbers})
    least = max(3, len(pages) / 3)
    masked: Counter[tuple[str, int]] = Counter()
    for page in pages:
        masked.update({key for line in _ends(page) for key in _masked(line, page.page)})
    return Margins(
        running_lines(pages),
        frozenset(o for o, n in offsets.items() if n >= least),
        frozenset(key for key, n in masked.items() if n >= least),
    )


def _masked(line: str, page: int) -> set[tuple[str, int]]:
    """A line with each of its numbers as "#" in turn, and how far that number is off the page."""
    if len(line) > _LONGEST or not any(map(str.isalpha, line)):
        return set()
    return {
        (f"{line[: m.start()]}#{line[m.end() :]}", int(m[0]) - page) for m in _INSIDE.finditer(line)
    }


def running_lines(pages: Sequence[Page]) -> frozenset[str]:
    """Return the lines that head or foot at least a third of the pages (three or more).

    Rows and unit lines are none, however often a table begins or ends with the same one.
    """
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update(set(_ends(page)))
    least = max(3, len(pages) / 3)
    often = (line for line, n in seen.items() if n >= least and len(line) <= _LONGEST)
    return frozenset(
        x for x in often if not (is_row(x) or unit_line(x) or _SAYS_SOMETHING.search(x))
    )


def _ends(page: Page) -> list[str]:
    lines = [line.strip() for line in page.text.split("\n") if line.strip()]
    return lines[:_DEEP] + lines[-_DEEP:]
