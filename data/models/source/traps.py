"""Passages that only look like the answer, drawn from kinds in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from data.models.source.filings import Cut, Filing, Passage, sheets
from data.models.source.ledger import GROUP, OTHER, PARENT, Company, Key, Period

if TYPE_CHECKING:
    import random

NEGATIVES = 5
Trap = tuple[str, Callable[[], Passage]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The figure that is asked for, the report it is asked of, and the table it stands in."""

    key: Key
    filing: Filing
    sheet: dict[str, Any]

    @property
    def cut(self) -> Cut:
        """Return the cut of that table that shows the figure's row, where it has one."""
        return row_of(self.sheet, self.key.metric)


def row_of(sheet: dict[str, Any], metric: str) -> Cut:
    """Return the cut of a table around the row of a metric; any rows where it has none."""
    has_row = "parts" not in sheet and any(r[1] == metric for r in sheet["rows"])
    return Cut(around=metric) if has_row else Cut()


def invented_traps(wanted: Wanted, others: Sequence[Company]) -> list[list[Trap]]:
    """Return the wrong passages beside a figure of an invented company, kind by kind."""
    return [
        list(_other_periods(wanted)),
        list(_other_scopes(wanted)),
        list(_same_report(wanted)),
        list(_other_companies(wanted, others)),
        list(_elsewhere(wanted)),
    ]


def _other_periods(wanted: Wanted) -> Iterator[Trap]:
    period, report = wanted.key.period, wanted.filing
    others = [period.before(n) for n in (1, 2, 3, -1, -2, -3)]
    for other in [*others, Period(period.year, not period.half)]:
        filing = Filing(report.company, other, report.rng)
        yield "other period", partial(filing.table, wanted.sheet, wanted.cut)


def _other_scopes(wanted: Wanted) -> Iterator[Trap]:
    """Yield the tables that name the metric for the parent, a part, a quarter, as a ratio."""
    key, report = wanted.key, wanted.filing
    contrary = PARENT if key.scope == GROUP else GROUP
    for sheet in sheets(report.company):
        named = any(r[1] == key.metric for r in sheet["rows"])
        if named and sheet["scope"] in (contrary, OTHER):
            yield "other scope", partial(report.table, sheet, row_of(sheet, key.metric))
    if key.metric in report.company.words["noted"]:
        yield "other scope", partial(report.note, key.metric, contrary)


def _same_report(wanted: Wanted) -> Iterator[Trap]:
    """Yield the report's tables without the row that is asked for."""
    report, cut = wanted.filing, Cut(without=wanted.key.metric)
    for sheet in [wanted.sheet, *sheets(report.company, wanted.key.scope)]:
        yield "same report", partial(report.table, sheet, cut)


def _other_companies(wanted: Wanted, others: Sequence[Company]) -> Iterator[Trap]:
    for company in others:
        filing = Filing(company, wanted.filing.period, wanted.filing.rng)
        yield "other company", partial(filing.table, wanted.sheet, wanted.cut)


def _elsewhere(wanted: Wanted) -> Iterator[Trap]:
    report, words = wanted.filing, wanted.filing.company.words
    for sheet in sheets(report.company, OTHER):
        yield "segment", partial(report.table, sheet)
    notes = [m for m in words["noted"] if m != wanted.key.metric]
    yield "note", lambda: report.note(report.rng.choice(notes), wanted.key.scope)
    yield "prose", lambda: report.prose(report.rng.choice(words["prose"]))
    yield "noise", report.noise


def draw(
    groups: Sequence[Sequence[Trap]], right: Passage, key: Key, rng: random.Random
) -> list[tuple[str, str]]:
    """Return wrong passages with their kinds, a kind after the other, as many as there are room.

    None of them states the figure, and none prints the answer by chance.
    """
    found: dict[str, str] = {}
    orders = [iter(rng.sample(group, len(group))) for group in groups]
    while orders and len(found) < NEGATIVES:
        for order in list(orders):
            trap = next(order, None)
            if trap is None:
                orders.remove(order)
                continue
            kind, make = trap
            passage = make()
            states = passage.company == right.company and key in passage.states
            if passage.has_rows and not states and right.states[key] not in passage.text:
                found.setdefault(passage.text, kind)
            if len(found) == NEGATIVES:
                break
    return list(found.items())
