"""Chunks that are one block each: a stretch of prose, or a table with its header and unit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ragdash.core.chunk import Chunk, ChunkKind
from ragdash.ingest.headings import heading_level
from ragdash.ingest.paragraphs import paragraphs, row_pieces
from ragdash.ingest.sentences import cut_to_size, estimated_tokens, sentences
from ragdash.ingest.tables import is_page_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.chunk import Source
    from ragdash.ingest.chunking import ChunkingConfig
    from ragdash.ingest.headings import Outline
    from ragdash.ingest.tables import Block

SCRAP = 30.0
"""Estimated tokens; fewer are a running header or a tick box and make no chunk of their own."""


@dataclass(slots=True)
class _Draft:
    """A chunk that is being filled; prose waits here until it is big enough."""

    section: str = ""
    parts: list[str] = field(default_factory=list)
    cost: float = 0.0


class BlockWriter:
    """Fills the chunks of one page (a `_Writer` of chunking)."""

    def __init__(self, source: Source, page: int, outline: Outline, sizes: ChunkingConfig) -> None:
        self._source = source
        self._page = page
        self._sizes = sizes
        self._outline = outline
        self._draft = _Draft()
        self._done: list[tuple[ChunkKind, str, str, str]] = []

    def prose(self, block: Block, running: frozenset[str]) -> None:
        """Take lines of prose in: headings move the section, paragraphs are cut at sentences."""
        for paragraph in paragraphs(block.lines, running):
            passing = paragraph in running or is_page_number(paragraph)
            level = None if passing else heading_level(paragraph)
            if level is not None:
                if self._draft.cost >= self._sizes.least:
                    self._close()
                self._outline.enter(level, paragraph)
            if not passing and self._draft.cost < SCRAP:
                self._draft.section = self._outline.section
            for number, piece in enumerate(self._pieces(paragraph)):
                self._add(piece, joined=number > 0)

    def _pieces(self, paragraph: str) -> list[str]:
        pieces = []
        for sentence in sentences(paragraph):
            pieces.extend(cut_to_size(sentence, self._sizes.room))
        return pieces

    def _add(self, piece: str, *, joined: bool) -> None:
        price = estimated_tokens(piece)
        if self._draft.parts and self._draft.cost + price > self._sizes.room:
            self._close()
        if not self._draft.parts:
            self._draft.section = self._outline.section
        if self._draft.parts and not joined:
            self._draft.parts.append("\n")
        self._draft.parts.append(piece)
        self._draft.cost += price

    def _close(self) -> None:
        text = "".join(self._draft.parts).strip()
        if text:
            self._done.append((ChunkKind.TEXT, "", self._draft.section, text))
        self._draft = _Draft()

    def table(self, block: Block) -> None:
        """Write a table as one chunk, or as several that all repeat its unit line and header."""
        if self._draft.cost >= self._sizes.least:
            self._close()
        lead = ([block.unit] if block.unit else []) + list(block.header)
        rest = list(block.lines)
        if sum(map(estimated_tokens, lead)) > 0.6 * self._sizes.room:
            # A header that would fill the chunk is kept once, as rows; the unit still goes along.
            lead, rest = lead[: bool(block.unit)], [*lead[bool(block.unit) :], *rest]
        if block.own_unit_line and " ".join(block.own_unit_line.split()) != block.unit:
            self._add(block.own_unit_line, joined=False)
        room = self._sizes.room - sum(map(estimated_tokens, lead))
        held: list[str] = []
        cost = 0.0
        for row in (piece for line in rest for piece in row_pieces(line, room)):
            price = estimated_tokens(row)
            if held and cost + price > room:
                self._write_table(block.unit, [*lead, *held])
                held, cost = [], 0.0
            held.append(row)
            cost += price
        if held or not rest:
            self._write_table(block.unit, [*lead, *held])

    def _write_table(self, unit: str, lines: list[str]) -> None:
        self._done.append((ChunkKind.TABLE, unit, self._outline.section, "\n".join(lines)))

    def finish(self) -> list[Chunk]:
        """Return the page's chunks; a few words that are left over join the chunk before."""
        text = "".join(self._draft.parts).strip()
        if self._done and text and self._draft.cost <= SCRAP:
            kind, unit, section, body = self._done[-1]
            self._done[-1] = (kind, unit, section, f"{body}\n{text}")
            self._draft = _Draft()
        self._close()
        return chunks_of_page(self._source, self._page, self._done)


def chunks_of_page(
    source: Source, page: int, passages: Sequence[tuple[ChunkKind, str, str, str]]
) -> list[Chunk]:
    """Return (kind, unit, section, text) as the chunks of a page, numbered from 1."""
    return [
        Chunk(
            chunk_id=f"{source.doc_id}#p{page}c{n}",
            source=source,
            source_page=page,
            section=section,
            kind=kind,
            unit_note=unit,
            text=text,
        )
        for n, (kind, unit, section, text) in enumerate(passages, start=1)
    ]
