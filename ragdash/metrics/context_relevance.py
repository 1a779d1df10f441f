"""Context relevance: how useful each visible chunk is for the question, by a judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from ragdash.core.diagnosis import Sentence
from ragdash.core.score import MetricKind
from ragdash.llm.reply import Reply
from ragdash.metrics.base import Metric
from ragdash.metrics.inquiry import judged, nothing_visible, shown_chunks
from ragdash.metrics.prompts import GRADES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.score import Score
    from ragdash.metrics.inquiry import Inquiry

TOP = 3
# From this grade on a chunk counts as relevant in the average precision: it holds a part of the
# answer, or what the answer is computed from.
RELEVANT = 2


class Grade(Reply):
    """The grade of the chunk with this number."""

    id: Annotated[int, Field(ge=0, le=9999)]
    grade: Annotated[int, Field(ge=0, le=TOP)]


class Grades(Reply):
    """The reply: one grade a chunk."""

    grades: Annotated[list[Grade], Field(max_length=200)]


def average_precision(grades: Sequence[int]) -> float:
    """Return the mean over relevant chunks of the precision at their rank; 0 where none is.

    Args:
        grades: by rank, best first; relevant from `RELEVANT` on.
    """
    hits, total = 0, 0.0
    for rank, value in enumerate(grades, 1):
        if value >= RELEVANT:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0


def context_relevance(inquiry: Inquiry) -> Score:
    """Return the mean grade / 3; 0 without a call where nothing was retrieved."""
    seen = inquiry.seen
    if seen.answer.reason == "retrieval_failed":
        # Nothing was looked at, which is not the same as nothing found.
        return inquiry.failed("retrieval_failed")
    if nothing_visible(seen):
        return inquiry.scored(0.0, "empty_context")
    n = len(seen.context)
    data = {"question": seen.question.text, "chunks": shown_chunks(seen)}
    found = inquiry.ask_each(GRADES, Grades, data, n, lambda reply: reply.grades)
    grades = [item.grade for item in found]
    return inquiry.scored(
        sum(grades) / (TOP * n),
        grades=[{"chunk": i, "grade": value} for i, value in enumerate(grades, 1)],
        average_precision=average_precision(grades),
    )


METRIC = Metric(
    "context_relevance",
    MetricKind.SIGNAL,
    Sentence(
        "mean grade of the visible chunks, 0 to 3, over 3 (judge)",
        "可见片段等级（0 至 3）的平均值除以 3（评判模型）",
    ),
    judged("context_relevance", context_relevance),
    inputs=("judge",),
    of_contexts=True,
    of_answers=False,
)
