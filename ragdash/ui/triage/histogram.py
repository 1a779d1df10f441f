"""The histogram of lost questions by layer; a bar lists its questions, and so does a pill."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.charts import triage as charts
from ragdash.ui import drawing
from ragdash.ui.i18n import t, term
from ragdash.ui.triage import filtering
from ragdash.views.compare import FAILED_LAYERS

if TYPE_CHECKING:
    from ragdash.views.triage import Facets, Filters


def layers(filters: Filters, facets: Facets) -> None:
    """Draw how many questions of the list were lost at each layer; a bar is a filter."""
    import pandas as pd

    found = [
        {"layer": layer, "name": term("layer", layer), "who": t(f"triage.who.{who}"), "n": n}
        for layer in FAILED_LAYERS
        for who, person in (("rule", False), ("person", True))
        if (n := facets.layers.get((layer, person), 0))
    ]
    if not found:
        st.text(t("triage.histogram.none"))
        return
    names = [term("layer", code) for code in FAILED_LAYERS if code in {r["layer"] for r in found}]
    words = {
        "axis": t("triage.histogram.axis"),
        "rule": t("triage.who.rule"),
        "person": t("triage.who.person"),
        "description": t("triage.histogram.alt"),
    }
    # A picked bar stays picked as long as its key does, so the key names the filter.
    key = f"triage.histogram.{'.'.join(filters.layers)}.{len(found)}"

    def pick() -> None:
        picked = st.session_state[key]["selection"].get(charts.PICK) or []
        code = picked[0].get(charts.FIELD) if picked and isinstance(picked[0], dict) else None
        if code in FAILED_LAYERS:
            filtering.put("layer", [] if filters.layers == (code,) else [code])

    st.vega_lite_chart(
        spec=drawing.spec(charts.layers, pd.DataFrame(found), names, words),
        width="stretch",
        on_select=pick,
        selection_mode=charts.PICK,
        key=key,
    )
