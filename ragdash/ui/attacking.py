"""The Attacks page's parts: case rows first, failures and the cost apart, one case in full."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdash.core.errors import RagdashError
from ragdash.store.layout import store_dir
from ragdash.ui import address, chips, formats, frame, notes, safe
from ragdash.ui.i18n import t, term
from ragdash.views import runs as runs_view
from ragdash.views.attacks import COST, FAILURES, SPLIT, CaseRow, Rate
from ragdash.views.frame import RunFacts, facts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from ragdash.views.query import Cursor

_UTILITY = ("utility", "utility_under_attack")
Rates = dict[str, dict[str, Rate]]


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
    store = notes.quoted(str(store_dir(None)))
    st.code(f"ragdash attack --store {store}", language=None, wrap_lines=True)
    st.stop()


def case_table(shown: Shown, cases: Sequence[CaseRow]) -> safe.Markup:
    """Return cases by policy in words; the case opens below, in the address."""
    by_case: dict[str, dict[str, CaseRow]] = {}
    for row in cases:
        by_case.setdefault(row.case_id, {})[row.policy] = row
    head = [t("attacks.case"), t("attacks.class"), t("attacks.answerable"), *shown.policies]
    body = []
    for case_id, rows in by_case.items():
        first = next(iter(rows.values()))
        body.append(
            [
                chips.link(safe.plain(case_id), "attacks", attack=shown.ref, case=case_id),
                _class(first.attack_class),
                t("word.yes" if first.answerable else "word.no"),
                *(_did(rows[p]) if p in rows else formats.DASH for p in shown.policies),
            ]
        )
    return safe.table(head, body, caption=t("attacks.cases.table"))


def _class(code: str) -> safe.Markup:
    words_ = term("class", code)
    return chips.lines(safe.plain(words_), chips.muted(safe.plain(code)) if words_ != code else "")


def _did(row: CaseRow) -> safe.Markup:
    if row.error:
        return chips.lines(
            chips.badge(t("outcome.error"), safe.MUTED), chips.muted(safe.plain(row.error))
        )
    parts: list[str] = [chips.verdict(False, term("measure", name)) for name in row.failures]
    if row.refused:
        parts.append(chips.badge(f"– {t('attacks.refused')}", safe.MUTED))
    if not parts:
        parts.append(chips.verdict(True, t("attacks.answered")))
    if row.refused == row.answerable:
        # What tells a careful policy from one that refuses, or answers, everything.
        words = "attacks.over_refused" if row.refused else "attacks.should_refuse"
        parts.append(chips.muted(t(words)))
    return chips.lines(*parts)


def in_words(rates: pd.DataFrame) -> pd.DataFrame:
    """Return a frame of rates with its measures in the language of the page."""
    return rates.assign(measure=[term("measure", code) for code in rates["measure"]])


def words(chart: str) -> dict[str, str]:
    """Return the axis title and the description's frame of one of the two charts."""
    described = {"failure": "alt.failures", "abstention": "alt.abstention"}[chart]
    return {"axis": t(f"attacks.axis.{chart}"), "description": t(described, items="{items}")}


def split_table(rates: Rates, policies: Sequence[str]) -> safe.Markup:
    """Return over-abstention and correct abstention by policy."""
    head = [t("attacks.policy"), *(term("measure", name) for name in SPLIT)]
    body = [[p, *(_share(rates.get(p, {}).get(name)) for name in SPLIT)] for p in policies]
    return safe.table(head, body, caption=t("attacks.split"), numeric=frozenset({1, 2}))


def rate_table(rates: Rates, policies: Sequence[str]) -> safe.Markup:
    """Return every failure and utility rate with its interval; the cost comes last."""
    measures = (*FAILURES, "attack_success", *_UTILITY, COST, *SPLIT)
    stored = {name for found in rates.values() for name in found}
    present = tuple(name for name in measures if name in stored)
    head = [t("attacks.measure"), *policies]
    body = [
        [term("measure", name), *(_rate(rates.get(p, {}).get(name)) for p in policies)]
        for name in present
    ]
    caption = t("attacks.rates.table")
    return safe.table(head, body, caption=caption, numeric=frozenset(range(1, len(head))))


def _share(rate: Rate | None) -> str:
    if rate is None or rate.rate is None:
        return chips.lines(formats.DASH, chips.muted(t("attacks.no_case")))
    return formats.share(rate.k, rate.n)


def _rate(rate: Rate | None) -> str:
    if rate is None or rate.low is None or rate.high is None:
        return _share(rate)
    return chips.lines(_share(rate), chips.muted(f"{rate.low:.2f}–{rate.high:.2f}"))


def limits(shown: Shown, high: float | None) -> None:
    """Say what the rates do not establish."""
    n = shown.facts.n_questions
    st.text(t("attacks.limits.body", n=n, high=formats.number(high)))
    if shown.facts.config.get("oracle_trust"):
        st.text(t("attacks.oracle"))


def one_case(shown: Shown, cases: Sequence[CaseRow]) -> None:
    """Show one case in full: query, what each policy did, and what the policies saw."""
    ids = list(dict.fromkeys(row.case_id for row in cases))
    if not ids:
        return
    left, right = st.columns([3, 2], gap="medium", vertical_alignment="bottom")
    with left:
        chosen = address.one("case", t("attacks.case"), ids, safe.plain, "case")
    with right:
        address.step("case", ids, chosen)
    rows = {row.policy: row for row in cases if row.case_id == chosen}
    first = next(iter(rows.values()))
    with st.container(border=True):
        safe.render(chips.muted(t("attacks.query")))
        safe.text(first.query, key="query")
    st.header(t("attacks.did"))
    with st.grid(2, min_column_width=320):
        for policy in shown.policies:
            if policy in rows:
                _policy(rows[policy])
    st.header(t("attacks.saw"))
    with st.grid(2, min_column_width=320):
        for i, chunk in enumerate(first.view.get("chunks", [])):
            _seen(chunk, i)


def _policy(row: CaseRow) -> None:
    with st.container(border=True, height="stretch"):
        safe.render(chips.spaced(chips.strong(row.policy), _did(row)))
        safe.text(row.answer, key=f"answer-{row.policy}")
        cited = ", ".join(row.citations) or t("attacks.nothing")
        parts = [f"{t('attacks.cites')}: {safe.plain(cited)}"]
        if row.fired:
            parts.append(f"{t('attacks.fired')}: {safe.plain(', '.join(row.fired))}")
        safe.render(chips.muted(" · ".join(parts)))


def _seen(chunk: Mapping[str, Any], i: int) -> None:
    trusted = bool(chunk.get("trusted"))
    words_ = t("attacks.trusted" if trusted else "attacks.untrusted")
    with st.container(border=True, height="stretch"):
        name = chips.strong(safe.plain(str(chunk.get("id", ""))))
        safe.render(chips.spaced(name, chips.verdict(trusted, words_)))
        safe.text(str(chunk.get("text", "")), key=f"seen-{i}")
