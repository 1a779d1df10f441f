"""Pages to chunks: none crosses a page, and a table never loses its header or its unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ragdash.core.errors import ConfigError
from ragdash.ingest.blocks import BlockWriter
from ragdash.ingest.headings import Outline
from ragdash.ingest.margins import margins
from ragdash.ingest.tables import Carried, read_blocks
from ragdash.ingest.windows import WindowWriter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ragdash.core.chunk import Chunk, Page, Source
    from ragdash.ingest.tables import Block

VERSION = 3
"""Counted up whenever the same pages would give other chunks, so that none are reused."""


@dataclass(frozen=True, slots=True)
class ChunkingConfig:
    """A way to cut pages; sizes in estimated tokens (`estimated_tokens`).

    `name` is one of CHUNKINGS. `room` is the most a chunk may cost: 400 are about 500 Chinese or
    1,300 English characters, which leaves an embedder of 512 tokens 60 for company, label and
    section and a tenth for the error of the estimate. A prose block closes at a heading or a table
    once it holds `least`.
    """

    name: str = "blocks"
    version: int = VERSION
    room: float = 400.0
    least: float = 100.0


CHUNKINGS = {
    "page": ChunkingConfig("page", room=1e9),
    "blocks": ChunkingConfig("blocks"),
    "window": ChunkingConfig("window", room=300.0),
}
"""The named ways, as `[corpus] chunking` and `ragdash ingest --chunking` name them.

page: a chunk a page, however long, of which an embedder reads no more than its limit. blocks: a
stretch of prose or a table each. window: the lines of a page one after the other, prose and tables
together, cut where the room ends.
"""
DEFAULT = "blocks"


class _Writer(Protocol):
    def prose(self, block: Block, running: frozenset[str]) -> None: ...

    def table(self, block: Block) -> None: ...

    def finish(self) -> list[Chunk]: ...


def chunking(name: str) -> ChunkingConfig:
    """Return the config of a named way to cut pages.

    Raises:
        ConfigError: there is none of that name.
    """
    if name not in CHUNKINGS:
        raise ConfigError(f"chunking is {name!r}: write one of {', '.join(CHUNKINGS)}")
    return CHUNKINGS[name]


def chunk_document(
    source: Source, pages: Iterable[Page], config: ChunkingConfig | None = None
) -> tuple[Chunk, ...]:
    """Cut the pages of one document, in order, into chunks; the same pages give the same chunks.

    Running headers, footers and folios are in no chunk.
    """
    config = config or CHUNKINGS[DEFAULT]
    kind = BlockWriter if config.name == "blocks" else WindowWriter
    chunks: list[Chunk] = []
    outline = Outline()
    for page, running, blocks in _read(sorted(pages, key=lambda p: p.page)):
        writer: _Writer = kind(source, page.page, outline, config)
        for block in blocks:
            writer.table(block) if block.is_table else writer.prose(block, running)
        chunks.extend(writer.finish())
    return tuple(chunks)


def _read(pages: list[Page]) -> Iterator[tuple[Page, frozenset[str], list[Block]]]:
    """Yield the blocks of each page; a table goes on over the page break only to the next page."""
    ends = margins(pages)
    carried: Carried | None = None
    before = 0
    for page in pages:
        if page.page != before + 1:
            carried = None
        before = page.page
        blocks, carried = read_blocks(ends.body(page), ends.running, carried)
        yield page, ends.running, blocks
