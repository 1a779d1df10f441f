"""A line for each question from the rank of its gold chunk on one side to that on the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

# The difference colours of the tables, on the ground of each theme.
_COLOURS = {False: ("#B3261E", "#00705C"), True: ("#FF9B8F", "#3CC9A7")}
_DASHES = ([5, 3], [1, 0])
_HEIGHT = 380
_LABELLED = 12
# Where a line ends whose gold was not found: below the deepest rank, apart from it.
_BELOW = 1.6
PICK = "question"


def slopes(
    frame: pd.DataFrame, sides: Sequence[str], words: Mapping[str, str], *, top_k: int, dark: bool
) -> alt.LayerChart:
    """Return the lines; a click picks one (selection `PICK`, field question).

    Args:
        frame: question, change (label), before, after (ranks from 1, NaN where it was not found).
        sides: the names of the two sides, left and right.
        words: rank (axis title), none (for no rank), cut, regressed and improved (labels) and
            description (with {items}).
        top_k: the last rank that the model sees.
        dark: whether the page is dark.
    """
    deepest = max(top_k + 1, int(frame[["before", "after"]].fillna(1).to_numpy().max()))
    nowhere = deepest * _BELOW
    ends = _ends(frame, sides, nowhere, words["none"])
    axis = _axis(deepest, nowhere, top_k, words)
    y = alt.Y("rank:Q", scale=alt.Scale(type="log", domain=[nowhere, 1], nice=False), axis=axis)
    picked = alt.selection_point(name=PICK, fields=["question"], on="click")
    base = alt.Chart(ends).encode(
        x=alt.X("side:N", sort=list(sides), title=None, axis=alt.Axis(labelAngle=0, orient="top")),
        y=y,
        detail="question:N",
        color=_colour(words, dark=dark),
        tooltip=[alt.Tooltip(f"{c}:N", title=" ") for c in ("question", "change", "label")],
    )
    dash = alt.StrokeDash(
        "change:N", scale=alt.Scale(domain=_labels(words), range=list(_DASHES)), legend=None
    )
    opacity = alt.condition(picked, alt.value(0.9), alt.value(0.25))
    line = base.mark_line(strokeWidth=2).encode(strokeDash=dash, opacity=opacity)
    point = base.mark_point(filled=True, size=80, opacity=1).add_params(picked)
    names = _names(base, sides if len(frame) <= _LABELLED else ())
    rule, cut = _cut(top_k, words["cut"])
    return alt.LayerChart(layer=[rule, cut, line, names, point]).properties(
        height=_HEIGHT, description=describe(frame, sides, words)
    )


def describe(frame: pd.DataFrame, sides: Sequence[str], words: Mapping[str, str]) -> str:
    """Return the alt text with every value: "q03 regressed, dense 2, hybrid no rank"."""
    items = [
        f"{row['question']} {row['change']}, "
        f"{sides[0]} {_rank(row['before'], words['none'])}, "
        f"{sides[1]} {_rank(row['after'], words['none'])}"
        for row in frame.to_dict("records")
    ]
    return words["description"].format(items="; ".join(items))


def _rank(value: float, none: str) -> str:
    # A missing rank is NaN in a frame of numbers, and NaN is not equal to itself.
    return f"{value:.0f}" if value == value else none


def _ends(frame: pd.DataFrame, sides: Sequence[str], nowhere: float, none: str) -> pd.DataFrame:
    long = frame.melt(["question", "change"], ["before", "after"], "side", "found")
    return long.assign(
        side=long["side"].map({"before": sides[0], "after": sides[1]}),
        rank=long["found"].fillna(nowhere),
        label=[_rank(value, none) for value in long["found"]],
    ).drop(columns="found")


def _axis(deepest: int, nowhere: float, top_k: int, words: Mapping[str, str]) -> alt.Axis:
    ticks = sorted({t for t in (1, 2, 5, top_k, 10, 20, 50, 100, 200) if t <= deepest})
    none = words["none"].replace("'", "")
    return alt.Axis(
        values=[*ticks, nowhere],
        labelExpr=f"datum.value > {deepest} ? '{none}' : format(datum.value, 'd')",
        title=words["rank"],
    )


def _labels(words: Mapping[str, str]) -> list[str]:
    return [words["regressed"], words["improved"]]


def _colour(words: Mapping[str, str], *, dark: bool) -> alt.Color:
    return alt.Color(
        "change:N",
        scale=alt.Scale(domain=_labels(words), range=list(_COLOURS[dark])),
        legend=alt.Legend(orient="bottom", title=None, symbolType="stroke", symbolStrokeWidth=3),
    )


def _cut(top_k: int, label: str) -> tuple[alt.Chart, alt.Chart]:
    """Return the line below which the model sees nothing."""
    import pandas as pd

    data = pd.DataFrame([{"cut": top_k + 0.5, "label": label}])
    base = alt.Chart(data).encode(y="cut:Q")
    rule = base.mark_rule(strokeDash=[2, 3], color="currentColor", opacity=0.6)
    text = base.mark_text(
        align="center", dy=10, fontSize=11, color="currentColor", opacity=0.8
    ).encode(text="label:N", x=alt.value({"expr": "width / 2"}))
    return rule, text


def _names(base: alt.Chart, sides: Sequence[str]) -> alt.Chart:
    named: alt.Chart = (
        base.transform_filter(alt.FieldOneOfPredicate("side", list(sides[1:])))
        .mark_text(align="left", dx=9, fontSize=11, limit=150)
        .encode(text="question:N", color=alt.value("currentColor"))
    )
    return named
