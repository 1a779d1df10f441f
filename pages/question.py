from __future__ import annotations

import streamlit as st

from ragdash.ui import access, address, frame, notes, safe
from ragdash.ui.i18n import t
from ragdash.ui.judge import judging
from ragdash.ui.question import beside, detail, golds, parts
from ragdash.ui.review import people
from ragdash.ui.triage import walk
from ragdash.views import question as view

access.require()
st.title(t("question.title"))
shown = frame.require_view()
listed = {q.question_id: q for q in view.picker(shown.cursor)}
ids = list(listed)
if not ids:
    st.info(t("question.no_questions"))
    st.stop()

filters = walk.asked(shown)
left, right = st.columns([3, 2], gap="medium", vertical_alignment="bottom")
with left:
    asked = address.one("q", t("question.pick"), ids, detail.option(listed), "question")
with right:
    if filters is None:
        address.step("q", ids, asked)
    else:
        address.step("q", walk.ids(shown, filters), asked, "question.at.filtered")
if filters is not None:
    walk.leave(shown, filters)
left, right = st.columns([3, 2], gap="medium", vertical_alignment="bottom")
with left:
    mode = frame.mode_control(shown, with_all=False) or shown.facts.modes[0]
with right:
    beside.control(shown, mode)

with notes.faults_shown():
    said = people.of(shown.run.run_id, shown.run.version)
found = view.detail(shown.cursor, mode, asked, said)
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

left, right = st.columns(2, gap="medium")
with left.container(border=True, height="stretch"):
    st.header(t("question.verdicts.gates"))
    safe.render(detail.verdicts(found, gates=True))
with right.container(border=True, height="stretch"):
    st.header(t("question.verdicts.others"))
    safe.render(detail.verdicts(found, gates=False))

other = beside.asked(shown, mode, asked)
if other is not None:
    beside.panel(shown, mode, found, other)
parts.tabs(shown, mode, found)
