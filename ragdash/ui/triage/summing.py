"""The summary of a triage: counts by layer, people against the rule, and both files of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.review import Verdict
from ragdash.ui import formats, safe
from ragdash.ui.i18n import t, term
from ragdash.ui.triage import summary_files
from ragdash.views import triage
from ragdash.views import triage_summary as view

if TYPE_CHECKING:
    from ragdash.ui.triage.triaging import Bench
    from ragdash.views.triage_summary import Reviewed, Summary


def summary(made: Bench) -> None:
    """Show what people have found among the rows of the list so far, and offer it as a file."""
    among = triage.narrowed(made.cursor, made.filters, made.people)
    found = view.summary(made.shown.cursor, made.filters.mode, made.reviews, made.people, among)
    st.header(t("summary.title"))
    if among is not None:
        st.text(t("summary.over"))
    if not found.reviews:
        st.text(t("summary.none"))
        if found.overridden:
            st.text(t("summary.overridden", n=found.overridden))
        return
    said = sentences(found)
    for sentence in said:
        st.text(sentence)
    st.text(t("summary.lead"))
    head, body = counts(found)
    safe.render(
        safe.table(head, body, caption=t("summary.table"), numeric=frozenset(range(1, len(head))))
    )
    name = made.shown.of_mode(made.filters.mode)
    file = name.replace(":", "-")
    with st.container(horizontal=True):
        for kind, mime, write in (
            ("md", "text/markdown", summary_files.markdown),
            ("html", "text/html", summary_files.html_page),
        ):
            text = summary_files.Text(
                title=t("summary.of", name=name),
                sentences=said if among is None else [t("summary.over"), *said],
                head=head,
                counts=body,
                columns=[t(f"summary.col.{column}") for column in COLUMNS],
                reviews=[_cells(one) for one in found.reviews],
                lang="zh-CN" if t("summary.lang") == "zh" else "en",
            )
            st.download_button(
                t(f"summary.{kind}"),
                write(text).encode("utf-8", "surrogatepass"),
                file_name=f"triage-{file}.{kind}",
                mime=mime,
                on_click="ignore",
                key=f"summary.{kind}",
            )


COLUMNS = ("question", "mode", "rule", "verdict", "flag", "reviewer", "at", "note")


def sentences(found: Summary) -> list[str]:
    """Return what the counts say: how much is reviewed, and how far people and rule agree."""
    return [
        t("summary.reviewed", k=found.failed_reviewed, n=found.failed),
        t("summary.agreed", k=found.agreed, n=found.compared)
        if found.compared
        else t("summary.agreed.none"),
        *([t("summary.undecided", n=found.undecided)] if found.undecided else []),
        *([t("summary.shared", k=found.disputed, n=found.shared)] if found.shared else []),
        *([t("summary.overridden", n=found.overridden)] if found.overridden else []),
    ]


def counts(found: Summary) -> tuple[list[str], list[list[str]]]:
    """Return head and rows: a row a layer, what the rule placed there, and what people did."""
    said = [verdict.value for verdict in Verdict]
    head = [
        t("summary.layer"),
        t("summary.rule"),
        t("summary.people"),
        *(t("summary.both", verdict=term("verdict", code)) for code in said),
    ]
    body = []
    for code in said:
        pairs = [found.pairs.get((code, verdict), 0) for verdict in said]
        counts_ = (found.rule.get(code, 0), found.people.get(code, 0), *pairs)
        body.append([term("verdict", code), *(str(n) for n in counts_)])
    return head, body


def _cells(one: Reviewed) -> list[str]:
    review, opinion = one.review, one.review.opinion
    return [
        f"{review.key.question_id} {one.text}",
        review.key.mode,
        term("layer", review.rule_layer or "none"),
        term("verdict", opinion.verdict.value) if opinion.verdict else formats.DASH,
        t("word.yes") if opinion.flag else "",
        review.reviewer,
        review.at,
        opinion.note,
    ]
