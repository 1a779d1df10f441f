"""The gold of a question: as stated, its figures with unit and caliber, and its pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import t, term
from ragdash.ui.question import numbers
from ragdash.ui.question.evidence import gold_places

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragdash.views.question import Detail


def gold(found: Detail) -> None:
    """Show the gold as stated, its figures with unit and caliber, and its pages."""
    question = found.question
    if not question["answerable"]:
        st.text(t("question.gold.none"))
        return
    if question["gold_text"] or not (found.golds or found.evidence):
        _as_stated(found)
    if found.golds:
        head = [t("question.figure"), t("question.caliber")]
        rows = [
            [
                formats.amount(
                    g["value_text"], safe.plain(g["unit"]), gold_places(g, question["gold_text"])
                ),
                _caliber(g),
            ]
            for g in found.golds
        ]
        safe.render(safe.table(head, rows, caption=t("question.gold.table")))
    if found.evidence:
        pages = chips.lines(*(safe.plain(page) for page in found.evidence))
        safe.render(chips.lines(chips.muted(t("question.gold.pages")), pages))


def _as_stated(found: Detail) -> None:
    """Show the gold's own words, or that there are none and nothing else either."""
    question = found.question
    if not question["gold_text"]:
        st.text(t("question.gold.not_given"))
        return
    read = numbers.of_gold(found)
    safe.text(question["gold_text"], key="gold", lang=question["lang"], spans=numbers.marks(read))
    safe.render(numbers.beside(read, label=t("numbers.table.gold")))


def _caliber(row: Mapping[str, str | None]) -> str:
    # Scope and attribution are codes of ours; metric and period are the question set's words.
    words = (
        row["metric"],
        term("scope", row["scope"] or ""),
        term("attribution", row["attribution"] or ""),
        row["period"],
    )
    return safe.plain(" · ".join(word for word in words if word) or formats.DASH)
