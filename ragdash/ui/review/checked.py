"""The spot checks of a question as the Reviews tab lists them: every one, whoever holds to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.store.effective import valid_checks
from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import t, term
from ragdash.ui.spot_checks import told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.spot_check import SpotCheck


def listing(checks: Sequence[SpotCheck]) -> None:
    """Show the checks of one question in every mode and version, the newest first."""
    if not checks:
        return
    st.header(t("review.checks"))
    held = {check.number for check in valid_checks(checks)}
    for check in reversed(checks):
        with st.container(border=True):
            safe.render(_line(check))
            if check.judgement.note:
                safe.text(check.judgement.note, key=f"checked.{check.number}")
            safe.render(chips.muted(" · ".join(_about(check, check.number in held))))


def _line(check: SpotCheck) -> safe.Markup:
    said = check.judgement
    return chips.spaced(
        chips.badge(term("fit", said.fit.value)),
        chips.strong(safe.plain(check.reviewer)),
        formats.when(check.at),
        chips.muted(t("check.sure", how=term("confidence", said.confidence.value))),
    )


def _about(check: SpotCheck, is_held: bool) -> list[str]:
    """Return where it was said, of what, what the rule had said, and whether it is held to."""
    said = check.judgement
    named = (said.asked, said.gold, said.answered)
    parts = [
        check.key.mode,
        t("review.of_version", n=check.version),
        " / ".join(term("caliber", one.value) for one in named),
        t("review.rule.score", value=term("rule", check.rule.value)),
        t("review.rule.outcome", outcome=term("outcome", check.outcome.value)),
        t("check.blind.yes" if check.blind else "check.blind.no"),
    ]
    if said.doc_id is not None:
        parts.append(told.evidence(said, {}))
    if not is_held:
        parts.append(t("review.superseded"))
    return parts
