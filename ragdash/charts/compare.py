"""Shares with their 95% intervals, by metric and mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

_ROW = 22
# Streamlit's height holds the axis and the legend too.
_ROOM = 110
PICK = "share"


def shares(frame: pd.DataFrame, modes: Sequence[str], words: Mapping[str, str]) -> alt.LayerChart:
    """Return a point and its interval for each metric and mode; a click picks one (`PICK`).

    Args:
        frame: metric (label), mode, k, n, rate, low, high, short (label) and place, which tells the
            points apart; rates are shares, 0 to 1.
        modes: in display order, which fixes their colours.
        words: axis (title) and description (with {items}).
    """
    base = _base(frame, modes)
    scale = alt.Scale(domain=[0, 1])
    axis = alt.Axis(format=".2f", values=[0, 0.25, 0.5, 0.75, 1], title=words["axis"])
    line = base.mark_rule(strokeWidth=2.5, opacity=0.55).encode(
        x=alt.X("low:Q", scale=scale, axis=axis), x2="high:Q"
    )
    picked = alt.selection_point(name=PICK, fields=["place"], on="click")
    point = (
        base.mark_point(filled=True, size=85, opacity=1)
        .encode(x=alt.X("rate:Q", scale=scale, axis=axis))
        .add_params(picked)
    )
    label = base.mark_text(align="left", dx=9, dy=-9, fontSize=11, color="currentColor").encode(
        x=alt.X("rate:Q", scale=scale, axis=axis), text="short:N", color=alt.value("currentColor")
    )
    chart: alt.LayerChart = (
        alt.layer(line, point, label)
        .properties(
            height=frame["metric"].nunique() * (len(modes) * _ROW + 12) + _ROOM,
            description=describe(frame, words["description"]),
        )
        .resolve_scale(x="shared")
    )
    return chart


def _base(frame: pd.DataFrame, modes: Sequence[str]) -> alt.Chart:
    order = list(dict.fromkeys(frame["metric"]))
    data = frame.assign(label=[_label(row) for row in frame.to_dict("records")])
    return alt.Chart(data).encode(
        y=alt.Y("metric:N", sort=order, title=None, axis=alt.Axis(labelLimit=170)),
        yOffset=alt.YOffset("mode:N", sort=list(modes), scale=alt.Scale(paddingInner=0.3)),
        color=alt.Color(
            "mode:N",
            sort=list(modes),
            scale=alt.Scale(domain=list(modes)),
            legend=alt.Legend(orient="top", title=None),
        ),
        tooltip=[alt.Tooltip(f"{c}:N", title=" ") for c in ("metric", "mode", "label")],
    )


def describe(frame: pd.DataFrame, template: str) -> str:
    """Return the alt text with every value: "Answer accuracy dense 5/6 (0.83; 0.44–0.97)"."""
    items = [f"{row['metric']} {row['mode']} {_label(row)}" for row in frame.to_dict("records")]
    return template.format(items="; ".join(items))


def _label(row: Mapping[str, float]) -> str:
    return f"{row['k']:.0f}/{row['n']:.0f} ({row['rate']:.2f}; {row['low']:.2f}–{row['high']:.2f})"
