"""The question that is open on the bench: answer, gold, why it was lost, and the form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.review import ReviewKey
from ragdash.ui import chips, safe
from ragdash.ui.i18n import t
from ragdash.ui.question import detail, golds
from ragdash.ui.review import told, verdicts
from ragdash.ui.triage import rows, walk
from ragdash.views import question as view
from ragdash.views import triage

if TYPE_CHECKING:
    from ragdash.ui.triage.triaging import Bench
    from ragdash.views.question import Detail

_STEPS = ("dense", "bm25", "fused", "rerank", "final")


def question(made: Bench, question_id: str) -> None:
    """Show one question of the list in one mode, with the way to the next and its review."""
    mode = _mode(made, question_id)
    found = view.detail(made.shown.cursor, mode, question_id, made.people)
    if found is None:
        st.warning(t("question.no_row"))
        return
    form = _form(made, question_id, mode)
    _steps(made, question_id)
    verdicts.bar(form)
    with st.container(border=True):
        detail.heading(found, mode)
        safe.render(_links(made, question_id, mode))
        detail.diagnosis(found)
        left, right = st.columns(2, gap="medium")
        with left:
            st.header(t("question.answer"))
            detail.answer(found)
        with right:
            st.header(t("question.gold"))
            golds.gold(found)
        if found.question["answerable"]:
            safe.render(_ranks(found))
    with st.container(border=True):
        st.header(t("review.title", mode=mode))
        safe.render(told.said(form.reviews))
        verdicts.rest(form)


def _mode(made: Bench, question_id: str) -> str:
    """Return the mode filtered for, else the first one for which the filter holds."""
    modes = made.shown.facts.modes
    if made.filters.mode is not None:
        return made.filters.mode
    told = {
        result.mode: result.hit
        for result in triage.results(made.cursor, made.filters, question_id, made.people)
    }
    failed = [mode for mode in modes if told.get(mode)]
    return next(iter(failed), modes[0])


def _links(made: Bench, question_id: str, mode: str) -> safe.Markup:
    where = {"run": made.shown.of_mode(mode), "q": question_id}
    return chips.spaced(
        chips.link(t("triage.full"), "question", **where, **walk.params(made.filters))
    )


def _ranks(found: Detail) -> safe.Markup:
    """Return the best rank of any gold chunk at each step."""
    ranks = [found.result[f"gold_{step}_rank"] for step in _STEPS]
    return safe.table(
        [t("trace.best"), *(t(f"trace.{step}") for step in _STEPS)],
        [[t("trace.gold"), *("–" if rank is None else str(rank) for rank in ranks)]],
        caption=t("trace.best.table"),
        numeric=frozenset(range(1, 6)),
    )


def _steps(made: Bench, question_id: str) -> None:
    ids = made.ids
    at = ids.index(question_id) if question_id in ids else -1
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            t("question.previous"),
            disabled=at <= 0,
            on_click=rows.open_,
            args=(ids[max(at - 1, 0)] if ids else question_id,),
            shortcut="K",
            key="triage.previous",
        )
        st.button(
            t("question.next"),
            disabled=at == len(ids) - 1,
            on_click=rows.open_,
            args=(_after(made, question_id),),
            shortcut="J",
            key="triage.next",
        )
        outside = t("question.outside", n=len(ids))
        place = outside if at < 0 else t("question.at", i=at + 1, n=len(ids))
        st.text(place, width="content")
        st.button(
            t("triage.help"),
            on_click=_toggle_help,
            type="tertiary",
            shortcut="H",
            key="triage.help.toggle",
        )
    if st.session_state.get("triage.help.shown"):
        safe.render(_help())


def _toggle_help() -> None:
    st.session_state["triage.help.shown"] = not st.session_state.get("triage.help.shown")


def _help() -> safe.Markup:
    keys = {
        "J": t("question.next"),
        "K": t("question.previous"),
        **{key: t(f"verdict.{verdict.value}") for verdict, key in verdicts.KEYS.items()},
        "Enter": t("review.save.next"),
        "X": t("review.flag"),
        "H": t("triage.help"),
    }
    return chips.facts(
        {key: safe.plain(words) for key, words in keys.items()}, label=t("triage.help.table")
    )


def _after(made: Bench, question_id: str) -> str:
    """Return the next question of the list as it is now; the last one has none and stays open."""
    ids = made.ids
    if question_id not in ids:
        return ids[0] if ids else question_id
    return ids[min(ids.index(question_id) + 1, len(ids) - 1)]


def _form(made: Bench, question_id: str, mode: str) -> verdicts.Form:
    run = made.shown.run
    mine = [r for r in made.reviews if (r.key.mode, r.key.question_id) == (mode, question_id)]
    following = _after(made, question_id)

    def then() -> None:
        rows.open_(following)

    key = ReviewKey(run.run_id, run.version, mode, question_id)
    return verdicts.Form(key, tuple(mine), then=then)
