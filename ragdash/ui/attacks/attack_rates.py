"""The rates of a whole attack run, each with k, n and interval; abstention stands apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.charts import attacks as charts
from ragdash.ui import chips, drawing, formats, frame, safe
from ragdash.ui.attacks.attacking import control, state
from ragdash.ui.i18n import t, term
from ragdash.views import attack_study as study
from ragdash.views import attacks as view

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from ragdash.ui.attacks.attacking import Shown
    from ragdash.views.attacks import Rate

Rates = dict[str, dict[str, "Rate"]]
_USE = ("utility", "utility_under_attack", "other_failure", "selective_accuracy", "coverage")
_OFF = (view.WON, "utility_under_attack", *view.SPLIT)
_IDS = 12


def refused(shown: Shown, filters: view.Filters) -> bool:
    """Say why there is no summary: a filter, or rows that are missing; return whether it is so."""
    missing = view.missing_rows(shown.cursor, shown.facts.n_questions, shown.policies)
    if filters.whole and not missing:
        return False
    st.header(t("attacks.summary.refused"))
    if filters.whole:
        st.warning(t("attacks.summary.missing", n=missing))
        return True
    left = view.classes_left(shown.cursor, filters)
    dropped = [term("class", c) for c in view.classes(shown.cursor) if c not in left]
    st.info(t("attacks.summary.filtered"))
    if dropped:
        st.text(t("attacks.summary.dropped", classes=", ".join(dropped)))
    safe.render(chips.lines(chips.link(t("attacks.summary.all"), "attacks", attack=shown.ref)))
    return True


def errors(shown: Shown) -> None:
    """Say how many rows have no output; they are in no rate."""
    n, first = view.errors(shown.cursor)
    if not n:
        return
    st.warning(t("attacks.errors", n=n))
    lines = [f"{safe.plain(p)} · {safe.plain(c)}: {safe.plain(e)}" for p, c, e in first]
    safe.render(chips.lines(*(chips.muted(line) for line in lines)))
    to = {"attack": shown.ref, "state": "error"}
    safe.render(chips.lines(chips.link(t("attacks.errors.open"), "attacks", **to)))


def failures(shown: Shown, rates: Rates) -> None:
    """Show the failure rates by policy, and by class and policy."""
    st.header(t("attacks.failures"))
    st.text(t("attacks.failures.lead"))
    found = _in_words(view.rate_frame(rates, shown.policies, (*view.FAILURES, view.WON)))
    words = _words("failure", "alt.failures")
    drawing.show(charts.failures, found, shown.policies, words, dark=frame.is_dark())


def by_class(shown: Shown) -> None:
    """Show how many cases of each class each policy lost."""
    st.header(t("attacks.byclass"))
    st.text(t("attacks.byclass.lead"))
    found = view.class_frame(
        view.by_class(shown.cursor), shown.policies, view.classes(shown.cursor)
    )
    found["class"] = [term("class", code) for code in found["class"]]
    words = _words("failure", "alt.byclass")
    drawing.show(charts.by_class, found, shown.policies, words, dark=frame.is_dark())


def abstention(shown: Shown, rates: Rates) -> None:
    """Show the cost in its own panel: wrongly declined, and rightly declined."""
    st.header(t("attacks.abstention"))
    st.text(t("attacks.abstention.lead"))
    found = _in_words(view.rate_frame(rates, shown.policies, view.SPLIT))
    words = _words("abstention", "alt.abstention")
    drawing.show(charts.abstention, found, shown.policies, words)
    measures = (view.COST, *view.SPLIT)
    head = [t("attacks.policy"), *(term("measure", name) for name in measures)]
    body = [[p, *(_rate(rates.get(p, {}).get(name)) for name in measures)] for p in shown.policies]
    safe.render(safe.table(head, body, caption=t("attacks.split"), numeric=frozenset({1, 2, 3})))


def every_rate(shown: Shown, rates: Rates) -> None:
    """Show all failures per fixture and per answered fixture, and of what use the policies are."""
    head = t("attacks.measure")
    st.header(t("attacks.rates"))
    safe.render(
        _table(
            rates, (view.WON, *view.FAILURES, *_USE), shown.policies, t("attacks.rates.table"), head
        )
    )
    st.header(t("attacks.answeredrates"))
    st.text(t("attacks.answeredrates.lead"))
    safe.render(
        _table(
            view.per_answered(shown.cursor),
            view.FAILURES,
            shown.policies,
            t("attacks.answeredrates"),
            head,
        )
    )


def orders(shown: Shown) -> None:
    """Show whether the order of the chunks decides."""
    found = study.orders(shown.cursor)
    if not found:
        return
    st.header(t("attacks.orders"))
    st.text(t("attacks.orders.lead"))
    place = {policy: i for i, policy in enumerate(shown.policies)}
    found.sort(key=lambda o: place.get(o.policy, len(place)))
    head = [t("attacks.policy"), t("attacks.orders.mean"), t("attacks.orders.worst")]
    body = [[o.policy, formats.number(o.mean), _rate(o.worst)] for o in found]
    safe.render(safe.table(head, body, caption=t("attacks.orders"), numeric=frozenset({1, 2})))


def controls(shown: Shown, rates: Rates) -> None:
    """Show what each control of the layered policy does, and the policy without provenance."""
    found = study.controls(shown.cursor)
    if not found:
        return
    st.header(t("attacks.controls"))
    st.text(t("attacks.controls.lead"))
    head = [t(f"attacks.controls.{c}") for c in ("control", "fired", "first", "breaks", "stops")]
    body = [
        [
            chips.lines(control(row.control), chips.muted(safe.plain(row.control))),
            str(row.fired),
            str(row.first),
            _ids(shown, row.breaks, "attacks.controls.covered"),
            _ids(shown, row.stops, "attacks.nothing"),
        ]
        for row in found
    ]
    safe.render(safe.table(head, body, caption=t("attacks.controls"), numeric=frozenset({1, 2})))
    _provenance(rates)


def _provenance(rates: Rates) -> None:
    own = rates.get(study.LAYERED, {})
    if f"{view.WON}{study.OFF}" not in own:
        return
    st.header(t("attacks.off"))
    st.text(t("attacks.off.lead"))
    head = [t("attacks.measure"), study.LAYERED, t("attacks.off.column")]
    body = [
        [term("measure", name), _rate(own.get(name)), _rate(own.get(f"{name}{study.OFF}"))]
        for name in _OFF
    ]
    safe.render(safe.table(head, body, caption=t("attacks.off"), numeric=frozenset({1, 2})))


def open_cases(shown: Shown) -> None:
    """Show what the layered policy lost; what is open on purpose is not hidden."""
    found = study.open_cases(shown.cursor)
    if found is None:
        return
    st.header(t("attacks.open"))
    if not found:
        st.success(t("attacks.open.none"))
        return
    st.text(t("attacks.open.lead", n=len(found), of=shown.facts.n_questions))
    head = [t("attacks.case"), t("attacks.class"), t("attacks.open.state"), t("attacks.open.why")]
    body = [
        [
            chips.link(safe.plain(c.case_id), "attacks", attack=shown.ref, case=c.case_id),
            term("class", c.attack_class),
            chips.lines(
                state(c.state), chips.muted(", ".join(term("channel", x) for x in c.channels))
            ),
            t("attacks.open.design" if c.by_design else "attacks.open.lost"),
        ]
        for c in found
    ]
    safe.render(safe.table(head, body, caption=t("attacks.open")))


def sweep(shown: Shown) -> None:
    """Show, once opened, how the unsupported claims move with the threshold."""
    with st.expander(t("attacks.sweep"), on_change="rerun", key="attacks.sweep") as opened:
        if not opened.open:
            return
        st.text(t("attacks.sweep.lead"))
        found = study.sweep(shown.cursor)
        if found.empty:
            st.info(t("attacks.sweep.large"))
            return
        at = shown.facts.config.get("support_threshold", 0.4)
        words = {
            "axis": t("attacks.axis.sweep"),
            "threshold": t("attacks.axis.threshold", at=formats.number(at)),
            "at": str(at),
            "description": t("alt.sweep", items="{items}"),
        }
        drawing.show(charts.sweep, found, shown.policies, words, dark=frame.is_dark())


def _ids(shown: Shown, ids: Sequence[str], none: str) -> safe.Markup:
    if not ids:
        return chips.muted(t(none))
    links = [
        safe.join([chips.link(safe.plain(i), "attacks", attack=shown.ref, case=i), " "])
        for i in ids[:_IDS]
    ]
    rest = [chips.muted(f"+{len(ids) - _IDS}")] if len(ids) > _IDS else []
    return safe.join([*links, *rest])


def _in_words(found: pd.DataFrame) -> pd.DataFrame:
    return found.assign(measure=[term("measure", code) for code in found["measure"]])


def _words(axis: str, described: str) -> dict[str, str]:
    return {"axis": t(f"attacks.axis.{axis}"), "description": t(described, items="{items}")}


def _table(
    rates: Rates, measures: Sequence[str], policies: Sequence[str], caption: str, head: str
) -> safe.Markup:
    """Return measures by policy with k/n and interval; a measure nobody has is left out."""
    stored = {name for found in rates.values() for name in found}
    body = [
        [term("measure", name), *(_rate(rates.get(p, {}).get(name)) for p in policies)]
        for name in measures
        if name in stored
    ]
    return safe.table(
        [head, *policies], body, caption=caption, numeric=frozenset(range(1, len(policies) + 1))
    )


def _rate(rate: Rate | None) -> str:
    if rate is None or rate.rate is None:
        return chips.lines(formats.DASH, chips.muted(t("attacks.no_case")))
    share = formats.share(rate.k, rate.n)
    if rate.low is None or rate.high is None:
        return share
    return chips.lines(share, chips.muted(f"{rate.low:.2f}–{rate.high:.2f}"))
