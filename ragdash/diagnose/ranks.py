"""Lost before the context: in no candidate list, or below a cut, and what stands in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.core.answer import AnswerStatus
from ragdash.core.diagnosis import Diagnosis, Layer, Sentence
from ragdash.core.retrieval import Extent, Mode
from ragdash.diagnose.advice import found
from ragdash.diagnose.places import KEPT, SHOWN, place, place_of, trace
from ragdash.metrics.qrels import gold_ranks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Evidence
    from ragdash.core.retrieval import GoldRanks, RankedChunk, RankTrace, Retrieval
    from ragdash.metrics.base import Observation

_LEGS = {
    Mode.DENSE: ("dense",),
    Mode.HYBRID: ("dense", "BM25", "fused"),
    Mode.RERANK: ("dense", "BM25", "fused", "rerank"),
}
_SEARCHES = ("dense", "BM25")
_FAR = 1 << 30


def lost_before_context(seen: Observation, gold: Mapping[Evidence, Sequence[Chunk]]) -> Diagnosis:
    """Return which leg or which cut lost the gold, with its rank at every stage of the mode."""
    evidence, ranks = _worst_page(seen, gold)
    legs = _legs(seen.retrieval)
    run = {leg: rank for leg, rank in _stages(ranks).items() if leg in legs}
    depth = {leg: _depth(seen.retrieval, leg) for leg in _SEARCHES if leg in legs}
    facts = {"page": evidence.page, "doc_id": evidence.doc_id, **run, "depth": depth}
    if ranks.final is None:
        return _recall(seen, evidence, facts)
    return _ranking(seen, evidence, ranks, facts)


def _recall(seen: Observation, evidence: Evidence, facts: dict[str, Any]) -> Diagnosis:
    where, n = place(evidence), len(seen.retrieval.candidates)
    if not n and seen.answer.status is AnswerStatus.ERROR:
        return found(
            Layer.RECALL,
            "retrieval_failed",
            Sentence(
                f"gold {where} is indexed, but the retriever failed and returned nothing.",
                f"金标 {where} 已入索引，但检索出错，没有返回任何片段。",
            ),
            facts,
        )
    depth = facts["depth"]
    looked = ", ".join(f"{leg} returned {d}" for leg, d in depth.items())
    looked_zh = "，".join(f"{leg} 返回 {d} 个" for leg, d in depth.items())
    looked, looked_zh = looked and f"{looked}; ", looked_zh and f"{looked_zh}；"
    near = [c for c in seen.retrieval.candidates if c.chunk.source.doc_id == evidence.doc_id]
    page = [c for c in near if c.chunk.source_page == evidence.page]
    nearest, nearest_zh = f"{len(near)} of its document", f"同文件 {len(near)} 个"
    if page:
        nearest += f", {len(page)} of its page"
        nearest_zh += f"、同页 {len(page)} 个"
    return found(
        Layer.RECALL,
        "in_no_candidate_list",
        Sentence(
            f"gold {where} is indexed but was none of the {n} candidates ({looked}{nearest}).",
            f"金标 {where} 已入索引，但不在 {n} 个候选之中（{looked_zh}{nearest_zh}）。",
        ),
        {**facts, "n_candidates": n, "of_document": len(near), "of_page": len(page)},
    )


def _ranking(
    seen: Observation, evidence: Evidence, ranks: GoldRanks, facts: dict[str, Any]
) -> Diagnosis:
    where, k = place(evidence), _cutoff(seen.retrieval)
    cut = _cut(seen.retrieval, ranks, k)
    others, overtook = _in_its_place(seen.retrieval, ranks, cut)
    legs = _legs(seen.retrieval)
    named = [place_of(c.chunk) + _bracketed(_shown(c.trace, legs)) for c in others[:SHOWN]]
    more = len(others) - len(named)
    en, zh = "; ".join(named), "；".join(named)
    if more:
        en, zh = f"{en}; and {more} more", f"{zh}；另有 {more} 个"
    how = ("in its place" if overtook else "ahead of it") if others else ""
    how_zh = ("取而代之的是" if overtook else "排在它前面的是") if others else ""
    run = trace({leg: rank for leg, rank in _stages(ranks).items() if leg in legs})
    return found(
        Layer.RANKING,
        cut,
        Sentence(
            f"gold {where} was {run + ': ' if run else ''}final {ranks.final}, below the top {k}"
            + (f"; {how}: {en}." if how else "."),
            f"金标 {where}：{run + '；' if run else ''}最终第 {ranks.final}，在前 {k} 之外"
            + (f"；{how_zh}：{zh}。" if how else "。"),
        ),
        {
            **facts,
            "final": ranks.final,
            "top_k": k,
            "missed_by": [leg for leg in _SEARCHES if leg in legs and facts[leg] is None],
            "overtaken": overtook,
            "displaced_by": [_facts_of(c, legs) for c in others[:KEPT]],
            "n_displacing": len(others),
        },
    )


def _bracketed(ranks: Mapping[str, int | None]) -> str:
    return f" ({trace(ranks)})" if ranks else ""


def _worst_page(
    seen: Observation, gold: Mapping[Evidence, Sequence[Chunk]]
) -> tuple[Evidence, GoldRanks]:
    """Return the evidence page that broke the question, with its own best ranks.

    Where any page is enough that is the page that came nearest; where all are needed, the one that
    stayed farthest away.
    """
    ranks: list[tuple[Evidence, GoldRanks]] = []
    for evidence, chunks in gold.items():
        own = gold_ranks(seen.question, {evidence: chunks}, seen.retrieval)
        if own is not None and chunks and not own.evidence_visible:
            ranks.append((evidence, own))
    pick = max if seen.question.needs_every_page else min
    return pick(ranks, key=lambda pair: (pair[1].final or _FAR, pair[0]))


def _legs(retrieval: Retrieval) -> tuple[str, ...]:
    """Return the stages of a mode: those of ours, or those that another system gave ranks of."""
    if retrieval.extent is Extent.WHOLE:
        return _LEGS[retrieval.mode]
    given = [_stages(c.trace) for c in retrieval.candidates]
    return tuple(s for s in _LEGS[Mode.RERANK] if any(ranks[s] is not None for ranks in given))


def _cutoff(retrieval: Retrieval) -> int:
    """Return the top k, or how many were visible where another system does not say."""
    return len(retrieval.context) if retrieval.top_k is None else retrieval.top_k


def _cut(retrieval: Retrieval, ranks: GoldRanks, k: int) -> str:
    """Return the stage at which the passage fell below the top k for the last time."""
    legs = _legs(retrieval)
    if ranks.rerank is not None:
        return "below_rerank"
    if ranks.fused is None and (retrieval.extent is Extent.WHOLE or legs == ("dense",)):
        return "below_dense"
    if "rerank" in legs:
        return "not_reranked"
    if ranks.fused is None:
        return "below_context"
    best = min((r for r in (ranks.dense, ranks.bm25) if r is not None), default=k + 1)
    return "below_fusion" if best <= k else "below_both_legs"


def _in_its_place(
    retrieval: Retrieval, ranks: GoldRanks, cut: str
) -> tuple[list[RankedChunk], bool]:
    """Return context chunks that stood behind the gold a stage before, and that they did.

    Before the rerank that stage is the fusion; before the fusion, the search that had the gold
    higher. Where none stood behind it, or there is no stage before, those of the context: they were
    ahead of it all along.
    """
    context = [c for c in retrieval.candidates if c.trace.in_context]
    before, own = "", None
    if cut == "below_rerank":
        before, own = "fused", ranks.fused
    elif cut not in ("below_dense", "below_context"):
        legs = {"dense": ranks.dense, "BM25": ranks.bm25}
        before, own = min(legs.items(), key=lambda leg: leg[1] or _FAR)
    if own is None:
        return context, False
    behind = [c for c in context if (_stages(c.trace)[before] or _FAR) > own]
    return (behind, True) if behind else (context, False)


def _stages(ranks: GoldRanks | RankTrace) -> dict[str, int | None]:
    names = ("dense", "bm25", "fused", "rerank")
    suffix = "" if hasattr(ranks, "final") else "_rank"
    found_ = [getattr(ranks, name + suffix) for name in names]
    return dict(zip(("dense", "BM25", "fused", "rerank"), found_, strict=True))


def _shown(one: RankTrace, legs: Sequence[str]) -> dict[str, int | None]:
    return {leg: rank for leg, rank in _stages(one).items() if leg in legs}


def _depth(retrieval: Retrieval, leg: str) -> int:
    """Return how many chunks a search returned."""
    return sum(_stages(c.trace)[leg] is not None for c in retrieval.candidates)


def _facts_of(one: RankedChunk, legs: Sequence[str]) -> dict[str, Any]:
    return {
        "chunk_id": one.chunk.chunk_id,
        "doc_id": one.chunk.source.doc_id,
        "page": one.chunk.source_page,
        **_shown(one.trace, legs),
        "final": one.trace.final_rank,
    }
