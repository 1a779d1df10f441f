"""The queue of spot checks: which answered questions to look at first, and what has been said.

Everything with a risk is in it. First stands what the code reads as another caliber's figure: the
likeliest error. Then come the answers that are right by their number: a right number under another
caliber passes every other gate. Every fifth place goes to one drawn at random from
those without a risk, so that what is checked is not of risky ones alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from ragdash.core.spot_check import Fit, Risk, RuleVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence, Set

    from ragdash.core.spot_check import SpotCheck
    from ragdash.views.spot_check_risks import Item

PAGE_SIZE = 20
# One in so many of those without a risk is drawn, and stands at every so-manieth place.
SHARE = 5
STANDINGS = ("open", "once", "twice", "disputed")
STATES = (*STANDINGS, "mine", "locked")
RISKS = tuple(risk.value for risk in Risk)
# The gravest first: what no rule has looked at, then what the rule is known to mistake.
_GRAVITY = (
    Risk.UNLABELLED,
    Risk.NEAR_MISS,
    Risk.ATTRIBUTION,
    Risk.PARENT_OR_GROUP,
    Risk.PART_OF_TOTAL,
    Risk.RESTATED,
    Risk.COMPARISON,
    Risk.NONE,
)


@dataclass(frozen=True, slots=True)
class Filters:
    """What is asked for; an empty tuple or None asks for everything.

    Risks add up, and so do standings (open, once, twice, disputed); mine and locked narrow. `rule`
    and `fit` are a cell of the matrix rule x people.
    """

    risks: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    rule: RuleVerdict | None = None
    fit: Fit | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A question of the queue with what people have done; `people` counts who has checked it.

    `fit` is what people say together, None where nobody has. `drawn` says that it stands here by
    lot alone. `locked_by` is somebody else than the viewer.
    """

    item: Item
    standing: str
    people: int
    fit: Fit | None
    is_mine: bool
    locked_by: str | None
    drawn: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """One risk: how many answered questions have it, how many are queued, how many are checked."""

    risk: Risk
    answered: int
    queued: int
    checked: int


