from __future__ import annotations

import streamlit as st

from ragdash.ui import access, frame, safe
from ragdash.ui.compare import comparing
from ragdash.ui.i18n import t
from ragdash.ui.judge import calls, crossing, failing, judging, spreading
from ragdash.views import endpoints
from ragdash.views import judge as view

access.require()
st.title(t("judging.title"))
shown = frame.require_view()
modes = shown.facts.modes
asked = endpoints.asked(shown.cursor, shown.facts)
judged = view.failures(shown.cursor).tried > 0 or any(one.role == "judge" for one in asked)

if judged:
    st.text(t("judging.lead"))
else:
    judging.unjudged(shown)
if asked:
    st.header(t("judging.who"))
    judging.who(shown, asked)
if judged:
    base = comparing.base_control(modes) if len(modes) > 1 else modes[0]
    found = view.signals(shown.cursor, modes, base)
    for signal in found:
        judging.signal(shown, signal, base)
    judging.notes(endpoints.readable(shown.cursor, shown.facts))
    spreading.shown_spreads(shown, modes)
    failing.failures(found, modes)
    st.header(t("judging.agreement"))
    judging.agreement(shown, view.agreement(shown.cursor, modes))
    st.header(t("judging.crossed"))
    crossing.matrix(shown, modes)

spent = endpoints.spent(shown.cursor, shown.facts)
if spent:
    st.header(t("call.title"))
    st.text(t("call.lead"))
    safe.render(calls.spending(spent))
