"""C10: whether the sources agree, which findings are the best, and which figures are the same."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ragdash.amounts import read_amounts
from ragdash.attack.controls.selection import asked_of

if TYPE_CHECKING:
    from ragdash.amounts import Amount
    from ragdash.attack.controls.working import Finding, Working

CONFLICT = "C10_conflict"
CONFLICT_FLAG = "conflict"

_RESTATED = re.compile(
    r"重述|追溯调整|调整后|更正后|更正为|restat|as revised|as adjusted|corrected", re.I
)
_ORIGINAL = re.compile(
    r"重述前|调整前|原披露|原报告|originally|before restat|as first reported", re.I
)


def conflicts(work: Working) -> Working:
    """C10: where registered sources differ, say so; a restated figure takes the old one's place."""
    asked = asked_of(work)
    kept: list[Finding] = []
    for target in asked.targets:
        group = best_of(tuple(f for f in work.findings if f.target == target))
        if group and group[0].amount is None:
            group = _contradicting(group[0], work.findings)
        differing = _apart(group)
        if len(differing) > 1:
            restated = [f for f in group if _is_restated(f)]
            original = _ORIGINAL.search(asked.query) is not None
            if restated and len(restated) < len(group):
                group = tuple(f for f in group if (f in restated) is not original)
                work = _flagged(work, "restated")
            work = _flagged(_flagged(work, CONFLICT_FLAG), "inconsistent")
            for finding in differing:
                said = finding.amount.text if finding.amount else finding.sentence
                work = work.noted(CONFLICT, "flagged", finding.passage.id, f"states {said}")
        kept += group
    return replace(work, findings=tuple(kept))


def best_of(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return the findings with most of the asked words; a sentence answers alone."""
    if not findings:
        return ()
    top = max(_fit(f) for f in findings)
    best = [f for f in findings if _fit(f) == top]
    if best[0].amount is None:
        return (min(best, key=_order),)
    return tuple(sorted(best, key=_order))


def _fit(finding: Finding) -> tuple[bool, float]:
    return finding.key in finding.target.keys, finding.score


def _order(finding: Finding) -> tuple[str, ...]:
    """An order that neither ids nor ranks decide; the later document first."""
    later = "".join(chr(0x10FFFF - ord(c)) for c in finding.passage.meta.period)
    at = finding.amount.span[0] if finding.amount else finding.span[0]
    return later, finding.sentence, f"{at:08d}", finding.passage.text[:200]


def _apart(group: tuple[Finding, ...]) -> list[Finding]:
    """Return one finding for each figure that no other states too, exactly or rounded.

    Sentences of a group have been found to contradict each other.
    """
    if group and group[0].amount is None:
        return list(group)
    apart: list[Finding] = []
    for finding in group:
        if not any(same_value(finding.amount, other.amount) for other in apart):
            apart.append(finding)
    return apart


def same_value(one: Amount | None, other: Amount | None) -> bool:
    """Whether two figures are the same, one of them perhaps rounded."""
    if one is None or other is None or one.kind is not other.kind:
        return one is other
    gap = abs(one.value - other.value)
    coarse = max(one.decimals * -1, other.decimals * -1)
    return gap <= abs(other.value) * 5 / 1000 or (
        gap * 2 <= 10 ** max(coarse, 0) and gap <= abs(other.value) / 20
    )


def _contradicting(chosen: Finding, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return a chosen sentence with those that hold as many asked words and another figure.

    The metric has no name that we know, so that only sentences are compared: one figure each, of
    one kind.
    """
    own = _only_figure(chosen)
    group = [chosen]
    for other in findings:
        if other.passage.id == chosen.passage.id or other.target != chosen.target:
            continue
        figure = _only_figure(other) if own is not None and _fit(other) == _fit(chosen) else None
        if own and figure and figure.kind is own.kind and not same_value(own, figure):
            group.append(replace(other, amount=None))
    return tuple(group)


def _only_figure(finding: Finding) -> Amount | None:
    figures = [a for a in read_amounts(finding.sentence) if a.asserted and not a.excluded]
    return figures[0] if len(figures) == 1 else None


def _is_restated(finding: Finding) -> bool:
    if finding.passage.meta.restated:
        return True
    return _RESTATED.search(finding.sentence) is not None and not _ORIGINAL.search(finding.sentence)


def _flagged(work: Working, flag: str) -> Working:
    return work if flag in work.flags else replace(work, flags=(*work.flags, flag))
