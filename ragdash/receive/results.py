"""What was gathered, as results of ours: scored and diagnosed by our code, and no further."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ragdash.amounts import read_unit_note
from ragdash.contract import parse_citations, status_of
from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.chunk import Chunk, ChunkKind, DocType, Source
from ragdash.core.question import Question, QuestionKind
from ragdash.core.retrieval import Extent, Mode, RankedChunk, Retrieval
from ragdash.core.score import GIVEN, Score, ScoreStatus, scored, undefined
from ragdash.evaluate.scoring import concluded, judged, measured
from ragdash.metrics.base import Observation
from ragdash.metrics.qrels import by_page, gold_chunks, gold_ranks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ragdash.core.run import QuestionResult
    from ragdash.metrics.qrels import ChunksByPage
    from ragdash.receive.fields import Header, Line
    from ragdash.receive.gather import Gathered, Row

_HAN = re.compile("[\u3400-\u9fff]")
_BY_GOLDS = (QuestionKind.TEXT, QuestionKind.LOOKUP, QuestionKind.COMPARE)


class Nouns:
    """The questions and chunks of a file as nouns of ours, each made once."""

    def __init__(self, found: Gathered) -> None:
        self._found = found
        self._sources: dict[str, Source] = {}
        self._chunks: dict[str, Chunk] = {}
        self.questions = {key: _question(key, told.facts) for key, told in found.questions.items()}

    def chunk(self, chunk_id: str) -> Chunk:
        """Return a chunk with its document."""
        if chunk_id not in self._chunks:
            given, doc_id, _ = self._found.chunks[chunk_id]
            if doc_id not in self._sources:
                self._sources[doc_id] = _source(doc_id, self._found.sources[doc_id].facts)
            self._chunks[chunk_id] = Chunk(
                chunk_id=chunk_id,
                source=self._sources[doc_id],
                source_page=given.page,
                section=given.section or "",
                kind=given.chunk_kind or ChunkKind.TEXT,
                unit_note=_unit_note(given.text) if given.unit_note is None else given.unit_note,
                text=given.text,
            )
        return self._chunks[chunk_id]


def results_of(found: Gathered, nouns: Nouns) -> Iterator[QuestionResult]:
    """Yield a result for each line, mode by mode, questions in the order they were first told."""
    for mode in found.modes:
        rows = [found.rows[mode, key] for key in found.questions if (mode, key) in found.rows]
        ids = dict.fromkeys(key for row in rows for key, _ in row.contexts or ())
        pages = by_page(nouns.chunk(key) for key in ids)
        for row in rows:
            yield _result(row, found.header, nouns, pages)


def _result(row: Row, header: Header, nouns: Nouns, pages: ChunksByPage) -> QuestionResult:
    question = nouns.questions[row.id]
    retrieval = _retrieval(row, header, nouns)
    gold = gold_chunks(question, pages, retrieval.extent)
    ranks = gold_ranks(question, gold, retrieval)
    answer = _answer(row.line, header)
    seen = Observation(question, retrieval, answer, ranks, None)
    scores = measured(seen) + judged(seen, 1)[0] + _given(row.line, header)
    kept = {chunk.chunk_id: chunk for chunks in gold.values() for chunk in chunks}
    return concluded(seen, scores, [], tuple(kept.values()))


def _retrieval(row: Row, header: Header, nouns: Nouns) -> Retrieval:
    extent = Extent.LISTED if header.whole_lists else Extent.CUT
    return Retrieval(
        mode=Mode(row.mode),
        question_id=row.id,
        candidates=tuple(RankedChunk(nouns.chunk(key), trace) for key, trace in row.contexts or ()),
        top_k=header.top_k,
        seconds=row.line.retrieve_seconds,
        extent=Extent.NOT_GIVEN if row.contexts is None else extent,
    )


def _answer(line: Line, header: Header) -> Answer:
    """Return the answer: whether it declines is read from its text, as for any other system.

    Who declares a refusal and gives no text has declined: that is told, so nothing is missing.
    """
    declared = AnswerStatus.REFUSED if line.refused else None
    if line.error is not None:
        status = AnswerStatus.ERROR
    elif declared and not line.answer.strip():
        status = declared
    else:
        status = status_of(line.answer, declared)
    reason = ""
    if status is AnswerStatus.ERROR:
        reason = "no_output" if line.error is None else "system_failed"
    elif declared is AnswerStatus.REFUSED and status is AnswerStatus.ANSWERED:
        reason = "refusal_with_answer"
    raw = line.error if line.raw is None else line.raw
    facts = header.facts
    return Answer(
        text=line.answer,
        status=status,
        citations=parse_citations(line.answer),
        generator=line.generator or facts.get("generator") or facts.get("system", ""),
        prompt=line.prompt,
        raw=raw or "",
        finish_reason=line.finish_reason,
        reason=reason,
        seconds=line.generate_seconds,
    )


def _given(line: Line, header: Header) -> list[Score]:
    """Return the other system's own numbers, under names that no metric of ours has."""
    by = header.facts.get("system", "another system")
    scores = [
        undefined(GIVEN + name, "not_given")
        if value is None
        else Score(GIVEN + name, value, ScoreStatus.SCORED, judge=by)
        for name, value in line.scores.items()
    ]
    if line.cost is not None:
        scores.append(scored(GIVEN + "cost", line.cost))
    return scores


def _question(question_id: str, facts: dict[str, Any]) -> Question:
    """Return a question with what is not told at its default."""
    gold = facts.get("gold", ())
    return Question(
        id=question_id,
        text=facts["text"],
        lang=facts.get("lang") or ("zh" if _HAN.search(facts["text"]) else "en"),
        kind=facts.get("kind") or _BY_GOLDS[min(len(gold), 2)],
        company=facts.get("company"),
        period=facts.get("period"),
        gold=gold,
        gold_text=facts.get("gold_text", ""),
        evidence=facts.get("evidence", ()),
        answerable=facts.get("answerable", True),
        note=facts.get("note", ""),
    )


def _source(doc_id: str, facts: dict[str, Any]) -> Source:
    return Source(
        doc_id=doc_id,
        file="",
        company=facts.get("company", ""),
        period=facts.get("period"),
        doc_type=facts.get("doc_type", DocType.OTHER),
        lang="",
        channel=None,
        title="",
        licence="",
        label=facts.get("label", ""),
        sha256="",
        n_pages=None,
    )


def _unit_note(text: str) -> str:
    """Return the unit line that a text states itself; a system that keeps it apart gives it."""
    found = read_unit_note(text)
    return text[slice(*found.span)] if found else ""
