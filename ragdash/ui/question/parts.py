"""The tabs of the Question page: only the open one is computed, and it alone is drawn anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import frame, notes
from ragdash.ui import tabs as lazily
from ragdash.ui.question import history, numbers, passages, records, repeats, tracing
from ragdash.ui.review import reviewing
from ragdash.views import endpoints
from ragdash.views import trace as ranks

if TYPE_CHECKING:
    from ragdash.views.endpoints import CallRow
    from ragdash.views.query import Cursor
    from ragdash.views.question import Detail


@st.fragment
def tabs(shown: frame.View, mode: str, found: Detail) -> None:
    """Show what is kept of a question: chunks, numbers, trace, calls, records, reviews."""
    asked = found.result["question_id"]

    def cursor() -> Cursor:
        # A fragment runs again on its own, and a cursor is for one script run.
        with notes.faults_shown():
            return frame.open_run(shown.run)

    def made() -> list[CallRow]:
        return endpoints.of_question(cursor(), shown.facts, mode, asked)

    def raw() -> None:
        records.rescoring(shown.ref)
        records.raw(found, made())

    lazily.lazy(
        {
            "chunks": lambda: passages.chunks(found, shown.facts),
            "numbers": lambda: numbers.table(found),
            "trace": lambda: tracing.trace(found, ranks.trace(cursor(), mode, asked)),
            "citations": lambda: records.citations(found),
            "judge": lambda: repeats.tab(found, made()),
            "raw": raw,
            "history": lambda: history.tab(shown, asked),
            "reviews": lambda: reviewing.tab(shown, mode, asked),
        },
    )
