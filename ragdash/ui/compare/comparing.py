"""The Compare page's tables and controls; counts come from views, words and markup from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.charts import compare as charts
from ragdash.compare.exact import NEEDED_CAP
from ragdash.compare.intervals import BOOTSTRAP_FROM
from ragdash.compare.paired import COLOUR_FROM, NEEDED_FROM, Paired, Test
from ragdash.core.score import GIVEN, MetricKind
from ragdash.metrics import BY_NAME
from ragdash.ui import chips, drawing, formats, notes, picking, safe
from ragdash.ui.i18n import current, labelled, t, term
from ragdash.ui.judge import judging
from ragdash.views.compare import (
    HEADLINE,
    Cell,
    MetricRow,
    deterministic,
)
from ragdash.views.judge import JUDGED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from ragdash.ui.sides import Sides

KINDS = {
    "gates": MetricKind.GATE,
    "retrieval": MetricKind.RETRIEVAL,
    "judge": MetricKind.SIGNAL,
    "signals": MetricKind.SIGNAL,
    "given": MetricKind.SIGNAL,
}
_CHART = (HEADLINE, "numeric_accuracy", "hit@1", "hit@5", "page_hit@5")


def base_control(modes: Sequence[str]) -> str:
    """Offer the base mode, bound to `?base=`; RUN:mode is read as its mode."""
    asked = st.query_params.get("base")
    if asked is not None and "base" not in st.session_state and asked not in modes:
        mode = asked.rpartition(":")[2]
        if mode in modes:
            st.query_params["base"] = mode
            st.rerun()
        st.session_state["note.base"] = asked
    notes.note("base", st.session_state.get("note.base"))
    return st.segmented_control(
        t("compare.base"),
        list(modes),
        default=modes[0],
        required=True,
        key="base",
        bind="query-params",
        on_change=lambda: st.session_state.pop("note.base", None),
    )


def of_kind(rows: Sequence[MetricRow], kind: str) -> list[MetricRow]:
    """Return the metrics of one section, in display order; signals are apart by whose they are."""
    found = [row for row in rows if row.kind is KINDS[kind]]
    if KINDS[kind] is MetricKind.SIGNAL:
        return [row for row in found if _whose(row.name) == kind]
    return found


def _whose(signal: str) -> str:
    if signal.startswith(GIVEN):
        return "given"
    return "judge" if signal in JUDGED else "signals"


def _headline(rows: Sequence[MetricRow]) -> MetricRow | None:
    return next((row for row in rows if row.name == HEADLINE), None)


def separation(rows: Sequence[MetricRow], base: str) -> None:
    """Say whether the questions separate the modes, and how many would be needed."""
    row = _headline(rows)
    pairs = [] if row is None else [(c.mode, c.pair) for c in row.cells if c.pair]
    if not pairs:
        return
    n = max(pair.n for _, pair in pairs)
    apart = [mode for mode, pair in pairs if pair.separated]
    if apart:
        names = ", ".join(t("compare.pair", other=mode, base=base) for mode in apart)
        title = t("compare.separated", n=n, pairs=names)
    else:
        title = t("compare.cannot", n=n)
    sizes = "; ".join(
        labelled(t("compare.pair", other=mode, base=base), _needed(pair))
        for mode, pair in pairs
        if not pair.separated
    )
    body = chips.muted(t("compare.needed", sizes=sizes)) if sizes else ""
    safe.render(chips.note(title, body))


def _needed(pair: Paired) -> str:
    if not pair.delta:
        return t("compare.needed.none")
    if not pair.may_extrapolate:
        return t("compare.needed.few", n=NEEDED_FROM)
    if pair.needed is None:
        return t("compare.needed.more", cap=NEEDED_CAP)
    return t("compare.needed.n", n=pair.needed)


def outcome_table(shown: Sides, counts: Mapping[str, Mapping[str, int]]) -> safe.Markup:
    """Return a strip of the six outcomes for each side; its name opens its questions."""
    rows = [
        [
            chips.link(mode, "triage", run=shown.of_mode(mode)),
            chips.strip(counts.get(mode, {})),
            str(sum(counts.get(mode, {}).values())),
        ]
        for mode in shown.names
    ]
    head = [t("frame.mode"), t("compare.outcomes"), t("runs.col.n")]
    return safe.table(head, rows, caption=t("compare.outcomes.table"), numeric=frozenset({2}))


def section(shown: Sides, kind: str) -> None:
    """Show one kind of metrics: what it is, the table, and the rules of its intervals."""
    part = of_kind(shown.found.rows, kind)
    if not part:
        return
    st.header(t(f"compare.{kind}"))
    st.text(t(f"compare.{kind}.lead"))
    safe.render(metric_table(shown, part, kind))
    if kind == "gates":
        safe.render(colour_note())


def metric_table(shown: Sides, rows: Sequence[MetricRow], kind: str) -> safe.Markup:
    """Return metric by mode: value, interval, what was left out, and Δ against the base.

    A value opens the questions that are short of the best.
    """
    mark = {MetricKind.GATE: "■ ", MetricKind.RETRIEVAL: "", MetricKind.SIGNAL: "≈ "}[KINDS[kind]]
    head = [t("compare.metric")]
    head += [f"{m} ({t('word.base')})" if m == shown.base else m for m in shown.names]
    body = [
        [_name(row, mark), *(_cell(cell, row.kind, _value(shown, row, cell)) for cell in row.cells)]
        for row in rows
    ]
    return safe.table(
        head, body, caption=t(f"compare.{kind}"), numeric=frozenset(range(1, len(head)))
    )


def _name(row: MetricRow, mark: str) -> safe.Markup:
    metric = BY_NAME.get(row.name)
    words = ""
    if metric is not None:
        words = metric.definition.zh if current() == "zh" else metric.definition.en
    return safe.Markup(
        '<div style="min-width:min(13em,32vw);max-width:22em">'
        f"{safe.escape(mark + term('metric', row.name))}"
        f'<span style="font-weight:400">{chips.muted(words)}{_depends(row.name)}</span></div>'
    )


def _depends(name: str) -> safe.Markup:
    """Return what a metric needs and whether it gives the same value whenever it is asked."""
    metric = BY_NAME.get(name)
    inputs = (metric.inputs if metric else ()) or ("none",)
    words = ", ".join(term("input", one) for one in inputs)
    return chips.muted(t("compare.depends", inputs=words, sure=t(f"sure.{deterministic(name)}")))


def _value(shown: Sides, row: MetricRow, cell: Cell) -> safe.Markup:
    """Return a cell's value, which opens the questions that are short of the best, if any is."""
    if cell.value is None:
        return safe.escape(formats.DASH)
    value = formats.number(cell.value) if cell.k is None else formats.share(cell.k, cell.n)
    if not _is_short(row.name, cell):
        return chips.strong(value)
    where = {"run": shown.of_mode(cell.mode), "short": row.name}
    return chips.strong(chips.link(value, "triage", **where))


