"""The layers in the order a question passes them; the first that failed is its diagnosis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.answer import AnswerStatus
from ragdash.core.diagnosis import Diagnosis, Layer, Sentence
from ragdash.core.retrieval import Extent
from ragdash.diagnose.advice import found
from ragdash.diagnose.generation import lost_after_context
from ragdash.diagnose.given import diagnose_given
from ragdash.diagnose.ingest import lost_at_ingest
from ragdash.diagnose.ranks import lost_before_context
from ragdash.metrics.qrels import by_page, gold_chunks, gold_ranks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.score import Score
    from ragdash.metrics.base import Observation


def diagnose(
    seen: Observation, scores: Mapping[str, Score], evidence_chunks: Sequence[Chunk]
) -> Diagnosis:
    """Return where a wrong, wrongly refused or failed question was lost, and why.

    Args:
        seen: the question, its candidates and its answer.
        scores: its metrics by name; numeric_accuracy and caliber are read.
        evidence_chunks: what the corpus holds of the gold, as `kept.evidence_chunks` picks it.
    """
    if not seen.question.answerable:
        if seen.answer.status is AnswerStatus.ERROR:
            return _failed(seen)
        return found(
            Layer.GENERATION,
            "should_have_refused",
            Sentence(
                "There is nothing to find: the question should have been declined.",
                "资料中没有答案：本应拒答。",
            ),
        )
    if not seen.question.evidence:
        return found(
            Layer.UNDETERMINED,
            "no_qrels",
            Sentence("The question names no evidence page.", "该问题没有标注证据页。"),
        )
    if seen.retrieval.extent is not Extent.WHOLE:
        return diagnose_given(seen, scores, evidence_chunks)
    pages = by_page(evidence_chunks)
    gold = gold_chunks(seen.question, pages)
    lost = lost_at_ingest(seen.question, gold, pages)
    if lost is not None:
        return lost
    ranks = gold_ranks(seen.question, gold, seen.retrieval)
    if ranks is None or not ranks.evidence_visible:
        return lost_before_context(seen, gold)
    return lost_after_context(seen, scores, gold)


def _failed(seen: Observation) -> Diagnosis:
    """Return the step that failed on a question without an answer to be found."""
    if seen.answer.reason == "retrieval_failed":
        return found(
            Layer.RECALL,
            "retrieval_failed",
            Sentence("The retriever failed and returned nothing.", "检索出错，没有返回任何片段。"),
        )
    return found(
        Layer.GENERATION,
        "no_output",
        Sentence("The generator failed.", "生成器出错。"),
        {"error": seen.answer.reason},
    )
