"""RUN:mode against RUN:mode: what differs, which questions pair, and what the metrics then say.

The page and `ragdash compare` both ask here, so that their verdict is one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ragdash.compare.factors import Comparability, Side, Standing, comparability
from ragdash.core.score import GIVEN
from ragdash.metrics import BY_NAME
from ragdash.views.compare import (
    HEADLINE,
    Column,
    MetricRow,
    RefusalCell,
    adjusted,
    layer_counts,
    outcome_counts,
    refusal_table,
    table,
)
from ragdash.views.query import Cursor, rows

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ragdash.compare.paired import Paired
    from ragdash.store.effective import People

_WORST_LAST = (
    Standing.SAME,
    Standing.ONE_FACTOR,
    Standing.NOT_ATTRIBUTABLE,
    Standing.NOT_COMPARABLE,
)


@dataclass(frozen=True, slots=True)
class Opened:
    """A side with a cursor over its run file and what people say of its run version.

    `name` tells it from the others shown with it.
    """

    name: str
    side: Side
    cursor: Cursor
    people: People


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many questions both sides have, and the ids that one alone has, in order of the set.

    A question is the same where set and id are: of two sets none is.
    """

    paired: int
    only_base: tuple[str, ...]
    only_other: tuple[str, ...]

    @property
    def total(self) -> int:
        """How many questions either side has."""
        return self.paired + len(self.only_base) + len(self.only_other)


@dataclass(frozen=True, slots=True)
class Against:
    """One side beside the base: whether they compare, and on which questions."""

    name: str
    side: Side
    comparability: Comparability
    overlap: Overlap


@dataclass(frozen=True, slots=True)
class Comparison:
    """A base with what stands against it; `names` are all sides, as the cells of `rows` are.

    A cell has a pair only where its side may be compared with the base.
    """

    base: str
    names: tuple[str, ...]
    against: tuple[Against, ...]
    rows: tuple[MetricRow, ...]

    @property
    def standing(self) -> Standing:
        """The worst standing of any side; two sides of one run are the same where there is none."""
        found = [one.comparability.standing for one in self.against]
        return max(found, key=_WORST_LAST.index, default=Standing.SAME)

    @property
    def is_attributable(self) -> bool:
        """Whether every side differs from the base in one factor at most."""
        return all(one.comparability.is_attributable for one in self.against)

    def headline(self) -> dict[str, Paired]:
        """Return the pairs of the headline gate by the name of the side."""
        row = next((row for row in self.rows if row.name == HEADLINE), None)
        return {} if row is None else {c.mode: c.pair for c in row.cells if c.pair}


def compared(
    groups: Sequence[Sequence[Opened]],
    bases: Sequence[str],
    metrics: Collection[str] | None = None,
) -> list[Comparison]:
    """Compare each group with its base; Holm's correction is over all pairs of a metric.

    Args:
        groups: sides in display order, names unique in a group.
        bases: for each group the name of its base.
        metrics: those that are asked for, or None for every one.
    """
    found = [_comparison(group, base, metrics) for group, base in zip(groups, bases, strict=True)]
    tables = adjusted([one.rows for one in found])
    return [replace(one, rows=tuple(rows_)) for one, rows_ in zip(found, tables, strict=True)]


def _comparison(group: Sequence[Opened], base: str, metrics: Collection[str] | None) -> Comparison:
    first = next(one for one in group if one.name == base)
    against = {
        one.name: Against(
            one.name, one.side, comparability(first.side, one.side), overlap(first, one)
        )
        for one in group
        if one is not first
    }

    def may_pair(metric: str, name: str) -> bool:
        found = against[name].comparability
        similarity = metric in BY_NAME and "embedder" in BY_NAME[metric].inputs
        # Two files may have been graded by two graders.
        if metric.startswith(GIVEN) and first.side.is_of != against[name].side.is_of:
            return False
        return found.is_attributable and (found.similar or not similarity)

    columns = [Column(one.name, one.cursor, one.side.mode.value, one.people) for one in group]
    return Comparison(
        base=base,
        names=tuple(one.name for one in group),
        against=tuple(against.values()),
        rows=tuple(table(columns, base, may_pair, metrics)),
    )


_IDS = """
    SELECT r.question_id FROM run.results r LEFT JOIN run.questions q USING (question_id)
    WHERE r.mode = ? ORDER BY q.position, r.question_id
"""


def overlap(base: Opened, other: Opened) -> Overlap:
    """Return on which questions two sides meet."""
    first, second = (
        [row["question_id"] for row in rows(one.cursor, _IDS, [one.side.mode.value])]
        for one in (base, other)
    )
    same_set = base.side.info.questions_digest == other.side.info.questions_digest
    both = set(first) & set(second) if same_set else set()
    return Overlap(
        len(both),
        tuple(q for q in first if q not in both),
        tuple(q for q in second if q not in both),
    )


def outcomes(group: Sequence[Opened]) -> dict[str, dict[str, int]]:
    """Return how many questions have each outcome, by the name of the side."""
    return {
        one.name: outcome_counts(one.cursor, one.people).get(one.side.mode.value, {})
        for one in group
    }


def layers(group: Sequence[Opened]) -> dict[tuple[str, str], int]:
    """Return how many questions were lost at each (layer, name of the side)."""
    return {
        (layer, one.name): n
        for one in group
        for (layer, mode), n in layer_counts(one.cursor, one.people).items()
        if mode == one.side.mode.value
    }


def refusals(group: Sequence[Opened]) -> list[RefusalCell]:
    """Return refused and answered questions by side and by where the evidence was."""
    return [
        replace(cell, mode=one.name)
        for one in group
        for cell in refusal_table(one.cursor)
        if cell.mode == one.side.mode.value
    ]
