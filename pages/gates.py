from __future__ import annotations

import streamlit as st

from ragdash.ui import access, frame, safe
from ragdash.ui.gates import gating
from ragdash.ui.i18n import t

access.require()
st.title(t("gates.title"))
shown = frame.require_view()
mode = frame.mode_control(shown, with_all=False) or shown.facts.modes[0]
st.text(t("gates.lead"))
base = gating.base_control(shown, mode)

found = gating.verdict(shown, mode, base)
safe.render(gating.heading(found))
safe.render(gating.table(shown, mode, found))
safe.render(gating.meaning())
gating.same(found, base)
