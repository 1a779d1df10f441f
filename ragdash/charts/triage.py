"""Lost questions by layer, who said so in shade; a bar is picked to list its questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

PICK = "layer_picked"
FIELD = "layer"
_ROW = 30
_ROOM = 96


def layers(frame: pd.DataFrame, order: Sequence[str], words: Mapping[str, str]) -> alt.LayerChart:
    """Return a bar a layer, of questions that a rule and that a person placed there.

    Args:
        frame: layer (code), name (label), who (label), n; one row a layer and who.
        order: the names of the layers, from the first layer to the last.
        words: axis, rule and person (labels of `who`) and description (with {items}).
    """
    pick = alt.selection_point(name=PICK, fields=[FIELD], on="click", empty=True)
    total = frame.groupby([FIELD, "name"], as_index=False)["n"].sum()
    y = alt.Y(
        "name:N", sort=list(order), title=None, axis=alt.Axis(labelLimit=150, labelOverlap=False)
    )
    bars = _bars(frame, y, words).add_params(pick)
    labels = (
        alt.Chart(total)
        .mark_text(align="left", dx=5, fontSize=12, color="currentColor")
        .encode(y=y, x="n:Q", text="n:Q")
    )
    return alt.LayerChart(
        layer=[bars, labels],
        height=len(order) * _ROW + _ROOM,
        description=describe(total, words["description"]),
    )


def _bars(frame: pd.DataFrame, y: alt.Y, words: Mapping[str, str]) -> alt.Chart:
    bars: alt.Chart = (
        alt.Chart(frame)
        .mark_bar(cursor="pointer", cornerRadiusEnd=3)
        .encode(
            y=y,
            x=alt.X(
                "n:Q",
                title=words["axis"],
                axis=alt.Axis(format="d", tickMinStep=1, tickCount=5),
                stack="zero",
            ),
            color=alt.Color(
                "who:N",
                scale=alt.Scale(
                    domain=[words["rule"], words["person"]], range=["#64748B", "#D97A00"]
                ),
                legend=alt.Legend(orient="top", title=None),
            ),
            order=alt.Order("who:N", sort="descending"),
            tooltip=[
                alt.Tooltip("name:N", title=" "),
                alt.Tooltip("who:N", title=" "),
                alt.Tooltip("n:Q", title=" "),
            ],
        )
    )
    return bars


def describe(total: pd.DataFrame, template: str) -> str:
    """Return the alt text with every bar: "recall 3; ranking 4"."""
    items = "; ".join(f"{row['name']} {row['n']:d}" for row in total.to_dict("records"))
    return template.format(items=items)
