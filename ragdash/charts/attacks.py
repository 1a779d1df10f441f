"""Failure rates by policy, and abstention in a chart of its own, slate: a cost, not a score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

# Distinct under the three common colour deficiencies, and 3:1 on the ground of each theme.
_FAILURES = {
    False: ("#A4161A", "#D97A00", "#6A2C91"),
    True: ("#FF8A80", "#FFD58A", "#B58AE0"),
}
# One slate for both themes: abstaining is neutral.
SLATE = "#64748B"
_AXIS = alt.Axis(format=".2f", values=[0, 0.25, 0.5, 0.75, 1])
_BAR = 18
# Streamlit's height holds the axis and the legend too.
_AXIS_ROOM, _LEGEND_ROOM = 80, 60


def failures(
    frame: pd.DataFrame, policies: Sequence[str], words: Mapping[str, str], *, dark: bool
) -> alt.LayerChart:
    """Return grouped bars of the failure rates; a rate of zero draws its label only.

    Args:
        frame: policy, measure (label), k, n, rate; rates are shares, 0 to 1.
        policies: in display order.
        words: axis (title) and description (with {items}).
        dark: whether the page is dark.
    """
    measures = list(dict.fromkeys(frame["measure"]))
    data = frame.assign(label=[_label(row) for row in frame.to_dict("records")])
    base = alt.Chart(data).encode(
        y=alt.Y("policy:N", sort=list(policies), title=None, axis=alt.Axis(labelLimit=150)),
        yOffset=alt.YOffset("measure:N", sort=measures),
        x=alt.X("rate:Q", scale=alt.Scale(domain=[0, 1.12]), axis=_axis(words["axis"])),
        tooltip=[alt.Tooltip(f"{c}:N", title=" ") for c in ("policy", "measure", "label")],
    )
    bars = base.mark_bar(height={"band": 0.9}).encode(
        color=alt.Color(
            "measure:N",
            sort=measures,
            scale=alt.Scale(domain=measures, range=list(_FAILURES[dark])),
            legend=alt.Legend(orient="top", title=None, labelLimit=200, columns=2),
        )
    )
    return _finished(
        bars, base, len(policies) * (len(measures) * _BAR + 14) + _LEGEND_ROOM, frame, words
    )


def abstention(
    frame: pd.DataFrame, policies: Sequence[str], words: Mapping[str, str]
) -> alt.LayerChart:
    """Return one slate bar a policy; frame and words as in `failures`."""
    data = frame.assign(label=[_label(row) for row in frame.to_dict("records")])
    base = alt.Chart(data).encode(
        y=alt.Y("policy:N", sort=list(policies), title=None, axis=alt.Axis(labelLimit=150)),
        x=alt.X("rate:Q", scale=alt.Scale(domain=[0, 1.45]), axis=_axis(words["axis"])),
        tooltip=[alt.Tooltip(f"{c}:N", title=" ") for c in ("policy", "label")],
    )
    bars = base.mark_bar(color=SLATE, height={"band": 0.55})
    return _finished(bars, base, len(policies) * 38, frame, words)


def _axis(title: str) -> alt.Axis:
    axis = _AXIS.copy()
    axis.title = title
    return axis


def _finished(
    bars: alt.Chart,
    base: alt.Chart,
    height: int,
    frame: pd.DataFrame,
    words: Mapping[str, str],
) -> alt.LayerChart:
    labels = base.mark_text(align="left", dx=5, fontSize=11, color="currentColor").encode(
        text="label:N"
    )
    chart: alt.LayerChart = alt.LayerChart(layer=[bars, labels]).properties(
        height=height + _AXIS_ROOM, description=describe(frame, words["description"])
    )
    return chart


def describe(frame: pd.DataFrame, template: str) -> str:
    """Return the alt text with every value: "baseline Unsafe action 0.50 (3/6)"."""
    items = [f"{row['policy']} {row['measure']} {_label(row)}" for row in frame.to_dict("records")]
    return template.format(items="; ".join(items))


def _label(row: Mapping[str, float]) -> str:
    return f"{row['rate']:.2f} ({row['k']:.0f}/{row['n']:.0f})"
