from __future__ import annotations

import streamlit as st

from ragdash.ui import access, frame
from ragdash.ui.funnel import ablating, passing
from ragdash.ui.i18n import t
from ragdash.ui.review import people
from ragdash.views import funnel as view

access.require()
st.title(t("funnel.title"))
shown = frame.require_view()
st.text(t("funnel.lead"))
said = people.of(shown.run.run_id, shown.run.version)
passing.passages(shown, view.funnels(shown.cursor, shown.facts.modes, said))

st.header(t("ablation.title"))
ablating.ablations(shown)
