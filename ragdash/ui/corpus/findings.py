"""What ingest recorded of one document, with its first cases and their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import chips, formats, frame, safe
from ragdash.ui.i18n import t, term

if TYPE_CHECKING:
    from ragdash.ingest.quality import Example
    from ragdash.ingest.survey import SurveyedDocument


def examples(shown: frame.View, document: SurveyedDocument) -> None:
    """Show the findings of a document, folded; a case opens its page. Nothing for none."""
    if document.quality is None or not document.quality.findings:
        return
    body = [
        [
            term("finding", finding.kind.value),
            formats.count(finding.count),
            chips.lines(*(_case(shown, document.source.doc_id, one) for one in finding.examples)),
        ]
        for finding in document.quality.findings
    ]
    head = [t(f"data.findings.{name}") for name in ("kind", "n", "examples")]
    with st.expander(t("data.findings")):
        safe.render(safe.table(head, body, caption=t("data.findings"), numeric=frozenset({1})))


def _case(shown: frame.View, doc_id: str, one: Example) -> safe.Markup:
    parts: list[str] = []
    if one.page:
        where = {"run": shown.ref, "tab": "documents", "doc": doc_id, "leaf": str(one.page)}
        parts += [chips.link(f"P{one.page}", "data", **where), " "]
    parts.append(safe.plain(one.text))
    if one.note:
        parts.append(chips.aside(safe.plain(one.note)))
    return safe.join(parts)
