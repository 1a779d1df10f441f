"""The headline gate: right answers / answerable questions with a gold figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.answer import AnswerStatus
from ragdash.core.diagnosis import Sentence
from ragdash.core.score import MetricKind, Score, failed, scored, undefined
from ragdash.metrics.base import Metric
from ragdash.metrics.caliber import caliber
from ragdash.metrics.numeric import numeric_accuracy

if TYPE_CHECKING:
    from ragdash.metrics.base import Observation


def answer_accuracy(seen: Observation) -> Score:
    """Return 1 where the figure is right and its caliber does not fail; a refusal is not right."""
    name = "answer_accuracy"
    if not seen.question.gold:
        return undefined(name, "no_gold_amount")
    if seen.answer.status is AnswerStatus.ERROR:
        return failed(name, seen.answer.reason or "no_output")
    if seen.answer.status is AnswerStatus.REFUSED:
        return scored(name, 0, "refused")
    numeric = numeric_accuracy(seen)
    if numeric.value != 1:
        return scored(name, 0, numeric.reason)
    checked = caliber(seen)
    if checked.value == 0:
        return scored(name, 0, checked.reason)
    return scored(name, 1, "right" if checked.value == 1 else "right_caliber_unreviewed")


METRIC = Metric(
    "answer_accuracy",
    MetricKind.GATE,
    Sentence(
        "right figure and no caliber conflict / answerable questions with a gold figure",
        "数字正确且口径不冲突 / 有金标数字的可答问题",
    ),
    answer_accuracy,
    inputs=("gold",),
    of_answers=False,
)
