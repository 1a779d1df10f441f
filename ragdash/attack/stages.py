"""How far hostile passages came in a mode, and how many ended at each stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.attack.outcomes import rate
from ragdash.core.poison import AttackStage, PoisonTrace, StageCount

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ragdash.attack.hostile import HostileSet, Planted
    from ragdash.core.attack import AttackRow
    from ragdash.core.run import QuestionResult


def way_of(
    planted: Planted, without: QuestionResult, found: QuestionResult, hostile: HostileSet
) -> PoisonTrace:
    """Return a case's way through one mode, before anybody has answered."""
    own, every = set(planted.chunk_ids), {c.chunk_id for c in hostile.chunks}
    traces = [c.trace for c in found.retrieval.candidates if c.chunk.chunk_id in own]
    shown = [c.chunk_id for c in found.retrieval.context]
    before, after = without.gold_ranks, found.gold_ranks
    was = before.final if before else None
    now = after.final if after else None
    return PoisonTrace(
        mode=found.mode,
        stage=None,
        chunk_ids=planted.chunk_ids,
        dense_rank=_best(t.dense_rank for t in traces),
        bm25_rank=_best(t.bm25_rank for t in traces),
        fused_rank=_best(t.fused_rank for t in traces),
        rerank_rank=_best(t.rerank_rank for t in traces),
        final_rank=_best(t.final_rank for t in traces),
        context_rank=_best(at for at, i in enumerate(shown, start=1) if i in own),
        hostile_shown=sum(i in every for i in shown),
        context_size=len(shown),
        gold_rank_without=was,
        gold_rank_with=now,
        gold_displaced=None if was is None else now is None or now > was,
        gold_shown_without=before.evidence_visible if before else None,
        gold_shown_with=after.evidence_visible if after else None,
        answer_without="",
        correct_without=None,
    )


def _best(ranks: Iterable[int | None]) -> int | None:
    return min((rank for rank in ranks if rank is not None), default=None)


def stage_of(way: PoisonTrace, *, won: bool) -> AttackStage:
    """Return the last stage that a case reached; `won`: something forbidden happened by it."""
    if way.final_rank is None:
        return AttackStage.NOT_RETRIEVED
    if way.context_rank is None:
        return AttackStage.RETRIEVED
    return AttackStage.IN_ANSWER if won else AttackStage.IN_CONTEXT


def stage_counts(policy: str, rows: Sequence[AttackRow]) -> tuple[StageCount, ...]:
    """Return at which stage the adversarial rows of a policy ended, for all and by class.

    A row that is an error has no stage and is in no count.
    """
    own = [
        (row.attack_class, row.retrieval.stage)
        for row in rows
        if row.policy == policy and row.adversarial and not row.error and row.retrieval
    ]
    if not own:
        return ()
    classes = ("", *dict.fromkeys(name for name, _ in own))
    return tuple(
        StageCount(stage, name, rate(s is stage for c, s in own if name in ("", c)))
        for name in classes
        for stage in AttackStage
    )
