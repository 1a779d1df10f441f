"""How far the repeats of a judge lie apart: questions by the spread of their repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

_HEIGHT = 250


def spread(frame: pd.DataFrame, modes: Sequence[str], words: Mapping[str, str]) -> alt.LayerChart:
    """Return columns of how many questions have a spread in each bin, by mode.

    Args:
        frame: bin (label, in order), mode, n and label.
        modes: in display order, which fixes their colours.
        words: x and y (titles), and description (with {items}).
    """
    bins = list(dict.fromkeys(frame["bin"]))
    most = max(int(frame["n"].max()), 1)
    base = alt.Chart(frame).encode(
        x=alt.X("bin:N", sort=bins, title=words["x"], axis=alt.Axis(labelAngle=0, labelLimit=90)),
        xOffset=alt.XOffset("mode:N", sort=list(modes)),
        y=alt.Y(
            "n:Q",
            title=words["y"],
            scale=alt.Scale(domain=[0, most * 1.12]),
            axis=alt.Axis(format="d", tickMinStep=1, tickCount=4),
        ),
        tooltip=[alt.Tooltip(f"{c}:N", title=" ") for c in ("bin", "mode", "n")],
    )
    bars = base.mark_bar(cornerRadiusEnd=2).encode(
        color=alt.Color(
            "mode:N",
            sort=list(modes),
            scale=alt.Scale(domain=list(modes)),
            legend=alt.Legend(orient="top", title=None),
        )
    )
    texts = base.mark_text(dy=-6, fontSize=11, color="currentColor").encode(text="label:N")
    items = "; ".join(f"{r['bin']} {r['mode']} {r['n']:d}" for r in frame.to_dict("records"))
    return alt.LayerChart(
        layer=[bars, texts], height=_HEIGHT, description=words["description"].format(items=items)
    )
