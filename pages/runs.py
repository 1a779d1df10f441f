from __future__ import annotations

import streamlit as st

from ragdash.ui import access, chips, frame, notes, safe
from ragdash.ui.i18n import t
from ragdash.ui.runs import listing, ticking

access.require()
st.title(t("runs.title"))
with notes.faults_shown():
    listing.live()
    finished, attacks = frame.run_lists()

if not finished and not attacks:
    notes.empty_store()
frame.run_note()

if finished:
    st.header(t("runs.finished"))
    st.text(t("runs.lead"))
    safe.render(chips.legend())
    page = listing.paged(finished)
    ticking.offered(ticking.ticked(page))
    safe.render(listing.runs_table(page))
if attacks:
    st.header(t("runs.attacks"))
    safe.render(listing.attack_runs_table(attacks))
