"""Modes by metrics as text: k/n first, what was left out, no winner."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from ragdash.core.run import Outcome
from ragdash.core.score import MetricKind
from ragdash.metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ragdash.core.retrieval import Mode
    from ragdash.metrics.base import Metric
    from ragdash.store.summary import MetricSummary

_MARK = {MetricKind.GATE: "■", MetricKind.RETRIEVAL: "·", MetricKind.SIGNAL: "≈"}
_GROUPS = (
    ("■ gates (code)", [m for m in METRICS if m.kind is MetricKind.GATE]),
    ("· retrieval (qrels)", [m for m in METRICS if m.kind is MetricKind.RETRIEVAL]),
    ("≈ signals (judge: a direction, no gate)", [m for m in METRICS if "judge" in m.inputs]),
    ("≈ signals (similarity, not entailment)", [m for m in METRICS if "embedder" in m.inputs]),
)


def mode_table(
    modes: Sequence[Mode],
    metrics: Sequence[MetricSummary],
    outcomes: Mapping[tuple[str, str], int],
) -> str:
    """Return the table that ends a run: outcomes, then gates, retrieval and signals apart.

    A cell is k/n with the share for 0-or-1 metrics, else the mean and n; unscored rows are counted
    behind it. Missing is "-", never 0.
    """
    by_key = {(m.mode, m.metric): m for m in metrics}
    rows = [["", *(m.value for m in modes)]]
    rows.append(["outcomes (questions)"] + [""] * len(modes))
    for outcome in Outcome:
        counts = [str(outcomes.get((m.value, outcome.value), 0)) for m in modes]
        rows.append([f"  {outcome.value}", *counts])
    for title, group in _GROUPS:
        if all(m.kind is MetricKind.SIGNAL for m in group) and not _tried(group, by_key.values()):
            rows.append([f"{title}: not judged"] + [""] * len(modes))
            continue
        rows.append([title] + [""] * len(modes))
        rows += [
            [f"  {_MARK[metric.kind]} {metric.name}{'' if metric.higher_is_better else ' (cost)'}"]
            + [_cell(by_key.get((m.value, metric.name))) for m in modes]
            for metric in group
        ]
    return aligned(rows)


def _tried(group: Sequence[Metric], found: Iterable[MetricSummary]) -> bool:
    """Whether anything of a group was measured, or failed to be."""
    names = {metric.name for metric in group}
    return any(s.metric in names and (s.n_scored or s.n_error) for s in found)


def _cell(summary: MetricSummary | None) -> str:
    if summary is None:
        return "-"
    open_ = summary.n_undefined
    left_out = (f" ({open_} unscored)" if open_ else "") + (
        f" ({summary.n_error} errors)" if summary.n_error else ""
    )
    if summary.mean is None:
        return "-" + left_out
    if summary.k is not None:
        return f"{summary.k}/{summary.n_scored} {summary.mean:.2f}{left_out}"
    return f"{summary.mean:.2f} n={summary.n_scored}{left_out}"


def aligned(rows: list[list[str]]) -> str:
    """Return rows as columns, wide characters counted as two."""
    widths = [max(_width(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    )


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
