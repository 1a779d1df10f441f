"""What Compare holds side by side: the modes of the run on view, or one of them and another run's.

`?base=` is a mode of this run, or RUN:mode or a tag of another one. It is read from the address and
written back, never bound: a bound value that is no option of a widget would be taken away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.compare.factors import Side
from ragdash.core.errors import InputError
from ragdash.core.retrieval import Mode
from ragdash.store.effective import bound
from ragdash.store.layout import run_file, store_dir
from ragdash.store.stored import info_of
from ragdash.ui import chips, frame, notes, refs
from ragdash.ui.i18n import t
from ragdash.ui.refs import ref_of
from ragdash.ui.review import people
from ragdash.views import runs as runs_view
from ragdash.views.comparison import Comparison, Opened, compared

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.store.registered import RunRow
    from ragdash.views.query import Cursor

_OFFERED = 50
_KEPT = 32


@dataclass(frozen=True, slots=True)
class Base:
    """What `?base=` stands for; `run` is None where it is a mode of the run on view."""

    mode: str | None
    run: RunRow | None = None


@dataclass(frozen=True, slots=True)
class Sides:
    """What is shown side by side; `refs` names each side as an address does."""

    found: Comparison
    opened: tuple[Opened, ...]
    refs: Mapping[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sides, in display order."""
        return self.found.names

    @property
    def base(self) -> str:
        """The name of the base."""
        return self.found.base

    def of_mode(self, name: str) -> str:
        """Return a side as an address names it."""
        return self.refs[name]


def named(shown: frame.View, asked: str | None) -> Base | None:
    """Return what a base in an address stands for; None where it names nothing, or nothing new."""
    modes = shown.facts.modes
    if asked is None or asked in modes:
        return Base(asked)
    try:
        with refs.registry() as found:
            if found is None:
                return None
            ref = found.resolve(asked)
            runs = {(r.run_id, r.version): r for r in found.runs()}
    except InputError:
        return None
    run = runs[ref.run_id, ref.version]
    if run.kind != "evaluation":
        return None
    same = (run.run_id, run.version) == (shown.run.run_id, shown.run.version)
    return Base(ref.mode, None if same else run)


def base_asked(shown: frame.View) -> Base:
    """Return what `?base=` names; what does not exist is noted, and the first mode is the base."""
    asked = st.query_params.get("base")
    found = named(shown, asked)
    if found is None:
        notes.note("base", asked)
    elif is_gone(found):
        notes.note("base.gone", asked)
        found = None
    elif found == Base(None):
        notes.note("base.self", asked)
    return found or Base(None)


def is_gone(base: Base) -> bool:
    """Return whether the file of another run is not in the store any more."""
    run = base.run
    return run is not None and not run_file(store_dir(None), run.run_id, run.version).is_file()


def control(shown: frame.View, base: Base) -> None:
    """Offer the modes of this run as the base, and the other runs over the same questions."""
    left, right = st.columns([2, 3], gap="medium", vertical_alignment="bottom")
    if base.run is None:
        with left:
            _modes(shown, base)
    with right:
        _runs(shown, base)


def _modes(shown: frame.View, base: Base) -> None:
    modes = shown.facts.modes
    st.session_state["pick.base"] = base.mode or modes[0]

    def write() -> None:
        st.query_params["base"] = st.session_state["pick.base"]

    st.segmented_control(
        t("compare.base"), list(modes), required=True, key="pick.base", on_change=write
    )


def _runs(shown: frame.View, base: Base) -> None:
    with refs.registry() as found:
        known = [] if found is None else runs_view.newest(found, "evaluation")
    digest = shown.run.questions_digest
    others = [r for r in known if r.questions_digest == digest and r.run_id != shown.run.run_id]
    chosen = "" if base.run is None else ref_of(base.run.run_id, base.run.version)
    options = list(dict.fromkeys(["", chosen, *(r.run_id for r in others[:_OFFERED])]))
    if len(options) < 2:
        return
    st.session_state["pick.against"] = chosen

    def write() -> None:
        against = st.session_state["pick.against"]
        if against:
            st.query_params["base"] = against
        else:
            st.query_params.pop("base", None)

    st.selectbox(
        t("compare.against"),
        options,
        format_func=lambda run: run or t("compare.against.own"),
        key="pick.against",
        on_change=write,
    )


def of(shown: frame.View, base: Base) -> Sides:
    """Return the sides with everything that is said of them.

    Raises:
        StoreError: the file of the other run cannot be read.
    """
    if base.run is None:
        mine, said = info_of(shown.run), people.of(shown.run.run_id, shown.run.version)
        opened = [
            Opened(
                mode,
                Side(mine, Mode(mode), shown.run.version, shown.run.superseded),
                shown.cursor,
                said,
            )
            for mode in shown.facts.modes
        ]
        refs = {mode: shown.of_mode(mode) for mode in shown.facts.modes}
        return _sides(opened, base.mode or shown.facts.modes[0], refs)
    theirs = [m.mode for m in base.run.modes]
    mode = shown.mode or _shared(base.mode, shown.facts.modes, theirs)
    of_base = base.mode or _shared(mode, theirs, theirs)
    opened = [
        _opened(base.run, of_base, frame.open_run(base.run)),
        _opened(shown.run, mode, shown.cursor),
    ]
    refs = {
        one.name: ref_of(one.side.info.run_id, one.side.version, one.side.mode.value)
        for one in opened
    }
    return _sides(opened, opened[0].name, refs)


def _shared(asked: str | None, mine: Sequence[str], theirs: Sequence[str]) -> str:
    """Return the mode asked for where there is such, else the first that both runs have."""
    if asked in mine:
        return str(asked)
    return next((mode for mode in mine if mode in theirs), mine[0])


def _opened(run: RunRow, mode: str, cursor: Cursor) -> Opened:
    side = Side(info_of(run), Mode(mode), run.version, run.superseded)
    return Opened(side.ref, side, cursor, people.of_side(side))


def _sides(opened: list[Opened], base: str, refs: Mapping[str, str]) -> Sides:
    return Sides(_compared(opened, base, tuple(map(_key, opened))), tuple(opened), refs)


def _key(one: Opened) -> tuple[str, ...]:
    # A run file never changes; path, time and size tell a replaced one. So is what people say.
    path = run_file(store_dir(None), one.side.info.run_id, one.side.version)
    facts = path.stat()
    said = str(bound(one.people))
    return one.name, one.side.ref, str(path), str(facts.st_mtime_ns), str(facts.st_size), said


@st.cache_data(max_entries=_KEPT, show_spinner=False)
def _compared(_opened: Sequence[Opened], base: str, key: tuple[tuple[str, ...], ...]) -> Comparison:
    # Tests over a thousand questions take longer than everything else on the page.
    del key
    return compared([_opened], [base])[0]


def other_modes(shown: frame.View, base: Base, sides: Sides) -> Sequence[str]:
    """Return links to the same two runs in the other modes that both have."""
    if base.run is None:
        return ()
    here = sides.found.against[0].side.mode.value
    theirs = [m.mode for m in base.run.modes]
    number = ref_of(base.run.run_id, base.run.version)
    return [
        chips.link(mode, "compare", run=shown.of_mode(mode), base=f"{number}:{mode}")
        for mode in shown.facts.modes
        if mode in theirs and mode != here
    ]
