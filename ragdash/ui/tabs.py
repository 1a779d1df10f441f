"""Tabs of which only the open one is computed, kept in `?tab=` as a code of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import notes
from ragdash.ui.i18n import current, t

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy(parts: Mapping[str, Callable[[], None]], words: str = "question.tab") -> None:
    """Show the tabs of a question and draw the open one; a code that is none is noted.

    Call it inside a fragment, so that another tab does not draw the page anew.

    Args:
        parts: what draws each tab, by its code.
        words: the group of our words that names the tabs.
    """
    codes = list(parts)
    asked = st.query_params.get("tab")
    if asked is not None and asked not in codes:
        notes.note("tab", asked)
    opened = asked if asked in codes else codes[0]
    names = {code: t(f"{words}.{code}") for code in codes}
    # Of the language: the widget's state is a label.
    key = f"tab.{words}.{current()}"
    st.session_state[key] = names[opened]

    def write() -> None:
        chosen = next(code for code, name in names.items() if name == st.session_state[key])
        if chosen == codes[0]:
            st.query_params.pop("tab", None)
        else:
            st.query_params["tab"] = chosen
        # The list of another tab begins at its beginning.
        st.query_params.pop("page", None)

    found = st.tabs([t(f"{words}.{code}") for code in codes], key=key, on_change=write)
    for code, tab in zip(codes, found, strict=True):
        if tab.open:
            with tab:
                parts[code]()
