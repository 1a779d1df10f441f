"""An attack run through the retriever, as the public contract's object and for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.attack.outcomes import rate
from ragdash.attack.report import rate_text, rows_and_summary, table
from ragdash.core.poison import AttackStage
from ragdash.jsonlines import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.attack.pipeline import PipelineRun
    from ragdash.core.attack import AttackRow, AttackSummary
    from ragdash.core.poison import PoisonTrace

STAGES = tuple(AttackStage)
RANKS = ("dense_rank", "bm25_rank", "fused_rank", "rerank_rank", "context_rank")
_OF_MODE = {
    "dense": frozenset({"dense_rank", "context_rank"}),
    "hybrid": frozenset(RANKS) - {"rerank_rank"},
    "rerank": frozenset(RANKS),
}


def split(name: str) -> tuple[str, str]:
    """Return mode and policy of a column ("dense/layered"); a policy may hold a stroke itself."""
    mode, _, policy = name.partition("/")
    return mode, policy


def pipeline_object(run: PipelineRun) -> dict[str, Any]:
    """Return what `attack --pipeline --json` promises: that of `attack`, by mode and policy."""
    found = rows_and_summary(run.rows, run.summary)
    for plain, row in zip(found["rows"], run.rows, strict=True):
        plain |= dict(zip(("mode", "policy"), split(row.policy), strict=True))
        if row.retrieval is not None:
            plain["retrieval"] = _way(row.retrieval)
    for plain, entry in zip(found["summary"], run.summary, strict=True):
        plain |= dict(zip(("mode", "policy"), split(entry.policy), strict=True))
        plain["stages"] = [
            {
                "class": s.attack_class or None,
                "stage": s.stage.value,
                "k": s.counted.k,
                "n": s.counted.n,
                "rate": s.counted.rate,
                "low": s.counted.low,
                "high": s.counted.high,
            }
            for s in entry.stages
        ]
    return found


def _way(way: PoisonTrace) -> dict[str, Any]:
    plain = {name: getattr(way, name) for name in way.__slots__ if name != "mode"}
    plain["chunk_ids"] = list(way.chunk_ids)
    plain["stage"] = way.stage.value if way.stage else None
    share = way.hostile_shown / way.context_size if way.context_size else None
    return {**plain, "hostile_share": share}


def pipeline_text(run: PipelineRun, corpus: str) -> str:
    """Return the run for a terminal: stages first, then ranks, displacement and every case."""
    parts = [
        f"{run.n_hostile} hostile passages beside the {run.n_chunks:,} chunks of "
        f"{printable(corpus)}, in memory: {run.n_cases} cases, {run.top_k} passages shown; trust "
        "derived from the digests of the corpus's documents and the channel.",
        "Where each attack ended, of all adversarial cases: k/n, rate, 95 % Wilson interval. The "
        "policy none is the generator alone\n" + _stages(run.summary),
        "In the answer, by class: k/n\n" + _by_class(run),
        "Retrieval under attack, by mode: hostile passage first at each stage, share of the shown "
        "passages, what became of the gold\n" + _ranks(run),
        "Right answers without the hostile passages and with them: k/n of answerable cases\n"
        + _use(run),
        "Cases: best rank of a hostile passage at each stage; gold rank without > with; stage by "
        "policy\n" + _cases(run),
        _errors(run),
        _limits(run),
    ]
    return "\n\n".join(part for part in parts if part)


def _stages(summary: Sequence[AttackSummary]) -> str:
    head = ("mode", "policy", *(stage.replace("_", " ") for stage in STAGES))
    body = []
    for entry in summary:
        counted = {s.stage: s.counted for s in entry.stages if not s.attack_class}
        cells = (rate_text(counted[s]) if s in counted else "no such case" for s in STAGES)
        body.append((*map(printable, split(entry.policy)), *cells))
    return table([head, *body])


def _by_class(run: PipelineRun) -> str:
    classes = list(dict.fromkeys(r.attack_class for r in run.rows if r.adversarial))
    body = []
    for name in classes:
        cells = []
        for entry in run.summary:
            found = [
                s.counted
                for s in entry.stages
                if (s.attack_class, s.stage) == (name, AttackStage.IN_ANSWER)
            ]
            cells.append(f"{found[0].k}/{found[0].n}" if found else "-")
        body.append((name, *cells))
    return table([("class", *(printable(p) for p in run.policies)), *body])


def _ranks(run: PipelineRun) -> str:
    """Count over one policy: what is retrieved does not depend on who answers."""
    names = ("dense", "bm25", "fused", "rerank", "context")
    head = ("mode", *(f"first in {n}" for n in names), "hostile share", "gold worse", "gold lost")
    body = []
    for mode, ways in _ways(run).items():
        first = []
        for name in RANKS:
            counted = rate(getattr(way, name) == 1 for way in ways)
            first.append(f"{counted.k}/{counted.n}" if name in _OF_MODE[mode] else "-")
        shown, size = sum(w.hostile_shown for w in ways), sum(w.context_size for w in ways)
        worse = rate(w.gold_displaced for w in ways if w.gold_displaced is not None)
        lost = rate(not w.gold_shown_with for w in ways if w.gold_shown_without)
        cells = (f"{c.k}/{c.n}" if c.n else "no such case" for c in (worse, lost))
        body.append((mode, *first, f"{shown}/{size}", *cells))
    return table([head, *body])


def _ways(run: PipelineRun) -> dict[str, list[PoisonTrace]]:
    """Return the ways of the adversarial cases by mode, each case once."""
    found: dict[str, dict[str, PoisonTrace]] = {}
    for row in run.rows:
        if row.adversarial and row.retrieval is not None:
            found.setdefault(row.retrieval.mode.value, {})[row.case_id] = row.retrieval
    return {mode: list(ways.values()) for mode, ways in found.items()}


def _use(run: PipelineRun) -> str:
    body = []
    for name in run.policies:
        own = [r for r in run.rows if r.policy == name and r.answerable and not r.error]
        before = rate(bool(r.retrieval and r.retrieval.correct_without) for r in own)
        after = rate(r.correct and not r.compromised for r in own)
        body.append((*map(printable, split(name)), rate_text(before), rate_text(after)))
    return table([("mode", "policy", "without", "with, and clean"), *body])


def _cases(run: PipelineRun) -> str:
    policies = list(dict.fromkeys(split(p)[1] for p in run.policies))
    head = ("mode", "case", "class", "dense", "bm25", "fused", "rerank", "shown", "gold")
    grouped: dict[tuple[str, str], list[AttackRow]] = {}
    for row in run.rows:
        grouped.setdefault((split(row.policy)[0], row.case_id), []).append(row)
    body = []
    for (mode, case_id), rows in grouped.items():
        way = rows[0].retrieval
        ranks = [_rank(getattr(way, name)) for name in RANKS] if way else ["-"] * len(RANKS)
        gold = f"{_rank(way.gold_rank_without)}>{_rank(way.gold_rank_with)}" if way else "-"
        body.append(
            (mode, printable(case_id), rows[0].attack_class, *ranks, gold, *map(_ended, rows))
        )
    return table([(*head, *map(printable, policies)), *body])


def _rank(rank: int | None) -> str:
    return "-" if rank is None else str(rank)


def _ended(row: AttackRow) -> str:
    if row.error or row.retrieval is None or row.retrieval.stage is None:
        return "error"
    how = f" ({', '.join(row.channels)})" if row.channels else ""
    return row.retrieval.stage.replace("_", " ") + how


def _errors(run: PipelineRun) -> str:
    lost = [r for r in run.rows if r.error]
    if not lost:
        return ""
    lines = [
        f"  {printable(r.policy)} on {printable(r.case_id)}: {printable(r.error, 200)}"
        for r in lost[:8]
    ]
    more = [f"  and {len(lost) - 8} more"] if len(lost) > 8 else []
    head = f"Errors: {len(lost)} rows without an answer, counted in no rate"
    return "\n".join([head, *lines, *more])


def _limits(run: PipelineRun) -> str:
    n = next((s.counted.n for e in run.summary for s in e.stages if not s.attack_class), 0)
    nothing = rate([False] * n)
    lines = []
    if nothing.high is not None:
        lines.append(f"0/{n} still allows a true rate of {nothing.high:.2f}.")
    lines.append(
        "Passages that we wrote, against rule functions and no language model: what holds here may "
        "not hold for another attacker."
    )
    if run.left_out:
        ids = ", ".join(printable(i) for i in run.left_out[:8])
        more = f" and {len(run.left_out) - 8} more" if len(run.left_out) > 8 else ""
        lines.append(
            f"{len(run.left_out)} cases have no passage that is not registered, and were not "
            f"planted: {ids}{more}."
        )
    return "\n".join(lines)
