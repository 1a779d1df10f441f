"""The list of Triage as it goes along to a question, so that J and K walk that list.

`?among=` is the mode that was filtered for, or "all"; beside it stand outcome and layer as on
Triage. It is apart from the mode in `?run=`, which is the one on view and may change on the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import address, chips, notes, safe
from ragdash.ui.i18n import t, term
from ragdash.views.compare import FAILED_LAYERS
from ragdash.views.triage import Filters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.ui import frame

_ALL = "all"


def params(filters: Filters) -> dict[str, str | Sequence[str] | None]:
    """Return the query parameters of a filter; none where it holds everything."""
    if filters == Filters():
        return {}
    return {
        "among": filters.mode or _ALL,
        "outcome": filters.outcomes or None,
        "layer": filters.layers or None,
    }


def asked(modes: Sequence[str]) -> Filters | None:
    """Return the filter in the address, None without one; what does not exist is noted."""
    mode = st.query_params.get("among")
    if mode is not None and mode not in (_ALL, *modes):
        notes.note("filter", mode)
        mode = None
    outcomes = address.codes("outcome", list(chips.OUTCOMES))
    layers = address.codes("layer", FAILED_LAYERS)
    filters = Filters(mode if mode in modes else None, outcomes, layers)
    return None if filters == Filters() else filters


def leave(shown: frame.View, filters: Filters) -> None:
    """Say what is filtered for, lead back to the list, and offer every question again."""
    words = [
        filters.mode or "",
        *(term("outcome", code) for code in filters.outcomes),
        *(term("layer", code) for code in filters.layers),
    ]
    back = chips.link(
        t("question.back"),
        "triage",
        run=shown.of_mode(filters.mode),
        outcome=filters.outcomes or None,
        layer=filters.layers or None,
    )
    badges = [chips.badge(safe.plain(word)) for word in words if word]
    with st.container(horizontal=True, vertical_alignment="center"):
        safe.render(chips.spaced(t("question.filters"), *badges, back))
        st.button(t("question.unfilter"), on_click=_forget, type="tertiary", key="walk.leave")


def _forget() -> None:
    for name in ("among", "outcome", "layer"):
        st.query_params.pop(name, None)
