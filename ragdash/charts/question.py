"""The bump chart of a question: every candidate through the stages, gold bold, the cut drawn."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import altair as alt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

STAGES = ("dense", "bm25", "fused", "rerank", "final")
# 4.5:1 on the ground of each theme; gold is told apart by its weight and its numbers as well.
_GOLD = {False: "#A04A00", True: "#FFB454"}
_ON_GOLD = {False: "#FFFFFF", True: "#2B1700"}
_SEEN = {False: "#1B5FA8", True: "#7FB6EE"}
_OTHER = {False: "#8A94A0", True: "#6B7683"}
_NAMED = 10
_PER_RANK = 12
_SHORTEST, _TALLEST = 300, 640
# Streamlit's height holds the axis too.
_AXIS_ROOM = 70


def stages(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the stages that the mode has: those that returned anything, and the final order."""
    return tuple(s for s in STAGES if s == "final" or frame[f"{s}_rank"].notna().any())


def bump(
    frame: pd.DataFrame, top_k: int, words: Mapping[str, str], *, dark: bool
) -> alt.LayerChart:
    """Return a line for each candidate through the stages; below all ranks lies "not returned".

    Args:
        frame: source (label), chunk_id, is_gold, in_context, and a rank from 1 for each stage,
            missing where the stage did not return the candidate.
        top_k: how many of the final order the generator saw.
        words: the names of the stages, axis, missing, n_missing (with {n}), cut, description (with
            {items}), and gold, rank, source, stage for the tooltip.
        dark: whether the page is dark.
    """
    import pandas as pd

    shown = stages(frame)
    deepest = int(max(top_k, *(frame[f"{s}_rank"].max() for s in shown)))
    lane = deepest + max(2.0, deepest * 0.09)
    points = pd.DataFrame(_points(frame, shown, lane, words))
    counts = pd.DataFrame(_counts(frame, shown, lane, words))
    axes = _Axes(shown, words, top_k, deepest, lane)
    gold, other = points[points["gold"]], points[~points["gold"]]
    ranked = gold[~gold["missing"]]
    # A layer without a mark would be a picture without words to a screen reader.
    layers: list[alt.Chart | alt.LayerChart] = [
        _window(top_k, axes, dark=dark),
        *([_lines(other, axes, dark=dark)] if len(other) else []),
        *([_lines(gold, axes, dark=dark, gold=True)] if len(gold) else []),
        _dots(points, axes, dark=dark),
        *([_ranks(ranked, axes, dark=dark)] if len(ranked) else []),
        *([_written(counts, axes)] if len(counts) else []),
    ]
    height = min(max(_SHORTEST, deepest * _PER_RANK), _TALLEST)
    chart: alt.LayerChart = (
        alt.layer(*layers)
        .properties(height=height + _AXIS_ROOM, description=describe(frame, top_k, words))
        .configure_view(stroke=None)
    )
    return chart


class _Axes:
    """The two axes that all layers share."""

    def __init__(
        self,
        shown: Sequence[str],
        words: Mapping[str, str],
        top_k: int,
        deepest: int,
        lane: float,
    ) -> None:
        self.words = words
        names = [words[s] for s in shown]
        self.x = alt.X(
            "stage:N",
            sort=names,
            title=None,
            scale=alt.Scale(domain=names, padding=0.35),
            axis=alt.Axis(orient="top", labelAngle=0, labelAlign="center", labelFontSize=13,
                          labelColor="currentColor", domain=False, ticks=False, labelPadding=10),
        )  # fmt: skip
        step = 5 if deepest > 12 else 2
        cut = top_k + 0.5
        ticks = [v for v in (1, *range(step, deepest + 1, step)) if abs(v - cut) > step / 3]
        self.y = alt.Y(
            "rank:Q",
            scale=alt.Scale(domain=[lane + 1.2, 0.2], nice=False, zero=False),
            title=words["axis"],
            axis=alt.Axis(
                values=[*ticks, cut, lane],
                labelExpr=f"datum.value == {cut} ? {json.dumps(words['cut'])} "
                f": datum.value > {deepest} ? {json.dumps(words['missing'])} "
                ": format(datum.value, 'd')",
                gridOpacity=0.35, domain=False, ticks=False, labelLimit=110, titlePadding=8,
            ),
        )  # fmt: skip


def _points(
    frame: pd.DataFrame, shown: Sequence[str], lane: float, words: Mapping[str, str]
) -> list[dict[str, object]]:
    found = []
    for row in frame.to_dict("records"):
        for place, stage in enumerate(shown):
            rank = row[f"{stage}_rank"]
            missing = _is_missing(rank)
            found.append(
                {
                    "stage": words[stage],
                    "place": place,
                    "rank": lane if missing else int(rank),
                    "said": words["missing"] if missing else str(int(rank)),
                    "missing": missing,
                    "chunk": row["chunk_id"],
                    "source": row["source"],
                    "gold": bool(row["is_gold"]),
                    "seen": bool(row["in_context"]),
                }
            )
    return found


