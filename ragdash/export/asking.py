"""From a REF, a base and a filter to what is exported, for `ragdash export` and the pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.compare.factors import Side, comparability
from ragdash.core.errors import InputError, NotComparable
from ragdash.core.retrieval import Mode
from ragdash.filter import asked, parse, written
from ragdash.store.attach import attach
from ragdash.store.effective import people
from ragdash.store.layout import run_file
from ragdash.store.said import checks_in, reviews_in
from ragdash.store.stored import info_of
from ragdash.store.turns import has, reading
from ragdash.views.filtered import needs_base, query_of
from ragdash.views.query import rows

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.core.review import Review
    from ragdash.core.spot_check import SpotCheck
    from ragdash.store.effective import People
    from ragdash.store.registered import Ref, RunRow
    from ragdash.store.registry import Registry
    from ragdash.views.query import Cursor

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Selection:
    """The rows of an export, by (mode, question id), in the order of modes and of the set.

    `where` is the filter as it is written; `cursor` belongs to the export alone.
    """

    ref: str
    run: RunRow
    modes: tuple[str, ...]
    where: str
    base: str | None
    cursor: Cursor
    said: People
    reviews: tuple[Review, ...]
    checks: tuple[SpotCheck, ...]
    keys: tuple[Key, ...]


def selected(
    registry: Registry, store: Path, ref: str, *, base: str | None = None, where: str = ""
) -> Selection:
    """Return what a filter holds of a REF.

    Args:
        registry: of the store.
        store: its folder.
        ref: RUN, RUN:mode or a tag; RUN alone is all its modes.
        base: what `change:` is against: RUN:mode, or RUN for each mode against its own.
        where: a filter; empty for every row.

    Raises:
        InputError: a REF names nothing or a run of attacks, or the filter cannot be read.
        NotComparable: run and base differ in more than one factor.
        StoreError: a run file cannot be read.
    """
    found = registry.resolve(ref)
    run = _run(registry, found)
    modes = (found.mode,) if found.mode else tuple(mode.mode for mode in run.modes)
    expr = parse(where)
    against = None if base is None else _base(registry, base, run, modes)
    query, values = query_of(expr, paired=against is not None)
    reviews, checks = _opinions(store, found)
    said = people(reviews, checks)
    files = [run_file(store, found.run_id, found.version)]
    others: tuple[str | None, People] | None = None
    if against is not None:
        files.append(run_file(store, against.run_id, against.version))
        others = (against.mode, people(*_opinions(store, against))) if needs_base(expr) else None
    cursor: Cursor = attach(*files)
    keys = _ordered(cursor, query, {**asked(said, others), **values}, modes)
    return Selection(
        ref=str(found),
        run=run,
        modes=modes,
        where=written(expr),
        base=None if against is None else str(against),
        cursor=cursor,
        said=said,
        reviews=tuple(reviews),
        checks=tuple(checks),
        keys=keys,
    )


def _run(registry: Registry, found: Ref) -> RunRow:
    run = next(r for r in registry.runs() if (r.run_id, r.version) == (found.run_id, found.version))
    if run.kind != "evaluation":
        raise InputError(
            f"{found} is a run of attacks: it has no questions; `ragdash attack --json` writes rows"
        )
    return run


def _base(registry: Registry, base: str, run: RunRow, modes: tuple[str, ...]) -> Ref:
    found = registry.resolve(base)
    other = _run(registry, found)
    of_base = [mode.mode for mode in other.modes]
    own = 0
    for mode in modes:
        against = found.mode or mode
        if against not in of_base:
            raise InputError(f"the base {found} has no mode {mode}: name RUN:mode with --base")
        one, two = _side(other, against), _side(run, mode)
        own += one.ref == two.ref
        standing = comparability(one, two)
        if not standing.is_attributable:
            raise NotComparable(
                f"{two.ref} cannot be held against {one.ref} ({standing.standing.value}): "
                "`ragdash compare` names what differs"
            )
    if own == len(modes):
        raise InputError(f"{found} would be its own base: name another run or mode with --base")
    return found


def _side(run: RunRow, mode: str) -> Side:
    return Side(info_of(run), Mode(mode), run.version, run.superseded)


def _opinions(store: Path, ref: Ref) -> tuple[list[Review], list[SpotCheck]]:
    with reading(store, "reviews") as db:
        if db is None:
            return [], []
        checks = checks_in(db, ref.run_id) if has(db, "spot_checks") else []
        return reviews_in(db, ref.run_id, ref.version), checks


_ORDERED = """
    SELECT h.mode, h.question_id FROM ({held}) h JOIN run.questions q USING (question_id)
    WHERE list_contains($modes, h.mode)
    ORDER BY list_position($modes, h.mode), q.position
"""


def _ordered(
    cursor: Cursor, query: str, values: dict[str, object], modes: tuple[str, ...]
) -> tuple[Key, ...]:
    found = rows(cursor, _ORDERED.replace("{held}", query), {**values, "modes": list(modes)})
    return tuple((row["mode"], row["question_id"]) for row in found)
