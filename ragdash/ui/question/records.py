"""What is stored of an answer as it is: citations, prompt, raw reply, scores, facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import chips, commands, formats, safe
from ragdash.ui.i18n import t
from ragdash.ui.judge import calls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.views.endpoints import CallRow
    from ragdash.views.question import Detail, ScoreRow


def citations(found: Detail) -> None:
    """Show each citation with its three verdicts."""
    if not found.citations:
        st.info(t("citation.none"))
        return
    names = ("text", "names", "well_formed", "resolves", "supports")
    rows = [
        [
            safe.plain(c.text),
            safe.plain(" · ".join([c.company, c.label, *(f"P{p}" for p in c.pages)])),
            _flag(c.well_formed),
            _flag(c.resolves),
            _flag(c.supports),
        ]
        for c in found.citations
    ]
    head = [t(f"citation.{name}") for name in names]
    safe.render(safe.table(head, rows, caption=t("citation.table")))


def _flag(value: bool | None) -> str:
    if value is None:
        return formats.DASH
    return chips.verdict(value, t("word.yes") if value else t("word.no"))


def rescoring(ref: str) -> None:
    """Show the command that scores the gates of a run again, to be copied."""
    st.text(t("raw.rescore"))
    commands.show(commands.line("rescore", ref, "--gates-only"))


def raw(found: Detail, made: Sequence[CallRow]) -> None:
    """Show the stored records as they are: prompt, reply, scores, facts."""
    result = found.result
    retrieve, generate = result["retrieve_seconds"], result["generate_seconds"]
    st.text(t("raw.timing", retrieve=formats.seconds(retrieve), generate=formats.seconds(generate)))
    for call in made:
        if call.stage == "generate":
            safe.render(calls.facts(call))
    st.header(t("raw.prompt"))
    if result["prompt"]:
        safe.verbatim(result["prompt"], key="prompt")
    else:
        st.text(t("raw.prompt.none"))
    st.header(t("raw.reply"))
    safe.verbatim(result["raw"], key="raw")
    with st.expander(t("raw.scores")):
        safe.json(
            [
                {
                    "metric": s.metric,
                    "repeat": s.repeat,
                    "value": s.value,
                    "status": s.status,
                    "reason": s.reason,
                    "judge": s.judge,
                    **_ruled(s),
                    "evidence": s.evidence,
                }
                for s in found.scores
            ]
        )
    if result["diagnosis_facts"] is not None:
        with st.expander(t("raw.diagnosis")):
            safe.json(result["diagnosis_facts"])


def _ruled(score: ScoreRow) -> dict[str, object]:
    """Return what the rule had said, and who decided otherwise; nothing where it is the rule's."""
    ruled = score.overridden
    if ruled is None:
        return {}
    return {
        "by": ruled.by,
        "rule_value": ruled.value,
        "rule_status": ruled.status,
        "rule_reason": ruled.reason,
    }
