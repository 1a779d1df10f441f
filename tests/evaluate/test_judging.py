"""A judge's repeats are rows, its calls are kept, and a run that cannot go on says so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from ragdash.core.answer import AnswerStatus
from ragdash.core.call import CallReason, Level
from ragdash.core.errors import StoppedEarly
from ragdash.core.retrieval import Mode, RankedChunk, RankTrace, Retrieval
from ragdash.core.run import Outcome
from ragdash.core.score import MetricKind, ScoreStatus
from ragdash.evaluate import Setup, evaluate, rescore
from ragdash.evaluate.rescore import Rescoring
from ragdash.evaluate.scoring import JUDGED
from ragdash.generate import EndpointGenerator, ExtractiveGenerator
from ragdash.llm.scripted import ScriptedClient
from ragdash.metrics import BY_NAME, METRICS

if TYPE_CHECKING:
    from ragdash.llm.base import ChatRequest

ROW = "营业收入 | 147,693,604,994.14"
FIGURE = "营业收入为147,693,604,994.14元"


@dataclass
class Fixed:
    """A retriever that always finds the same chunk."""

    mode: Mode
    chunk: object
    asked: list[str] = field(default_factory=list)

    def retrieve(self, question_id: str, query: str) -> Retrieval:
        assert query
        self.asked.append(question_id)
        trace = RankTrace(1, None, None, None, 1, in_context=True)
        return Retrieval(self.mode, question_id, (RankedChunk(self.chunk, trace),), 5, 0.1)


def verdicts(request: ChatRequest) -> dict[str, Any]:
    """What a judge says that finds everything right, by the schema it is asked for."""
    assert request.schema is not None
    return {
        "Claims": {"claims": [{"claim": FIGURE, "quote": FIGURE}]},
        "Verdicts": {"verdicts": [{"id": 1, "verdict": "supported", "quote": ROW}]},
        "Aspects": {"company": "addressed", "metric": "addressed", "period": "addressed"},
        "Grades": {"grades": [{"id": 1, "grade": 3}]},
    }[request.schema.__name__]


@pytest.fixture
def setup(build):
    def make(judge=None, generator=None, **fields: Any) -> Setup:
        chunk = build.make_chunk(text=f"单位：元\n{ROW}")
        retrievers = {mode: Fixed(mode, chunk) for mode in (Mode.DENSE, Mode.HYBRID)}
        return Setup(
            retrievers, generator or ExtractiveGenerator(), [chunk], 5, None, judge, **fields
        )

    return make


@pytest.mark.parametrize("in_flight", [0, 3])
def test_each_repeat_is_a_row_with_the_judge_s_name_and_its_calls_are_kept(
    setup, build, in_flight
) -> None:
    judge = ScriptedClient(verdicts)
    questions = [build.make_question(q) for q in ("q1", "q2")]
    results = list(evaluate(questions, setup(judge, repeats=3, in_flight=in_flight)))
    assert len(results) == 4
    for result in results:
        rows = [s for s in result.scores if s.metric in JUDGED]
        assert [(s.metric, s.repeat) for s in rows] == [
            (m.name, r) for m in METRICS if m.name in JUDGED for r in range(3)
        ]
        assert {(s.value, s.judge) for s in rows} == {(1.0, judge.name)}
        # Two steps of faithfulness and one of each other metric, three times.
        assert len(result.calls) == 12
        assert {c.repeat for c in result.calls} == {0, 1, 2}
        assert {c.stage for c in result.calls} == {"judge"}
        assert result.outcome is Outcome.CORRECT
    assert len({s.metric for s in results[0].scores}) == len(METRICS)


def test_a_judge_never_decides_an_outcome_and_its_failure_loses_nothing_else(setup, build) -> None:
    fails = ScriptedClient(lambda _: CallReason.TIMEOUT)
    (judged, _) = evaluate([build.make_question("q1")], setup(fails))
    (plain, _) = evaluate([build.make_question("q1")], setup())
    assert judged.outcome is plain.outcome
    for score in judged.scores:
        if score.metric in JUDGED:
            assert (score.status, score.reason) == (ScoreStatus.ERROR, "timeout")
    gates = [s for s in judged.scores if BY_NAME[s.metric].kind is MetricKind.GATE]
    assert gates == [s for s in plain.scores if BY_NAME[s.metric].kind is MetricKind.GATE]


def test_without_a_judge_its_metrics_say_so(setup, build) -> None:
    (result, _) = evaluate([build.make_question("q1")], setup())
    rows = [s for s in result.scores if s.metric in JUDGED]
    assert {(s.status, s.reason, s.value) for s in rows} == {
        (ScoreStatus.UNDEFINED, "not_judged", None)
    }


@pytest.mark.parametrize(
    "reason", [CallReason.RATE_LIMITED, CallReason.OVER_BUDGET, CallReason.PAST_DEADLINE]
)
@pytest.mark.parametrize("in_flight", [0, 2])
def test_a_run_that_cannot_go_on_yields_what_is_whole_and_then_says_why(
    setup, build, reason, in_flight
) -> None:
    asked = 0

    def script(request: ChatRequest) -> Any:
        nonlocal asked
        asked += 1
        return verdicts(request) if asked <= 8 else reason

    made = setup(ScriptedClient(script), in_flight=in_flight)
    found = []
    with pytest.raises(StoppedEarly, match=reason.value):
        found.extend(evaluate([build.make_question(f"q{i}") for i in range(50)], made))
    assert len(found) <= 2
    assert all(s.status is not ScoreStatus.ERROR for r in found for s in r.scores)
    # The rest was not even searched for.
    assert len(made.retrievers[Mode.DENSE].asked) < 10


def test_calls_of_generator_and_judge_stand_with_their_question(setup, build) -> None:
    text = f"贵州茅台2023年{FIGURE}(贵州茅台·2023年报·P45)。"
    generator = EndpointGenerator(ScriptedClient(lambda _: text), Level.TEXT)
    made = setup(ScriptedClient(verdicts), generator, in_flight=4)
    questions = [build.make_question(f"q{i}") for i in range(6)]
    for result in evaluate(questions, made):
        assert [c.stage for c in result.calls] == ["generate", *["judge"] * 4]
        assert result.answer.status is AnswerStatus.ANSWERED
        assert result.answer.raw == text


def test_scoring_again_asks_the_judge_and_no_one_else(setup, build) -> None:
    first = list(evaluate([build.make_question(q) for q in ("q1", "q2")], setup()))
    judge = ScriptedClient(verdicts)
    again = list(rescore(first, Rescoring(judge, repeats=2, in_flight=2)))
    by_key = {(r.question.id, r.mode): r for r in again}
    for before in first:
        after = by_key[before.question.id, before.mode]
        assert (after.answer, after.retrieval) == (before.answer, before.retrieval)
        assert after.outcome is before.outcome
        rows = [s for s in after.scores if s.metric in JUDGED]
        assert [s.value for s in rows] == [1.0] * 6
        others = [s for s in after.scores if s.metric not in JUDGED]
        assert others == [s for s in before.scores if s.metric not in JUDGED]


def test_gates_only_keeps_every_signal_and_its_calls_as_stored(setup, build) -> None:
    judge = ScriptedClient(verdicts)
    (first, _) = evaluate([build.make_question("q1")], setup(judge, repeats=2))
    asked = len(judge.asked)
    (again,) = rescore([first], Rescoring())
    assert again == first
    assert len(judge.asked) == asked
