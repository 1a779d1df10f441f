"""Runs ticked on the list: what they open together, and which of them is the baseline."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.errors import InputError, RagdashError
from ragdash.store.layout import store_dir
from ragdash.store.registry import BASELINE, Registry
from ragdash.ui import chips, notes, safe
from ragdash.ui.i18n import t

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.views.runs import RunLine

# Compare attaches two run files.
MOST = 2
_REASON_LIMIT = 500
_NAME_LIMIT = 80


def ticked(lines: Sequence[RunLine]) -> list[RunLine]:
    """Offer the runs to tick, kept in `?tick=`, and return those ticked, the newest first."""
    known = {line.ref: line for line in lines}
    asked = st.query_params.get_all("tick")
    unknown = [ref for ref in asked if ref not in known]
    if unknown:
        notes.note("run.ticked", ", ".join(unknown))
    st.session_state["runs.tick"] = [ref for ref in known if ref in asked][:MOST]

    def write() -> None:
        st.query_params["tick"] = st.session_state["runs.tick"]

    chosen = st.multiselect(
        t("runs.tick"),
        list(known),
        max_selections=MOST,
        placeholder=t("runs.tick.hint"),
        key="runs.tick",
        on_change=write,
    )
    return [line for ref, line in known.items() if ref in chosen]


def offered(chosen: Sequence[RunLine]) -> None:
    """Show where the ticked runs lead, and the form that makes a single one the baseline."""
    if len(chosen) == MOST:
        _together(*chosen)
    elif chosen:
        only = chosen[0]
        safe.render(
            chips.spaced(
                *(
                    chips.link(t(f"nav.{page}"), page, run=only.ref)
                    for page in ("compare", "triage")
                )
            )
        )
        _baseline(only)


def _together(newer: RunLine, older: RunLine) -> None:
    """Link two runs over the same questions in each mode that both have, the older as the base."""
    if newer.run.questions_digest != older.run.questions_digest:
        st.text(t("runs.tick.apart"))
        return
    theirs = {mode.mode for mode in older.modes}
    shared = [mode.mode for mode in newer.modes if mode.mode in theirs]
    if not shared:
        st.text(t("runs.tick.no_mode"))
        return
    head = [t("frame.mode"), t("nav.compare"), t("nav.triage")]
    body = [
        [mode, *(_link(page, newer, older, mode) for page in ("compare", "triage"))]
        for mode in shared
    ]
    words = t("runs.tick.table", newer=newer.ref, older=older.ref)
    safe.render(chips.muted(words))
    safe.render(safe.table(head, body, caption=words))


def _link(page: str, newer: RunLine, older: RunLine, mode: str) -> safe.Markup:
    where = {"run": f"{newer.ref}:{mode}", "base": f"{older.ref}:{mode}"}
    return chips.link(t(f"nav.{page}"), page, **where)


def _baseline(line: RunLine) -> None:
    modes = ["", *(mode.mode for mode in line.modes)]
    with st.form(f"baseline.{line.ref}", clear_on_submit=False):
        st.text(t("runs.baseline.lead"))
        left, right = st.columns(2, gap="medium")
        with left:
            mode = st.selectbox(
                t("runs.baseline.of"),
                modes,
                format_func=lambda one: one or t("frame.mode.all"),
                key=f"baseline.mode.{line.ref}",
            )
        with right:
            author = st.text_input(
                t("runs.baseline.author"), max_chars=_NAME_LIMIT, key="baseline.author"
            )
        reason = st.text_input(
            t("runs.baseline.reason"), max_chars=_REASON_LIMIT, key=f"baseline.reason.{line.ref}"
        )
        if st.form_submit_button(t("runs.baseline.set")):
            _tag(f"{line.ref}:{mode}" if mode else line.ref, reason, author)


def _tag(ref: str, reason: str, author: str) -> None:
    if not author.strip():
        st.error(t("runs.baseline.no_author"))
        return
    if not reason.strip():
        st.error(t("runs.baseline.no_reason"))
        return
    now = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        with closing(Registry.open(store_dir(None))) as registry:
            registry.tag(ref, BASELINE, reason=reason.strip(), author=author.strip(), at=now)
    except InputError as error:
        # It was removed while the form stood open.
        st.error(t("runs.baseline.refused"))
        safe.text(str(error), key="baseline.refused")
        return
    except RagdashError as error:
        notes.fault(error)
    st.rerun()
