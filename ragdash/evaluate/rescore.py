"""Stored results scored again: nothing is retrieved, nothing generated, nothing overwritten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.core.score import MetricKind
from ragdash.evaluate.asking import beside, ending_of, stopped_early
from ragdash.evaluate.scoring import JUDGED, concluded, judged, measured
from ragdash.metrics import BY_NAME
from ragdash.metrics.base import Observation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ragdash.core.call import Call
    from ragdash.core.run import QuestionResult
    from ragdash.core.score import Score
    from ragdash.llm.base import ChatClient

GENERATE = "generate"


@dataclass(frozen=True, slots=True)
class Rescoring:
    """What stored results are scored with.

    `judge` None keeps the signals that are stored; else it replaces what a judge said before.
    """

    judge: ChatClient | None = None
    repeats: int = 1
    in_flight: int = 0


@dataclass(frozen=True, slots=True)
class _Judged:
    stored: QuestionResult
    scores: list[Score]
    calls: list[Call]


def rescore(results: Iterable[QuestionResult], how: Rescoring) -> Iterator[QuestionResult]:
    """Yield each stored result with the gates of this code and, if asked for, a judge's signals.

    Signals that need the run's own index (similarity) stay as stored: the index may be gone.

    Raises:
        StoppedEarly: as `evaluate` does.
    """
    stopped: Call | None = None
    for one in beside(results, lambda r: _judge(r, how), how.in_flight):
        ending = ending_of(one.calls)
        if ending is None:
            yield _scored(one)
        else:
            stopped = stopped or ending
    if stopped is not None:
        raise stopped_early(stopped)


def _judge(stored: QuestionResult, how: Rescoring) -> _Judged:
    asked = [call for call in stored.calls if call.stage == GENERATE]
    if how.judge is None:
        kept = [s for s in stored.scores if s.metric in JUDGED]
        return _Judged(stored, kept, list(stored.calls))
    scores, calls = judged(_observation(stored, how.judge), how.repeats)
    return _Judged(stored, scores, asked + calls)


def _scored(one: _Judged) -> QuestionResult:
    stored = one.stored
    seen = _observation(stored)
    gates = [score for score in measured(seen) if not _is_signal(score.metric)]
    signals = [s for s in stored.scores if s.metric not in JUDGED and _is_signal(s.metric)]
    return concluded(seen, gates + signals + one.scores, one.calls, stored.evidence_chunks)


def _observation(stored: QuestionResult, judge: ChatClient | None = None) -> Observation:
    return Observation(
        stored.question, stored.retrieval, stored.answer, stored.gold_ranks, None, judge
    )


def _is_signal(name: str) -> bool:
    # A metric that this code does not know any more stays as it was stored.
    metric = BY_NAME.get(name)
    return metric is None or metric.kind is MetricKind.SIGNAL
