"""One case of an attack run in full: what each policy did, what it was given, what was decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import address, chips, formats, notes, safe
from ragdash.ui.attacks import put_aside
from ragdash.ui.attacks.attacking import about, control, state
from ragdash.ui.i18n import labelled, t, term
from ragdash.views import attack_case as view
from ragdash.views import attacks
from ragdash.views.attack_study import LAYERED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.ui.attacks.attacking import Shown

_META = ("doc_id", "company", "period", "page", "channel", "kind", "declared_source")
_ASIDE = ("put aside", "quarantined", "stripped", "folded")


def asked(shown: Shown) -> str | None:
    """Return the case of `?case=`, None where there is none; an unknown one is noted."""
    wanted = st.query_params.get("case")
    if wanted is None:
        return None
    if wanted not in attacks.case_ids(shown.cursor, attacks.Filters()):
        notes.note("case", wanted)
        return None
    return wanted


def walk(shown: Shown, case_id: str, filters: attacks.Filters) -> None:
    """Offer the way back, and the cases before and after within the filter."""
    ids = attacks.case_ids(shown.cursor, filters)
    to = {"attack": shown.ref, "state": filters.states or None, "class": filters.classes or None}
    left, right = st.columns([2, 3], gap="medium", vertical_alignment="center")
    with left:
        safe.render(chips.lines(chips.link(f"← {t('attacks.back')}", "attacks", **to)))
    with right:
        address.step(
            "case", ids, case_id, "attacks.at" if filters.whole else "question.at.filtered"
        )


def show(shown: Shown, found: view.Case) -> None:
    """Show one case: the query, the policies' answers, the chunks, the decisions, the view."""
    kind = chips.lines(
        chips.strong(safe.plain(found.case_id)), chips.muted(term("class", found.attack_class))
    )
    words = ("attacks.attack", "attacks.no_attack"), ("attacks.answerable", "attacks.unanswerable")
    facts = (found.adversarial, found.answerable)
    badges = [chips.badge(t(w[0] if yes else w[1])) for w, yes in zip(words, facts, strict=True)]
    with st.container(border=True):
        safe.render(chips.spaced(kind, *badges))
        safe.render(chips.muted(t("attacks.query")))
        safe.text(found.query, key="query")
    st.header(t("attacks.did"))
    with st.grid(2, min_column_width=320):
        for policy in shown.policies:
            if policy in found.policies:
                _policy(policy, found.policies[policy])
    _chunks(found)
    for policy in shown.policies:
        if policy in found.policies:
            _decided(policy, found.policies[policy])
    _stored(found)


def _policy(policy: str, done: view.Done) -> None:
    chosen = st.query_params.get("policy") == policy
    with st.container(border=True, height="stretch"):
        mark = chips.badge(t("attacks.opened")) if chosen else ""
        safe.render(chips.spaced(chips.strong(safe.plain(policy)), state(done.cell.state), mark))
        safe.render(chips.lines(*about(done.cell, first=False)))
        if not done.cell.error:
            safe.text(done.answer, key=f"answer-{policy}")
            if done.length > len(done.answer):
                safe.render(chips.muted(t("attacks.cut", n=formats.count(done.length))))
        lists = {
            "attacks.cites": done.citations,
            "attacks.actions": done.actions,
            "attacks.flags": done.flags,
        }
        for key, values in lists.items():
            if values or key == "attacks.cites":
                said = ", ".join(values) or t("attacks.nothing")
                safe.render(chips.muted(labelled(t(key), safe.plain(said))))
        if done.cell.fired:
            named = ", ".join(control(code) for code in done.cell.fired)
            safe.render(chips.muted(labelled(t("attacks.fired"), named)))
        if done.orders:
            safe.render(chips.muted(t("attacks.orders.case", **done.orders)))


