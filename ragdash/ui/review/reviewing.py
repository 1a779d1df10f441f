"""The Reviews tab of a question: everything people have said of it, and the form to say more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.review import ReviewKey
from ragdash.store.effective import valid
from ragdash.store.layout import store_dir
from ragdash.store.reviews import reviews_of
from ragdash.store.spot_checks import checks_of
from ragdash.ui import chips, notes, safe
from ragdash.ui.i18n import t, term
from ragdash.ui.review import checked, told, verdicts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.review import Review
    from ragdash.ui import frame


def tab(shown: frame.View, mode: str, question_id: str) -> None:
    """Show the reviews of one question in every mode and version, and the form for this mode.

    A fragment: saving runs the tab and not the page around it. The keys of Triage are not taken.
    """
    run = shown.run
    st.fragment(_tab)(ReviewKey(run.run_id, run.version, mode, question_id))


def _tab(key: ReviewKey) -> None:
    with notes.faults_shown():
        reviews = reviews_of(store_dir(None), key.run_id, question_id=key.question_id)
        mine = [r for r in reviews if (r.key.version, r.key.mode) == (key.version, key.mode)]
        form = verdicts.Form(key, tuple(mine), by_key=False)
        with st.container(border=True):
            st.header(t("review.title", mode=key.mode))
            verdicts.bar(form)
            verdicts.rest(form)
        _listing(reviews)
        checks = checks_of(store_dir(None), key.run_id, question_id=key.question_id)
        checked.listing(checks)


def _listing(reviews: Sequence[Review]) -> None:
    if not reviews:
        st.info(t("review.none"))
        return
    st.header(t("review.history"))
    held = {review.number for review in valid(reviews)}
    for review in reversed(reviews):
        _review(review, review.number in held)


def _review(review: Review, is_held: bool) -> None:
    where: list[str] = [review.key.mode, t("review.of_version", n=review.key.version)]
    where.append(t("review.rule", layer=term("layer", review.rule_layer or "none")))
    if not is_held:
        where.append(t("review.superseded"))
    with st.container(border=True):
        safe.render(told.line(review, with_note=False))
        if review.opinion.note:
            safe.text(review.opinion.note, key=f"review.{review.number}")
        safe.render(chips.muted(" · ".join(where)))
