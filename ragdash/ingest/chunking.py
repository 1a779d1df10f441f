"""Pages to chunks: none crosses a page, and a table never loses its header or its unit."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ragdash.core.chunk import Chunk, ChunkKind
from ragdash.ingest.headings import Outline, heading_level
from ragdash.ingest.sentences import cut_to_size, estimated_tokens, sentences
from ragdash.ingest.spans import is_cjk
from ragdash.ingest.tables import (
    Block,
    Carried,
    cells_of,
    is_page_number,
    is_row,
    read_blocks,
    unit_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ragdash.core.chunk import Page, Source

VERSION = 1
"""Counted up whenever the same pages would give other chunks, so that none are reused."""


_WIDE = re.compile("[\u2e80-\uffef]")
_ITEM = re.compile(r"[□√☑☒•●\-·]|[（(]?\d{1,2}[)）.、]")
SCRAP = 30.0
"""Estimated tokens; fewer are a running header or a tick box and make no chunk of their own."""


@dataclass(frozen=True, slots=True)
class ChunkingConfig:
    """Sizes in estimated tokens (`estimated_tokens`).

    `room` is the most a chunk may cost: about 500 Chinese or 1,300 English characters, which
    leaves an embedder of 512 tokens 60 for company, label and section and a tenth for the error
    of the estimate. A prose chunk closes at a heading or a table once it holds `least`.
    """

    version: int = VERSION
    room: float = 400.0
    least: float = 100.0


@dataclass(slots=True)
class _Draft:
    """A chunk that is being filled; prose waits here until it is big enough."""

    section: str = ""
    parts: list[str] = field(default_factory=list)
    cost: float = 0.0


def chunk_document(
    source: Source, pages: Iterable[Page], config: ChunkingConfig | None = None
) -> tuple[Chunk, ...]:
    """Cut the pages of one document, in order, into chunks; the same pages give the same chunks."""
    config = config or ChunkingConfig()
    pages = sorted(pages, key=lambda p: p.page)
    running = running_lines(pages)
    outline = Outline()
    carried: Carried | None = None
    before = 0
    chunks: list[Chunk] = []
    for page in pages:
        if page.page != before + 1:
            carried = None
        before = page.page
        blocks, carried = read_blocks(page.text.split("\n"), running, carried)
        writer = _PageWriter(source, page.page, config, outline)
        for block in blocks:
            writer.table(block) if block.is_table else writer.prose(block, running)
        chunks.extend(writer.finish())
    return tuple(chunks)


def running_lines(pages: list[Page]) -> frozenset[str]:
    """Lines that head or foot at least a third of the pages (three or more).

    Rows and unit lines are none, however often a table begins or ends with the same one.
    """
    seen: Counter[str] = Counter()
    for page in pages:
        lines = [line.strip() for line in page.text.split("\n") if line.strip()]
        seen.update(set(lines[:2] + lines[-2:]))
    least = max(3, len(pages) / 3)
    often = (line for line, n in seen.items() if n >= least and len(line) <= 120)
    return frozenset(x for x in often if not (is_row(x) or unit_line(x)))


class _PageWriter:
    """Fills the chunks of one page."""

    def __init__(self, source: Source, page: int, config: ChunkingConfig, outline: Outline) -> None:
        self._source = source
        self._page = page
        self._config = config
        self._outline = outline
        self._draft = _Draft()
        self._done: list[tuple[ChunkKind, str, str, str]] = []

    def prose(self, block: Block, running: frozenset[str]) -> None:
        """Take lines of prose in: headings move the section, paragraphs are cut at sentences."""
        for paragraph in _paragraphs(block.lines, running):
            passing = paragraph in running or is_page_number(paragraph)
            level = None if passing else heading_level(paragraph)
            if level is not None:
                if self._draft.cost >= self._config.least:
                    self._close()
                self._outline.enter(level, paragraph)
            if not passing and self._draft.cost < SCRAP:
                self._draft.section = self._outline.section
            for number, piece in enumerate(self._pieces(paragraph)):
                self._add(piece, joined=number > 0)

    def _pieces(self, paragraph: str) -> list[str]:
        pieces = []
        for sentence in sentences(paragraph):
            pieces.extend(cut_to_size(sentence, self._config.room))
        return pieces

    def _add(self, piece: str, *, joined: bool) -> None:
        price = estimated_tokens(piece)
        if self._draft.parts and self._draft.cost + price > self._config.room:
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
        if self._draft.cost >= self._config.least:
            self._close()
        lead = ([block.unit] if block.unit else []) + list(block.header)
        rest = list(block.lines)
        if sum(map(estimated_tokens, lead)) > 0.6 * self._config.room:
            # A header that would fill the chunk is kept once, as rows; the unit still goes along.
            lead, rest = lead[: bool(block.unit)], [*lead[bool(block.unit) :], *rest]
        if block.own_unit_line and " ".join(block.own_unit_line.split()) != block.unit:
            self._add(block.own_unit_line, joined=False)
        room = self._config.room - sum(map(estimated_tokens, lead))
        held: list[str] = []
        cost = 0.0
        for row in (piece for line in rest for piece in _row_pieces(line, room)):
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
        return [
            Chunk(
                chunk_id=f"{self._source.doc_id}#p{self._page}c{n}",
                source=self._source,
                source_page=self._page,
                section=section,
                kind=kind,
                unit_note=unit,
                text=body,
            )
            for n, (kind, unit, section, body) in enumerate(self._done, start=1)
        ]


def _paragraphs(lines: tuple[str, ...], running: frozenset[str]) -> list[str]:
    """Join the lines of a paragraph that the page's width broke."""
    widths = [len(line) + len(_WIDE.findall(line)) for line in lines]
    full = 0.8 * max(widths, default=0)
    joined: list[str] = []
    open_line = False
    for line, width in zip(lines, widths, strict=True):
        passing = line in running or is_page_number(line)
        starts = passing or heading_level(line) is not None or _ITEM.match(line)
        if open_line and not starts:
            blank = "" if is_cjk(joined[-1][-1]) or is_cjk(line[0]) else " "
            joined[-1] += blank + line
        else:
            joined.append(line)
        open_line = (
            not passing
            and width >= max(full, 30)
            and line[-1] not in "。；：！？.:;!?"
            and "|" not in line
        )
    return joined


def _row_pieces(row: str, room: float) -> list[str]:
    """Cut a row that is too long at its cells, with its label again before each piece."""
    if estimated_tokens(row) <= room:
        return [row]
    label = cells_of(row)[0]
    again = f"{label} | " if 0 < estimated_tokens(label) <= 0.2 * room and "|" in row else ""
    pieces = cut_to_size(row, room - estimated_tokens(again))
    return [pieces[0], *(again + p for p in pieces[1:])]
