"""A comparison as text and as data: the factor first, k/n, intervals, signed differences."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ragdash.cli.mode_table import aligned
from ragdash.compare.exact import NEEDED_CAP
from ragdash.compare.factors import Obstacle, Standing
from ragdash.compare.paired import COLOUR_FROM, NEEDED_FROM, Test
from ragdash.core.score import MetricKind
from ragdash.jsonlines import printable
from ragdash.metrics import BY_NAME
from ragdash.views.compare import HEADLINE, deterministic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.compare.factors import Barrier, Change, Comparability
    from ragdash.compare.intervals import Interval
    from ragdash.compare.noise import NoiseBetween
    from ragdash.compare.paired import Paired
    from ragdash.views.compare import Cell, MetricRow
    from ragdash.views.comparison import Against, Comparison, Overlap

_KINDS = (
    (MetricKind.GATE, "■", "■ gates (code)"),
    (MetricKind.RETRIEVAL, "·", "· retrieval (qrels)"),
    (MetricKind.SIGNAL, "≈", "≈ signals (a model's: a direction, no gate)"),
)
_CHANGES = ("improved", "regressed", "same", "not_comparable")
_IDS_SHOWN = 20
_REMEDIES = {
    Obstacle.QUESTIONS: "the question sets differ: run both over one file",
    Obstacle.GATES: "other code decided the verdicts: `ragdash rescore RUN --gates-only` does it "
    "again with this ragdash, for each run",
    Obstacle.JUDGE: "the signals are of another judge: `ragdash rescore RUN --config FILE` asks "
    "the same one for both",
    Obstacle.SELF_JUDGED: "a generator judged its own answers: `ragdash rescore RUN --config FILE` "
    "asks another judge",
}


def verdict(found: Comparability) -> str:
    """Return in words what differs, or why nothing can be told."""
    if found.standing is Standing.NOT_COMPARABLE:
        return "not comparable: " + "; ".join(_barrier(b) for b in found.barriers)
    fields = ", ".join(_field(change) for change in found.changes)
    if found.standing is Standing.SAME:
        return f"same configuration, ragdash {found.codes[0]} and {found.codes[1]}"
    if found.standing is Standing.ONE_FACTOR:
        other_code = found.codes[0] != found.codes[1]
        code = f" (and the code: {_change(*found.codes)})" if other_code else ""
        return f"one factor differs, {found.factors[0]}: {fields}{code}"
    return f"not attributable, {' and '.join(found.factors)} differ: {fields}"


def _field(change: Change) -> str:
    words = _change(change.base, change.other)
    return words if change.field == change.factor else f"{change.field} {words}"


def _change(base: str, other: str) -> str:
    return f"{printable(base) or '-'} -> {printable(other) or '-'}"


def _barrier(barrier: Barrier) -> str:
    return f"{barrier.obstacle.value} ({_change(barrier.base, barrier.other)})"


def reason(found: Comparison) -> str:
    """Return in one sentence why a comparison is refused, and what to do."""
    parts = []
    for one in found.against:
        if not one.comparability.is_attributable:
            kinds = [barrier.obstacle for barrier in one.comparability.barriers]
            remedies = [_REMEDIES[kind] for kind in kinds] or [
                "change one factor at a time, or compare each with a run that differs in it alone"
            ]
            words = verdict(one.comparability)
            parts.append(f"{one.name} against {found.base} is {words}; {'; '.join(remedies)}")
    return "; ".join(parts)


def as_text(found: Sequence[Comparison], left_out: Sequence[str]) -> str:
    """Return every comparison below each other, then what had no partner."""
    parts = [_text(one) for one in found]
    if left_out:
        parts.append(f"not compared, as the other run has no such mode: {', '.join(left_out)}")
    return "\n\n".join(parts)


def _text(found: Comparison) -> str:
    lines = [f"{one.name} against {found.base}: {verdict(one.comparability)}"
             for one in found.against]  # fmt: skip
    lines += [f"  questions of {one.name}: {_overlap(one.overlap)}" for one in found.against]
    rows = [["", *(f"{n} (base)" if n == found.base else n for n in found.names)]]
    for kind, mark, title in _KINDS:
        of_kind = [row for row in found.rows if row.kind is kind]
        if of_kind:
            rows.append([title] + [""] * len(found.names))
        for row in of_kind:
            rows += _lines(row, mark, found)
    lines += ["", aligned(rows)]
    return "\n".join(lines + _told(found))


def _overlap(found: Overlap) -> str:
    words = f"{found.paired} of {found.total} paired"
    for name, ids in (("base alone", found.only_base), ("this alone", found.only_other)):
        if ids:
            words += f"; in the {name}: {_ids(ids)}" if name[0] == "b" else f"; {name}: {_ids(ids)}"
    return words


def _lines(row: MetricRow, mark: str, found: Comparison) -> list[list[str]]:
    metric = BY_NAME.get(row.name)
    cost = " (cost)" if metric and not metric.higher_is_better else ""
    lines = [[f"  {mark} {row.name}{cost}", *map(_value, row.cells)]]
    if found.is_attributable or any(cell.pair for cell in row.cells):
        lines.append(["", *(_difference(cell, row.kind) for cell in row.cells)])
    return lines


def _value(cell: Cell) -> str:
    left_out = f", {cell.n} of {cell.total} scored" if cell.n < cell.total else ""
    if cell.value is None:
        return "-" + left_out
    around = _around(cell.interval)
    words = f"{cell.value:.2f}{around}" if cell.k is None else (
        f"{cell.k}/{cell.n} {cell.value:.2f}{around}"
    )  # fmt: skip
    if cell.k is None and not left_out:
        left_out = f", n={cell.n}"
    bounds = f", errors as 0 or 1: {cell.low:.2f}-{cell.high:.2f}" if cell.low is not None else ""
    people = f", {cell.by_people} by people" if cell.by_people else ""
    return words + left_out + bounds + people


def _around(interval: Interval | None) -> str:
    return f" ({interval.low:.2f}-{interval.high:.2f})" if interval else ""


def _difference(cell: Cell, kind: MetricKind) -> str:
    pair = cell.pair
    if pair is None:
        return ""
    if pair.delta is None:
        return "Δ -, no question has both"
    ends = (pair.interval.low, pair.interval.high) if pair.interval else ()
    around = f" ({'..'.join(map(_signed, ends))})" if ends else ""
    words = f"Δ {_signed(pair.delta)}{around} over {pair.n}, {_tested(pair)}"
    return words + (f", {_noise(cell.noise)}" if kind is MetricKind.SIGNAL and cell.noise else "")


def _signed(value: float) -> str:
    """Return a difference with its sign; what rounds to zero has none."""
    return f"{value:+.2f}" if round(value, 2) else "0.00"


def _tested(pair: Paired) -> str:
    if pair.test is Test.NO_DIFFERENCE:
        return "no difference observed"
    if pair.test is Test.UNTESTED or pair.p_holm is None:
        return "no test: a direction only"
    return f"p {_p(pair.p_holm)}"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}" if p < 0.1 else f"= {p:.2f}"


def _noise(noise: NoiseBetween) -> str:
    if noise.se is None:
        return "judge noise unknown"
    return f"{'within' if noise.within else 'beyond'} judge noise (se {noise.se:.3f})"


def _told(found: Comparison) -> list[str]:
    """Return what the headline gate says: whether it separates, who moved."""
    lines: list[str] = []
    for name, pair in found.headline().items():
        lines += ["", f"{name} against {found.base}, {HEADLINE}: {separation(pair)}"]
        for change in _CHANGES:
            ids = getattr(pair, change)
            words = _ids(ids) if ids and change != "same" else ""
            lines.append(f"  {change.replace('_', ' ')} {len(ids)}{': ' if words else ''}{words}")
    return lines


def separation(pair: Paired) -> str:
    """Return whether the questions separate two sides, and how many would be needed."""
    if not pair.n:
        return "no question has both"
    if pair.separated:
        few = f", fewer than {COLOUR_FROM}: no winner is named" if pair.n < COLOUR_FROM else ""
        return f"{pair.n} questions separate them{few}"
    words = f"{pair.n} questions cannot separate them"
    if not pair.delta:
        return f"{words}; no difference in the mean"
    if not pair.may_extrapolate:
        return f"{words}; fewer than {NEEDED_FROM} cannot say how many would"
    if pair.needed is None:
        return f"{words}; more than {NEEDED_CAP} would be needed at this difference"
    return f"{words}; about {pair.needed} would be needed at this difference"


def _ids(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _IDS_SHOWN} more" if len(ids) > _IDS_SHOWN else ""
    return ", ".join(printable(i) for i in ids[:_IDS_SHOWN]) + more


def as_data(found: Sequence[Comparison], left_out: Sequence[str]) -> dict[str, Any]:
    """Return everything that a comparison holds, ids whole."""
    return {"comparisons": [_data(one) for one in found], "left_out": list(left_out)}


def _data(found: Comparison) -> dict[str, Any]:
    return {
        "standing": found.standing.value,
        "base": found.base,
        "sides": list(found.names),
        "against": [_against(one) for one in found.against],
        "metrics": [_metric(row) for row in found.rows],
    }


def _against(one: Against) -> dict[str, Any]:
    told = one.comparability
    return {
        "side": one.name,
        "ref": one.side.ref,
        "standing": told.standing.value,
        "factors": list(told.factors),
        "changes": [asdict(change) for change in told.changes],
        "obstacles": [asdict(barrier) for barrier in told.barriers],
        "code": list(told.codes),
        "overlap": asdict(one.overlap),
    }


def _metric(row: MetricRow) -> dict[str, Any]:
    metric = BY_NAME.get(row.name)
    return {
        "name": row.name,
        "kind": row.kind.value,
        "higher_is_better": metric.higher_is_better if metric else True,
        "inputs": list(metric.inputs) if metric else None,
        "deterministic": deterministic(row.name),
        "cells": [_cell(cell) for cell in row.cells],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    plain = asdict(cell)
    plain["side"] = plain.pop("mode")
    if cell.pair:
        plain["pair"] |= {"n": cell.pair.n, "separated": cell.pair.separated}
    return plain
