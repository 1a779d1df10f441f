"""What the spot checks of one mode come to: people with each other, with the rule, and coverage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.core.spot_check import Fit, Risk, RuleVerdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.spot_check import SpotCheck
    from ragdash.views.spot_check_risks import Item
    from ragdash.views.spot_checks import Queue

_DECIDED = {RuleVerdict.FITS: Fit.FITS, RuleVerdict.CONFLICT: Fit.CONFLICT}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the list for an audit: an answered question, with a check of it or none.

    `sample` says why it is queued: risk, lot, checked (queued by neither), or none. `held` is false
    for a check that its author has superseded, `same_answer` for one of another answer.
    """

    item: Item
    sample: str
    standing: str
    check: SpotCheck | None
    held: bool = False
    same_answer: bool = True


def matrix(found: Queue) -> Mapping[tuple[RuleVerdict, Fit], int]:
    """Return how many checked questions each pair of rule and people has."""
    counts: dict[tuple[RuleVerdict, Fit], int] = {}
    for entry in found.entries:
        if entry.fit is not None:
            pair = (entry.item.rule, entry.fit)
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def with_rule(found: Queue) -> tuple[tuple[Fit, Fit], ...]:
    """Return (rule, people) of each question on which both gave a verdict."""
    return tuple(
        (_DECIDED[entry.item.rule], entry.fit)
        for entry in found.entries
        if entry.item.rule in _DECIDED and entry.fit in (Fit.FITS, Fit.CONFLICT)
    )


def lines(
    items: Sequence[Item],
    found: Queue,
    checks: Sequence[SpotCheck],
    held: Sequence[SpotCheck],
) -> tuple[Line, ...]:
    """Return every answered question in the order of the set, once for each check of it.

    Args:
        items: every answered question of the mode.
        found: the queue over them.
        checks: all of the mode, superseded ones too.
        held: those that stand.
    """
    entries = {entry.item.question_id: entry for entry in found.entries}
    numbers = {check.number for check in held}
    by: dict[str, list[SpotCheck]] = {}
    for check in sorted(checks, key=lambda check: check.number):
        by.setdefault(check.key.question_id, []).append(check)
    lined = []
    for item in items:
        entry = entries.get(item.question_id)
        sample = "none"
        if entry is not None:
            sample = "risk" if item.risks != (Risk.NONE,) else "lot" if entry.drawn else "checked"
        standing = entry.standing if entry else "open"
        said = by.get(item.question_id)
        if not said:
            lined.append(Line(item, sample, standing, None))
        for check in said or ():
            same = check.answer_digest == item.answer_digest
            lined.append(Line(item, sample, standing, check, check.number in numbers, same))
    return tuple(lined)
