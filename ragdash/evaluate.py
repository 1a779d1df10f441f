"""Questions in, QuestionResults out: no files, no database."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.retrieval import Retrieval
from ragdash.core.run import QuestionResult
from ragdash.diagnose import diagnose, evidence_chunks
from ragdash.diagnose.redo import LOST
from ragdash.metrics import METRICS
from ragdash.metrics.base import Observation
from ragdash.metrics.outcome import caliber_reviewed, decide
from ragdash.metrics.qrels import by_page, gold_chunks, gold_ranks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Question
    from ragdash.core.retrieval import Mode
    from ragdash.generate.base import Generator
    from ragdash.metrics.base import Similarity
    from ragdash.retrieve.base import Retriever


@dataclass(frozen=True, slots=True)
class Setup:
    """What a run evaluates with; only the retriever differs between its modes."""

    retrievers: Mapping[Mode, Retriever]
    generator: Generator
    chunks: Sequence[Chunk]
    top_k: int
    similarity: Similarity | None


def evaluate(
    questions: Iterable[Question],
    setup: Setup,
    done: frozenset[tuple[Mode, str]] = frozenset(),
) -> Iterator[QuestionResult]:
    """Yield one result per question and mode, question by question, leaving out what is done.

    A retriever or generator that fails becomes a stored error of that question; the rest goes on.
    """
    pages = by_page(setup.chunks)
    for question in questions:
        modes = [mode for mode in setup.retrievers if (mode, question.id) not in done]
        if not modes:
            continue
        gold = gold_chunks(question, pages)
        kept = evidence_chunks(question, gold, pages)
        for mode in modes:
            yield _one(question, mode, setup, kept)


def _one(question: Question, mode: Mode, setup: Setup, kept: tuple[Chunk, ...]) -> QuestionResult:
    gold = gold_chunks(question, by_page(kept))
    retrieval, fault = _retrieve(question, mode, setup)
    answer = fault or _answer(question, setup, retrieval)
    ranks = gold_ranks(question, gold, retrieval)
    seen = Observation(question, retrieval, answer, ranks, setup.similarity)
    scores = {metric.name: metric.score(seen) for metric in METRICS}
    outcome = decide(question, answer, scores)
    return QuestionResult(
        question=question,
        mode=mode,
        retrieval=retrieval,
        gold_ranks=ranks,
        answer=answer,
        scores=tuple(scores.values()),
        outcome=outcome,
        caliber_reviewed=caliber_reviewed(scores),
        diagnosis=diagnose(seen, scores, kept) if outcome in LOST else None,
        evidence_chunks=kept,
    )


def _retrieve(question: Question, mode: Mode, setup: Setup) -> tuple[Retrieval, Answer | None]:
    started = time.perf_counter()
    try:
        return setup.retrievers[mode].retrieve(question.id, question.text), None
    except Exception as error:  # noqa: BLE001 - one failing question must not lose the run
        seconds = time.perf_counter() - started
        empty = Retrieval(mode, question.id, (), setup.top_k, seconds)
        return empty, _fault("retrieval_failed", error, setup)


def _answer(question: Question, setup: Setup, retrieval: Retrieval) -> Answer:
    try:
        answer = setup.generator.generate(question.text, question.lang, retrieval.context)
    except Exception as error:  # noqa: BLE001 - one failing question must not lose the run
        return _fault("generation_failed", error, setup)
    if answer.status is AnswerStatus.ANSWERED and not answer.text.strip():
        return _fault("no_output", None, setup, answer.raw)
    return answer


def _fault(reason: str, error: Exception | None, setup: Setup, raw: str = "") -> Answer:
    return Answer(
        text="",
        status=AnswerStatus.ERROR,
        citations=(),
        generator=setup.generator.name,
        raw=raw if error is None else f"{type(error).__name__}: {error}",
        reason=reason,
    )
