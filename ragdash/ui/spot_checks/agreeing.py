"""How far people agree with each other and with the rule, and what of the queue is covered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.compare.agreement import agreement
from ragdash.compare.intervals import wilson
from ragdash.core.spot_check import Fit, RuleVerdict
from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import t, term
from ragdash.ui.spot_checks import desk, form, rows, told
from ragdash.views import spot_check_item as item_view
from ragdash.views import spot_check_summary as view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.compare.intervals import Interval
    from ragdash.core.spot_check import SpotCheck
    from ragdash.ui.spot_checks.checking import Bench
    from ragdash.views.spot_checks import Entry

_LISTED = 20


def show(made: Bench) -> None:
    """Show agreement, matrix, coverage and disputed questions."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.header(t("agree.coverage"))
        safe.render(coverage(made))
    with right:
        if not made.held:
            st.info(t("agree.none"))
            return
        for title, sentences in (("between", between(made)), ("rule", with_rule(made))):
            st.header(t(f"agree.{title}"))
            for sentence in sentences:
                st.text(sentence)
        safe.render(_matrix(made))
        st.text(t("agree.matrix.open"))
    _disputed(made)


def between(made: Bench) -> Sequence[str]:
    """Return in sentences how far people agree: all of a question, and by chance the first two."""
    said = verdicts(made.held)
    found = agreement((one[0], one[1]) for one in said)
    alike = sum(len(set(one)) == 1 for one in said)
    seen = sum(not check.blind for check in made.held)
    told_ = (t("agree.not_blind", k=seen, n=len(made.held)),) if seen else ()
    if not found.n:
        return (t("agree.people.none"), *told_)
    shared = t("agree.people", **_share(alike, found.n, wilson(alike, found.n)))
    first = (t("agree.first"),) if any(len(one) > 2 for one in said) else ()
    return (shared, _kappa(found.kappa), *first, *told_)


def verdicts(held: Sequence[SpotCheck]) -> list[list[Fit]]:
    """Return what people say of each answer that two or more have checked, in order."""
    by: dict[str, list[Fit]] = {}
    for check in held:
        by.setdefault(check.key.question_id, []).append(check.judgement.fit)
    return [said for said in by.values() if len(said) > 1]


def with_rule(made: Bench) -> Sequence[str]:
    """Return in sentences how far people and the rule agree."""
    found = agreement(view.with_rule(made.queue))
    if not found.n:
        return (t("agree.rule.none"),)
    return (t("agree.rule.k", **_share(found.k, found.n, found.interval)), _kappa(found.kappa))


def _share(k: int, n: int, interval: Interval | None) -> Mapping[str, str | int]:
    ends = (interval.low, interval.high) if interval else (None, None)
    low, high = (formats.number(end) for end in ends)
    return {"k": k, "n": n, "share": formats.number(k / n), "low": low, "high": high}


def _kappa(value: float | None) -> str:
    if value is None:
        return t("agree.kappa.flat")
    return t("agree.kappa", kappa=formats.number(value))


def matrix(made: Bench) -> tuple[list[str], list[tuple[RuleVerdict, list[tuple[Fit, int]]]]]:
    """Return the columns of rule x people, and for each rule's verdict its counts."""
    counts = view.matrix(made.queue)
    head = [t("agree.matrix.head"), *(term("fit", fit.value) for fit in Fit)]
    return head, [
        (rule, [(fit, counts.get((rule, fit), 0)) for fit in Fit]) for rule in RuleVerdict
    ]


def _matrix(made: Bench) -> safe.Markup:
    head, body = matrix(made)
    cells = [
        [term("rule", rule.value), *(_cell(made, rule, fit, n) for fit, n in counts)]
        for rule, counts in body
    ]
    return safe.table(head, cells, caption=t("agree.matrix"), numeric=frozenset({1, 2, 3}))


def _cell(made: Bench, rule: RuleVerdict, fit: Fit, n: int) -> str:
    if not n:
        return "0"
    where = {"run": made.shown.of_mode(made.mode), "rule": rule.value, "fit": fit.value}
    return chips.link(str(n), "reviews", **where)


def covered(made: Bench) -> tuple[list[str], list[list[str]]]:
    """Return head and rows of the coverage: a row a risk, and one for all together."""
    head = [t(f"agree.{key}") for key in ("risk", "answered", "queued", "checked")]
    body = [
        [term("risk", one.risk.value), str(one.answered), str(one.queued),
         formats.share(one.checked, one.answered)]
        for one in made.queue.coverage
    ]  # fmt: skip
    checked = sum(entry.people > 0 for entry in made.queue.entries)
    answered, queued = len(made.items), len(made.queue.entries)
    body.append([t("agree.all"), str(answered), str(queued), formats.share(checked, answered)])
    return head, body


def coverage(made: Bench) -> safe.Markup:
    """Return the coverage by risk as a table; a question with several risks counts in each."""
    head, body = covered(made)
    table = safe.table(head, body, caption=t("agree.coverage"), numeric=frozenset({1, 2, 3}))
    return safe.join([table, chips.muted(t("agree.coverage.note"))])


def _disputed(made: Bench) -> None:
    st.header(t("agree.disputed"))
    found = [entry for entry in made.queue.entries if entry.standing == "disputed"]
    if not found:
        st.text(t("agree.disputed.none"))
        return
    for entry in found[:_LISTED]:
        with st.container(border=True):
            _differing(made, entry)
    if len(found) > _LISTED:
        where = {"run": made.shown.of_mode(made.mode), "state": "disputed"}
        safe.render(chips.link(t("agree.more", n=len(found) - _LISTED), "reviews", **where))


def _differing(made: Bench, entry: Entry) -> None:
    """Show what was said of a disputed question, unless the viewer is still to be blind."""
    item = entry.item
    checks = made.checks_of(item.question_id)
    key, standing = checks[0].key, made.standing(item.question_id)
    safe.render(chips.lines(chips.strong(safe.plain(item.question_id)), safe.plain(item.text)))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            t("agree.third"),
            key=f"agree.third.{rows.mark(item.question_id)}",
            on_click=_third,
            args=(item.question_id,),
        )
        if not (entry.is_mine or desk.has_seen(key)):
            st.button(
                t("agree.reveal"),
                key=f"agree.reveal.{rows.mark(item.question_id)}",
                type="tertiary",
                on_click=desk.reveal,
                args=(key,),
            )
            st.text(t("agree.hidden"))
            return
    desk.saw([key])
    if standing is not None:
        documents = item_view.documents(made.cursor, item.question_id)
        known = {one.doc_id: form.document(one) for one in documents}
        safe.render(told.beside(checks, standing, made.viewer, known))


def _third(question_id: str) -> None:
    for name in ("tab", "risk", "state", "rule", "fit", "page"):
        st.query_params.pop(name, None)
    st.query_params["q"] = question_id