def _is_missing(rank: object) -> bool:
    import pandas as pd

    return bool(pd.isna(rank))


def _counts(
    frame: pd.DataFrame, shown: Sequence[str], lane: float, words: Mapping[str, str]
) -> list[dict[str, object]]:
    """Return how many candidates each stage did not return, for those where there are any."""
    missing = {stage: int(frame[f"{stage}_rank"].isna().sum()) for stage in shown}
    return [
        {"stage": words[stage], "rank": lane, "label": str(n)} for stage, n in missing.items() if n
    ]


def _window(top_k: int, axes: _Axes, *, dark: bool) -> alt.LayerChart:
    """Return the band of the ranks that the generator sees, and the cut below it."""
    import pandas as pd

    data = pd.DataFrame([{"low": 0.5, "rank": top_k + 0.5}])
    base = alt.Chart(data).encode(y=axes.y)
    band = base.mark_rect(color=_SEEN[dark], opacity=0.08).encode(y2="low:Q")
    rule = base.mark_rule(strokeDash=[6, 4], strokeWidth=1.5, color=_SEEN[dark])
    drawn: alt.LayerChart = alt.LayerChart(layer=[band, rule])
    return drawn


def _lines(points: pd.DataFrame, axes: _Axes, *, dark: bool, gold: bool = False) -> alt.Chart:
    ink = (
        alt.value(_GOLD[dark])
        if gold
        else alt.when("datum.seen").then(alt.value(_SEEN[dark])).otherwise(alt.value(_OTHER[dark]))
    )
    faint = alt.when("datum.seen").then(alt.value(0.8)).otherwise(alt.value(0.42))
    drawn: alt.Chart = (
        alt.Chart(points)
        .mark_line(strokeWidth=4 if gold else 1.3, interpolate="monotone")
        .encode(
            x=axes.x,
            y=axes.y,
            detail="chunk:N",
            order="place:Q",
            color=ink,
            opacity=alt.value(1.0) if gold else faint,
        )
    )
    return drawn


def _dots(points: pd.DataFrame, axes: _Axes, *, dark: bool) -> alt.Chart:
    ink = (
        alt.when("datum.gold")
        .then(alt.value(_GOLD[dark]))
        .when("datum.seen")
        .then(alt.value(_SEEN[dark]))
        .otherwise(alt.value(_OTHER[dark]))
    )
    # Hollow where the stage did not return it.
    full = alt.when("datum.missing").then(alt.value(0)).otherwise(alt.value(1))
    names = {"source": "source", "chunk": "chunk", "stage": "stage", "said": "rank"}
    drawn: alt.Chart = (
        alt.Chart(points)
        .mark_point(strokeWidth=2, opacity=1)
        .encode(
            x=axes.x,
            y=axes.y,
            size=alt.when("datum.gold").then(alt.value(430)).otherwise(alt.value(26)),
            color=ink,
            fill=ink,
            fillOpacity=full,
            tooltip=[alt.Tooltip(f"{field}:N", title=axes.words[n]) for field, n in names.items()],
        )
    )
    return drawn


def _ranks(points: pd.DataFrame, axes: _Axes, *, dark: bool) -> alt.Chart:
    drawn: alt.Chart = (
        alt.Chart(points)
        .mark_text(fontSize=12, fontWeight="bold", color=_ON_GOLD[dark])
        .encode(x=axes.x, y=axes.y, text="said:N")
    )
    return drawn


def _written(counts: pd.DataFrame, axes: _Axes) -> alt.Chart:
    drawn: alt.Chart = (
        alt.Chart(counts)
        .mark_text(dy=17, fontSize=11, color="currentColor")
        .encode(x=axes.x, y=axes.y, text="label:N")
    )
    return drawn


def describe(frame: pd.DataFrame, top_k: int, words: Mapping[str, str]) -> str:
    """Return the alt text: the ranks of every gold chunk and of what the generator saw."""
    shown = stages(frame)
    rows = frame.to_dict("records")
    gold = [row for row in rows if row["is_gold"]]
    seen = [row for row in rows if row["in_context"] and not row["is_gold"]]
    items = [f"{words['gold']} {_told(row, shown, words)}" for row in gold[:_NAMED]]
    items += [_told(row, shown, words) for row in seen[:_NAMED]]
    missing = (words["n_missing"].format(n=int(frame[f"{s}_rank"].isna().sum())) for s in shown)
    lost = ", ".join(f"{words[s]} {n}" for s, n in zip(shown, missing, strict=True))
    return words["description"].format(n=len(frame), k=top_k, items="; ".join(items), missing=lost)


def _told(row: Mapping[str, object], shown: Sequence[str], words: Mapping[str, str]) -> str:
    ranks = []
    for stage in shown:
        rank = row[f"{stage}_rank"]
        ranks.append(f"{words[stage]} {words['missing'] if _is_missing(rank) else rank}")
    return f"{row['source']}: {', '.join(ranks)}"
