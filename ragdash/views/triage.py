"""The list of questions behind a filter: filtered, ordered, counted and paged in the database.

What people have said is part of it: every query selects from the one relation of
store/effective.py, so a reviewed question stands under the layer that a person gave it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ragdash.filter import parse
from ragdash.metrics import BY_NAME
from ragdash.store.effective import NOBODY, People, bound
from ragdash.views import passage
from ragdash.views.compare import HEADLINE
from ragdash.views.filtered import needs_base, query_of
from ragdash.views.judge import THRESHOLD
from ragdash.views.query import Cursor, rows
from ragdash.views.triage_facts import (
    COUNTED,
    FACETS,
    HELD,
    HITS,
    IDS,
    MOVED,
    ORDERS,
    PAGE,
    PASSED,
    RESULTS,
    ROWS_HELD,
    UNMOVED,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.store.registered import Ref

PAGE_SIZE = 20
PREVIEW = 160
CHANGES = ("regressed", "improved", "same", "not_comparable")
# Flaky: the repeats of a judge metric lie on both sides of its threshold. Unreviewed: neither
# correct nor rightly refused, and without a person's verdict.
MARKS = ("flaky", "unreviewed", "flagged")
SORTS = ("worst", "set", "layer")


@dataclass(frozen=True, slots=True)
class Filters:
    """What is asked for; an empty tuple or None asks for everything.

    `changes` are those of `mode` against `base` in the headline gate, and need both; where there
    is a base the cursor holds its file too. Every one of `marks` has to hold. `short` names
    metrics, and holds where a value of one of them is not its best. `lost` and `kept` are codes of
    views/passage.py: where the gold passage was lost, or how far it came. `flips` names
    judge metrics whose repeats lie on both sides of the threshold. `base_people` is what people say
    of the run version of the base. `where` is a text in the filter language.
    `held` are the rows (mode, question id) of `where`, `lost` and `kept`, once `resolved`.
    """

    mode: str | None = None
    outcomes: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    base: Ref | None = None
    changes: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    sort: str = SORTS[0]
    short: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    flips: tuple[str, ...] = ()
    base_people: People = NOBODY
    where: str = ""
    held: tuple[tuple[str, str], ...] | None = None


@dataclass(frozen=True, slots=True)
class ModeResult:
    """What became of it in one mode; the layers are None where nothing was lost.

    `layer` is a person's where there is a verdict, `rule_layer` the rule's, and `outcome` and
    `rule_outcome` likewise: hers where `by_person`. `hit` says whether the filter holds for this
    mode.
    """

    mode: str
    outcome: str
    rule_outcome: str
    layer: str | None
    rule_layer: str | None
    verdict: str | None
    reviewer: str | None
    flag: bool
    by_person: bool
    caliber_verdict: str | None
    caliber_reviewer: str | None
    caliber_disputed: bool
    hit: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """One question of the list; `text` is cut to 160 characters, `length` is that of the whole.

    `change` is that of the mode filtered for against the base, None without a base.
    """

    question_id: str
    text: str
    length: int
    lang: str
    company: str | None
    period: str | None
    kind: str
    answerable: bool
    change: str | None
    results: tuple[ModeResult, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the list, its number, and how many questions the filter holds in all."""

    questions: tuple[Listed, ...]
    matching: int
    total: int
    page: int = 1

    @property
    def pages(self) -> int:
        """How many pages the filter fills; one where it holds nothing."""
        return max(1, -(-self.matching // PAGE_SIZE))


@dataclass(frozen=True, slots=True)
class Facets:
    """How many questions each choice would list, the other filters staying as they are.

    `layers` are by (layer, whether a person said so).
    """

    outcomes: Mapping[str, int]
    changes: Mapping[str, int]
    marks: Mapping[str, int]
    layers: Mapping[tuple[str, bool], int]


def ids(cursor: Cursor, filters: Filters, people: People) -> list[str]:
    """Return every question that a filter holds, in the order of the list.

    Args:
        cursor: over the run, and over the base's file where the filter has one.
        filters: what is asked for.
        people: what people say of this run version (`store.said.people_of`).
    """
    found = rows(cursor, _sql(IDS, filters), _bound(filters, people))
    return [row["question_id"] for row in found]


def listing(
    cursor: Cursor,
    filters: Filters,
    page: int,
    people: People,
    known: Sequence[str] | None = None,
) -> Listing:
    """Return one page of the questions that a filter holds, failed ones first.

    A page that does not exist is the nearest one; the count does not depend on the page.

    Args:
        cursor: as for `ids`.
        filters: what is asked for.
        page: from 1.
        people: as for `ids`.
        known: what `ids` returned for the same filter, where it has been asked already.
    """
    every = ids(cursor, filters, people) if known is None else known
    page = min(max(page, 1), max(1, -(-len(every) // PAGE_SIZE)))
    # Everything but the order of the ids is read for this page alone.
    only = list(every[(page - 1) * PAGE_SIZE : page * PAGE_SIZE])
    values = {**_bound(filters, people), "only": only, "preview": PREVIEW}
    found = rows(cursor, _sql(PAGE, filters), values) if only else []
    total = rows(cursor, "SELECT count(*) AS n FROM run.questions")[0]["n"]
    told = _results(cursor, filters, people, only)
    listed = tuple(Listed(**row, results=tuple(told.get(row["question_id"], ()))) for row in found)
    return Listing(listed, len(every), total, page)


def results(
    cursor: Cursor, filters: Filters, question_id: str, people: People
) -> tuple[ModeResult, ...]:
    """Return what became of one question in every mode; nothing where the run has no such."""
    return tuple(_results(cursor, filters, people, [question_id]).get(question_id, ()))


def _results(
    cursor: Cursor, filters: Filters, people: People, asked: Sequence[str]
) -> dict[str, list[ModeResult]]:
    found: dict[str, list[ModeResult]] = {}
    values = {**_bound(filters, people), "only": list(asked)}
    for row in rows(cursor, _sql(RESULTS, filters), values) if asked else ():
        found.setdefault(row.pop("question_id"), []).append(ModeResult(**row))
    return found


def row_count(cursor: Cursor, filters: Filters, people: People) -> int:
    """Return how many rows (mode and question) the list stands for, its export has as many."""
    found = rows(cursor, _sql(COUNTED, filters), _bound(filters, people))
    return int(found[0]["n"])


def narrowed(
    cursor: Cursor, filters: Filters, people: People
) -> tuple[tuple[str, str], ...] | None:
    """Return the rows (mode, question id) of the list; None where nothing but a mode is asked."""
    rest = replace(filters, mode=None, base=None, base_people=NOBODY, sort=SORTS[0], held=None)
    if rest == Filters():
        return None
    found = rows(cursor, _sql(HITS, filters), _bound(filters, people))
    return tuple((row["mode"], row["question_id"]) for row in found)


def facets(cursor: Cursor, filters: Filters, people: People) -> Facets:
    """Return how many questions each outcome, change, mark and layer would list."""
    found: dict[str, dict[tuple[str, bool], int]] = {
        kind: {} for kind in ("outcome", "change", "mark", "layer")
    }
    for row in rows(cursor, _sql(FACETS, filters), _bound(filters, people)):
        found[row["kind"]][row["code"], row["person"]] = row["n"]
    plain = {
        kind: {code: n for (code, _), n in found[kind].items()}
        for kind in ("outcome", "change", "mark")
    }
    return Facets(plain["outcome"], plain["change"], plain["mark"], found["layer"])


def _sql(query: str, filters: Filters) -> str:
    """Return a query with the pairing in it where there is a base; values stay bound."""
    moved = MOVED if _is_paired(filters) else UNMOVED
    passed = PASSED if _is_passing(filters) else "true"
    order = ORDERS[filters.sort]
    query = query.replace("{moved}", moved).replace("{passed}", passed).replace("{order}", order)
    return query.replace("{where}", _where(filters)[0])


def resolved(cursor: Cursor, filters: Filters, people: People) -> Filters:
    """Return a filter whose dear parts are answered, so that its queries do not ask them again."""
    if not filters.where.strip() and not _is_passing(filters):
        return filters
    found = rows(cursor, _sql(HELD, filters), _bound(filters, people))
    return replace(filters, held=tuple((row["mode"], row["question_id"]) for row in found))


def _where(filters: Filters) -> tuple[str, dict[str, Any]]:
    """Return what the text of a filter asks of a row, and all that it binds beside the rest."""
    if filters.held is not None:
        names = {"held_modes": 0, "held_questions": 1}
        return ROWS_HELD, {n: [row[i] for row in filters.held] for n, i in names.items()}
    if not filters.where.strip():
        return "true", {}
    expr = parse(filters.where)
    query, values = query_of(expr, paired=_is_paired(filters))
    if _is_paired(filters) and needs_base(expr):
        values["base_mode"] = filters.base.mode if filters.base else None
    return f"(e.mode, e.question_id) IN ({query})", values


def _is_passing(filters: Filters) -> bool:
    return filters.held is None and bool(filters.lost or filters.kept)


def _is_paired(filters: Filters) -> bool:
    return filters.base is not None and filters.mode is not None


def _bound(filters: Filters, people: People) -> dict[str, Any]:
    paired = {"base": filters.base.mode if filters.base else None, "headline": HEADLINE}
    paired |= bound(filters.base_people, "base")
    return {
        **(paired if _is_paired(filters) else {}),
        **(passage.chosen(filters.lost, filters.kept) if _is_passing(filters) else {}),
        **bound(people),
        **_where(filters)[1],
        **{mark: mark in filters.marks for mark in MARKS},
        "threshold": THRESHOLD,
        "only": None,
        "mode": filters.mode,
        "short_of": [name for name in filters.short if BY_NAME[name].higher_is_better],
        "more_of": [name for name in filters.short if not BY_NAME[name].higher_is_better],
        "flips": list(filters.flips),
        "outcomes": list(filters.outcomes),
        "layers": list(filters.layers),
        "changes": list(filters.changes),
    }
