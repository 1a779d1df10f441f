"""Charts whose marks open what is behind them; the same places have links in a table beside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash import shipped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragdash.ui.drawing import Spec

_GO = "picked.go"
# Bound to widgets of the frame: they are set by the widget's value, and never in the address.
_BOUND = ("run", "lang")


def chart(
    drawn: Spec,
    pick: str,
    field: str,
    places: Mapping[str, tuple[str, Mapping[str, str]]],
) -> None:
    """Draw a chart, and open the page of a mark that is clicked.

    Args:
        drawn: `drawing.spec` of a chart with a point selection.
        pick: the name of the selection.
        field: the field of the data that tells the marks apart.
        places: value of the field -> (page, query parameters); what the browser sends and is not
            in here is no place to go.
    """
    key = f"picked.{pick}.{hash(repr(sorted(places.items())))}"

    def go() -> None:
        picked = st.session_state[key]["selection"].get(pick) or []
        value = picked[0].get(field) if picked and isinstance(picked[0], dict) else None
        if not isinstance(value, str) or value not in places:
            return
        page, params = places[value]
        # Before the frame is drawn: after that its widgets take no value any more.
        for name in _BOUND:
            if name in params:
                st.session_state[name] = params[name]
        rest = {name: found for name, found in params.items() if name not in _BOUND}
        st.session_state[_GO] = (key, page, rest)

    st.vega_lite_chart(spec=drawn, width="stretch", on_select=go, selection_mode=pick, key=key)
    if _GO in st.session_state and st.session_state[_GO][0] == key:
        _, page, rest = st.session_state.pop(_GO)
        st.switch_page(shipped.path("pages") / f"{page}.py", query_params=rest)
