"""The chunks that tell where a question's gold stands: all that a diagnosis reads of a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.amounts import printed, read_chunk
from ragdash.core.question import QuestionKind
from ragdash.diagnose.digits import may_print
from ragdash.metrics.qrels import unprinted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Evidence, Gold, Question

    ByPage = Mapping[tuple[str, int], Sequence[Chunk]]

_OTHER_PAGES = 3


def evidence_chunks(
    question: Question, gold: Mapping[Evidence, Sequence[Chunk]], pages: ByPage
) -> tuple[Chunk, ...]:
    """Return the gold chunks and, where a page or its figure is missing, what stands instead.

    That is one chunk of the page before and of the page after, and the chunks of other pages of
    the same document that print the figure.

    Args:
        question: the question.
        gold: the gold chunks of each evidence page; an empty tuple where the index has none.
        pages: every chunk of the corpus by (doc_id, page).
    """
    kept = [chunk for chunks in gold.values() for chunk in chunks]
    missing = [evidence for evidence, chunks in gold.items() if not chunks]
    for evidence in missing:
        kept += neighbours(evidence, pages)
    wanted = sought(question, gold)
    if wanted:
        for doc_id in dict.fromkeys(evidence.doc_id for evidence in gold):
            own = {e.page for e in gold if e.doc_id == doc_id}
            for figure in wanted:
                kept += elsewhere(figure, doc_id, own, pages)
    return tuple({chunk.chunk_id: chunk for chunk in kept}.values())


def sought(question: Question, gold: Mapping[Evidence, Sequence[Chunk]]) -> tuple[Gold, ...]:
    """Return the printed figures that no evidence page states; a computed one need not be."""
    return () if question.kind is QuestionKind.COMPUTED else unprinted(question, gold)


def neighbours(evidence: Evidence, pages: ByPage) -> list[Chunk]:
    """Return the first chunk of the nearest page of the document on either side."""
    numbers = [page for doc_id, page in pages if doc_id == evidence.doc_id]
    near = (
        max((n for n in numbers if n < evidence.page), default=None),
        min((n for n in numbers if n > evidence.page), default=None),
    )
    return [pages[evidence.doc_id, n][0] for n in near if n is not None]


def elsewhere(figure: Gold, doc_id: str, own: set[int], pages: ByPage) -> list[Chunk]:
    """Return a chunk of each of the first other pages of a document that print a figure."""
    numbers = sorted(page for doc, page in pages if doc == doc_id and page not in own)
    found: list[Chunk] = []
    for number in numbers:
        found += next(([c] for c in pages[doc_id, number] if _prints(c, figure)), [])
        if len(found) == _OTHER_PAGES:
            break
    return found


def _prints(chunk: Chunk, figure: Gold) -> bool:
    return may_print(chunk.text, figure) and any(
        printed(amount, figure) for amount in read_chunk(chunk.text, chunk.unit_note)
    )
