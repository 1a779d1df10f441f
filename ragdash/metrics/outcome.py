"""The outcome of a question, one of six, decided in the order of metrics.md section 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.answer import AnswerStatus
from ragdash.core.run import Outcome
from ragdash.core.score import ScoreStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragdash.core.answer import Answer
    from ragdash.core.question import Question
    from ragdash.core.score import Score


def decide(question: Question, answer: Answer, scores: Mapping[str, Score]) -> Outcome:
    """Return what became of a question: the first that holds, in the order written here."""
    if answer.status is AnswerStatus.ERROR:
        return Outcome.ERROR
    if question.is_open:
        return Outcome.UNSCORED
    if answer.status is AnswerStatus.REFUSED:
        return Outcome.ABSTAINED_WRONG if question.answerable else Outcome.ABSTAINED_RIGHT
    if not question.answerable:
        return Outcome.WRONG
    if not question.gold:
        return Outcome.UNSCORED
    numeric = scores["numeric_accuracy"]
    if numeric.status is ScoreStatus.ERROR:
        return Outcome.ERROR
    if numeric.value != 1 or scores["caliber"].value == 0:
        return Outcome.WRONG
    return Outcome.CORRECT


def caliber_reviewed(scores: Mapping[str, Score]) -> bool:
    """Return whether the caliber was decided, by rule; False where a person must look."""
    return scores["caliber"].status is ScoreStatus.SCORED
