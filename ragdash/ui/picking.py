"""Charts whose marks open what is behind them; the same places have links in a table beside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash import shipped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragdash.ui.drawing import Spec


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
    found = st.vega_lite_chart(
        spec=drawn, width="stretch", on_select="rerun", selection_mode=pick, key=key
    )
    picked = found["selection"].get(pick) or []
    value = picked[0].get(field) if picked and isinstance(picked[0], dict) else None
    if isinstance(value, str) and value in places:
        page, params = places[value]
        st.switch_page(shipped.path("pages") / f"{page}.py", query_params=dict(params))
