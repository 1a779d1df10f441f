"""How far the gold passage came, by mode: a table, two charts and what is counted apart.

Every number opens exactly its questions in Triage, by `lost=` and `kept=`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.charts import funnel as charts
from ragdash.ui import chips, drawing, formats, frame, picking, safe
from ragdash.ui.i18n import t
from ragdash.views.funnel import STEPS
from ragdash.views.passage import ANYWAY, NO_QRELS, OPEN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd

    from ragdash.views.funnel import Funnel, Step


def passages(shown: frame.View, found: Sequence[Funnel]) -> None:
    """Show the funnels: charts, then the table, then what is counted apart."""
    if not any(one.n for one in found):
        st.info(t("funnel.none"))
    else:
        safe.render(chips.muted(t("funnel.open.hint")))
        left, right = st.columns(2, gap="medium")
        with left.container(border=True, height="stretch"):
            st.header(t("funnel.kept.chart"))
            _kept(shown, found)
        with right.container(border=True, height="stretch"):
            st.header(t("funnel.lost.chart"))
            _lost(shown, found)
        safe.render(_table(shown, found))
    with st.container(border=True):
        st.header(t("funnel.apart"))
        safe.render(_apart(shown, found))


def _label(shown: frame.View, name: str) -> str:
    if name != "context":
        return t(f"step.{name}")
    k = shown.facts.top_k
    return t("step.context.plain") if k is None else t("step.context", k=k)


def _kept(shown: frame.View, found: Sequence[Funnel]) -> None:
    items = [
        {
            "step": _label(shown, name),
            "mode": one.mode,
            "k": step.kept,
            "n": step.n,
            "share": step.kept / step.n,
            "low": step.interval.low,
            "high": step.interval.high,
            "short": f"{step.kept}/{step.n}",
            "place": f"{name} {one.mode}",
        }
        for name, one, step in _steps(found)
        if step.interval is not None
    ]
    words = {
        "axis": t("funnel.kept.axis"),
        "description": t("funnel.kept.alt", items="{items}"),
    }
    places = {
        f"{name} {one.mode}": _place(shown, one, kept=step.code)
        for name, one, step in _steps(found)
        if step.kept
    }
    modes = [one.mode for one in found]
    chart = drawing.spec(charts.kept, _frame(items), modes, words)
    picking.chart(chart, charts.KEPT_PICK, charts.FIELD, places)


def _lost(shown: frame.View, found: Sequence[Funnel]) -> None:
    main = [(name, one, step) for name, one, step in _steps(found) if not step.is_leg]
    items = [
        {
            "step": _label(shown, _main(name)),
            "mode": one.mode,
            "n": step.lost,
            "short": str(step.lost),
            "place": f"{name} {one.mode}",
        }
        for name, one, step in main
    ]
    words = {
        "axis": t("funnel.lost.axis"),
        "description": t("funnel.lost.alt", items="{items}"),
    }
    places = {
        f"{name} {one.mode}": _place(shown, one, lost=step.code)
        for name, one, step in main
        if step.lost
    }
    modes = [one.mode for one in found]
    chart = drawing.spec(charts.lost, _frame(items), modes, words)
    picking.chart(chart, charts.LOST_PICK, charts.FIELD, places)


def _main(name: str) -> str:
    """Return the step at which a loss is drawn: no candidate is one loss, fused or not."""
    return "fused" if name == "dense" else name


def _frame(items: Sequence[Mapping[str, object]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(list(items))


def _steps(found: Sequence[Funnel]) -> list[tuple[str, Funnel, Step]]:
    return [
        (name, one, one.steps[name])
        for name in STEPS
        for one in found
        # Without a question to follow there is nothing to draw, and no nought either.
        if one.n and name in one.steps
    ]


def _place(shown: frame.View, one: Funnel, **where: str) -> tuple[str, dict[str, str]]:
    return "triage", {"run": shown.of_mode(one.mode), **where}


def _table(shown: frame.View, found: Sequence[Funnel]) -> safe.Markup:
    body = [
        [_name(shown, name), *(_cell(shown, one, name) for one in found)]
        for name in STEPS
        if any(name in one.steps or name in one.unrecorded for one in found)
        and name not in _nowhere(found)
    ]
    head = [t("funnel.col.step"), *(one.mode for one in found)]
    numeric = frozenset(range(1, len(head)))
    table = safe.table(head, body, caption=t("funnel.table"), numeric=numeric)
    folded = t("colon").join(
        [t("funnel.nowhere"), t("listing").join(_label(shown, name) for name in _nowhere(found))]
    )
    return safe.join([table, chips.muted(folded)]) if _nowhere(found) else table


def _nowhere(found: Sequence[Funnel]) -> list[str]:
    """Return the steps that no mode has recorded: a row of them would say nothing."""
    return [name for name in STEPS if found and all(name in one.unrecorded for one in found)]


def _name(shown: frame.View, name: str) -> safe.Markup:
    return chips.lines(
        _label(shown, name),
        safe.Markup(f'<span style="font-weight:400">{chips.muted(t(f"step.{name}.help"))}</span>'),
    )


def _cell(shown: frame.View, one: Funnel, name: str) -> str:
    step = one.steps.get(name)
    if step is not None and not one.n:
        return formats.DASH
    if step is None:
        return chips.muted(t("funnel.unrecorded" if name in one.unrecorded else "funnel.absent"))
    run = shown.of_mode(one.mode)
    share = formats.share(step.kept, step.n)
    if step.kept:
        share = chips.link(share, "triage", run=run, kept=step.code)
    around = formats.interval(step.interval) if step.interval else ""
    words = t("funnel.missed" if step.is_leg else "funnel.lost", n=step.lost)
    lost = chips.link(words, "triage", run=run, lost=step.code) if step.lost else words
    told = [safe.join([chips.strong(share), chips.aside(around)]), chips.muted(lost)]
    if step.untold:
        told.append(chips.muted(t("funnel.untold", n=step.untold)))
    return chips.lines(*told)


def _apart(shown: frame.View, found: Sequence[Funnel]) -> safe.Markup:
    kinds: dict[str, Callable[[Funnel], str]] = {
        "n": lambda one: str(one.n),
        "open": lambda one: _apart_count(shown, one, one.open, OPEN),
        "anyway": lambda one: _apart_count(shown, one, one.anyway, ANYWAY),
        "no_qrels": lambda one: _apart_count(shown, one, one.no_qrels, NO_QRELS),
        "unanswerable": lambda one: str(one.unanswerable),
    }
    body = [
        [t(f"funnel.apart.{name}"), *(told(one) for one in found)] for name, told in kinds.items()
    ]
    head = [t("funnel.apart"), *(one.mode for one in found)]
    numeric = frozenset(range(1, len(head)))
    return safe.table(head, body, caption=t("funnel.apart.table"), numeric=numeric)


def _apart_count(shown: frame.View, one: Funnel, n: int, code: str) -> str:
    if not n:
        return "0"
    return chips.strong(chips.link(str(n), "triage", run=shown.of_mode(one.mode), lost=code))
