"""A stored result diagnosed again by today's code: nothing is retrieved or generated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.core.diagnosis import Diagnosis, Layer, Sentence
from ragdash.core.run import Outcome
from ragdash.diagnose.advice import found
from ragdash.diagnose.layers import diagnose
from ragdash.metrics import BY_NAME
from ragdash.metrics.base import Observation
from ragdash.metrics.outcome import decide
from ragdash.metrics.qrels import by_page, gold_chunks, gold_ranks

if TYPE_CHECKING:
    from ragdash.core.run import QuestionResult

LOST = (Outcome.WRONG, Outcome.ABSTAINED_WRONG, Outcome.ERROR)
# Reasons of the first version, whose files do not hold what would tell the newer ones apart.
_COARSE = ("not_indexed", "gold_not_readable")
_DECIDING = ("numeric_accuracy", "caliber")


@dataclass(frozen=True, slots=True)
class Redone:
    """A stored result with its outcome and diagnosis of today.

    `diagnosis` is None where the question is not lost today. `as_stored`: the file does not hold
    the chunks that a diagnosis needs, so that it is the stored one.
    """

    stored: QuestionResult
    outcome: Outcome
    diagnosis: Diagnosis | None
    as_stored: bool

    @property
    def changed(self) -> bool:
        """Whether today's layer, or that there is one, differs from what was stored."""
        before, now = self.stored.diagnosis, self.diagnosis
        return (before.layer if before else None) != (now.layer if now else None)


def redo(result: QuestionResult) -> Redone:
    """Return outcome and diagnosis of a stored result, by the gates and rules of this code."""
    question, kept = result.question, result.evidence_chunks
    whole = _is_whole(result)
    ranks = result.gold_ranks
    if whole:
        gold = gold_chunks(question, by_page(kept), result.retrieval.extent)
        ranks = gold_ranks(question, gold, result.retrieval)
    seen = Observation(question, result.retrieval, result.answer, ranks, None)
    scores = {name: BY_NAME[name].score(seen) for name in _DECIDING}
    outcome = decide(question, result.answer, scores)
    if outcome not in LOST:
        return Redone(result, outcome, None, as_stored=False)
    if whole:
        return Redone(result, outcome, diagnose(seen, scores, kept), as_stored=False)
    return Redone(result, outcome, result.diagnosis or _not_kept(), as_stored=True)


def _is_whole(result: QuestionResult) -> bool:
    """Whether all chunks that tell where the gold stands came with the result."""
    ids = {chunk.chunk_id for chunk in result.evidence_chunks}
    coarse = result.diagnosis is not None and result.diagnosis.reason in _COARSE
    named = result.gold_ranks.chunk_ids if result.gold_ranks else ()
    return ids.issuperset(named) and not coarse


def _not_kept() -> Diagnosis:
    return found(
        Layer.UNDETERMINED,
        "not_kept",
        Sentence(
            "It was not lost when it was stored, and the file does not hold the gold's chunks.",
            "存档时该题并未丢失，且文件未保存金标片段。",
        ),
    )
