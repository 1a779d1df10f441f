"""How pages, chunks and figures are named in a sentence; all text of data stays on one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.diagnosis import Sentence
from ragdash.jsonlines import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Evidence, Gold

SHOWN = 3
KEPT = 5


def place(evidence: Evidence) -> str:
    """Name an evidence page with its document."""
    return f"{printable(evidence.doc_id)} P{evidence.page}"


def place_of(chunk: Chunk) -> str:
    """Name the page of a chunk with its document, the chunk itself where neither was given."""
    page = "" if chunk.source_page is None else f" P{chunk.source_page}"
    return f"{printable(chunk.source.doc_id)}{page}".strip() or printable(chunk.chunk_id)


def stated(gold: Gold) -> str:
    """Return a gold figure with its unit."""
    return f"{gold.value:,f} {printable(gold.unit)}"


def listed(names: Iterable[str]) -> Sentence:
    """Return the first few names, and how many more there are."""
    every = list(dict.fromkeys(names))
    more = len(every) - SHOWN
    en, zh = ", ".join(every[:SHOWN]), "、".join(every[:SHOWN])
    return (
        Sentence(f"{en} and {more} more", f"{zh} 等 {len(every)} 处")
        if more > 0
        else Sentence(en, zh)
    )


def trace(ranks: Mapping[str, int | None]) -> str:
    """Return ranks by stage as `dense 7, BM25 -, fused 14`."""
    return ", ".join(f"{stage} {rank or '-'}" for stage, rank in ranks.items())
