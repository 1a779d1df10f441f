"""What becomes of a form: kept as a draft at every choice, saved once, and told in one line."""

from __future__ import annotations

import hashlib
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdash.core.errors import RagdashError
from ragdash.core.spot_check import CheckDraft, CheckProposal, Fit, Judgement
from ragdash.store.layout import store_dir
from ragdash.store.spot_check_desk import draft_of, drop_draft, keep_draft
from ragdash.store.spot_checks import save_check
from ragdash.ui import safe
from ragdash.ui.i18n import t, term
from ragdash.ui.review import reviewer
from ragdash.views.spot_check_item import completed

if TYPE_CHECKING:
    from ragdash.core.spot_check import Confidence, SpotCheck
    from ragdash.ui.spot_checks.form import Form

# Done: which form was saved last, until it is drawn again. Late: a key came for it after that.
_FAULT, _DONE, _LATE = "check.fault", "check.done", "check.late"
SAVED = "check.saved"
_ANNULLED = CheckDraft()


def opened(form: Form) -> None:
    """Take note that a form is drawn: what is pressed from now on is meant for it."""
    if st.session_state.get(_DONE) == form.mark:
        del st.session_state[_DONE]


def before(form: Form) -> CheckDraft:
    """Return what stands before anything is begun: the viewer's own check, or nothing."""
    return _ANNULLED if form.own is None else _judged(form.own)


def _judged(check: SpotCheck) -> CheckDraft:
    said = check.judgement
    return CheckDraft(**{one.name: getattr(said, one.name) for one in fields(CheckDraft)})


def of(form: Form, name: str | None) -> CheckDraft:
    """Return what the form shows; what could not be kept as a draft is kept in the session."""
    held: tuple[str | None, CheckDraft] | None = st.session_state.get(_hold_key(form))
    if held is None:
        return _stored(form, name)
    of_, draft = held
    if of_ is None and name is not None:
        draft = _joined(_stored(form, name), draft)
    if name is not None:
        _put(form, draft)
    return draft


def is_begun(form: Form, name: str | None) -> bool:
    """Return whether something has been chosen or written that is not saved yet."""
    return of(form, name) != before(form)


def _stored(form: Form, name: str | None) -> CheckDraft:
    if name is None:
        return _ANNULLED
    return draft_of(store_dir(None), form.key, name) or before(form)


def _joined(stored: CheckDraft, since: CheckDraft) -> CheckDraft:
    """Return what was begun under a name with what was begun since without one."""
    notes = dict.fromkeys(note for note in (stored.note, since.note) if note)
    newer = {
        one.name: value
        for one in fields(CheckDraft)
        if (value := getattr(since, one.name)) is not None
    }
    return replace(stored, **{**newer, "note": "\n".join(notes)})


def note_key(form: Form) -> str:
    """Return the key of the note's field: another reviewer has another note."""
    name = hashlib.sha256((reviewer.current() or "").encode()).hexdigest()[:8]
    return f"check.note.{form.mark}.{name}"


def _hold_key(form: Form) -> str:
    return f"check.draft.{form.mark}"


def _changed_key(form: Form) -> str:
    return f"check.changed.{form.mark}"


def _now(form: Form) -> CheckDraft:
    """Return the draft with the note as it stands in the field."""
    draft = of(form, reviewer.current())
    return replace(draft, note=str(st.session_state.get(note_key(form), draft.note)))


def _put(form: Form, draft: CheckDraft) -> None:
    """Keep a draft; where that is refused, keep it in this session and say why."""
    name = reviewer.current()
    st.session_state[_hold_key(form)] = (name, draft)
    if name is None:
        return
    try:
        keep_draft(store_dir(None), form.key, name, draft, reviewer.now())
    except RagdashError as error:
        st.session_state[_FAULT] = str(error)
        return
    del st.session_state[_hold_key(form)]