@dataclass(frozen=True, slots=True)
class Sample:
    """How the queue came about: `risky` of `answered` have a risk, `drawn` of the others."""

    answered: int
    risky: int
    without: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Queue:
    """Every entry in its order, and how the sample was drawn."""

    entries: tuple[Entry, ...]
    sample: Sample
    coverage: tuple[Coverage, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """What people and the viewer have to do with the questions of one mode.

    `checks` are those that their authors hold to; `fits` what they say together, by question id;
    `locks` who has a question open at this moment.
    """

    checks: Sequence[SpotCheck]
    fits: Mapping[str, Fit]
    locks: Mapping[str, str]
    viewer: str | None


def queue(run_id: str, items: Sequence[Item], said: Said) -> Queue:
    """Return the queue of one mode of a run.

    Args:
        run_id: seeds the lot, so that the same run always draws the same questions.
        items: every answered question of the mode.
        said: what has been said of them so far; a checked question stays in the queue.
    """
    by = _by_question(items, said.checks)
    lot = _drawn(run_id, items)
    risky = [item for item in items if item.risks != (Risk.NONE,)]
    extra = [item for item in items if item.question_id in lot]
    kept = [
        item
        for item in items
        if item.risks == (Risk.NONE,) and item.question_id in by and item.question_id not in lot
    ]
    ordered = _interleaved(
        sorted(risky, key=_weight), sorted(extra, key=lambda i: _digest(run_id, i.question_id))
    )
    entries = tuple(_entry(item, by, said, lot) for item in (*ordered, *kept))
    sample = Sample(len(items), len(risky), len(items) - len(risky), len(extra))
    return Queue(entries, sample, _coverage(items, entries, by))


def _by_question(
    items: Iterable[Item], checks: Iterable[SpotCheck]
) -> dict[str, dict[str, SpotCheck]]:
    """Return the check of each person by question; of another answer than this one's none."""
    answers = {item.question_id: item.answer_digest for item in items}
    found: dict[str, dict[str, SpotCheck]] = {}
    for check in checks:
        if answers.get(check.key.question_id) == check.answer_digest:
            found.setdefault(check.key.question_id, {})[check.reviewer] = check
    return found


def _weight(item: Item) -> tuple[int, int, int, int]:
    """Sort another caliber's figure first, then what is right or nearly, then by gravest risk."""
    near = item.number_right or Risk.NEAR_MISS in item.risks
    likely = 0 if item.rule is RuleVerdict.CONFLICT else 1 if near else 2
    gravest = min(_GRAVITY.index(risk) for risk in item.risks)
    return (likely, gravest, -len(item.risks), item.position)


def _digest(run_id: str, question_id: str) -> str:
    text = f"{run_id}\n{question_id}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _drawn(run_id: str, items: Iterable[Item]) -> Set[str]:
    """Return the lot: of those without a risk one in five, the ones with the smallest digests."""
    without = [item.question_id for item in items if item.risks == (Risk.NONE,)]
    without.sort(key=lambda question_id: _digest(run_id, question_id))
    return frozenset(without[: -(-len(without) // SHARE)])


def _interleaved(risky: Sequence[Item], drawn: Sequence[Item]) -> list[Item]:
    """Put one that was drawn at every fifth place; what is left of either follows."""
    first, second = iter(risky), iter(drawn)
    found: list[Item] = []
    while before := list(islice(first, SHARE - 1)):
        found += before
        found += islice(second, 1)
    return [*found, *second]


def _entry(
    item: Item, by: Mapping[str, Mapping[str, SpotCheck]], said: Said, lot: Set[str]
) -> Entry:
    checks = by.get(item.question_id, {})
    holder = said.locks.get(item.question_id)
    return Entry(
        item=item,
        standing=standing(checks.values()),
        people=len(checks),
        fit=said.fits.get(item.question_id),
        is_mine=said.viewer in checks,
        locked_by=None if holder == said.viewer else holder,
        drawn=item.question_id in lot,
    )


def standing(checks: Iterable[SpotCheck]) -> str:
    """Return how far a question has come, by the checks that their authors hold to, one a person.

    Disputed: two people or more who differ on whether the answer fits, unclear being a word too.
    """
    fits = [check.judgement.fit for check in checks]
    if len(set(fits)) > 1:
        return "disputed"
    return STANDINGS[min(len(fits), 2)]


def _coverage(
    items: Sequence[Item], entries: Sequence[Entry], by: Mapping[str, object]
) -> tuple[Coverage, ...]:
    queued = {entry.item.question_id for entry in entries}
    found = []
    for risk in Risk:
        ids = {item.question_id for item in items if risk in item.risks}
        if ids:
            found.append(Coverage(risk, len(ids), len(ids & queued), len(ids & by.keys())))
    return tuple(found)


def matching(found: Queue, filters: Filters) -> tuple[Entry, ...]:
    """Return the entries that a filter holds, in the order of the queue."""
    return tuple(entry for entry in found.entries if _holds(entry, filters))


def _holds(entry: Entry, filters: Filters) -> bool:
    wanted = [state for state in filters.states if state in STANDINGS]
    return (
        (not filters.risks or any(risk.value in filters.risks for risk in entry.item.risks))
        and (not wanted or entry.standing in wanted)
        and ("mine" not in filters.states or entry.is_mine)
        and ("locked" not in filters.states or entry.locked_by is not None)
        and (filters.rule is None or entry.item.rule == filters.rule)
        and (filters.fit is None or entry.fit == filters.fit)
    )


def first_free(entries: Sequence[Entry], after: str | None = None) -> str | None:
    """Return the next question that the viewer can check; None where there is none.

    Args:
        entries: as listed.
        after: the question that is open; the search goes on behind it, then from the start.
    """
    ids = [entry.item.question_id for entry in entries]
    at = ids.index(after) + 1 if after in ids else 0
    ordered = (*entries[at:], *entries[:at])
    # Two people who agree have said enough; who wants to look again opens it by hand.
    free = (e for e in ordered if not e.is_mine and e.locked_by is None and e.standing != "twice")
    return next((e.item.question_id for e in free if e.item.question_id != after), None)
