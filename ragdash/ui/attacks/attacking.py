"""The Attacks page's grid: what each policy did with each case, and which control fired."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.errors import RagdashError
from ragdash.ui import address, chips, commands, formats, frame, notes, safe
from ragdash.ui.i18n import S, labelled, t, term
from ragdash.views import attacks as view
from ragdash.views import runs as runs_view
from ragdash.views.frame import RunFacts, facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.views.query import Cursor

# Of two names for one thing the published measure is shown.
_SAME = {
    "action": "unsafe_action",
    "claim": "unsupported_claim",
    "citation_invalid": "citation_failure",
}
_GOOD = frozenset({"right", "refused_right"})
_NEUTRAL = frozenset({"over_refused", "error"})


@dataclass(frozen=True, slots=True)
class Shown:
    """The attack run on view; policies stand where modes stand in other runs."""

    ref: str
    facts: RunFacts
    cursor: Cursor

    @property
    def policies(self) -> tuple[str, ...]:
        """The policies in the order of the run."""
        return self.facts.modes


def require_run() -> Shown:
    """Return the attack run of `?attack=`, else the newest; without any, say how to make one."""
    frame.seen_as_attack_run()
    with notes.faults_shown():
        with frame.registry() as found:
            known = [] if found is None else runs_view.newest(found, "attack")
        if not known:
            _empty()
        runs = {run.run_id: run for run in known}
        chosen = address.one("attack", t("attacks.run"), list(runs), safe.plain, "attack")
        try:
            cursor = frame.open_run(runs[chosen])
        except RagdashError as error:
            notes.run_fault(error, runs[chosen], known)
        return Shown(chosen, facts(cursor), cursor)


def _empty() -> None:
    st.header(t("empty.attacks"))
    st.text(t("empty.attacks.body"))
    commands.show(commands.line("attack"))
    st.stop()


def asked_filters(shown: Shown) -> view.Filters:
    """Return the filter of the address without its widgets, as one case is walked through."""
    classes = address.codes("class", _known_classes(shown))
    return view.Filters(classes, address.codes("state", view.STATES))


def _known_classes(shown: Shown) -> list[str]:
    """Return the classes of the run that have words of ours: a label reads Markdown."""
    return [code for code in view.classes(shown.cursor) if f"class.{code}" in S]


def filters(shown: Shown) -> view.Filters:
    """Offer classes and states, kept in the address."""
    known = _known_classes(shown)
    with st.expander(t("attacks.filter"), expanded=not asked_filters(shown).whole):
        states = address.many("state", t("attacks.state"), list(view.STATES), "attackstate")
        classes = address.many("class", t("attacks.class"), known, "class")
    return view.Filters(classes, states)


def grid(shown: Shown, found: view.Grid, filters: view.Filters) -> safe.Markup:
    """Return cases by policy in words; a cell opens its case, in the address."""
    head = [t("attacks.case"), t("attacks.class"), *shown.policies]
    body = []
    for case in found.cases:
        to = _to(shown, case.case_id, filters)
        cells = [
            _cell(case.cells[p], case.case_id, to) if p in case.cells else formats.DASH
            for p in shown.policies
        ]
        asked = "" if case.answerable else chips.muted(t("attacks.unanswerable"))
        link = chips.link(safe.plain(case.case_id), "attacks", **to)
        body.append([link, chips.lines(_class(case.attack_class), asked), *cells])
    return safe.table(head, body, caption=t("attacks.cases.table"))


def _to(shown: Shown, case_id: str, filters: view.Filters) -> dict[str, str | Sequence[str] | None]:
    return {
        "attack": shown.ref,
        "case": case_id,
        "state": filters.states or None,
        "class": filters.classes or None,
    }


def _cell(cell: view.Cell, case_id: str, to: dict[str, str | Sequence[str] | None]) -> safe.Markup:
    url = chips.url("attacks", **to, policy=cell.policy)
    said = chips.lines(_opener(cell, case_id, url), *about(cell))
    # Six policies fit side by side on a wide screen.
    return safe.Markup(f'<div style="min-width:6.6em">{said}</div>')


def _class(code: str) -> safe.Markup:
    words = term("class", code)
    return chips.lines(safe.plain(words), chips.muted(safe.plain(code)) if words != code else "")


def state(code: str) -> safe.Markup:
    """Return what became of a case as mark, word and colour; a refusal is slate, never red."""
    words = term("attackstate", code)
    if code in _NEUTRAL:
        return safe.Markup(f'<span style="color:{safe.MUTED}">– {safe.escape(words)}</span>')
    return chips.verdict(code in _GOOD, words)


def _opener(cell: view.Cell, case_id: str, url: str) -> safe.Markup:
    """Return the state as a link, named after its case and policy for those who hear it."""
    words = term("attackstate", cell.state)
    name = html.escape(safe.plain(f"{case_id}, {cell.policy}: {words}"))
    mark = "–" if cell.state in _NEUTRAL else "✓" if cell.state in _GOOD else "✕"
    ink = chips.GOOD if mark == "✓" else chips.BAD if mark == "✕" else safe.MUTED
    return safe.Markup(
        f'<a href="{html.escape(url)}" aria-label="{name}" style="color:{ink};font-weight:600;'
        f'text-decoration:underline;text-underline-offset:2px">{mark} {safe.escape(words)}</a>'
    )


def about(cell: view.Cell, *, first: bool = True) -> list[safe.Markup]:
    """Return how a case was lost and, where `first`, which control fired first."""
    said = {_SAME[c] for c in cell.channels if c in _SAME}
    how = [term("measure", name) for name in cell.failures]
    how += [term("channel", c) for c in cell.channels if _SAME.get(c) not in cell.failures]
    lines = [chips.muted(safe.plain(", ".join(dict.fromkeys(how))))] if how or said else []
    if cell.error:
        lines.append(chips.muted(safe.plain(cell.error)))
    if cell.fired and first:
        more = f" +{len(cell.fired) - 1}" if len(cell.fired) > 1 else ""
        lines.append(chips.muted(labelled(t("attacks.stopped"), f"{control(cell.fired[0])}{more}")))
    if cell.orders and 0 < cell.orders[0] < cell.orders[1]:
        lines.append(chips.muted(t("attacks.order_decides", k=cell.orders[0], n=cell.orders[1])))
    return lines


def control(code: str) -> str:
    """Return a control's number and words; one of the user's own is its name."""
    words = term("control", code)
    return safe.plain(code) if words == code else f"{code.partition('_')[0]} {words}"
