from __future__ import annotations

import streamlit as st

from ragdash.ui import (
    access,
    address,
    against,
    detail,
    frame,
    golds,
    judging,
    numbers,
    repeats,
    safe,
    walk,
)
from ragdash.ui.i18n import t
from ragdash.views import endpoints, triage
from ragdash.views import question as view

access.require()
st.title(t("question.title"))
shown = frame.require_view()
listed = {q.question_id: q for q in view.picker(shown.cursor)}
ids = list(listed)

filters = walk.asked(shown)
left, right = st.columns([3, 2], gap="medium", vertical_alignment="bottom")
with left:
    asked = address.one("q", t("question.pick"), ids, detail.option(listed), "question")
with right:
    if filters is None:
        address.step("q", ids, asked)
    else:
        listing = triage.ids(against.cursor(shown, filters.base), filters)
        address.step("q", listing, asked, "question.at.filtered")
if filters is not None:
    walk.leave(shown, filters)
mode = frame.mode_control(shown, with_all=False) or shown.facts.modes[0]

found = view.detail(shown.cursor, mode, asked)
if found is None:
    st.warning(t("question.no_row"))
    st.stop()
judging.banner(shown)
detail.heading(found, mode)
detail.diagnosis(found)

left, right = st.columns(2, gap="medium")
with left.container(border=True, height="stretch"):
    st.header(t("question.answer"))
    detail.answer(found)
with right.container(border=True, height="stretch"):
    st.header(t("question.gold"))
    golds.gold(found)

st.header(t("question.verdicts"))
left, right = st.columns(2, gap="medium")
with left:
    safe.render(detail.verdicts(found, gates=True))
with right:
    safe.render(detail.verdicts(found, gates=False))

made = endpoints.of_question(shown.cursor, shown.facts, mode, asked)
names = ("chunks", "numbers", "trace", "citations", "judge", "raw")
tabs = st.tabs([t(f"question.tab.{name}") for name in names])
with tabs[0]:
    detail.chunks(found)
with tabs[1]:
    numbers.table(found)
with tabs[2]:
    detail.trace(found, view.trace(shown.cursor, mode, asked))
with tabs[3]:
    detail.citations(found)
with tabs[4]:
    repeats.tab(found, made)
with tabs[5]:
    detail.raw(found, made)
