from __future__ import annotations

import streamlit as st

from ragdash.ui import access, against, frame
from ragdash.ui.i18n import t
from ragdash.ui.triage import triaging

access.require()
st.title(t("triage.title"))
shown = frame.require_view()

mode = frame.mode_control(shown, with_all=True)
base = against.asked(shown, mode)
if base and mode:
    against.banner(shown, mode, base)
triaging.bench(shown, mode, base)
