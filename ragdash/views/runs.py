"""The list of runs, from the registry's summary rows; no run file is opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragdash.store.registered import RunRow, Tag
    from ragdash.store.registry import Registry
    from ragdash.store.summary import MetricSummary, ModeRow

HEADLINE = "answer_accuracy"
# What the strip of outcomes does not tell: figures, their caliber, and refusals where none exists.
GATES = ("numeric_accuracy", "caliber", "refusal_success")


@dataclass(frozen=True, slots=True)
class ModeLine:
    """One mode of a run: its outcomes, and answer accuracy as k of n (None where not scored).

    `gates` are k and n by metric, of those scored. Seconds are of retrieval and generation
    together. `calls` were asked in this run; `cost` is None where no price is known, and `unpriced`
    calls were answered without one.
    """

    mode: str
    outcomes: Mapping[str, int]
    k: int | None
    n: int
    gates: Mapping[str, tuple[int, int]]
    p50_seconds: float | None
    p95_seconds: float | None
    calls: int
    unpriced: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class RunLine:
    """One run in its newest version; `ref` is what stands in an address.

    `tags` are those of any version of it; a tag does not move when the run is scored again.
    """

    ref: str
    run: RunRow
    modes: tuple[ModeLine, ...]
    tags: tuple[Tag, ...]


def newest(registry: Registry, kind: str) -> list[RunRow]:
    """Return every run of a kind (evaluation, attack) in its newest version, the latest first."""
    seen: dict[str, RunRow] = {}
    for run in registry.runs():
        known = seen.get(run.run_id)
        if run.kind == kind and (known is None or run.version > known.version):
            seen[run.run_id] = run
    return list(seen.values())


def overview(registry: Registry, kind: str = "evaluation") -> list[RunLine]:
    """Return the runs of a kind with what a list shows of them, all of one moment."""
    with registry.at_once():
        summaries, outcomes = registry.summaries(), registry.outcomes()
        standing, known = registry.tags(), newest(registry, kind)
    tags: dict[str, list[Tag]] = {}
    for _, tag in sorted(standing.items()):
        tags.setdefault(tag.ref.run_id, []).append(tag)
    lines = []
    for run in known:
        key = (run.run_id, run.version)
        scores = {(s.mode, s.metric): s for s in summaries.get(key, [])}
        counts = outcomes.get(key, {})
        lines.append(
            RunLine(
                ref=run.run_id,
                run=run,
                modes=tuple(_mode_line(m.mode, counts, scores, m) for m in run.modes),
                tags=tuple(tags.get(run.run_id, ())),
            )
        )
    return lines


def _mode_line(
    mode: str,
    counts: Mapping[tuple[str, str], int],
    scores: Mapping[tuple[str, str], MetricSummary],
    row: ModeRow,
) -> ModeLine:
    score = scores.get((mode, HEADLINE))
    gates = {name: scores[mode, name] for name in GATES if (mode, name) in scores}
    return ModeLine(
        mode=mode,
        outcomes={outcome: n for (of, outcome), n in counts.items() if of == mode},
        k=score.k if score else None,
        n=score.n_scored if score else 0,
        gates={
            name: (found.k, found.n_scored)
            for name, found in gates.items()
            if found.k is not None and found.n_scored
        },
        p50_seconds=row.p50_seconds,
        p95_seconds=row.p95_seconds,
        calls=row.calls,
        unpriced=row.unpriced,
        cost=row.cost,
    )