def _is_short(name: str, cell: Cell) -> bool:
    metric = BY_NAME.get(name)
    return metric is not None and cell.value != (1 if metric.higher_is_better else 0)


def _cell(cell: Cell, kind: MetricKind, value: safe.Markup) -> safe.Markup:
    if cell.value is None:
        return chips.lines(value, chips.muted(t("compare.scored", n=0, total=cell.total)))
    around = formats.interval(cell.interval) if cell.interval else ""
    parts: list[str] = [safe.join([value, chips.aside(around)])]
    if cell.n < cell.total or cell.k is None:
        parts.append(chips.muted(t("compare.scored", n=cell.n, total=cell.total)))
    if cell.low is not None:
        bounds = {"low": formats.number(cell.low), "high": formats.number(cell.high)}
        parts.append(chips.muted(t("compare.bounds", **bounds)))
    if cell.by_people:
        parts.append(chips.muted(t("review.by_people", n=cell.by_people)))
    if cell.pair is not None:
        parts.append(_difference(cell.pair, kind))
    if cell.noise is not None:
        parts.append(judging.noise(cell.noise))
    return chips.lines(*parts)


def _difference(pair: Paired, kind: MetricKind) -> safe.Markup:
    if pair.delta is None:
        return chips.muted(t("change.not_comparable"))
    words = t("compare.delta", delta=formats.signed(pair.delta))
    around = formats.interval(pair.interval, sign=True) if pair.interval else ""
    if pair.test is Test.UNTESTED:
        tested = t("compare.no_test")
    elif pair.test is Test.NO_DIFFERENCE:
        tested = t("compare.same")
    else:
        tested = t("compare.p", p=formats.p_value(pair.p_holm))
    return chips.lines(
        safe.join([_delta(pair, words, kind), chips.aside(around)]),
        chips.muted(f"{t('compare.paired', n=pair.n)} · {tested}"),
    )


def _delta(pair: Paired, words: str, kind: MetricKind) -> safe.Markup:
    # A signal is a direction only, whatever its p.
    if kind is MetricKind.SIGNAL or not pair.may_colour:
        return chips.strong(words)
    return chips.difference(words, better=len(pair.improved) > len(pair.regressed))


def colour_note() -> safe.Markup:
    """Return the rules by which an interval is given and a difference coloured."""
    few = t("compare.few", n=BOOTSTRAP_FROM)
    return chips.muted(f"{t('compare.colour', n=COLOUR_FROM)} {few}")


def shares(shown: Sides) -> None:
    """Draw the shares of the headline metrics; a point opens the questions that are short of it."""
    data, words = chart_data(shown.found.rows)
    places = {
        f"{name} {mode}": ("triage", {"run": shown.of_mode(mode), "short": name})
        for name in _CHART
        for mode in shown.names
    }
    drawn = drawing.spec(charts.shares, data, shown.names, words)
    picking.chart(drawn, charts.PICK, "place", places)


def chart_data(rows: Sequence[MetricRow]) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return the shares of the headline metrics for the chart, and its words."""
    import pandas as pd

    known = {row.name: row for row in rows}
    items = [
        {
            "metric": term("metric", name),
            "mode": cell.mode,
            "k": cell.k,
            "n": cell.n,
            "rate": cell.value,
            "low": cell.interval.low,
            "high": cell.interval.high,
            "short": f"{cell.k}/{cell.n}",
            "place": f"{name} {cell.mode}",
        }
        for name in _CHART
        if name in known
        for cell in known[name].cells
        if cell.k is not None and cell.interval is not None
    ]
    columns = ["metric", "mode", "k", "n", "rate", "low", "high", "short", "place"]
    words = {"axis": t("compare.axis"), "description": t("alt.shares", items="{items}")}
    return pd.DataFrame(items, columns=columns), words
