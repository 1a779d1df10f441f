"""Score: a value, or a status with its reason. Never NaN, never an imputed zero."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

GIVEN = "given."
"""What the name of another system's own score begins with, lest it be taken for one of ours."""


class ScoreStatus(StrEnum):
    """Why a value is there, or why it is not.

    not_applicable: it has no meaning here (refused). undefined: an input is missing (no gold).
    error: the measurement failed.
    """

    SCORED = "scored"
    NOT_APPLICABLE = "not_applicable"
    UNDEFINED = "undefined"
    ERROR = "error"


class MetricKind(StrEnum):
    """gate (■): code, may fail a build. signal (≈): a model's, a direction only."""

    GATE = "gate"
    RETRIEVAL = "retrieval"
    SIGNAL = "signal"


@dataclass(frozen=True, slots=True)
class Score:
    """One stored row for (mode, question, metric, repeat).

    `value` is present exactly when status is scored; `reason` is a code; `evidence` is plain JSON;
    `judge` names the model behind a signal, empty for code.

    Raises:
        ValueError: a value that is not finite, or one that does not go with the status.
    """

    metric: str
    value: float | None
    status: ScoreStatus
    reason: str = ""
    evidence: dict[str, Any] = field(default_factory=dict)
    judge: str = ""
    repeat: int = 0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if (self.value is not None) != (self.status is ScoreStatus.SCORED):
            raise ValueError(f"{self.metric}: value {self.value} does not go with {self.status}")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"{self.metric}: {self.value} is not a finite number")


def scored(metric: str, value: float, reason: str = "", **evidence: Any) -> Score:
    """Return a score with a value."""
    return Score(metric, float(value), ScoreStatus.SCORED, reason, evidence)


def not_applicable(metric: str, reason: str) -> Score:
    """Return the row of a metric that has no meaning for this answer."""
    return Score(metric, None, ScoreStatus.NOT_APPLICABLE, reason)


def undefined(metric: str, reason: str, **evidence: Any) -> Score:
    """Return the row of a metric whose input is missing."""
    return Score(metric, None, ScoreStatus.UNDEFINED, reason, evidence)


def failed(metric: str, reason: str, **evidence: Any) -> Score:
    """Return the row of a metric whose measurement failed."""
    return Score(metric, None, ScoreStatus.ERROR, reason, evidence)
