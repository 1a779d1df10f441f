"""The base of Triage: `?base=` beside `?run=X:mode`, by which questions are better or worse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.compare.factors import Side, comparability
from ragdash.core.retrieval import Mode
from ragdash.store.attach import attach
from ragdash.store.layout import run_file, store_dir
from ragdash.store.registered import Ref
from ragdash.store.stored import info_of
from ragdash.ui import address, chips, frame, notes, safe, sides, standing
from ragdash.ui.i18n import t
from ragdash.ui.refs import ref_of
from ragdash.ui.review import people
from ragdash.views.compare import outcome_counts
from ragdash.views.comparison import Opened, overlap
from ragdash.views.triage import CHANGES

if TYPE_CHECKING:
    from ragdash.store.registered import RunRow
    from ragdash.views.query import Cursor


def asked(shown: frame.View, mode: str | None) -> Opened | None:
    """Return the base that `?base=` names for a mode of the run on view; None without one.

    What does not exist, or cannot be held against this mode, is noted and ignored.
    """
    text = st.query_params.get("base")
    if text is None:
        return None
    if mode is None:
        notes.note("base.mode", text)
        return None
    found = sides.named(shown, text)
    if found is not None and sides.is_gone(found):
        notes.note("base.gone", text)
        return None
    side = None if found is None else _side(shown, found, mode)
    if side is None or side.ref == _this(shown, mode).ref:
        notes.note("base.triage", text)
        return None
    if not comparability(side, _this(shown, mode)).is_attributable:
        notes.note("base.refused", text)
        return None
    run = shown.run if found is None or found.run is None else found.run
    with notes.faults_shown():
        return Opened(side.ref, side, frame.open_run(run), people.of_side(side))


def _side(shown: frame.View, base: sides.Base, mode: str) -> Side | None:
    run: RunRow = base.run or shown.run
    of = base.mode or mode
    return Side(info_of(run), Mode(of), run.version, run.superseded) if of in _modes(run) else None


def _modes(run: RunRow) -> list[str]:
    return [mode.mode for mode in run.modes]


def _this(shown: frame.View, mode: str) -> Side:
    return Side(info_of(shown.run), Mode(mode), shown.run.version, shown.run.superseded)


def banner(shown: frame.View, mode: str, base: Opened) -> None:
    """Say what differs from the base, and on how many questions the two meet."""
    with notes.faults_shown():
        said = people.of(shown.run.run_id, shown.run.version)
    this = Opened(mode, _this(shown, mode), shown.cursor, said)
    found = overlap(base, this)
    words = standing.words(comparability(base.side, this.side))
    paired = t("triage.paired", n=found.paired, total=found.total, base=base.name)
    unscored = outcome_counts(shown.cursor, said).get(mode, {}).get("unscored", 0)
    back = chips.link(t("nav.compare"), "compare", run=shown.of_mode(mode), base=_address(base))
    safe.render(
        chips.note(
            words,
            chips.spaced(chips.muted(paired), chips.muted(t("triage.unscored", n=unscored)), back),
        )
    )


def _address(base: Opened) -> str:
    return ref_of(base.side.info.run_id, base.side.version, base.side.mode.value)


def changes_asked(base: Opened | None) -> tuple[str, ...]:
    """Return the changes in `?change=`; without a base they mean nothing, which is noted."""
    found = address.codes("change", CHANGES)
    if base is None and found:
        notes.note("filter", ", ".join(found))
        return ()
    return found


def ref(base: Opened) -> Ref:
    """Return the base as a REF."""
    side = base.side
    return Ref(side.info.run_id, side.version, side.mode.value, side.superseded)


def cursor(shown: frame.View, base: Ref | None) -> Cursor:
    """Return a cursor over the run on view, with the base's file beside it where there is one."""
    if base is None:
        return shown.cursor
    store = store_dir(None)
    mine = run_file(store, shown.run.run_id, shown.run.version)
    found: Cursor = attach(mine, run_file(store, base.run_id, base.version))
    return found
