"""Questions in, QuestionResults out: retrieved in this thread, endpoints asked side by side."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING

from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.retrieval import Retrieval
from ragdash.diagnose import evidence_chunks
from ragdash.evaluate.asking import Heard, beside, ending_of, stopped_early
from ragdash.evaluate.scoring import concluded, judged, measured
from ragdash.generate import heard_by
from ragdash.metrics.base import Observation
from ragdash.metrics.qrels import by_page, gold_chunks, gold_ranks
from ragdash.retrieve.base import SEARCHED_TOGETHER, SearchesTogether

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from ragdash.core.call import Call
    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Question
    from ragdash.core.retrieval import GoldRanks, Mode
    from ragdash.core.run import QuestionResult
    from ragdash.core.score import Score
    from ragdash.evaluate.setup import Setup


@dataclass(frozen=True, slots=True)
class _Unit:
    """One question in one mode, retrieved; `fault` is the answer where retrieval failed."""

    question: Question
    retrieval: Retrieval
    fault: Answer | None
    gold_ranks: GoldRanks | None
    kept: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A unit with what the endpoints said: the answer, the judge's scores, every call."""

    unit: _Unit
    answer: Answer
    scores: list[Score]
    calls: list[Call] = field(default_factory=list)


def evaluate(
    questions: Iterable[Question],
    setup: Setup,
    done: frozenset[tuple[Mode, str]] = frozenset(),
) -> Iterator[QuestionResult]:
    """Yield one result per question and mode, leaving out what is done.

    In order where no endpoint is asked, else as the endpoints reply. A retriever, generator or
    judge that fails becomes a stored error of that question; the rest goes on.

    Raises:
        StoppedEarly: an endpoint asks to wait too long, or the budget or the deadline of the run
            is used up; what was complete has been yielded.
    """
    stopped: Call | None = None
    units = _retrieved(questions, setup, done)
    for asked in beside(units, lambda unit: _ask(unit, setup), setup.in_flight):
        ending = ending_of(asked.calls)
        if ending is None:
            yield _finished(asked, setup)
        elif stopped is None:
            stopped = ending
            units.close()
    if stopped is not None:
        raise stopped_early(stopped)


def _retrieved(
    questions: Iterable[Question], setup: Setup, done: frozenset[tuple[Mode, str]]
) -> Generator[_Unit]:
    pages = by_page(setup.chunks)
    modes_of = ((q, [m for m in setup.retrievers if (m, q.id) not in done]) for q in questions)
    pending = (one for one in modes_of if one[1])
    while batch := list(islice(pending, SEARCHED_TOGETHER)):
        _search_together(batch, setup)
        for question, modes in batch:
            gold = gold_chunks(question, pages)
            kept = evidence_chunks(question, gold, pages)
            for mode in modes:
                retrieval, fault = _retrieve(question, mode, setup)
                ranks = gold_ranks(question, gold_chunks(question, by_page(kept)), retrieval)
                yield _Unit(question, retrieval, fault, ranks, kept)


def _search_together(batch: Iterable[tuple[Question, list[Mode]]], setup: Setup) -> None:
    """Let each retriever that can search for its questions of a batch at once."""
    for mode, retriever in setup.retrievers.items():
        if isinstance(retriever, SearchesTogether):
            try:
                retriever.search_together([q.text for q, modes in batch if mode in modes])
            except Exception:  # noqa: BLE001 - each is searched alone next, and fails alone
                continue


def _ask(unit: _Unit, setup: Setup) -> _Asked:
    """Generate and judge; this is all that runs beside other questions."""
    calls: list[Call] = []
    answer = unit.fault or _answer(unit, setup, calls)
    if ending_of(calls) is not None:
        return _Asked(unit, answer, [], calls)
    seen = replace(_observation(unit, answer, setup), similarity=None, judge=setup.judge)
    scores, more = judged(seen, setup.repeats)
    return _Asked(unit, answer, scores, calls + more)


def _finished(asked: _Asked, setup: Setup) -> QuestionResult:
    seen = _observation(asked.unit, asked.answer, setup)
    return concluded(seen, measured(seen) + asked.scores, asked.calls, asked.unit.kept)


def _observation(unit: _Unit, answer: Answer, setup: Setup) -> Observation:
    return Observation(unit.question, unit.retrieval, answer, unit.gold_ranks, setup.similarity)


def _retrieve(question: Question, mode: Mode, setup: Setup) -> tuple[Retrieval, Answer | None]:
    started = time.perf_counter()
    try:
        return setup.retrievers[mode].retrieve(question.id, question.text), None
    except Exception as error:  # noqa: BLE001 - one failing question must not lose the run
        seconds = time.perf_counter() - started
        empty = Retrieval(mode, question.id, (), setup.top_k, seconds)
        return empty, _fault("retrieval_failed", error, setup)


def _answer(unit: _Unit, setup: Setup, calls: list[Call]) -> Answer:
    question = unit.question
    generator = heard_by(setup.generator, lambda client: Heard(client, calls))
    try:
        answer = generator.generate(question.text, question.lang, unit.retrieval.context)
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
