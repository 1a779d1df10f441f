from __future__ import annotations

import streamlit as st

from ragdash.ui import access, address, against, chips, frame, safe, triaging
from ragdash.ui.i18n import t
from ragdash.views import triage as view
from ragdash.views.compare import FAILED_LAYERS

access.require()
st.title(t("triage.title"))
shown = frame.require_view()

mode = frame.mode_control(shown, with_all=True)
base = against.asked(shown, mode)
if base and mode:
    against.banner(shown, mode, base)
left, right = st.columns(2, gap="medium")
with left:
    outcomes = address.many("outcome", t("triage.outcome"), list(chips.OUTCOMES), "outcome")
with right:
    layers = address.many("layer", t("triage.layer"), list(FAILED_LAYERS), "layer")

changes = against.changes(base)
filters = view.Filters(mode, outcomes, layers, against.ref(base) if base else None, changes)
cursor = against.cursor(shown, filters.base)
found = view.listing(cursor, filters, address.page_asked())
st.text(t("triage.shown", n=found.matching, total=found.total))
address.page_note(found.pages)
if found.questions:
    safe.render(triaging.listing(shown, filters, found))
    address.page_number(found.pages)
else:
    st.info(t("triage.none"))
