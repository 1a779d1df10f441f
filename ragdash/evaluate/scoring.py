"""From an answer to its scores, outcome and diagnosis; judges apart, as they take long."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ragdash.core.run import QuestionResult
from ragdash.diagnose import diagnose
from ragdash.diagnose.redo import LOST
from ragdash.evaluate.asking import Heard
from ragdash.metrics import METRICS
from ragdash.metrics.outcome import caliber_reviewed, decide

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragdash.core.call import Call
    from ragdash.core.chunk import Chunk
    from ragdash.core.score import Score
    from ragdash.metrics.base import Observation

JUDGED = frozenset(metric.name for metric in METRICS if "judge" in metric.inputs)
"""Names of the metrics that ask a judge."""


def judged(seen: Observation, repeats: int) -> tuple[list[Score], list[Call]]:
    """Return the rows of every judge metric, repeat by repeat, and the calls behind them."""
    if seen.judge is None:
        return [m.score(seen) for m in METRICS if m.name in JUDGED], []
    heard = Heard(seen.judge)
    scores: list[Score] = []
    for metric in METRICS:
        if metric.name not in JUDGED:
            continue
        for repeat in range(repeats):
            score = metric.score(replace(seen, judge=heard, repeat=repeat))
            scores.append(replace(score, judge=heard.name, repeat=repeat))
    return scores, heard.calls


def measured(seen: Observation) -> list[Score]:
    """Return the rows of every metric that asks no judge."""
    return [metric.score(seen) for metric in METRICS if metric.name not in JUDGED]


def concluded(
    seen: Observation,
    scores: list[Score],
    calls: list[Call],
    kept: tuple[Chunk, ...],
) -> QuestionResult:
    """Return the result of a question: scores in display order, outcome and diagnosis by rule."""
    by_name: Mapping[str, Score] = {s.metric: s for s in scores if s.metric not in JUDGED}
    outcome = decide(seen.question, seen.answer, by_name)
    order = {metric.name: at for at, metric in enumerate(METRICS)}
    return QuestionResult(
        question=seen.question,
        mode=seen.retrieval.mode,
        retrieval=seen.retrieval,
        gold_ranks=seen.gold_ranks,
        answer=seen.answer,
        scores=tuple(sorted(scores, key=lambda s: (order.get(s.metric, len(order)), s.repeat))),
        outcome=outcome,
        caliber_reviewed=caliber_reviewed(by_name),
        diagnosis=diagnose(seen, by_name, kept) if outcome in LOST else None,
        evidence_chunks=kept,
        calls=tuple(calls),
    )
