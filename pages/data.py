from __future__ import annotations

import streamlit as st

from ragdash.ui import access, frame, notes, tabs
from ragdash.ui.corpus import documents, passages, sets
from ragdash.ui.i18n import t

access.require()
st.title(t("data.title"))
shown = frame.require_view()
with notes.faults_shown():
    tabs.lazy(
        {
            "sets": lambda: sets.sets(shown),
            "documents": lambda: documents.documents(shown),
            "gold": lambda: passages.passages(shown),
        },
        words="data.tab",
    )
