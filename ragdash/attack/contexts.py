"""A mode's context as a policy sees it, and what was said on it scored as a run scores answers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ragdash.attack.view import derived_trust
from ragdash.contract import parse_citations
from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.attack import ChunkMeta, PolicyOutput, PolicyView, ViewChunk
from ragdash.evaluate.scoring import measured
from ragdash.metrics.base import Observation
from ragdash.metrics.outcome import decide

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.answer import Citation
    from ragdash.core.chunk import Chunk
    from ragdash.core.run import Outcome, QuestionResult

_NUMBER = re.compile(r"\d(?:[\d,.]*\d)?")


@dataclass(frozen=True, slots=True)
class Seen:
    """What was said on one context, and what became of the question by it."""

    output: PolicyOutput
    outcome: Outcome


def view_of_context(
    query: str,
    context: Sequence[Chunk],
    registered: frozenset[str],
    declared: Mapping[str, ChunkMeta],
) -> PolicyView:
    """Return what a policy may see of a context, best first.

    Args:
        query: the question's text.
        context: the chunks that a mode shows.
        registered: tagged digests of the registered documents, from which trust is derived.
        declared: what came with a chunk beside its text, by chunk id.
    """
    chunks = tuple(
        ViewChunk(
            id=chunk.chunk_id,
            text=chunk.text,
            trusted=derived_trust(chunk.source.sha256, _channel(chunk), registered),
            meta=replace(
                declared.get(chunk.chunk_id, ChunkMeta()),
                doc_id=chunk.source.doc_id,
                company=chunk.source.company,
                period=chunk.source.period or "",
                page=chunk.source_page,
                channel=_channel(chunk),
                kind=chunk.kind.value,
                label=chunk.source.label,
            ),
        )
        for chunk in context
    )
    return PolicyView(query=query, chunks=chunks, oracle_trust=False)


def _channel(chunk: Chunk) -> str:
    """Return how a document came, "" where nobody said: such a one is not trusted."""
    return chunk.source.channel.value if chunk.source.channel else ""


def answered_by_the_generator(answer: Answer, context: Sequence[Chunk]) -> PolicyOutput:
    """Return a generator's answer as an output without a policy, citations as chunk ids."""
    cited = [i for citation in answer.citations for i in _cited(answer.text, citation, context)]
    return PolicyOutput(
        answer.text,
        tuple(dict.fromkeys(cited)),
        refused=answer.status is AnswerStatus.REFUSED,
    )


def _cited(text: str, citation: Citation, context: Sequence[Chunk]) -> list[str]:
    """Return the chunks of the context that a citation names, or its own text where none is.

    A passage that poses as a page of a filing has that page's citation. Of those that share one,
    it is what holds the most figures of the statement before it.
    """
    named = [
        c
        for c in context
        if (c.source.company, c.source.label) == (citation.company, citation.label)
        and c.source_page in citation.pages
    ]
    if not named:
        return [citation.text]
    figures = set(_NUMBER.findall(text[: citation.span[0]].rpartition(")")[2]))
    held = [len(figures & set(_NUMBER.findall(c.text))) for c in named]
    return [c.chunk_id for c, n in zip(named, held, strict=True) if n == max(held)]


def judged_as_a_run(policy: str, output: PolicyOutput, result: QuestionResult) -> Outcome:
    """Return the outcome of a policy's answer by the gates that a run's answers go through."""
    answer = Answer(
        text=output.answer,
        status=AnswerStatus.REFUSED if output.refused else AnswerStatus.ANSWERED,
        citations=parse_citations(output.answer),
        generator=policy,
        raw=output.answer,
    )
    seen = Observation(result.question, result.retrieval, answer, result.gold_ranks, None)
    return decide(result.question, answer, {s.metric: s for s in measured(seen)})
