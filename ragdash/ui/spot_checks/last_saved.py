"""What was saved a moment ago: told below the form that has opened since, under its own id."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.ui import chips, safe
from ragdash.ui.i18n import t, term
from ragdash.ui.spot_checks import desk, drafts, form, told
from ragdash.views import spot_check_item as item_view

if TYPE_CHECKING:
    from ragdash.core.spot_check import CheckKey
    from ragdash.ui.spot_checks.checking import Bench


def show(made: Bench, opened: str) -> None:
    """Say once what has been saved, where the list goes on, and what others have said of it.

    Args:
        made: the bench.
        opened: the question that is open now.
    """
    key: CheckKey | None = st.session_state.pop(drafts.SAVED, None)
    if key is None or (key.run_id, key.mode) != (made.shown.run.run_id, made.mode):
        return
    checks = made.checks_of(key.question_id)
    own = next((check for check in checks if check.reviewer == made.viewer), None)
    if own is None:
        return
    words = t("check.saved", fit=term("fit", own.judgement.fit.value))
    name = chips.strong(safe.plain(key.question_id))
    safe.render(chips.spaced(name, chips.verdict(True, words), told.agreed(checks)))
    st.text(_where(made, key.question_id, opened))
    standing = made.standing(key.question_id)
    # Of the question that is open it stands below anyhow.
    if key.question_id == opened or len(checks) < 2 or standing is None:
        return
    documents = item_view.documents(made.cursor, key.question_id)
    known = {one.doc_id: form.document(one) for one in documents}
    desk.saw([key])
    safe.render(name)
    safe.render(told.beside(checks, standing, made.viewer, known))


def _where(made: Bench, saved: str, opened: str) -> str:
    """Return in words how the list went on: to the next one, over its end, or nowhere."""
    if saved == opened:
        return t("check.saved.end")
    ids = [entry.item.question_id for entry in made.entries]
    over = saved in ids and opened in ids and ids.index(opened) < ids.index(saved)
    return t("check.saved.over" if over else "check.saved.next", id=safe.plain(opened))
