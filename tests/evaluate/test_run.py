"""Evaluation yields a result for every question and mode, whatever fails in between."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.retrieval import Mode, RankedChunk, RankTrace, Retrieval
from ragdash.core.run import Outcome
from ragdash.core.score import ScoreStatus
from ragdash.evaluate import Setup, evaluate
from ragdash.generate import ExtractiveGenerator
from ragdash.retrieve.base import SEARCHED_TOGETHER

if TYPE_CHECKING:
    from ragdash.core.question import Question


@dataclass
class Fixed:
    """A retriever that always finds the same chunk, and keeps what it was asked."""

    mode: Mode
    chunk: object
    asked: list[str]
    fails_on: str = ""

    def retrieve(self, question_id: str, query: str) -> Retrieval:
        assert query
        self.asked.append(question_id)
        if question_id == self.fails_on:
            raise RuntimeError("index file vanished")
        trace = RankTrace(1, None, None, None, 1, in_context=True)
        return Retrieval(self.mode, question_id, (RankedChunk(self.chunk, trace),), 5, 0.1)


@dataclass
class Says:
    """A generator with one reply, or none."""

    text: str
    name: str = "says"

    def generate(self, question: str, lang: str, context: object) -> Answer:
        del question, lang, context
        if self.text == "crash":
            raise ValueError("reply could not be read")
        return Answer(self.text, AnswerStatus.ANSWERED, (), self.name, raw=self.text)


@pytest.fixture
def setup(build):
    def make(generator=None, fails_on: str = "") -> Setup:
        chunk = build.make_chunk(text="单位：元\n营业收入 | 147,693,604,994.14")
        retrievers = {mode: Fixed(mode, chunk, [], fails_on) for mode in (Mode.DENSE, Mode.HYBRID)}
        return Setup(retrievers, generator or ExtractiveGenerator(), [chunk], 5, None)

    return make


def test_every_question_has_a_result_in_every_mode_in_order(setup, build) -> None:
    questions = [build.make_question(q) for q in ("q1", "q2")]
    results = list(evaluate(questions, setup()))
    assert [(r.question.id, r.mode) for r in results] == [
        ("q1", Mode.DENSE), ("q1", Mode.HYBRID), ("q2", Mode.DENSE), ("q2", Mode.HYBRID),
    ]  # fmt: skip
    assert {r.outcome for r in results} == {Outcome.CORRECT}
    assert all(r.diagnosis is None for r in results)


def test_what_is_done_is_not_asked_again(setup, build) -> None:
    made = setup()
    questions = [build.make_question(q) for q in ("q1", "q2")]
    done = frozenset({(Mode.DENSE, "q1"), (Mode.HYBRID, "q2")})
    results = list(evaluate(questions, made, done))
    assert [(r.question.id, r.mode) for r in results] == [("q1", Mode.HYBRID), ("q2", Mode.DENSE)]
    assert made.retrievers[Mode.DENSE].asked == ["q2"]


def test_a_failing_retriever_is_an_error_of_its_question_only(setup, build) -> None:
    questions = [build.make_question(q) for q in ("q1", "q2")]
    results = list(evaluate(questions, setup(fails_on="q1")))
    assert [r.outcome for r in results] == [Outcome.ERROR] * 2 + [Outcome.CORRECT] * 2
    failed = results[0]
    assert failed.answer.reason == "retrieval_failed"
    assert "index file vanished" in failed.answer.raw
    assert {s.metric: s for s in failed.scores}["answer_accuracy"].status is ScoreStatus.ERROR
    assert failed.diagnosis is not None


@pytest.mark.parametrize(
    ("text", "reason"), [("crash", "generation_failed"), ("", "no_output"), (" \n", "no_output")]
)
def test_a_failing_or_empty_generator_is_an_error_and_no_refusal(
    setup, build, text, reason
) -> None:
    (result, _) = evaluate([build.make_question("q1")], setup(Says(text)))
    assert result.outcome is Outcome.ERROR
    assert result.answer.reason == reason


def test_without_a_similarity_the_signals_are_not_judged_and_not_zero(setup, build) -> None:
    (result, _) = evaluate([build.make_question("q1")], setup())
    signals = [s for s in result.scores if s.metric.endswith("_similarity")]
    assert len(signals) == 3
    assert {(s.value, s.reason) for s in signals} == {(None, "not_judged")}


@dataclass
class Together(Fixed):
    """A retriever that is told of its questions in advance; `fails_on` fails whatever holds it."""

    ahead: list[list[str]] = field(default_factory=list)

    def search_together(self, queries: list[str]) -> None:
        self.ahead.append(list(queries))
        if self.fails_on:
            raise RuntimeError("one of these cannot be encoded")


def _asked(build, n: int) -> list[Question]:
    made = [build.make_question(f"q{i}") for i in range(n)]
    return [replace(q, text=f"{q.text} {q.id}") for q in made]


def test_questions_are_searched_together_batch_by_batch_and_only_where_they_are_not_done(
    setup, build
) -> None:
    made = setup()
    retriever = Together(Mode.DENSE, made.chunks[0], [])
    questions = _asked(build, SEARCHED_TOGETHER + 3)
    done = frozenset({(Mode.DENSE, "q1"), (Mode.HYBRID, "q1"), (Mode.DENSE, "q2")})
    retrievers = {Mode.DENSE: retriever, Mode.HYBRID: made.retrievers[Mode.HYBRID]}
    results = evaluate(questions, replace(made, retrievers=retrievers), done)
    next(results)
    # the second batch is not touched before the first is through
    assert len(retriever.ahead) == 1
    assert len([*results]) == 2 * len(questions) - len(done) - 1
    assert [text for batch in retriever.ahead for text in batch] == [
        q.text for q in questions if q.id not in ("q1", "q2")
    ]
    assert max(map(len, retriever.ahead)) <= SEARCHED_TOGETHER


def test_a_batch_that_cannot_be_searched_together_is_searched_one_by_one(setup, build) -> None:
    made = setup()
    retriever = Together(Mode.DENSE, made.chunks[0], [], fails_on="q1")
    questions = _asked(build, 3)
    results = list(evaluate(questions, replace(made, retrievers={Mode.DENSE: retriever})))
    assert [r.outcome is Outcome.ERROR for r in results] == [False, True, False]
    assert retriever.asked == ["q0", "q1", "q2"]
