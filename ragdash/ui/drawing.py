"""Charts on a page: built and checked once for the same data, then shown from what was made.

Altair takes a tenth of a second to build a page's charts and hold them against its schema, which is
most of what a rerun would take.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

if TYPE_CHECKING:
    from collections.abc import Callable

    import altair as alt

_KEPT = 128

Spec = dict[str, Any]


def spec(build: Callable[..., alt.TopLevelMixin], *data: Any, **options: Any) -> Spec:
    """Return the Vega-Lite of a chart, data included.

    Args:
        build: a function of ragdash.charts.
        data: what it takes; frames, texts and numbers, which are the key.
        options: what it takes by name.
    """
    return _spec(build, f"{build.__module__}.{build.__qualname__}", *data, **options)


@st.cache_data(max_entries=_KEPT, show_spinner=False)
def _spec(_build: Callable[..., alt.TopLevelMixin], name: str, *data: Any, **options: Any) -> Spec:
    del name
    made: Spec = _build(*data, **options).to_dict()
    return made


def show(build: Callable[..., alt.TopLevelMixin], *data: Any, **options: Any) -> None:
    """Draw a chart whose marks open nothing, as wide as its place."""
    st.vega_lite_chart(spec=spec(build, *data, **options), width="stretch")
