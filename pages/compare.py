from __future__ import annotations

import streamlit as st

from ragdash.ui import access, chips, frame, notes, safe, sides, standing
from ragdash.ui.compare import comparing, losses
from ragdash.ui.i18n import t
from ragdash.ui.judge import judging
from ragdash.views import comparison as view

access.require()
st.title(t("compare.title"))
shown = frame.require_view()
asked = sides.base_asked(shown)
with notes.faults_shown():
    found = sides.of(shown, asked)
sides.control(shown, asked)
standing.heading(found, sides.other_modes(shown, asked, found))

judging.banner(shown)
rows = found.found.rows
comparing.separation(rows, found.base)

with st.container(border=True):
    st.header(t("compare.outcomes"))
    safe.render(chips.legend())
    safe.render(comparing.outcome_table(found, view.outcomes(found.opened)))

comparing.section(found, "gates")

left, right = st.columns([3, 2], gap="medium")
with left.container(border=True, height="stretch"):
    st.header(t("compare.chart"))
    st.text(t("compare.chart.lead"))
    comparing.shares(found)
with right.container(border=True, height="stretch"):
    st.header(t("compare.layers"))
    losses.layers(found, view.layers(found.opened), view.outcomes(found.opened))
with st.container(border=True):
    st.header(t("compare.changed"))
    losses.changed(found)
with st.container(border=True):
    st.header(t("compare.slopes"))
    losses.slopes(found)
with st.container(border=True):
    st.header(t("compare.refusals"))
    st.text(t("compare.refusals.lead"))
    safe.render(losses.refusals(view.refusals(found.opened), found.names))

comparing.section(found, "retrieval")
comparing.section(found, "judge")
comparing.section(found, "signals")
comparing.section(found, "given")
