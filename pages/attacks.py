from __future__ import annotations

import streamlit as st

from ragdash.ui import access, address, safe
from ragdash.ui.attacks import attack_limits, attack_rates, attacked, attacking, pipelining
from ragdash.ui.i18n import t
from ragdash.views import attack_case
from ragdash.views import attacks as view

access.require()
st.title(t("attacks.title"))
shown = attacking.require_run()

asked = attacked.asked(shown)
if asked is not None and (found := attack_case.case(shown.cursor, asked)):
    attacked.walk(shown, asked, attacking.asked_filters(shown))
    attacked.show(shown, found)
    st.stop()

attack_limits.key_check(shown)
attack_rates.errors(shown)

st.header(t("attacks.cases"))
st.text(t("attacks.cases.lead"))
filters = attacking.filters(shown)
grid = view.grid(shown.cursor, filters, address.page_asked())
st.text(t("attacks.cases.shown", n=grid.matching, total=grid.total))
address.page_note(grid.pages)
safe.render(attacking.grid(shown, grid, filters))
address.page_number(grid.pages)

pipelining.section(shown)

if attack_rates.refused(shown, filters):
    st.stop()
rates = view.rates(shown.cursor)
left, right = st.columns([3, 2], gap="medium")
with left.container(border=True, height="stretch"):
    attack_rates.failures(shown, rates)
with right.container(border=True, height="stretch"):
    attack_rates.abstention(shown, rates)
with st.container(border=True):
    attack_rates.by_class(shown)
attack_rates.open_cases(shown)
attack_rates.every_rate(shown, rates)
attack_rates.orders(shown)
attack_rates.controls(shown, rates)
attack_rates.sweep(shown)
attack_limits.establishes(shown, rates)
pipelining.absent(shown)
