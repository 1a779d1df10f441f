"""What a judge says against what the numeric gate says of the same answers."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.compare.agreement import Agreement, of_counts
from ragdash.views import judge_facts as facts
from ragdash.views.judge import GATE, JUDGED, of_questions
from ragdash.views.query import Cursor, rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Crossed:
    """A judge metric against the numeric gate, question by question, in one mode.

    High is a mean over the repeats from the threshold on, right is the gate passed. `agreed` takes
    high for a yes to right: how often the judge would have said what the gate says.
    """

    metric: str
    mode: str
    high_right: int
    high_wrong: int
    low_right: int
    low_wrong: int
    agreed: Agreement

    @property
    def n(self) -> int:
        """How many answers both have judged."""
        return self.high_right + self.high_wrong + self.low_right + self.low_wrong


def crossed(cursor: Cursor, modes: Sequence[str]) -> list[Crossed]:
    """Return judge against gate by metric and mode, in display order; nothing where none pairs."""
    counts: dict[tuple[str, str], dict[tuple[bool, bool], int]] = defaultdict(dict)
    for row in rows(cursor, facts.CROSSED, {**of_questions(), "gate": GATE}):
        counts[row["metric"], row["mode"]][row["high"], row["passed"]] = row["n"]
    return [
        _crossed(name, mode, counts[name, mode])
        for name in JUDGED
        for mode in modes
        if (name, mode) in counts
    ]


def _crossed(name: str, mode: str, counts: Mapping[tuple[bool, bool], int]) -> Crossed:
    return Crossed(
        metric=name,
        mode=mode,
        high_right=counts.get((True, True), 0),
        high_wrong=counts.get((True, False), 0),
        low_right=counts.get((False, True), 0),
        low_wrong=counts.get((False, False), 0),
        agreed=of_counts(counts),
    )
