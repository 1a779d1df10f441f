"""What people have said, as lines, and what has just become of a key that was pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.store.effective import valid
from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import t, term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.review import Review

SAVED, LATE = "review.saved", "review.late"


def said(reviews: Sequence[Review]) -> safe.Markup:
    """Return one line a review that stands, the newest first; nothing where there is none."""
    return chips.lines(*(line(review) for review in reversed(valid(reviews))))


def line(review: Review, *, with_note: bool = True) -> safe.Markup:
    """Return a review as a line: verdict, flag, who, when, and the note below, cut to a cell."""
    opinion = review.opinion
    head: list[str] = []
    if opinion.verdict is not None:
        head.append(chips.badge(term("verdict", opinion.verdict.value)))
    if opinion.flag:
        head.append(chips.badge(t("review.flagged"), chips.BAD))
    head += [chips.strong(safe.plain(review.reviewer)), formats.when(review.at)]
    parts = [chips.spaced(*head)]
    if with_note and opinion.note:
        parts.append(
            safe.Markup(
                '<div style="white-space:pre-wrap;overflow-wrap:anywhere;max-width:76ch">'
                f"{safe.to_markup(opinion.note)}</div>"
            )
        )
    return chips.lines(*parts)


def saved_note() -> None:
    """Say once what has been saved."""
    saved = st.session_state.pop(SAVED, None)
    if saved is not None:
        question_id, verdict = saved
        words = t("review.saved", verdict=term("verdict", verdict or "none"))
        safe.render(chips.spaced(chips.verdict(True, words), safe.plain(question_id)))


def late_note() -> None:
    """Say once that a key came for a question that had just been saved."""
    late = st.session_state.pop(LATE, None)
    if late is not None:
        st.warning(t("review.late"))
        safe.text(late, key="review.late")


def changed_note(changed: tuple[str, str, bool] | None) -> None:
    """Say that Enter was held back: the layer before, the one chosen after it, whether it was."""
    if changed is not None and changed[2]:
        before, now = (term("verdict", code) for code in changed[:2])
        st.warning(t("review.changed", before=before, now=now))


def kept(name: str | None, *, held: bool) -> str:
    """Return the words on where what is begun is kept: in the store, in this session, nowhere."""
    if name is None:
        return "review.unkept"
    return "review.held" if held else "review.draft"
