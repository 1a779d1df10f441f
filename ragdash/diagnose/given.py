"""What can be told of a loss where another system gave its results: no more than they hold.

Its index is not known and its list may be cut off, so most layers are told only by what was found:
evidence that was visible, a gold chunk below the context, or one that the same mode found for
another question. All else is undetermined, with what would have to be given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.diagnosis import Diagnosis, Layer, Sentence
from ragdash.core.question import Evidence
from ragdash.core.retrieval import Extent
from ragdash.diagnose.advice import found
from ragdash.diagnose.generation import lost_after_context
from ragdash.diagnose.places import listed, place
from ragdash.diagnose.ranks import lost_before_context
from ragdash.metrics.qrels import by_page, gold_chunks, gold_ranks, is_placed, page_in_part

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.retrieval import GoldRanks
    from ragdash.core.score import Score
    from ragdash.metrics.base import Observation


def diagnose_given(
    seen: Observation, scores: Mapping[str, Score], evidence_chunks: Sequence[Chunk]
) -> Diagnosis:
    """Return where a lost question of another system was lost, as far as its results tell.

    Args:
        seen: a question that has evidence pages.
        scores: its metrics by name.
        evidence_chunks: the gold chunks that the same mode gave for this or any other question.
    """
    retrieval = seen.retrieval
    if retrieval.extent is Extent.NOT_GIVEN:
        return found(
            Layer.UNDETERMINED,
            "contexts_not_given",
            Sentence(
                "The passages that the answer was written from were not given.",
                "未给出回答所依据的片段。",
            ),
        )
    gold = gold_chunks(seen.question, by_page(evidence_chunks), retrieval.extent)
    ranks = gold_ranks(seen.question, gold, retrieval)
    if ranks is not None and ranks.evidence_visible:
        return lost_after_context(seen, scores, gold)
    if not is_placed(retrieval):
        return found(
            Layer.UNDETERMINED,
            "pages_not_given",
            Sentence(
                "Documents or pages of the passages were not given, so that the evidence cannot be "
                "looked for among them.",
                "未给出片段的文件或页码，无法在其中查找证据。",
            ),
        )
    part = page_in_part(seen.question, retrieval)
    if part is not None:
        return _in_part(part)
    return _not_visible(seen, gold, ranks)


def _not_visible(
    seen: Observation, gold: Mapping[Evidence, Sequence[Chunk]], ranks: GoldRanks | None
) -> Diagnosis:
    missing = [evidence for evidence, chunks in gold.items() if not chunks]
    unknown = bool(missing) and (len(missing) == len(gold) or seen.question.needs_every_page)
    cut = seen.retrieval.extent is Extent.CUT
    sought = tuple(missing or gold)
    if not unknown and ranks is not None:
        told = lost_before_context(seen, gold)
        if not cut or told.layer is not Layer.RECALL:
            return told
        sought = (Evidence(told.facts["doc_id"], told.facts["page"]),)
    where, n = listed(map(place, sought)), len(seen.retrieval.candidates)
    facts = {
        "pages": [{"doc_id": e.doc_id, "page": e.page} for e in sought],
        "n_candidates": n,
    }
    if cut:
        return found(
            Layer.UNDETERMINED,
            "list_cut_off",
            Sentence(
                f"Evidence {where.en} is not among the {n} passages given; whether it stood below "
                "them was not given.",
                f"证据 {where.zh} 不在所给的 {n} 个片段之中；其后的候选未给出，名次不可知。",
            ),
            facts,
        )
    return found(
        Layer.UNDETERMINED,
        "index_not_given",
        Sentence(
            f"Evidence {where.en} is none of the {n} candidates; whether it is in the index was not"
            " given, so that ingest and recall cannot be told apart.",
            f"证据 {where.zh} 不在 {n} 个候选之中；未给出索引内容，无法区分入库与召回。",
        ),
        facts,
    )


def _in_part(evidence: Evidence) -> Diagnosis:
    where = place(evidence)
    return found(
        Layer.UNDETERMINED,
        "page_in_part",
        Sentence(
            f"Passages of evidence page {where} were given and none of them prints the figure; the "
            "rest of the page was not given.",
            f"给出了证据页 {where} 的片段，但均未印有该数字；该页其余部分未给出。",
        ),
        {"pages": [{"doc_id": evidence.doc_id, "page": evidence.page}]},
    )
