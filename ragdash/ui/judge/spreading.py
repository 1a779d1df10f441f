"""How far the judge's repeats lie apart: a chart over all questions, and the farthest by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.charts import judge as charts
from ragdash.ui import chips, drawing, formats, frame, safe
from ragdash.ui.i18n import t, term
from ragdash.views.judge_facts import BINS
from ragdash.views.judge_spread import WIDEST_SHOWN, spreads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.views.judge_spread import Spreads, Widest


def shown_spreads(shown: frame.View, modes: Sequence[str]) -> None:
    """Show a chart for each metric that was asked more than once, and its widest questions."""
    found = spreads(shown.cursor)
    st.header(t("judging.spread"))
    if not found:
        st.text(t("judging.spread.once"))
        return
    st.text(t("judging.spread.lead"))
    for column, (metric, one) in zip(st.columns(len(found), gap="medium"), found.items(),
                                     strict=True):  # fmt: skip
        with column.container(border=True, height="stretch"):
            safe.render(chips.strong(t("judging.signal", name=term("metric", metric))))
            _chart(one, modes)
    widest = [(metric, one) for metric, of in found.items() for one in of.widest]
    if widest:
        safe.render(_widest(shown, widest))
        safe.render(chips.muted(t("judging.spread.widest.note", n=WIDEST_SHOWN)))


def _chart(found: Spreads, modes: Sequence[str]) -> None:
    import pandas as pd

    items = [
        {"bin": _bin(at), "mode": mode, "n": n, "label": str(n) if n else ""}
        for mode in modes
        for at, n in enumerate(found.counts.get(mode, ()))
    ]
    words = {
        "x": t("judging.spread.x"),
        "y": t("judging.spread.y"),
        "description": t("judging.spread.alt", items="{items}"),
    }
    drawing.show(charts.spread, pd.DataFrame(items), modes, words)


def _bin(at: int) -> str:
    if not at:
        return "0"
    if at == len(BINS):
        return f"> {BINS[-1]:g}"
    return f"≤ {BINS[at]:g}"


def _widest(shown: frame.View, widest: Sequence[tuple[str, Widest]]) -> safe.Markup:
    names = ("question", "metric", "mode", "values", "sd")
    head = [t(f"judging.spread.{name}") for name in names]
    body = [
        [
            chips.link(
                one.question_id,
                "question",
                run=shown.of_mode(one.mode),
                q=one.question_id,
                tab="judge",
            ),
            t("judging.signal", name=term("metric", metric)),
            one.mode,
            ", ".join(formats.number(value) for value in one.repeats),
            formats.number(one.sd),
        ]
        for metric, one in widest
    ]
    return safe.table(head, body, caption=t("judging.spread.widest"), numeric=frozenset({4}))
