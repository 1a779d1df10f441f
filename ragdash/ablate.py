"""Fusion and cut-offs over again from a run's stored ranks: nothing is retrieved or generated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.ablation import Ablation, Cell, Choice, KeptRank, KeptRanks, Setting
from ragdash.core.errors import InputError
from ragdash.core.retrieval import Mode
from ragdash.retrieve.fusion import fuse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.run import RetrievalConfig

# A grid beyond this is a search, and nobody reads its table.
LARGEST_GRID = 2_000


def ablate(
    mode: Mode,
    config: RetrievalConfig,
    questions: Sequence[KeptRanks],
    grid: Sequence[Setting],
    *,
    without_qrels: int = 0,
) -> Ablation:
    """Return what each setting of a grid makes of a run's questions.

    Hybrid is fused again. In rerank the first candidates_rerank of the new fusion are put in the
    order of the scores stored for them, the others stay behind as fused; a question in which one of
    them was never scored is open for that setting and counts nowhere.

    Args:
        mode: hybrid or rerank; dense has nothing to fuse.
        config: the run's own.
        questions: the stored candidates of every question with qrels.
        grid: settings without repeats; candidates at most those of the run.
        without_qrels: how many questions were left out.

    Raises:
        InputError: the mode has no fusion, the grid asks for more than was stored, or the stored
            order is not that of the run's own setting, so that it cannot be recomputed.
    """
    if mode is Mode.DENSE:
        raise InputError("mode dense has no fusion to recompute: name RUN:hybrid or RUN:rerank")
    _refuse_more_than_stored(config, grid)
    own = own_setting(config)
    now = {q.question_id: _gold_rank(q, own, mode, config) for q in questions}
    _refuse_another_order(questions, own, mode, config)
    cells = [_cell(setting, mode, config, questions, now) for setting in grid]
    choices = [c for k in dict.fromkeys(s.top_k for s in grid) if (c := _choice(k, cells, own))]
    return Ablation(mode, own, len(questions), without_qrels, tuple(cells), tuple(choices))


def own_setting(config: RetrievalConfig) -> Setting:
    """Return the setting that a run was made with."""
    per_leg = max(config.candidates_dense, config.candidates_bm25)
    return Setting(config.rrf_k, config.weights, per_leg, config.top_k)


def settings(
    rrf_k: Sequence[int],
    weights: Sequence[tuple[float, float]],
    candidates: Sequence[int],
    top_k: Sequence[int],
) -> tuple[Setting, ...]:
    """Return the grid of every combination, in the order given, without repeats.

    Raises:
        InputError: the grid is larger than 2,000 settings.
    """
    grid = dict.fromkeys(
        Setting(k, w, c, top) for top in top_k for c in candidates for w in weights for k in rrf_k
    )
    if len(grid) > LARGEST_GRID:
        raise InputError(
            f"the grid holds {len(grid):,} settings, at most {LARGEST_GRID:,} are computed: "
            "name fewer values"
        )
    return tuple(grid)


def _refuse_more_than_stored(config: RetrievalConfig, grid: Sequence[Setting]) -> None:
    stored = own_setting(config).candidates
    most = max((s.candidates for s in grid), default=0)
    if most > stored:
        raise InputError(
            f"candidates {most} is more than the {stored} a leg that the run stored: name at most "
            f"{stored}, or run again with candidates_dense = candidates_bm25 = {most}"
        )


def _refuse_another_order(
    questions: Sequence[KeptRanks], own: Setting, mode: Mode, config: RetrievalConfig
) -> None:
    """Refuse a run whose stored order the ranks do not give back: the grid would be of another."""
    for question in questions:
        order = _order(question, own, mode, config)
        if order is None or list(order) != [c.chunk_id for c in question.candidates]:
            raise InputError(
                f"question {question.question_id!r}: the stored ranks do not give back the order "
                "that the run had, so something beside fusion made it; it cannot be ablated"
            )


def _order(
    question: KeptRanks, setting: Setting, mode: Mode, config: RetrievalConfig
) -> Sequence[str] | None:
    """Return chunk ids best first; None where a chunk to be reranked has no score.

    Positions are those of the run's own fusion, in which a tie was decided by the corpus' order.
    """
    by_place = {c.fused: c for c in question.candidates}
    legs = [
        _leg(question, "dense", min(setting.candidates, config.candidates_dense)),
        _leg(question, "bm25", min(setting.candidates, config.candidates_bm25)),
    ]
    fused = [by_place[f.position] for f in fuse(legs, setting.rrf_k, setting.weights)]
    if mode is Mode.HYBRID:
        return [c.chunk_id for c in fused]
    read, rest = fused[: config.candidates_rerank], fused[config.candidates_rerank :]
    scored = [(c, c.rerank_score) for c in read]
    if any(score is None for _, score in scored):
        return None
    ordered = sorted(scored, key=lambda pair: -(pair[1] or 0.0))
    return [c.chunk_id for c, _ in ordered] + [c.chunk_id for c in rest]


def _leg(question: KeptRanks, name: str, cut: int) -> list[int]:
    """Return the places of a leg's first candidates, best first."""

    def rank(one: KeptRank) -> int | None:
        return one.dense if name == "dense" else one.bm25

    held = [(found, c.fused) for c in question.candidates if (found := rank(c)) is not None]
    return [place for found, place in sorted(held) if found <= cut]


