"""How far the gold passage came in each mode, where it was lost, and grids of an ablation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

KEPT_PICK, LOST_PICK = "kept_picked", "lost_picked"
FIELD = "place"
_BAR = 17
_GAP = 12
# Streamlit's height holds the axis and the legend too.
_ROOM = 110
# The figures in a cell are the message: the ground under them stays pale enough to be read.
_HEAT = {False: ("#F1F2EF", "#9CC7B8"), True: ("#20262E", "#1E6B57")}
_OWN = {False: "#111418", True: "#ECEFF3"}
_CELL = 40


def kept(frame: pd.DataFrame, modes: Sequence[str], words: Mapping[str, str]) -> alt.LayerChart:
    """Return bars of the share of passages kept up to each step, by mode; a click picks one.

    Args:
        frame: step (label, in order), mode, k, n, share (0 to 1), low and high of its interval,
            short (label) and place, which tells the bars apart.
        modes: in display order, which fixes their colours.
        words: axis (title) and description (with {items}).
    """
    data = frame.assign(label=[_share(row) for row in frame.to_dict("records")])
    axis = alt.Axis(format=".2f", values=[0, 0.25, 0.5, 0.75, 1], title=words["axis"])
    x = alt.X("share:Q", scale=alt.Scale(domain=[0, 1.12]), axis=axis)
    bars, texts = _grouped(data, modes, x, KEPT_PICK)
    items = "; ".join(f"{r['step']} {r['mode']} {_share(r)}" for r in frame.to_dict("records"))
    return _finished([bars, texts], frame, words["description"].format(items=items))


def lost(frame: pd.DataFrame, modes: Sequence[str], words: Mapping[str, str]) -> alt.LayerChart:
    """Return bars of how many passages each step lost, by mode; a click picks one.

    Args:
        frame: step (label, in order), mode, n, short (label) and place.
        modes: in display order, which fixes their colours.
        words: axis (title) and description (with {items}).
    """
    data = frame.assign(label=frame["short"])
    most = max(int(frame["n"].max()), 1)
    axis = alt.Axis(format="d", tickMinStep=1, tickCount=5, title=words["axis"])
    x = alt.X("n:Q", scale=alt.Scale(domain=[0, most * 1.12]), axis=axis)
    bars, texts = _grouped(data, modes, x, LOST_PICK)
    items = "; ".join(f"{r['step']} {r['mode']} {r['n']:d}" for r in frame.to_dict("records"))
    return _finished([bars, texts], frame, words["description"].format(items=items))


def _grouped(
    data: pd.DataFrame, modes: Sequence[str], x: alt.X, pick: str
) -> tuple[alt.Chart, alt.Chart]:
    steps = list(dict.fromkeys(data["step"]))
    base = alt.Chart(data).encode(
        y=alt.Y("step:N", sort=steps, title=None, axis=alt.Axis(labelLimit=170)),
        yOffset=alt.YOffset("mode:N", sort=list(modes), scale=alt.Scale(paddingInner=0.1)),
        x=x,
        tooltip=[alt.Tooltip(f"{c}:N", title=" ") for c in ("step", "mode", "label")],
    )
    picked = alt.selection_point(name=pick, fields=[FIELD], on="click")
    bars = (
        base.mark_bar(cursor="pointer", cornerRadiusEnd=2)
        .encode(
            color=alt.Color(
                "mode:N",
                sort=list(modes),
                scale=alt.Scale(domain=list(modes)),
                legend=alt.Legend(orient="top", title=None),
            )
        )
        .add_params(picked)
    )
    texts = base.mark_text(align="left", dx=4, fontSize=11, color="currentColor").encode(
        text="short:N"
    )
    return bars, texts


def _finished(layers: Sequence[alt.Chart], frame: pd.DataFrame, description: str) -> alt.LayerChart:
    shown = len(frame)
    height = shown * _BAR + frame["step"].nunique() * _GAP + _ROOM
    return alt.LayerChart(layer=list(layers), height=height, description=description)


def _share(row: Mapping[str, float]) -> str:
    return f"{row['k']:.0f}/{row['n']:.0f} ({row['share']:.2f}; {row['low']:.2f}–{row['high']:.2f})"


def grid(
    frame: pd.DataFrame, order: Sequence[str], words: Mapping[str, str], *, dark: bool
) -> alt.LayerChart:
    """Return an ablation as a grid: a row a weighting and cut-off, a column a k of the fusion.

    Args:
        frame: row (label), rrf_k, hits, n, mrr (0 where n is 0), share (0 to 1), own (whether it
            is the run's setting), text and tip (labels).
        order: the rows from the top.
        words: k (title of the columns) and description (with {items}).
        dark: whether the page is dark.
    """
    base = alt.Chart(frame).encode(
        x=alt.X(
            "rrf_k:O",
            title=words["k"],
            axis=alt.Axis(orient="top", labelAngle=0, ticks=False, domain=False),
        ),
        y=alt.Y(
            "row:N",
            sort=list(order),
            title=None,
            axis=alt.Axis(labelLimit=220, ticks=False, domain=False),
        ),
        tooltip=[alt.Tooltip("tip:N", title=" ")],
    )
    cells = _shaded(base, frame, dark=dark)
    own = base.transform_filter("datum.own").mark_rect(
        cornerRadius=3, fillOpacity=0, stroke=_OWN[dark], strokeWidth=2, xOffset=2, x2Offset=-2,
        yOffset=2, y2Offset=-2,
    )  # fmt: skip
    texts = base.mark_text(fontSize=12, color="currentColor").encode(text="text:N")
    layers = [cells, own, texts] if bool(frame["own"].any()) else [cells, texts]
    items = "; ".join(f"{row['tip']}" for row in frame.to_dict("records"))
    return alt.LayerChart(
        layer=layers,
        height=len(order) * _CELL + 70,
        description=words["description"].format(items=items),
    )


def _shaded(base: alt.Chart, frame: pd.DataFrame, *, dark: bool) -> alt.Chart:
    """Return the cells, shaded over the range of the grid: its differences are looked for."""
    low, high = float(frame["share"].min()), float(frame["share"].max())
    cells: alt.Chart = base.mark_rect(
        cornerRadius=3, xOffset=1, x2Offset=-1, yOffset=1, y2Offset=-1
    ).encode(
        color=alt.Color(
            "share:Q",
            scale=alt.Scale(
                domain=[low, high] if low < high else [0, 1],
                range=list(_HEAT[dark]),
                interpolate="rgb",
            ),
            legend=None,
        )
    )
    return cells
