"""Similarity stand-ins for the three semantic rulers: cosine, not entailment.

They use the run's own embedder, so they say how near texts are and nothing about whether a claim
follows. A right and a wrong figure in the same sentence get the same value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.contract import strip_citations
from ragdash.core.diagnosis import Sentence
from ragdash.core.score import MetricKind, Score, ScoreStatus, undefined
from ragdash.metrics.base import Metric

if TYPE_CHECKING:
    from ragdash.metrics.base import Observation

# A full stop ends a sentence only before a blank or the end, so that 1.5 stays whole.
_SENTENCE_END = re.compile(r"(?<=[。！？；!?;])|(?<=\.)(?=\s)|\n+")


def sentences(text: str) -> list[str]:
    """Return the sentences of an answer without its citations, blanks trimmed, none empty."""
    return [s for part in _SENTENCE_END.split(strip_citations(text)) if (s := part.strip(" \t。."))]


def _row(seen: Observation, name: str, value: float, **evidence: object) -> Score:
    judge = seen.similarity.name if seen.similarity else ""
    bounded = min(1.0, max(0.0, value))
    return Score(name, bounded, ScoreStatus.SCORED, "", dict(evidence), judge)


def faithfulness(seen: Observation) -> Score:
    """Return the mean over answer sentences of the cosine to the nearest visible chunk."""
    name = "faithfulness_similarity"
    if seen.similarity is None:
        return undefined(name, "not_judged")
    parts = sentences(seen.answer.text)
    if not parts:
        return undefined(name, "no_claims")
    if not seen.context:
        return _row(seen, name, 0.0, reason="empty_context")
    best = (seen.similarity.passages(parts) @ seen.similarity.chunks(seen.context).T).max(axis=1)
    nearest = [
        {"sentence": s, "cosine": round(float(v), 4)} for s, v in zip(parts, best, strict=True)
    ]
    return _row(seen, name, float(best.mean()), sentences=nearest)


def answer_relevancy(seen: Observation) -> Score:
    """Return the cosine between the question and the answer without its citations."""
    name = "answer_relevancy_similarity"
    if seen.similarity is None:
        return undefined(name, "not_judged")
    text = " ".join(sentences(seen.answer.text))
    if not text:
        return undefined(name, "no_claims")
    query = seen.similarity.queries([seen.question.text])
    return _row(seen, name, float((query @ seen.similarity.passages([text]).T)[0, 0]))


def context_relevance(seen: Observation) -> Score:
    """Return the mean cosine between the question and each visible chunk; 0 on no context."""
    name = "context_relevance_similarity"
    if seen.similarity is None:
        return undefined(name, "not_judged")
    if not seen.context:
        return _row(seen, name, 0.0, reason="empty_context")
    query = seen.similarity.queries([seen.question.text])
    cosines = (query @ seen.similarity.chunks(seen.context).T)[0]
    return _row(seen, name, float(cosines.mean()), chunks=[round(float(v), 4) for v in cosines])


METRICS = (
    Metric(
        "faithfulness_similarity",
        MetricKind.SIGNAL,
        Sentence(
            "mean cosine of each answer sentence to its nearest visible chunk; "
            "similarity, not entailment",
            "答案各句与最近可见片段的平均余弦；相似度，不是蕴含",
        ),
        faithfulness,
        inputs=("embedder",),
        of_contexts=True,
    ),
    Metric(
        "answer_relevancy_similarity",
        MetricKind.SIGNAL,
        Sentence(
            "cosine of question and answer; similarity, not entailment",
            "问题与答案的余弦；相似度，不是蕴含",
        ),
        answer_relevancy,
        inputs=("embedder",),
    ),
    Metric(
        "context_relevance_similarity",
        MetricKind.SIGNAL,
        Sentence(
            "mean cosine of question and visible chunks; similarity, not entailment",
            "问题与可见片段的平均余弦；相似度，不是蕴含",
        ),
        context_relevance,
        inputs=("embedder",),
        of_contexts=True,
        of_answers=False,
    ),
)
