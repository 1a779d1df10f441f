"""The form of a spot check: verdict and confidence by a key, calibers, evidence page, note.

As in Triage, what is chosen is kept as a draft at once, and the form carries the ids it was drawn
for: the store looks again when it is saved.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdash.core.review import NOTE_LIMIT
from ragdash.core.spot_check import Caliber, CheckDraft, Confidence, Fit
from ragdash.ui import chips, safe
from ragdash.ui.i18n import S, t, term
from ragdash.ui.review import reviewer
from ragdash.ui.spot_checks import drafts
from ragdash.views.spot_check_item import completed

if TYPE_CHECKING:
    from collections.abc import Callable

    from ragdash.core.spot_check import CheckKey, SpotCheck
    from ragdash.ui.spot_checks.desk import Hold
    from ragdash.views.spot_check_item import Document

FITS = {Fit.FITS: "1", Fit.CONFLICT: "2", Fit.UNCLEAR: "3"}
SURE = {Confidence.HIGH: "4", Confidence.MEDIUM: "5", Confidence.LOW: "6"}


@dataclass(frozen=True, slots=True)
class Form:
    """One form: what it is about, how it begins, who may save it, and where saving leads.

    `own` is the viewer's check that stands, `others` those of everybody else; whether these are
    shown is not the form's to say. `version` is the one whose scores are on view. `is_blind`:
    nothing on view says what the rule or anybody thinks of the answer.
    """

    key: CheckKey
    version: int
    start: CheckDraft
    known: tuple[Document, ...]
    own: SpotCheck | None
    others: tuple[SpotCheck, ...]
    is_blind: bool
    hold: Hold
    then: Callable[[], None]

    @property
    def mark(self) -> str:
        """A short digest of what the form is about, for the keys of its widgets."""
        text = "\n".join((self.key.run_id, self.key.mode, self.key.question_id))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def show(form: Form) -> None:
    """Show the form for who reviews; without a name it is asked for first."""
    drafts.opened(form)
    name = reviewer.current()
    if name is None:
        reviewer.ask()
    draft = drafts.of(form, name)
    shown = completed(draft, form.start)
    _buttons(form, t("check.fit"), "fit", FITS, shown.fit)
    _buttons(form, t("check.confidence"), "confidence", SURE, shown.confidence)
    _calibers(form, shown)
    _evidence(form, shown)
    _note(form, draft)
    _actions(form, name, draft)
    drafts.told(form)
    if name is not None:
        reviewer.ask()


def _buttons(
    form: Form, lead: str, field: str, keys: dict[Any, str], chosen: Fit | Confidence | None
) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.text(lead, width="content")
        for code, shortcut in keys.items():
            # A mark and no colour: white on the blue of a primary button is too pale in the dark.
            label = f"{'✓ ' if chosen is code else ''}{t(f'{field}.{code.value}')}"
            st.button(
                label,
                key=f"check.{field}.{code.value}.{form.mark}",
                on_click=drafts.chosen,
                args=(form, field, code),
                shortcut=shortcut,
            )


def caliber(code: Caliber) -> str:
    """Return a caliber in both languages: the short Chinese term first, so that no list cuts it."""
    english, chinese = S[f"caliber.{code.value}"]
    return f"{chinese} · {english}"


def _calibers(form: Form, shown: CheckDraft) -> None:
    words = {code: caliber(code) for code in Caliber}
    for column, field in zip(
        st.columns(3, gap="small"), ("asked", "gold", "answered"), strict=True
    ):
        key = f"check.{field}.{form.mark}"
        st.session_state[key] = getattr(shown, field)
        with column:
            st.selectbox(
                t(f"check.{field}"),
                list(Caliber),
                index=None,
                format_func=words.__getitem__,
                key=key,
                placeholder=t("check.answered.choose"),
                on_change=drafts.picked,
                args=(form, field, key),
            )


def _evidence(form: Form, shown: CheckDraft) -> None:
    words = {one.doc_id: document(one) for one in form.known}
    pages = {one.doc_id: one.n_pages for one in form.known}
    left, right = st.columns([3, 1], gap="small")
    doc, page = f"check.doc.{form.mark}", f"check.page.{form.mark}.{shown.doc_id}"
    st.session_state[doc] = shown.doc_id if shown.doc_id in words else None
    st.session_state[page] = shown.page
    with left:
        st.selectbox(
            t("check.doc"),
            list(words),
            index=None,
            format_func=lambda doc_id: words.get(doc_id, safe.plain(doc_id)),
            key=doc,
            placeholder=t("check.doc.none"),
            on_change=drafts.picked,
            args=(form, "doc_id", doc),
        )
    with right:
        st.number_input(
            t("check.page"),
            min_value=1,
            max_value=pages.get(shown.doc_id or "") or 100_000,
            value=None,
            step=1,
            key=page,
            disabled=shown.doc_id is None,
            on_change=drafts.picked,
            args=(form, "page", page),
        )


def document(one: Document) -> str:
    """Return a document as company and label, or its id where these are not known."""
    return safe.plain(f"{one.company} · {one.label}" if one.label else one.doc_id)


def _note(form: Form, draft: CheckDraft) -> None:
    key = drafts.note_key(form)
    if key not in st.session_state:
        st.session_state[key] = draft.note
    st.text_area(
        t("check.note"),
        key=key,
        height=80,
        max_chars=NOTE_LIMIT,
        on_change=drafts.noted,
        args=(form,),
        placeholder=t("check.note.placeholder"),
    )


def _actions(form: Form, name: str | None, draft: CheckDraft) -> None:
    begun = draft != drafts.before(form)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button(
            t("check.save"),
            key=f"check.save.{form.mark}",
            disabled=not (begun and draft.fit is not None and form.hold.is_open),
            on_click=drafts.save,
            args=(form,),
            shortcut="Enter",
        )
        if begun:
            st.button(
                t("review.discard"),
                key=f"check.discard.{form.mark}",
                type="tertiary",
                on_click=drafts.discard,
                args=(form,),
            )
            st.text(t("review.draft" if name else "review.unkept"), width="content")


def keys() -> safe.Markup:
    """Return the keys of the page and what they do."""
    named = {
        "J": t("question.next"),
        "K": t("question.previous"),
        **{key: term("fit", fit.value) for fit, key in FITS.items()},
        **{
            key: f"{t('check.confidence')} {term('confidence', sure.value)}"
            for sure, key in SURE.items()
        },
        "Enter": t("review.save.next"),
        "P": t("reviews.page"),
        "H": t("triage.help"),
    }
    return chips.facts(
        {key: safe.plain(words) for key, words in named.items()}, label=t("check.keys")
    )