def chosen(form: Form, field: str, code: Fit | Confidence) -> None:
    """Take in a verdict or a confidence."""
    if _is_late(form):
        return
    draft = _now(form)
    was = draft.fit
    if field == "fit" and was not in (None, code) and draft != before(form):
        st.session_state[_changed_key(form)] = (was.value if was else "", code.value, False)
    new: dict[str, Any] = {field: code}
    if field == "fit" and code is not was:
        # It was named for the other verdict.
        new["answered"] = None
    _put(form, replace(draft, **new))


def picked(form: Form, field: str, key: str) -> None:
    """Take in what was chosen from a list, or typed as a page."""
    if _is_late(form):
        return
    draft, value = _now(form), st.session_state.get(key)
    if value == getattr(completed(draft, form.start), field):
        # A field that is drawn anew sends back what it was filled with, which nobody has chosen.
        return
    new: dict[str, Any] = {field: value}
    if field == "doc_id":
        new["page"] = form.start.page if value == form.start.doc_id else 1
    if field == "page":
        new["doc_id"] = completed(draft, form.start).doc_id
    _put(form, replace(draft, **new))


def noted(form: Form) -> None:
    """Take in the note."""
    _put(form, _now(form))


def _is_late(form: Form) -> bool:
    """Return whether a key came for a question that was saved while it was still on the screen."""
    if st.session_state.get(_DONE) != form.mark:
        return False
    st.session_state[_LATE] = form.key.question_id
    return True


def _is_held_back(form: Form) -> bool:
    """Return whether saving waits for a second Enter, as in Triage (ui/review/verdicts.py)."""
    changed: tuple[str, str, bool] | None = st.session_state.get(_changed_key(form))
    if changed is None or changed[2]:
        return False
    st.session_state[_changed_key(form)] = (*changed[:2], True)
    return True


def discard(form: Form) -> None:
    """Forget what was begun."""
    _clear(form)
    name = reviewer.current()
    if name is None:
        return
    try:
        drop_draft(store_dir(None), form.key, name)
    except RagdashError as error:
        st.session_state[_FAULT] = str(error)


def _clear(form: Form) -> None:
    for key in (_hold_key(form), note_key(form), _changed_key(form)):
        st.session_state.pop(key, None)


def save(form: Form) -> None:
    """Save the check and go on; where that is refused nothing is lost, and why is said."""
    if _is_late(form) or _is_held_back(form):
        return
    name, draft = reviewer.current(), _now(form)
    said = completed(draft, form.start)
    fault = None if name else t("review.name.first")
    if said.fit is None:
        fault = t("check.fit.first")
    elif said.asked is None or said.gold is None:
        fault = t("check.caliber.first")
    elif said.answered is None:
        fault = t("check.answered.first")
    if fault is not None or name is None:
        _put(form, draft)
        st.session_state[_FAULT] = fault
        return
    try:
        check = save_check(store_dir(None), _proposal(form, name, said))
    except RagdashError as error:
        _put(form, draft)
        st.session_state[_FAULT] = str(error)
        return
    _clear(form)
    st.session_state[SAVED] = check.key
    st.session_state[_DONE] = form.mark
    form.then()


def _proposal(form: Form, name: str, said: CheckDraft) -> CheckProposal:
    values = {one.name: getattr(said, one.name) for one in fields(CheckDraft)}
    return CheckProposal(
        key=form.key,
        version=form.version,
        reviewer=name,
        judgement=Judgement(**values),
        at=reviewer.now(),
        blind=form.is_blind,
        seen=max((check.number for check in form.others), default=None),
    )


def told(form: Form) -> None:
    """Say what has become of a key: held back, late, or refused and why."""
    changed = st.session_state.get(_changed_key(form))
    if changed is not None and changed[2]:
        was, now = (term("fit", code) for code in changed[:2])
        st.warning(t("review.changed", before=was, now=now))
    late = st.session_state.pop(_LATE, None)
    if late is not None:
        st.warning(t("review.late"))
        safe.text(late, key="check.late")
    fault = st.session_state.pop(_FAULT, None)
    if fault is not None:
        st.warning(t("review.refused"))
        safe.text(fault, key="check.fault")
