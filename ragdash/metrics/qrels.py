"""Which chunks hold the gold, and how far each stage carried them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ragdash.amounts import printed, read_chunk
from ragdash.core.question import QuestionKind
from ragdash.core.retrieval import Extent, GoldRanks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Evidence, Gold, Question
    from ragdash.core.retrieval import Retrieval

ChunksByPage: TypeAlias = "dict[tuple[str, int], tuple[Chunk, ...]]"


def by_page(chunks: Iterable[Chunk]) -> ChunksByPage:
    """Return the chunks of each (doc_id, page), in corpus order, without those of no known page."""
    pages: dict[tuple[str, int], list[Chunk]] = {}
    for chunk in chunks:
        if chunk.source_page is not None:
            pages.setdefault((chunk.source.doc_id, chunk.source_page), []).append(chunk)
    return {page: tuple(found) for page, found in pages.items()}


def gold_chunks(
    question: Question,
    chunks: Mapping[tuple[str, int], Sequence[Chunk]],
    extent: Extent = Extent.WHOLE,
) -> dict[Evidence, tuple[Chunk, ...]]:
    """Return, per evidence page, the chunks that hold a gold amount, or all where none does.

    A page that is in no chunk has an empty tuple: its passage was lost at ingest. Where `chunks`
    are not the whole index, a chunk that does not print a figure of the gold is no gold chunk:
    another one of its page may.
    """
    in_part = extent is not Extent.WHOLE and bool(unprinted_kind(question))
    found: dict[Evidence, tuple[Chunk, ...]] = {}
    for evidence in question.evidence:
        on_page = tuple(chunks.get((evidence.doc_id, evidence.page), ()))
        holding = tuple(c for c in on_page if _holds(c, question))
        found[evidence] = holding if in_part else holding or on_page
    return found


def unprinted_kind(question: Question) -> tuple[Gold, ...]:
    """Return the gold figures that a page is to print: a computed one need not be printed."""
    return () if question.kind is QuestionKind.COMPUTED else question.gold


def unseen(retrieval: Retrieval) -> str:
    """Return why it cannot be told what of the evidence an import's generator saw."""
    return "contexts_not_given" if retrieval.extent is Extent.NOT_GIVEN else "pages_not_given"


def is_placed(retrieval: Retrieval) -> bool:
    """Whether document and page of every candidate are known."""
    return all(
        c.chunk.source_page is not None and c.chunk.source.doc_id for c in retrieval.candidates
    )


def page_in_part(question: Question, retrieval: Retrieval) -> Evidence | None:
    """Return an evidence page of which an import gave chunks, none of them with the figure."""
    if retrieval.extent is Extent.WHOLE:
        return None
    pages = by_page(c.chunk for c in retrieval.candidates)
    gold = gold_chunks(question, pages, retrieval.extent)
    return next((e for e in gold if (e.doc_id, e.page) in pages and not gold[e]), None)


def unprinted(question: Question, gold: Mapping[Evidence, Sequence[Chunk]]) -> tuple[Gold, ...]:
    """Return the gold figures that no chunk of any evidence page prints so that they can be read.

    A computed figure need not be printed, and prose has none.
    """
    wanted = unprinted_kind(question)
    if not wanted:
        return ()
    amounts = [
        amount
        for chunks in gold.values()
        for chunk in chunks
        for amount in read_chunk(chunk.text, chunk.unit_note)
    ]
    return tuple(g for g in wanted if not any(printed(a, g) for a in amounts))


def _holds(chunk: Chunk, question: Question) -> bool:
    amounts = read_chunk(chunk.text, chunk.unit_note)
    return any(printed(amount, gold) for amount in amounts for gold in question.gold)


def gold_ranks(
    question: Question, gold: Mapping[Evidence, Sequence[Chunk]], retrieval: Retrieval
) -> GoldRanks | None:
    """Return the best rank of any gold chunk at each stage; None without evidence pages.

    None also where an import does not let it be told what was visible.
    """
    if not question.evidence or retrieval.extent is Extent.NOT_GIVEN:
        return None
    ids = {c.chunk_id for chunks in gold.values() for c in chunks}
    traces = [c.trace for c in retrieval.candidates if c.chunk.chunk_id in ids]

    def best(ranks: Iterable[int | None]) -> int | None:
        return min((r for r in ranks if r is not None), default=None)

    visible = {c.chunk_id for c in retrieval.context}
    seen = [any(c.chunk_id in visible for c in chunks) for chunks in gold.values()]
    is_visible = all(seen) if question.needs_every_page else any(seen)
    if not is_visible and retrieval.extent is not Extent.WHOLE and not is_placed(retrieval):
        return None
    return GoldRanks(
        chunk_ids=tuple(sorted(ids)),
        dense=best(t.dense_rank for t in traces),
        bm25=best(t.bm25_rank for t in traces),
        fused=best(t.fused_rank for t in traces),
        rerank=best(t.rerank_rank for t in traces),
        final=best(t.final_rank for t in traces),
        evidence_visible=is_visible,
    )