def _gold_rank(
    question: KeptRanks, setting: Setting, mode: Mode, config: RetrievalConfig
) -> tuple[int | None, bool]:
    """Return the best gold rank, and whether the stored ranks could decide it."""
    order = _order(question, setting, mode, config)
    if order is None:
        return None, False
    ranks = (rank for rank, chunk in enumerate(order, start=1) if chunk in question.gold)
    return next(ranks, None), True


def _cell(
    setting: Setting,
    mode: Mode,
    config: RetrievalConfig,
    questions: Sequence[KeptRanks],
    now: Mapping[str, tuple[int | None, bool]],
) -> Cell:
    found = {q.question_id: _gold_rank(q, setting, mode, config) for q in questions}
    ranks = {q: rank for q, (rank, known) in found.items() if known}
    gained: list[str] = []
    lost: list[str] = []
    for q, rank in ranks.items():
        before = now[q][0]
        hit = rank is not None and rank <= setting.top_k
        was = before is not None and before <= setting.top_k
        if hit != was:
            (gained if hit else lost).append(q)
    still = tuple(q for q, (_, known) in found.items() if not known)
    return Cell(setting, ranks, still, tuple(gained), tuple(lost))


def _choice(top_k: int, cells: Sequence[Cell], own: Setting) -> Choice | None:
    """Choose by hits, then MRR, then nearness to the run's own setting; whole cells only."""
    whole = [c for c in cells if c.setting.top_k == top_k and not c.open and c.gold_rank]
    if not whole:
        return None

    worth = {c.setting: [_worth(c, rank) for rank in c.gold_rank.values()] for c in whole}
    totals = {s: (sum(h for h, _ in each), sum(r for _, r in each)) for s, each in worth.items()}

    def best(place: int | None) -> Cell:
        def key(cell: Cell) -> tuple[int, float, float]:
            hits, reciprocal = totals[cell.setting]
            if place is not None:
                own_hit, own_reciprocal = worth[cell.setting][place]
                hits, reciprocal = hits - own_hit, reciprocal - own_reciprocal
            # a difference of sums, so that the last bits do not choose
            return hits, round(reciprocal, 9), -_distance(cell.setting, own)

        return max(whole, key=key)

    chosen = best(None)
    n = len(chosen.gold_rank)
    left_out = sum(worth[best(place).setting][place][0] for place in range(n))
    return Choice(top_k, chosen.setting, chosen.hits, left_out, n)


def _worth(cell: Cell, rank: int | None) -> tuple[int, float]:
    return int(cell.is_hit(rank)), 1 / rank if rank else 0.0


def _distance(setting: Setting, own: Setting) -> float:
    shares = [w[0] / (sum(w) or 1.0) for w in (setting.weights, own.weights)]
    return (
        abs(shares[0] - shares[1])
        + abs(setting.rrf_k - own.rrf_k) / 1_000
        + abs(setting.candidates - own.candidates) / 1_000
    )
