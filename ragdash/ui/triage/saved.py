"""Saved filters: what a reviewer asks for often, under a name of her own."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode

import streamlit as st

from ragdash.core.errors import RagdashError
from ragdash.core.review import NAME_LIMIT
from ragdash.store.layout import store_dir
from ragdash.store.reviewers import SavedFilter, drop_filter, filters_of, save_filter
from ragdash.ui import safe
from ragdash.ui.i18n import t
from ragdash.ui.review import reviewer
from ragdash.ui.triage import filtering

_NAME, _PICK, _FAULT = "saved.name", "saved.pick", "saved.fault"


def control() -> None:
    """Offer the saved filters of who reviews, and to save the one in the address."""
    name = reviewer.current()
    if name is None:
        st.text(t("saved.who"))
        return
    known = {saved.name: saved.query for saved in filters_of(store_dir(None), name)}
    if known:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            picked = st.selectbox(
                t("saved.pick"), list(known), format_func=safe.plain, key=_PICK, width=280
            )
            st.button(
                t("saved.apply"), key="saved.apply", on_click=_apply, args=(known.get(picked, ""),)
            )
            st.button(
                t("saved.drop"),
                key="saved.drop",
                type="tertiary",
                on_click=_drop,
                args=(name, picked),
            )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(t("saved.name"), key=_NAME, max_chars=NAME_LIMIT, width=280)
        st.button(t("saved.save"), key="saved.save", on_click=_save, args=(name,))
    fault = st.session_state.pop(_FAULT, None)
    if fault is not None:
        safe.text(fault, key=_FAULT)


def query() -> str:
    """Return the filter in the address as a query string, without the run, base and question."""
    held = {name: st.query_params.get_all(name) for name in filtering.PARAMETERS}
    return urlencode({name: values for name, values in held.items() if values}, doseq=True)


def _apply(saved: str) -> None:
    # Read like any address: what does not exist (any more) is noted there.
    found = parse_qs(saved)
    for name in filtering.PARAMETERS:
        filtering.put(name, found.get(name, []))


def _save(name: str) -> None:
    saved = SavedFilter(str(st.session_state.get(_NAME) or ""), query())
    try:
        save_filter(store_dir(None), name, saved, reviewer.now())
    except RagdashError as error:
        st.session_state[_FAULT] = str(error)
        return
    st.session_state[_NAME] = ""
    st.session_state[_PICK] = saved.name.strip()


def _drop(name: str, saved: str) -> None:
    try:
        drop_filter(store_dir(None), name, saved)
    except RagdashError as error:
        st.session_state[_FAULT] = str(error)
