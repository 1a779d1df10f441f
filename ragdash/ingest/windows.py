"""Chunks that are windows: the lines of a page one after the other, prose and tables together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.chunk import Chunk, ChunkKind
from ragdash.ingest.blocks import chunks_of_page
from ragdash.ingest.headings import heading_level
from ragdash.ingest.paragraphs import paragraphs, row_pieces
from ragdash.ingest.sentences import cut_to_size, estimated_tokens, sentences
from ragdash.ingest.tables import is_page_number

if TYPE_CHECKING:
    from ragdash.core.chunk import Source
    from ragdash.ingest.chunking import ChunkingConfig
    from ragdash.ingest.headings import Outline
    from ragdash.ingest.tables import Block

_SMALL_HEAD = 0.6
"""Share of the room; a unit line and header that cost more are not repeated."""


class WindowWriter:
    """Fills the windows of one page (a `_Writer` of chunking).

    A window that starts inside a table begins with the table's unit line and header again. Its
    `section` is the heading above its first line, its `unit_note` the unit of its first table.
    """

    def __init__(self, source: Source, page: int, outline: Outline, sizes: ChunkingConfig) -> None:
        self._source = source
        self._page = page
        self._outline = outline
        self._room = sizes.room
        self._lines: list[str] = []
        self._cost = 0.0
        self._rows = 0
        self._unit: str | None = None
        self._section = outline.section
        self._done: list[tuple[ChunkKind, str, str, str]] = []

    def prose(self, block: Block, running: frozenset[str]) -> None:
        """Take paragraphs in, cut at sentences where the room ends."""
        for paragraph in paragraphs(block.lines, running):
            passing = paragraph in running or is_page_number(paragraph)
            level = None if passing else heading_level(paragraph)
            if level is not None:
                if self._cost > self._room / 2:
                    self._close()
                self._outline.enter(level, paragraph)
            joined = False
            for sentence in sentences(paragraph):
                for piece in cut_to_size(sentence, self._room):
                    self._add(piece, joined=joined)
                    joined = True

    def table(self, block: Block) -> None:
        """Take the unit line, the header and the rows in."""
        lead = ([block.unit] if block.unit else []) + list(block.header)
        price = sum(map(estimated_tokens, lead))
        again = lead if price <= _SMALL_HEAD * self._room else lead[: bool(block.unit)]
        if block.own_unit_line and " ".join(block.own_unit_line.split()) != block.unit:
            self._add(block.own_unit_line)
        room = self._room - sum(map(estimated_tokens, again))
        rows = [*lead[len(again) :], *block.lines]
        pieces = [piece for line in rows for piece in row_pieces(line, room)]
        self._open_table(block, again, pieces[0] if pieces else "")
        for piece in pieces:
            if self._cost + estimated_tokens(piece) > self._room and self._lines:
                self._close()
                self._open_table(block, again, "")
            self._take(piece, is_row=True)

    def _open_table(self, block: Block, lead: list[str], first: str) -> None:
        """Write the lead, in a window of its own where it and a first row have no room in this."""
        needed = sum(map(estimated_tokens, [*lead, first]))
        if self._lines and self._cost + needed > self._room:
            self._close()
        if self._unit is None:
            self._unit = block.unit
        for line in lead:
            self._take(line, is_row=True)

    def _add(self, piece: str, *, joined: bool = False) -> None:
        if self._lines and self._cost + estimated_tokens(piece) > self._room:
            self._close()
        if joined and self._lines:
            self._lines[-1] += piece
            self._cost += estimated_tokens(piece)
        else:
            self._take(piece, is_row=False)

    def _take(self, line: str, *, is_row: bool) -> None:
        if not self._lines:
            self._section = self._outline.section
        self._lines.append(line)
        self._cost += estimated_tokens(line)
        self._rows += is_row

    def _close(self) -> None:
        text = "\n".join(self._lines).strip()
        if text:
            kind = ChunkKind.TABLE if 2 * self._rows >= len(self._lines) else ChunkKind.TEXT
            self._done.append((kind, self._unit or "", self._section, text))
        self._lines, self._cost, self._rows, self._unit = [], 0.0, 0, None

    def finish(self) -> list[Chunk]:
        """Return the page's windows."""
        self._close()
        return chunks_of_page(self._source, self._page, self._done)
