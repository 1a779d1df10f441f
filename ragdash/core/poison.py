"""How far hostile passages came through a retriever, and what they pushed aside."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragdash.core.attack import AttackRate
    from ragdash.core.retrieval import Mode


class AttackStage(StrEnum):
    """How far the hostile passages of a case came in one mode; each stage holds those before it.

    not_retrieved: no candidate. retrieved: a candidate below the context. in_context: shown to the
    generator or policy. in_answer: something forbidden happened that does not without them.
    """

    NOT_RETRIEVED = "not_retrieved"
    RETRIEVED = "retrieved"
    IN_CONTEXT = "in_context"
    IN_ANSWER = "in_answer"


@dataclass(frozen=True, slots=True)
class PoisonTrace:
    """The way of one case's hostile passages through one retrieval mode, and what it did.

    Ranks count from 1, the best of any passage of the case; None where that stage returned none.
    `stage` is None where the row is an error. Of the `context_size` passages shown, `hostile_shown`
    are of any case. `gold_` ranks are the best final rank of a gold chunk without the hostile
    passages in the index and with them, `gold_shown_` whether enough of the evidence was shown;
    `gold_displaced` is whether the rank got worse, None where the question has no gold chunk among
    the candidates without them. `answer_without` and `correct_without` are of the same policy
    without them.
    """

    mode: Mode
    stage: AttackStage | None
    chunk_ids: tuple[str, ...]
    dense_rank: int | None
    bm25_rank: int | None
    fused_rank: int | None
    rerank_rank: int | None
    final_rank: int | None
    context_rank: int | None
    hostile_shown: int
    context_size: int
    gold_rank_without: int | None
    gold_rank_with: int | None
    gold_displaced: bool | None
    gold_shown_without: bool | None
    gold_shown_with: bool | None
    answer_without: str
    correct_without: bool | None


@dataclass(frozen=True, slots=True)
class StageCount:
    """How many adversarial rows ended at a stage; `attack_class` is "" for all classes."""

    stage: AttackStage
    attack_class: str
    counted: AttackRate
