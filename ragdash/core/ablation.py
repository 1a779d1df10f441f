"""Setting, KeptRanks, Cell and Ablation: what a run would have found under other cut-offs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragdash.core.retrieval import Mode


@dataclass(frozen=True, slots=True)
class Setting:
    """What an ablation varies: fusion k and weights (dense, bm25), candidates per leg, top k."""

    rrf_k: int
    weights: tuple[float, float]
    candidates: int
    top_k: int


@dataclass(frozen=True, slots=True)
class KeptRank:
    """A candidate as a run stored it; ranks from 1, None where the leg did not return it."""

    chunk_id: str
    dense: int | None
    bm25: int | None
    fused: int
    rerank_score: float | None


@dataclass(frozen=True, slots=True)
class KeptRanks:
    """The candidates of one question by final rank, and its gold chunks in the index."""

    question_id: str
    gold: frozenset[str]
    candidates: tuple[KeptRank, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One setting over every question that can be computed.

    `gold_rank` is the best rank of a gold chunk by question id, None where it is no candidate;
    `open` are the questions that the stored ranks cannot decide (a chunk that this setting would
    rerank was never read by the reranker). `gained` and `lost` are questions whose hit at this
    top_k differs from that of the run's own order at the same one.
    """

    setting: Setting
    gold_rank: Mapping[str, int | None]
    open: tuple[str, ...]
    gained: tuple[str, ...]
    lost: tuple[str, ...]

    @property
    def hits(self) -> int:
        """In how many questions a gold chunk is within top_k."""
        return sum(1 for rank in self.gold_rank.values() if self.is_hit(rank))

    @property
    def mrr(self) -> float | None:
        """The mean of 1 / rank of the first gold chunk, 0 where it is none; None over nothing."""
        ranks = self.gold_rank.values()
        return sum(1 / r if r else 0.0 for r in ranks) / len(ranks) if ranks else None

    def is_hit(self, rank: int | None) -> bool:
        """Whether a rank is within top_k."""
        return rank is not None and rank <= self.setting.top_k


@dataclass(frozen=True, slots=True)
class Choice:
    """The best setting at one top_k, and what choosing it without each question would have given.

    `left_out` is in how many questions the setting that is best over all the others hits; it is
    what the best one's hits would be worth on new questions, as far as so few can tell.
    """

    top_k: int
    best: Setting
    hits: int
    left_out: int
    n: int


@dataclass(frozen=True, slots=True)
class Ablation:
    """A grid over one mode of a run; `own` is the run's setting, `n` its questions with qrels."""

    mode: Mode
    own: Setting
    n: int
    without_qrels: int
    cells: tuple[Cell, ...]
    choices: tuple[Choice, ...]
