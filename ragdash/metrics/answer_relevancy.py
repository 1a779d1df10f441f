"""Answer relevancy: does the answer address the asked company, metric and period, by a judge.

The judge sees question and answer only. It gives a code for each of the three, and the grade of 0,
0.5 or 1 follows from them here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ragdash.core.diagnosis import Sentence
from ragdash.core.score import MetricKind
from ragdash.llm.reply import Reply
from ragdash.metrics.base import Metric
from ragdash.metrics.inquiry import judged
from ragdash.metrics.prompts import ASPECTS

if TYPE_CHECKING:
    from ragdash.core.score import Score
    from ragdash.metrics.inquiry import Inquiry


class Aspects(Reply):
    """Whether the answer is about what the question names; the metric is always asked."""

    company: Literal["addressed", "not_addressed", "not_asked"]
    metric: Literal["addressed", "not_addressed"]
    period: Literal["addressed", "not_addressed", "not_asked"]


def grade(found: Aspects) -> float:
    """Return 1 where all that was asked is addressed, 0 where none of it is, else 0.5."""
    asked = [v for v in (found.company, found.metric, found.period) if v != "not_asked"]
    met = asked.count("addressed")
    return 1.0 if met == len(asked) else 0.5 if met else 0.0


def answer_relevancy(inquiry: Inquiry) -> Score:
    """Return 0, 0.5 or 1: does not address, partly, or addresses what was asked."""
    seen = inquiry.seen
    if not seen.answer.text.strip():
        return inquiry.failed("no_output")
    # Citations stay: they name the company and the period.
    data = {"question": seen.question.text, "answer": seen.answer.text}
    found = inquiry.ask(ASPECTS, Aspects, data)
    value = grade(found)
    reason = {1.0: "", 0.5: "partly_addressed", 0.0: "not_addressed"}[value]
    return inquiry.scored(value, reason, **found.model_dump())


METRIC = Metric(
    "answer_relevancy",
    MetricKind.SIGNAL,
    Sentence(
        "0, 0.5 or 1: does not address, partly, or addresses the asked company, metric and period "
        "(judge)",
        "0、0.5 或 1：未针对、部分针对或针对所问公司、指标和期间（评判模型）",
    ),
    judged("answer_relevancy", answer_relevancy),
    inputs=("judge",),
)
