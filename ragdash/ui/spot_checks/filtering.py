"""What the queue is asked for: risks, states, a cell of the matrix; all in the address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.spot_check import Fit, RuleVerdict
from ragdash.ui import address, notes
from ragdash.ui.i18n import t, term
from ragdash.views.spot_checks import RISKS, STATES, Filters

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ragdash.views.spot_checks import Queue

PARAMETERS = ("risk", "state", "rule", "fit")


def asked() -> Filters:
    """Return the filter in the address; what does not exist is noted and left out."""
    rule, fit = _one("rule", list(RuleVerdict)), _one("fit", list(Fit))
    return Filters(
        risks=address.codes("risk", RISKS),
        states=address.codes("state", STATES),
        rule=RuleVerdict(rule) if rule else None,
        fit=Fit(fit) if fit else None,
    )


def _one(name: str, options: Sequence[str]) -> str | None:
    found = st.query_params.get(name)
    if found is None or found in options:
        return found
    notes.note("filter", found)
    return None


def control(filters: Filters, found: Queue) -> None:
    """Offer risks and states, each with how many questions of the queue it stands for."""
    risks = {one.risk.value: f"{one.checked}/{one.queued}" for one in found.coverage}
    offered = [code for code in RISKS if code in risks or code in filters.risks]
    _pills("risk", filters.risks, offered, lambda code: risks.get(code, "0/0"))
    states = {
        **dict.fromkeys(STATES, 0),
        "mine": sum(entry.is_mine for entry in found.entries),
        "locked": sum(entry.locked_by is not None for entry in found.entries),
    }
    for entry in found.entries:
        states[entry.standing] += 1
    _pills("state", filters.states, STATES, lambda code: str(states[code]))
    _cell(filters)


def _pills(
    name: str, held: Sequence[str], options: Sequence[str], count: Callable[[str], str]
) -> None:
    key = f"check.filter.{name}"
    st.session_state[key] = list(held)
    st.pills(
        t(f"reviews.{name}s"),
        list(options),
        selection_mode="multi",
        format_func=lambda code: f"{term(name, code)} {count(code)}",
        key=key,
        on_change=lambda: put(name, st.session_state[key]),
        help=t(f"reviews.{name}s.help"),
        wrap=True,
    )


def _cell(filters: Filters) -> None:
    """Say which cell of the matrix is on view, with the way out of it."""
    if filters.rule is None and filters.fit is None:
        return
    rule = term("rule", filters.rule.value) if filters.rule else t("reviews.any")
    fit = term("fit", filters.fit.value) if filters.fit else t("reviews.any")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(t("reviews.cell", rule=rule, fit=fit))
        st.button(t("reviews.cell.leave"), type="tertiary", key="check.cell", on_click=_leave)


def _leave() -> None:
    for name in ("rule", "fit"):
        put(name, ())


def put(name: str, values: Sequence[str]) -> None:
    """Write a filter into the address; the list begins at its beginning then."""
    if values:
        st.query_params[name] = list(values)
    else:
        st.query_params.pop(name, None)
    for other in ("page", "q"):
        st.query_params.pop(other, None)
