from __future__ import annotations

import streamlit as st

from ragdash.ui import access, frame
from ragdash.ui.i18n import t
from ragdash.ui.spot_checks import checking

access.require()
st.title(t("reviews.title"))
shown = frame.require_view()
mode = frame.mode_control(shown, with_all=False) or shown.facts.modes[0]
checking.bench(shown, mode)
