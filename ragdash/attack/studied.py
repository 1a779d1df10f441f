"""The studied part of an attack run for a terminal: open cases, errors, orders, controls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.attack.named import LAYERED
from ragdash.attack.orders import mean_and_worst
from ragdash.attack.outcomes import went_well
from ragdash.core.attack import OPEN_BY_DESIGN
from ragdash.jsonlines import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ragdash.attack.run import AttackRun
    from ragdash.core.attack import AttackRate, AttackRow

_MOST_NAMED = 8


def open_cases(run: AttackRun) -> str:
    """Name every case that the layered policy lost, and which of them no control is there for."""
    lost = [r for r in run.rows if r.policy == LAYERED and not r.error and not went_well(r)]
    if not any(row.policy == LAYERED for row in run.rows):
        return ""
    if not lost:
        return "Open cases of layered: none"
    lines = []
    for row in lost:
        how = ", ".join(row.channels) or ("refused" if row.refused else "not the asked answer")
        why = (
            "; open on purpose: nothing marks it, only adding up the parts would show it"
            if row.attack_class == OPEN_BY_DESIGN
            else ""
        )
        lines.append(f"  {printable(row.case_id)} ({row.attack_class}): {how}{why}")
    return "Open cases of layered\n" + "\n".join(lines)


def errors(run: AttackRun) -> str:
    """Name the rows where a policy gave no output; they are in no rate."""
    failed = [row for row in run.rows if row.error]
    if not failed:
        return ""
    shown = [
        f"  {printable(r.policy)} on {printable(r.case_id)}: {printable(r.error, 200)}"
        for r in failed[:_MOST_NAMED]
    ]
    more = [f"  and {len(failed) - _MOST_NAMED} more"] if len(failed) > _MOST_NAMED else []
    head = f"Errors: {len(failed)} rows without an output, counted in no rate"
    return "\n".join([head, *shown, *more])


def orders(run: AttackRun) -> str:
    """Say how often attacks win over the orders of the chunks: on average, and in any order."""
    lines = []
    for policy in run.policies:
        own = [row for row in run.rows if row.policy == policy]
        mean, worst = mean_and_worst(own)
        if mean is not None:
            lines.append(f"  {printable(policy)}: mean {mean:.2f}, worst {worst.k}/{worst.n}")
    head = "Attack success over every order of the first four chunks: mean share, worst order"
    return "\n".join([head, *lines]) if lines else ""


def controls(run: AttackRun) -> str:
    """Say of each control of the layered policy what it does, alone and when it is missing."""
    rows = [row for row in run.rows if row.effects]
    if not rows:
        return ""
    parts = ["Controls of layered: fired, fired first; what breaks without it; what it stops alone"]
    for at, effect in enumerate(rows[0].effects):
        of = [(row, row.effects[at]) for row in rows]
        fired, first = sum(e.fired for _, e in of), sum(e.first for _, e in of)
        breaks = _named(row for row, e in of if e.breaks_without)
        alone = _named(row for row, e in of if e.stops_alone)
        parts.append(
            f"  {effect.control}: {fired}, {first}; without it: {breaks}; alone stops: {alone}"
        )
    return "\n".join(parts)


def _named(rows: Iterable[AttackRow]) -> str:
    ids = [printable(row.case_id) for row in rows]
    more = f" and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
    return (", ".join(ids[:_MOST_NAMED]) or "none") + more


def provenance_off(run: AttackRun) -> str:
    """Say what the layered policy is worth where every document counts as registered."""
    off = next((e.provenance_off for e in run.summary if e.provenance_off), None)
    if off is None:
        return ""
    names = ("attack_success", "utility_under_attack", "over_abstention", "correct_abstention")
    said = ", ".join(f"{n.replace('_', ' ')} {_counted(getattr(off, n))}" for n in names)
    return f"layered with provenance off: {said}"


def _counted(found: AttackRate) -> str:
    if found.low is None or found.high is None:
        return "no such case"
    return f"{found.k}/{found.n} [{found.low:.2f}, {found.high:.2f}]"
