"""The run on view: read from the address, offered in the sidebar, handed to every page.

`?run=` is bound to the picker: RUN for all modes, RUN:mode for one, RUN.1 for a version that is not
the newest. Without it the newest run is shown. Whatever else the contract allows there (a tag) is
rewritten once to that form.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import streamlit as st

from ragdash.core.errors import InputError, RagdashError
from ragdash.store.attach import attach
from ragdash.store.layout import run_file, store_dir
from ragdash.ui import made, notes, refs, safe
from ragdash.ui.i18n import ALIASES, LANGUAGES, default, t
from ragdash.ui.refs import registry as registry
from ragdash.views import runs as runs_view
from ragdash.views.frame import RunFacts, facts

if TYPE_CHECKING:
    from ragdash.store.registered import Ref, RunRow
    from ragdash.store.registry import Registry
    from ragdash.views.query import Cursor

PAGES = (
    *("runs", "compare", "triage", "question", "funnel", "attacks"),
    *("reviews", "judge", "gates", "data"),
)
_RUN_NOTES = ("run", "mode", "attack_run")


@dataclass(frozen=True, slots=True)
class View:
    """The run on view; `mode` is None where the address names all of its modes."""

    run: RunRow
    ref: str
    mode: str | None
    facts: RunFacts
    cursor: Cursor

    def of_mode(self, mode: str | None) -> str:
        """Return the REF of this run with a mode, or with all of them."""
        return f"{self.ref}:{mode}" if mode else self.ref


def canonical_address() -> dict[str, str]:
    """Return what people type (lang=zh, run=TAG, an attack run) in the form that is bound."""
    new: dict[str, str] = {}
    lang = st.query_params.get("lang")
    if lang and "lang" not in st.session_state and ALIASES.get(lang.lower(), lang) != lang:
        new["lang"] = ALIASES[lang.lower()]
    asked = st.query_params.get("run")
    if asked and "run" not in st.session_state:
        new |= _canonical_run(asked)
    _note_a_run_that_went()
    if lang and "lang" not in st.session_state and new.get("lang", lang) not in LANGUAGES:
        st.session_state["note.lang"] = lang
    return new


def rewrite(new: dict[str, str]) -> NoReturn:
    """Put the canonical form into the address and start over; call st.navigation before."""
    for key, value in new.items():
        st.query_params[key] = value
    if "attack" in new:
        del st.query_params["run"]
    st.rerun()


def _canonical_run(asked: str) -> dict[str, str]:
    try:
        with registry() as found:
            if found is None:
                return {}
            ref = _resolved(found, asked)
            newest = found.resolve(ref.run_id).version
            kinds = {(r.run_id, r.version): r.kind for r in found.runs()}
    except InputError:
        st.session_state["note.run"] = asked
        return {}
    except RagdashError:
        # The store is damaged, and the page says so.
        return {}
    if kinds[ref.run_id, ref.version] == "attack":
        st.session_state["note.attack_run"] = asked
        return {"attack": ref.run_id}
    number = None if ref.version == newest else ref.version
    canonical = refs.address(ref.run_id, number, ref.mode)
    return {} if canonical == asked else {"run": canonical}


def _note_a_run_that_went() -> None:
    """Note a run that was removed while it was open: the newest one is not what was asked for."""
    chosen = st.session_state.get("run")
    if not chosen:
        return
    try:
        with registry() as found:
            if found is not None:
                found.resolve(chosen)
    except InputError:
        st.session_state["note.run"] = chosen
        st.session_state["run"] = None
    except RagdashError:
        return  # the page says so itself


def _resolved(found: Registry, asked: str) -> Ref:
    """Return what an address names; of a known run with an unknown mode the run, with a note."""
    try:
        return found.resolve(asked)
    except InputError:
        name, colon, _ = asked.partition(":")
        if not colon:
            raise
        ref = found.resolve(name)
        st.session_state["note.mode"] = asked
        return ref


def seen_as_attack_run() -> None:
    """Forget the note on an attack run in `?run=`: the page of attack runs shows it."""
    st.session_state.pop("note.attack_run", None)


def first_page() -> None:
    """Forget `?page=`: another list begins at its beginning."""
    st.query_params.pop("page", None)


def language() -> None:
    """Offer the language, bound to `?lang=`."""
    st.segmented_control(
        t("lang.label"),
        list(LANGUAGES),
        default=default(),
        required=True,
        key="lang",
        bind="query-params",
        on_change=lambda: st.session_state.pop("note.lang", None),
    )


def picker() -> None:
    """Offer the runs, bound to `?run=`, with the facts of the one on view below."""
    try:
        with registry() as found:
            known = [] if found is None else runs_view.newest(found, "evaluation")
    except RagdashError:
        # The page says so itself; the sidebar has nothing to offer then.
        return
    if not known:
        return
    chosen = st.session_state.get("run") or st.query_params.get("run")
    st.selectbox(
        t("frame.run"),
        refs.options(known, chosen),
        index=None,
        placeholder=known[0].run_id,
        help=t("frame.run.help"),
        key="run",
        bind="query-params",
        on_change=_forget_note,
    )
    with suppress(RagdashError):
        # A damaged file is the page's to report; the picker still leads to another run.
        shown = view()
        if shown is not None:
            safe.render(made.facts(shown.facts, versioned="." in shown.ref))


def _forget_note() -> None:
    for kind in _RUN_NOTES:
        st.session_state.pop(f"note.{kind}", None)
    first_page()


def view(*, report: bool = False) -> View | None:
    """Return the run on view, or None where the store holds none.

    Args:
        report: whether a run file that cannot be opened ends the page with a note on that run.
    """
    with registry() as found:
        known = [] if found is None else runs_view.newest(found, "evaluation")
        every = [] if found is None else found.runs()
    if not known:
        return None
    run, mode, ref = refs.named(st.session_state.get("run"), known, every)
    try:
        cursor = open_run(run)
    except RagdashError as error:
        if report:
            notes.run_fault(error, run, known)
        raise
    modes = [m.mode for m in run.modes]
    return View(
        run=run,
        ref=ref,
        mode=mode if mode in modes else None,
        facts=facts(cursor),
        cursor=cursor,
    )


def open_run(run: RunRow) -> Cursor:
    """Return a cursor of this script run over one run file."""
    cursor: Cursor = attach(run_file(store_dir(None), run.run_id, run.version))
    return cursor


def require_view() -> View:
    """Return the run on view; an empty store shows how to fill it and ends the page."""
    with notes.faults_shown():
        shown = view(report=True)
    if shown is None:
        notes.empty_store()
    run_note()
    return shown


def run_lists() -> tuple[list[runs_view.RunLine], list[runs_view.RunLine]]:
    """Return the finished evaluations and attack runs; both empty in a store without any."""
    with registry() as found:
        if found is None:
            return [], []
        return runs_view.overview(found), runs_view.overview(found, "attack")


def run_note() -> None:
    """Say what of `?run=` does not exist or cannot be shown here, until another one is picked."""
    for kind in _RUN_NOTES:
        notes.note(kind, st.session_state.get(f"note.{kind}"))


def language_note() -> None:
    """Say that `?lang=` names no language of ours, until one is picked."""
    notes.note("lang", st.session_state.get("note.lang"))


def mode_control(shown: View, *, with_all: bool) -> str | None:
    """Offer the modes of the run; the choice is written to `?run=`, which holds RUN:mode.

    Returns:
        The mode, or None for all modes where that is offered.
    """
    modes = [m.mode for m in shown.run.modes]
    options: list[str] = ["", *modes] if with_all else modes
    current = shown.mode or options[0]
    key = f"mode.{shown.ref}.{with_all}"
    st.session_state[key] = current

    def choose() -> None:
        st.session_state["run"] = shown.of_mode(st.session_state[key] or None)
        _forget_note()

    st.segmented_control(
        t("frame.mode"),
        options,
        format_func=lambda mode: mode or t("frame.mode.all"),
        required=True,
        key=key,
        on_change=choose,
    )
    return current or None


def is_dark() -> bool:
    """Return whether the page is dark; the first run of a session may not know yet."""
    return st.context.theme.type == "dark"
