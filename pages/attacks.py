from __future__ import annotations

import streamlit as st

from ragdash.charts import attacks as charts
from ragdash.ui import access, attacking, frame, safe
from ragdash.ui.i18n import t
from ragdash.views import attacks as view

access.require()
st.title(t("attacks.title"))
shown = attacking.require_run()
rates = view.rates(shown.cursor)
cases = view.cases(shown.cursor)

st.header(t("attacks.cases"))
st.text(t("attacks.cases.lead"))
safe.render(attacking.case_table(shown, cases))

left, right = st.columns([3, 2], gap="medium")
with left.container(border=True, height="stretch"):
    st.header(t("attacks.failures"))
    st.text(t("attacks.failures.lead"))
    frame_ = attacking.in_words(view.rate_frame(rates, shown.policies, view.FAILURES))
    st.altair_chart(
        charts.failures(frame_, shown.policies, attacking.words("failure"), dark=frame.is_dark()),
        width="stretch",
    )
with right.container(border=True, height="stretch"):
    st.header(t("attacks.abstention"))
    st.text(t("attacks.abstention.lead"))
    frame_ = attacking.in_words(view.rate_frame(rates, shown.policies, (view.COST,)))
    st.altair_chart(
        charts.abstention(frame_, shown.policies, attacking.words("abstention")), width="stretch"
    )
    safe.render(attacking.split_table(rates, shown.policies))

st.header(t("attacks.rates"))
safe.render(attacking.rate_table(rates, shown.policies))
st.header(t("attacks.limits"))
attacking.limits(shown, view.zero_still_allows(shown.facts.n_questions))

st.header(t("attacks.detail"))
attacking.one_case(shown, cases)
