"""The Rank trace tab: where the gold was lost, the bump chart, and the ranks behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.charts import question as chart
from ragdash.ui import drawing, formats, frame, safe
from ragdash.ui.i18n import t
from ragdash.ui.question import detail, passages

if TYPE_CHECKING:
    import pandas as pd

    from ragdash.views.question import Detail

_STEPS = ("dense", "bm25", "fused", "rerank", "final")
_WORDS = ("axis", "missing", "n_missing", "cut", "description", "gold", "rank", "source", "stage")


def trace(found: Detail, ranks: pd.DataFrame) -> None:
    """Show where it was lost, every candidate through the stages, and the numbers behind that."""
    top_k = found.result["top_k"]
    if ranks.empty:
        st.info(t(passages.nothing(found)))
        return
    if found.result["layer"]:
        detail.diagnosis(found)
    else:
        st.text(_kept(found))
    named = ranks.assign(
        source=[safe.plain(str(s)) for s in ranks["source"]],
        chunk_id=[safe.plain(str(c)) for c in ranks["chunk_id"]],
    )
    words = {name: t(f"bump.{name}") for name in _WORDS}
    words |= {step: t(f"trace.{step}") for step in _STEPS}
    words |= {"cut": t("bump.cut", k=top_k), "chunk": t("trace.chunk")}
    with st.container(border=True):
        drawing.show(chart.bump, named, top_k, words, dark=frame.is_dark())
    st.text(t("question.trace.lead", k=top_k))
    if found.question["answerable"]:
        safe.render(_best(found))
    st.dataframe(
        _readable(named),
        hide_index=True,
        column_config={t("trace.final"): st.column_config.NumberColumn(pinned=True)},
        placeholder=formats.DASH,
        alt=t("question.trace.table"),
    )


def _kept(found: Detail) -> str:
    """Return one sentence where nothing was lost: whether the gold is among what was seen."""
    rank, top_k = found.result["gold_final_rank"], found.result["top_k"]
    if not found.question["answerable"]:
        return t("bump.unanswerable")
    if rank is None:
        return t("bump.no_gold")
    return t("bump.kept" if rank <= top_k else "bump.below", rank=rank, k=top_k)


def _best(found: Detail) -> safe.Markup:
    best = [_rank(found.result[f"gold_{step}_rank"]) for step in _STEPS]
    head = [t("trace.best"), *(t(f"trace.{step}") for step in _STEPS)]
    return safe.table(
        head,
        [[t("trace.gold"), *best]],
        caption=t("trace.best.table"),
        numeric=frozenset(range(1, 6)),
    )


def _rank(rank: int | None) -> str:
    return formats.DASH if rank is None else str(rank)


def _readable(ranks: pd.DataFrame) -> pd.DataFrame:
    shown = ranks.copy()
    shown["is_gold"] = ["★" if gold else "" for gold in shown["is_gold"]]
    shown["in_context"] = [t("word.yes") if seen else t("word.no") for seen in shown["in_context"]]
    steps = [step for step in _STEPS if step != "final"]
    order = ["final_rank", "is_gold", "in_context", "source"]
    order += [f"{step}_rank" for step in steps] + [f"{step}_score" for step in steps]
    names = {
        "final_rank": t("trace.final"),
        "is_gold": t("trace.gold"),
        "in_context": t("trace.context"),
        "source": t("trace.source"),
        "chunk_id": t("trace.chunk"),
    }
    for step in steps:
        names[f"{step}_rank"] = t(f"trace.{step}")
        names[f"{step}_score"] = t("trace.score", step=t(f"trace.{step}"))
    return shown[[*order, "chunk_id"]].rename(columns=names)
