"""The form of a review: a verdict by one key, a flag, a note, and saving without a page run.

Whatever is chosen is kept as a draft in the registry at once, so that a reload loses nothing. The
form carries the ids it was drawn for, and the store looks again when it is sent.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.errors import RagdashError
from ragdash.core.review import NOTE_LIMIT, Opinion, Proposal, ReviewKey, Verdict
from ragdash.store.effective import valid
from ragdash.store.layout import store_dir
from ragdash.store.reviews import draft_of, drop_draft, keep_draft, save_review
from ragdash.ui import safe
from ragdash.ui.i18n import t
from ragdash.ui.review import reviewer, told

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ragdash.core.review import Review

KEYS = {
    Verdict.INGEST: "1",
    Verdict.RECALL: "2",
    Verdict.RANKING: "3",
    Verdict.GENERATION: "4",
    Verdict.BUSINESS: "5",
    Verdict.NO_FAULT: "6",
    Verdict.UNDETERMINED: "0",
}
# Done: which form was saved last, until it is drawn again.
_FAULT, _DONE = "review.fault", "review.done"


@dataclass(frozen=True, slots=True)
class Form:
    """One form: what it is about, what has been said so far, and where saving leads.

    `by_key` gives the buttons their shortcuts; one form on a page may have them.
    """

    key: ReviewKey
    reviews: Sequence[Review]
    by_key: bool = True
    then: Callable[[], None] | None = None

    @property
    def mark(self) -> str:
        """A short digest of what the form is about, for the keys of its widgets."""
        text = "\n".join((self.key.run_id, self.key.mode, self.key.question_id))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def seen(self) -> int | None:
        """The number of the newest review that the form shows."""
        return max((review.number for review in self.reviews), default=None)


def bar(form: Form) -> None:
    """Show what is decided by a key: the verdicts, saving and the flag.

    A form has one bar and one `rest`, in this order. Who reviews is asked here as long as nobody
    knows, and said in the rest from then on.
    """
    fault = st.session_state.pop(_FAULT, None)
    if st.session_state.get(_DONE) == form.mark:
        # It is open again, and on purpose: what is pressed now is meant for it.
        del st.session_state[_DONE]
    told.saved_note()
    told.late_note()
    name = reviewer.current()
    if name is None:
        reviewer.ask()
    opinion = _opinion(form, name)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.text(t("review.lead"), width="content")
        for verdict, shortcut in KEYS.items():
            # A mark and no colour: white on the blue of a primary button is too pale in the dark.
            mark = "✓ " if opinion.verdict is verdict else ""
            label = f"{mark}{t(f'verdict.{verdict.value}')}"
            st.button(
                label,
                key=f"verdict.{verdict.value}.{form.mark}",
                on_click=_choose,
                args=(form, verdict),
                shortcut=shortcut if form.by_key else None,
            )
    _actions(form, name, opinion)
    told.changed_note(st.session_state.get(_changed_key(form)))
    if fault is not None:
        st.warning(t("review.refused"))
        safe.text(fault, key="review.fault")


def _changed_key(form: Form) -> str:
    return f"review.changed.{form.mark}"


def _actions(form: Form, name: str | None, opinion: Opinion) -> None:
    begun = _is_begun(form, name, opinion)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        # Without anything to save Enter is left to the link or button that has the focus.
        st.button(
            t("review.save.next" if form.then else "review.save"),
            key=f"review.save.{form.mark}",
            disabled=not begun,
            on_click=_save,
            args=(form,),
            shortcut="Enter" if form.by_key else None,
        )
        st.button(
            t("review.flagged" if opinion.flag else "review.flag"),
            key=f"review.flag.{form.mark}",
            on_click=_flag,
            args=(form,),
            shortcut="X" if form.by_key else None,
        )
        if begun:
            st.button(
                t("review.discard"),
                key=f"review.discard.{form.mark}",
                type="tertiary",
                on_click=_discard,
                args=(form,),
            )
            st.text(t(told.kept(name, held=_hold_key(form) in st.session_state)), width="content")


def rest(form: Form) -> None:
    """Show the note, and who reviews."""
    name = reviewer.current()
    note = _note_key(form)
    if note not in st.session_state:
        st.session_state[note] = _opinion(form, name).note
    st.text_area(
        t("review.note"),
        key=note,
        height=90,
        max_chars=NOTE_LIMIT,
        on_change=_keep,
        args=(form,),
        placeholder=t("review.note.placeholder"),
    )
    if name is not None:
        reviewer.ask()


def _note_key(form: Form) -> str:
    # Another reviewer has another note: the field begins anew with hers.
    name = hashlib.sha256((reviewer.current() or "").encode()).hexdigest()[:8]
    return f"review.note.{form.mark}.{name}"


def _hold_key(form: Form) -> str:
    return f"review.held.{form.mark}"


def _stored(form: Form, name: str | None) -> Opinion:
    """Return what the registry has of this reviewer: a draft, else her own review, else nothing."""
    if name is None:
        return Opinion()
    draft = draft_of(store_dir(None), form.key, name)
    if draft is not None:
        return draft
    own = [review.opinion for review in valid(form.reviews) if review.reviewer == name]
    return own[-1] if own else Opinion()


def _opinion(form: Form, name: str | None) -> Opinion:
    """Return what the form shows; what could not be kept as a draft is kept in the session."""
    held: tuple[str | None, Opinion] | None = st.session_state.get(_hold_key(form))
    if held is None:
        return _stored(form, name)
    of, opinion = held
    if of is None and name is not None:
        opinion = _joined(_stored(form, name), opinion)
    if name is not None:
        _put(form, opinion)
    return opinion


def _joined(before: Opinion, since: Opinion) -> Opinion:
    """Return what was said under a name with what was said since without one; no note is lost."""
    written = dict.fromkeys(note for note in (before.note, since.note) if note)
    return Opinion(since.verdict or before.verdict, since.flag or before.flag, "\n".join(written))


def _is_begun(form: Form, name: str | None, opinion: Opinion) -> bool:
    own = [r.opinion for r in valid(form.reviews) if r.reviewer == name]
    return opinion != (own[-1] if own else Opinion())


def _now(form: Form) -> Opinion:
    """Return the opinion with the note as it stands in the field."""
    opinion = _opinion(form, reviewer.current())
    return replace(opinion, note=str(st.session_state.get(_note_key(form), opinion.note)))


def _put(form: Form, opinion: Opinion) -> None:
    """Keep a draft; where that is refused, keep it in this session and say why."""
    name = reviewer.current()
    st.session_state[_hold_key(form)] = (name, opinion)
    if name is None:
        return
    try:
        keep_draft(store_dir(None), Proposal(form.key, name, opinion, reviewer.now()))
    except RagdashError as error:
        st.session_state[_FAULT] = str(error)
        return
    del st.session_state[_hold_key(form)]


def _keep(form: Form) -> None:
    _put(form, _now(form))


def _choose(form: Form, verdict: Verdict) -> None:
    if _is_late(form):
        return
    opinion = _now(form)
    before = opinion.verdict
    if (
        before is not None
        and before is not verdict
        and _is_begun(form, reviewer.current(), opinion)
    ):
        st.session_state[_changed_key(form)] = (before.value, verdict.value, False)
    _put(form, replace(opinion, verdict=verdict))


def _is_late(form: Form) -> bool:
    """Return whether a key came for a question that was saved while it was still on the screen."""
    if st.session_state.get(_DONE) != form.mark:
        return False
    st.session_state[told.LATE] = form.key.question_id
    return True


def _is_held_back(form: Form) -> bool:
    """Return whether saving waits for a second Enter: a server that is behind drops keys.

    Of 3, Enter, 4, Enter, pressed faster than it answers, the first Enter may be lost, and 4 was
    meant for the next question. A review is never changed, so the one on screen is asked for again.
    """
    changed: tuple[str, str, bool] | None = st.session_state.get(_changed_key(form))
    if changed is None or changed[2]:
        return False
    st.session_state[_changed_key(form)] = (*changed[:2], True)
    return True


def _flag(form: Form) -> None:
    if _is_late(form):
        return
    opinion = _now(form)
    _put(form, replace(opinion, flag=not opinion.flag))


def _discard(form: Form) -> None:
    for key in (_hold_key(form), _note_key(form), _changed_key(form)):
        st.session_state.pop(key, None)
    name = reviewer.current()
    if name is None:
        return
    try:
        drop_draft(store_dir(None), form.key, name)
    except RagdashError as error:
        st.session_state[_FAULT] = str(error)


def _save(form: Form) -> None:
    if _is_late(form) or _is_held_back(form):
        return
    name, opinion = reviewer.current(), _now(form)
    if name is None:
        _put(form, opinion)
        st.session_state[_FAULT] = t("review.name.first")
        return
    proposal = Proposal(form.key, name, opinion, reviewer.now(), form.seen)
    try:
        review = save_review(store_dir(None), proposal)
    except RagdashError as error:
        _put(form, opinion)
        st.session_state[_FAULT] = str(error)
        return
    for key in (_hold_key(form), _note_key(form), _changed_key(form)):
        st.session_state.pop(key, None)
    verdict = review.opinion.verdict
    st.session_state[told.SAVED] = (form.key.question_id, verdict and verdict.value)
    if form.then is not None:
        st.session_state[_DONE] = form.mark
        form.then()
