"""Failures by policy and by class, the threshold sweep, and abstention apart: a cost, no score."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import altair as alt

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd

# Distinct under the three common colour deficiencies, and 3:1 on the ground of each theme.
_FAILURES = {
    False: ("#A4161A", "#D97A00", "#6A2C91", "#1B4F9C"),
    True: ("#FF8A80", "#FFD58A", "#B58AE0", "#5B8DEF"),
}
_LINES = {
    False: ("#1B4F9C", "#D97A00", "#1A9E8F", "#A4161A", "#6A2C91", "#8C6D1F", "#C2185B"),
    True: ("#5B8DEF", "#E08A2E", "#7CE8D0", "#FF8A80", "#B58AE0", "#FFD58A", "#F48FB1"),
}
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 2], [10, 4], [1, 3])
# The figure in a cell is the message: the ground under it stays pale enough to be read through.
_HEAT = {False: ("#F1F2EF", "#F0A29B"), True: ("#20262E", "#8A332D")}
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
        frame: policy, measure (label), k, n, rate, and low and high of the interval where it is
            known; all are shares, 0 to 1.
        policies: in display order.
        words: axis (title) and description (with {items}).
        dark: whether the page is dark.
    """
    measures = list(dict.fromkeys(frame["measure"]))
    data = frame.assign(label=[_label(row) for row in frame.to_dict("records")])
    base = alt.Chart(data).encode(
        y=alt.Y("policy:N", sort=list(policies), title=None, axis=alt.Axis(labelLimit=150)),
        yOffset=alt.YOffset("measure:N", sort=measures),
        x=alt.X("rate:Q", scale=alt.Scale(domain=[0, 1.3]), axis=_axis(words["axis"])),
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
    height = len(policies) * (len(measures) * _BAR + 14) + _LEGEND_ROOM
    return _finished([bars], base, height, frame, words)


def by_class(
    frame: pd.DataFrame, policies: Sequence[str], words: Mapping[str, str], *, dark: bool
) -> alt.LayerChart:
    """Return a grid of classes and policies, each cell with its k/n on a ground by the share.

    Args:
        frame: policy, class (label), k, n, rate, low, high; classes in display order.
        policies: in display order.
        words: description (with {items}).
        dark: whether the page is dark.
    """
    classes = list(dict.fromkeys(frame["class"]))
    data = frame.assign(
        label=[f"{row['k']:.0f}/{row['n']:.0f}" for row in frame.to_dict("records")],
        whole=[_label(row) for row in frame.to_dict("records")],
    )
    base = alt.Chart(data).encode(
        x=alt.X(
            "policy:N",
            sort=list(policies),
            title=None,
            axis=alt.Axis(orient="top", labelAngle=0, labelLimit=130, ticks=False, domain=False),
        ),
        y=alt.Y(
            "class:N",
            sort=classes,
            title=None,
            axis=alt.Axis(labelLimit=230, ticks=False, domain=False),
        ),
        tooltip=[alt.Tooltip(f"{c}:N", title=" ") for c in ("class", "policy", "whole")],
    )
    cells = base.mark_rect(cornerRadius=3, xOffset=1, x2Offset=-1, yOffset=1, y2Offset=-1).encode(
        color=alt.Color(
            "rate:Q",
            scale=alt.Scale(domain=[0, 1], range=list(_HEAT[dark]), interpolate="rgb"),
            legend=None,
        )
    )
    texts = base.mark_text(fontSize=12, color="currentColor").encode(text="label:N")
    items = "; ".join(
        f"{name}: {_by_policy(found)}"
        for name, found in groupby(frame.to_dict("records"), key=lambda row: row["class"])
    )
    chart: alt.LayerChart = alt.LayerChart(layer=[cells, texts]).properties(
        height=len(classes) * 26 + 50, description=words["description"].format(items=items)
    )
    return chart


def abstention(
    frame: pd.DataFrame, policies: Sequence[str], words: Mapping[str, str]
) -> alt.LayerChart:
    """Return slate bars by policy, the first measure filled and the others in outline.

    Frame and words as in `failures`; no colour stands for a measure, each bar says its own.
    """
    measures = list(dict.fromkeys(frame["measure"]))
    data = frame.assign(
        label=[f"{r['measure']} {r['k']:.0f}/{r['n']:.0f}" for r in frame.to_dict("records")]
    )
    base = alt.Chart(data).encode(
        y=alt.Y("policy:N", sort=list(policies), title=None, axis=alt.Axis(labelLimit=150)),
        yOffset=alt.YOffset("measure:N", sort=measures),
        x=alt.X("rate:Q", scale=alt.Scale(domain=[0, 3]), axis=_axis(words["axis"])),
        tooltip=[alt.Tooltip(f"{c}:N", title=" ") for c in ("policy", "label")],
    )
    # A layer without a bar would be a picture without words to a screen reader.
    drawn = [part for part in (measures[:1], measures[1:]) if part]
    bars = [
        base.transform_filter(alt.FieldOneOfPredicate(field="measure", oneOf=part)).mark_bar(
            height={"band": 0.8},
            fill=SLATE,
            fillOpacity=0.12 if at else 1,
            stroke=SLATE,
            strokeWidth=1.5,
        )
        for at, part in enumerate(drawn)
    ]
    height = len(policies) * (len(measures) * _BAR + 14)
    return _finished(bars, base, height, frame, words)


def sweep(
    frame: pd.DataFrame, policies: Sequence[str], words: Mapping[str, str], *, dark: bool
) -> alt.LayerChart:
    """Return how the share of unsupported claims moves with the threshold, a line a policy.

    Args:
        frame: policy, threshold, k, n, rate; shares, 0 to 1.
        policies: in display order.
        words: axis and threshold (titles), at (the run's own threshold) and description (with
            {items}).
        dark: whether the page is dark.
    """
    shown = [policy for policy in policies if policy in set(frame["policy"])]
    lines = alt.Chart(frame).encode(
        x=alt.X(
            "threshold:Q",
            scale=alt.Scale(domain=[0, 1]),
            axis=alt.Axis(format=".1f", title=words["threshold"]),
        ),
        y=alt.Y("rate:Q", scale=alt.Scale(domain=[0, 1]), axis=_axis(words["axis"])),
        color=alt.Color(
            "policy:N",
            sort=shown,
            scale=alt.Scale(domain=shown, range=_cycled(_LINES[dark], len(shown))),
            legend=alt.Legend(orient="top", title=None, labelLimit=200, columns=3),
        ),
        strokeDash=alt.StrokeDash(
            "policy:N",
            sort=shown,
            scale=alt.Scale(domain=shown, range=_cycled(_DASHES, len(shown))),
            legend=None,
        ),
        tooltip=["policy:N", "threshold:Q", "k:Q", "n:Q"],
    )
    rule = (
        alt.Chart(alt.InlineData(values=[{"at": float(words["at"])}]))
        .mark_rule(strokeDash=[3, 3], color=SLATE)
        .encode(x="at:Q")
    )
    items = "; ".join(
        f"{policy} {_steps(frame[frame['policy'] == policy].to_dict('records'))}"
        for policy in shown
    )
    chart: alt.LayerChart = alt.LayerChart(
        layer=[rule, lines.mark_line(strokeWidth=2.5, interpolate="step-before")]
    ).properties(height=360, description=words["description"].format(items=items))
    return chart


def _by_policy(found: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(f"{row['policy']} {_label(row)}" for row in found)


def _cycled(values: Sequence[Any], n: int) -> list[Any]:
    return [values[i % len(values)] for i in range(n)]


def _steps(rows: Sequence[Mapping[str, float]]) -> str:
    """Return the thresholds from which another number of claims is unsupported."""
    said, before = [], None
    for row in rows:
        if row["k"] != before:
            said.append(f"{row['k']:.0f}/{row['n']:.0f} ≥ {row['threshold']:.2f}")
            before = row["k"]
    return ", ".join(said)


def _axis(title: str) -> alt.Axis:
    axis = _AXIS.copy()
    axis.title = title
    return axis


def _finished(
    bars: Sequence[alt.Chart],
    base: alt.Chart,
    height: int,
    frame: pd.DataFrame,
    words: Mapping[str, str],
) -> alt.LayerChart:
    labels = base.mark_text(align="left", dx=5, fontSize=11, color="currentColor").encode(
        text="label:N"
    )
    chart: alt.LayerChart = alt.LayerChart(layer=[*bars, labels]).properties(
        height=height + _AXIS_ROOM, description=describe(frame, words["description"])
    )
    return chart


def describe(frame: pd.DataFrame, template: str) -> str:
    """Return the alt text with every value: "baseline Unsafe action 0.50 (3/6)"."""
    items = [f"{row['policy']} {row['measure']} {_label(row)}" for row in frame.to_dict("records")]
    return template.format(items="; ".join(items))


def _label(row: Mapping[str, float]) -> str:
    """Return "0.50 (3/6; 0.19–0.81)", without the interval where none is known."""
    interval = f"; {row['low']:.2f}–{row['high']:.2f}" if "low" in row else ""
    return f"{row['rate']:.2f} ({row['k']:.0f}/{row['n']:.0f}{interval})"
