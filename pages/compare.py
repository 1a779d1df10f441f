from __future__ import annotations

import streamlit as st

from ragdash.charts import compare as charts
from ragdash.ui import access, chips, comparing, frame, judging, safe
from ragdash.ui.i18n import t
from ragdash.views import compare as view

access.require()
st.title(t("compare.title"))
shown = frame.require_view()
modes = shown.facts.modes
st.text(t("compare.factor") if len(modes) > 1 else t("compare.one"))

judging.banner(shown)
base = comparing.base_control(modes)
rows = view.metric_rows(shown.cursor, modes, base)
comparing.separation(rows, base)

with st.container(border=True):
    st.header(t("compare.outcomes"))
    safe.render(chips.legend())
    safe.render(comparing.outcome_table(shown, view.outcome_counts(shown.cursor)))

comparing.section(rows, modes, base, "gates")

left, right = st.columns([3, 2], gap="medium")
with left.container(border=True, height="stretch"):
    st.header(t("compare.chart"))
    st.text(t("compare.chart.lead"))
    st.altair_chart(charts.shares(*comparing.chart_data(rows, modes)), width="stretch")
with right.container(border=True, height="stretch"):
    st.header(t("compare.layers"))
    comparing.layers(shown, view.layer_counts(shown.cursor))
with st.container(border=True):
    st.header(t("compare.changed"))
    comparing.changed(shown, rows, base)
with st.container(border=True):
    st.header(t("compare.refusals"))
    st.text(t("compare.refusals.lead"))
    safe.render(comparing.refusals(view.refusal_table(shown.cursor), modes))

comparing.section(rows, modes, base, "retrieval")
comparing.section(rows, modes, base, "judge")
comparing.section(rows, modes, base, "signals")
