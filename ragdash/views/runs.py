"""The list of runs, from the registry's summary rows; no run file is opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragdash.store.registry import Registry, RunRow
    from ragdash.store.summary import MetricSummary, ModeRow

HEADLINE = "answer_accuracy"


@dataclass(frozen=True, slots=True)
class ModeLine:
    """One mode of a run: its outcomes, and answer accuracy as k of n (None where not scored).

    Seconds are of retrieval and generation together. `calls` were asked in this run; `cost` is None
    where no price is known, and `unpriced` calls were answered without one.
    """

    mode: str
    outcomes: Mapping[str, int]
    k: int | None
    n: int
    p50_seconds: float | None
    p95_seconds: float | None
    calls: int
    unpriced: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class RunLine:
    """One run in its newest version; `ref` is what stands in an address."""

    ref: str
    run: RunRow
    modes: tuple[ModeLine, ...]
    tags: tuple[str, ...]


def newest(registry: Registry, kind: str) -> list[RunRow]:
    """Return every run of a kind (evaluation, attack) in its newest version, the latest first."""
    seen: dict[str, RunRow] = {}
    for run in registry.runs():
        known = seen.get(run.run_id)
        if run.kind == kind and (known is None or run.version > known.version):
            seen[run.run_id] = run
    return list(seen.values())


def overview(registry: Registry, kind: str = "evaluation") -> list[RunLine]:
    """Return the runs of a kind with what a list shows of them."""
    summaries, outcomes = registry.summaries(), registry.outcomes()
    tags: dict[tuple[str, int], list[str]] = {}
    for name, tag in sorted(registry.tags().items()):
        words = f"{name}:{tag.ref.mode}" if tag.ref.mode else name
        tags.setdefault((tag.ref.run_id, tag.ref.version), []).append(words)
    lines = []
    for run in newest(registry, kind):
        key = (run.run_id, run.version)
        scores = {(s.mode, s.metric): s for s in summaries.get(key, [])}
        counts = outcomes.get(key, {})
        lines.append(
            RunLine(
                ref=run.run_id,
                run=run,
                modes=tuple(
                    _mode_line(m.mode, counts, scores.get((m.mode, HEADLINE)), m) for m in run.modes
                ),
                tags=tuple(tags.get(key, ())),
            )
        )
    return lines


def _mode_line(
    mode: str,
    counts: Mapping[tuple[str, str], int],
    score: MetricSummary | None,
    row: ModeRow,
) -> ModeLine:
    return ModeLine(
        mode=mode,
        outcomes={outcome: n for (of, outcome), n in counts.items() if of == mode},
        k=score.k if score else None,
        n=score.n_scored if score else 0,
        p50_seconds=row.p50_seconds,
        p95_seconds=row.p95_seconds,
        calls=row.calls,
        unpriced=row.unpriced,
        cost=row.cost,
    )