def _chunks(found: view.Case) -> None:
    st.header(t("attacks.saw"))
    layered = found.policies.get(LAYERED)
    st.text(t("attacks.saw.lead" if layered else "attacks.saw.plain"))
    if found.n_views > 1:
        st.warning(t("attacks.views", n=found.n_views))
    cited = {
        seen.id: [p for p, done in found.policies.items() if seen.id in done.citations]
        for seen in found.chunks
    }
    with st.grid(2, min_column_width=320):
        for i, seen in enumerate(found.chunks):
            _seen(seen, layered.trace if layered else (), cited[seen.id], i)
    if found.n_chunks > len(found.chunks):
        more = found.n_chunks - len(found.chunks)
        st.text(t("attacks.more_chunks", n=formats.count(more)))


def _seen(seen: view.Seen, trace: Sequence[view.Traced], cited: Sequence[str], i: int) -> None:
    marks = put_aside.spans(seen, trace)
    lines = [line for line in trace if line.chunk_id == seen.id and line.decision in _ASIDE]
    with st.container(border=True, height="stretch"):
        trust = t("attacks.trusted" if seen.trusted else "attacks.untrusted")
        name = chips.strong(safe.plain(seen.id))
        safe.render(chips.spaced(name, chips.verdict(seen.trusted, trust)))
        done = dict.fromkeys(
            labelled(control(line.control), term("decision", line.decision)) for line in lines
        )
        if done:
            safe.render(chips.spaced(*(chips.badge(words) for words in done)))
        safe.text(seen.text, key=f"seen-{i}", spans=marks)
        if seen.length > len(seen.text):
            safe.render(chips.muted(t("attacks.cut", n=formats.count(seen.length))))
        for _, _, why in seen.meta.get("hidden_spans") or ():
            safe.render(chips.muted(labelled(t("attacks.hidden"), safe.plain(str(why)))))
        safe.render(chips.muted(_about(seen.meta)))
        if cited:
            safe.render(chips.muted(labelled(t("attacks.cited_by"), safe.plain(", ".join(cited)))))


def _about(meta: Mapping[str, object]) -> str:
    parts = [str(meta[key]) for key in _META if meta.get(key)]
    if meta.get("declared_trust") is not None:
        parts.append(t("attacks.declares"))
    return safe.plain(" · ".join(parts))


def _decided(policy: str, done: view.Done) -> None:
    if not done.trace:
        return
    st.header(t("attacks.trace", policy=safe.plain(policy)))
    st.text(t("attacks.trace.lead"))
    head = [t(f"attacks.trace.{c}") for c in ("control", "decision", "chunk", "reason")]
    body = [
        [
            control(line.control),
            term("decision", line.decision),
            safe.plain(line.chunk_id) or formats.DASH,
            safe.plain(line.reason),
        ]
        for line in done.trace
    ]
    safe.render(safe.table(head, body, caption=t("attacks.trace.lead")))
    if done.n_traced > len(done.trace):
        st.text(t("attacks.trace.more", n=formats.count(done.n_traced - len(done.trace))))
    _effects(done)


def _effects(done: view.Done) -> None:
    telling = [e for e in done.effects if e.fired or e.breaks_without or e.stops_alone]
    if not telling:
        return
    st.header(t("attacks.effects"))
    st.text(t("attacks.effects.lead"))
    head = [t(f"attacks.controls.{c}") for c in ("control", "did", "without", "alone")]
    body = [
        [
            control(e.control),
            t("attacks.effects.first" if e.first else "attacks.effects.fired")
            if e.fired
            else t("attacks.effects.silent"),
            t("attacks.effects.breaks" if e.breaks_without else "attacks.effects.same"),
            t("word.yes" if e.stops_alone else "word.no"),
        ]
        for e in telling
    ]
    safe.render(safe.table(head, body, caption=t("attacks.effects")))


def _stored(found: view.Case) -> None:
    st.header(t("attacks.view"))
    st.text(t("attacks.view.lead"))
    st.code(found.view_digest, language=None, wrap_lines=True)
    with st.expander(t("attacks.view.json"), on_change="rerun", key="attacks.view") as opened:
        if not opened.open:
            return
        if found.view is None:
            st.text(t("attacks.view.long", n=formats.count(found.view_length)))
        else:
            safe.json(found.view)
