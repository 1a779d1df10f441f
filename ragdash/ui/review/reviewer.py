"""Who reviews: the name of the sign-in, or a typed one that this browser remembers."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.errors import InputError, RagdashError
from ragdash.core.review import NAME_LIMIT, checked_name
from ragdash.store.layout import store_dir
from ragdash.store.reviewers import remember_name, remembered_name
from ragdash.ui import access, chips, notes, safe
from ragdash.ui.i18n import t

if TYPE_CHECKING:
    from collections.abc import Mapping

_TYPED = "reviewer.typed"
_ASKED = "reviewer.remembered"
_COOKIE = "_streamlit_xsrf"


def now() -> str:
    """Return the time of a review: ISO 8601, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def current() -> str | None:
    """Return who reviews; None as long as no name can be used.

    Raises:
        StoreError: the registry cannot be read.
    """
    name = access.visitor()
    if name is not None:
        return name
    if _TYPED not in st.session_state and _ASKED not in st.session_state:
        browser = browser_of(st.context.cookies)
        found = None if browser is None else remembered_name(store_dir(None), browser)
        st.session_state[_ASKED] = found or ""
    typed = str(st.session_state.get(_TYPED) or st.session_state.get(_ASKED) or "")
    try:
        return checked_name(typed)
    except InputError:
        return None


def browser_of(cookies: Mapping[str, str]) -> str | None:
    """Return a digest that only this browser leads to; None where it holds no token.

    Streamlit gives every browser a token against forged requests. It is written 2|mask|masked|time
    with another mask each time, so the mask comes off first; the token itself is kept nowhere.
    """
    parts = cookies.get(_COOKIE, "").strip("\"'").split("|")
    if len(parts) != 4 or parts[0] != "2":
        return None
    try:
        mask, masked = bytes.fromhex(parts[1]), bytes.fromhex(parts[2])
    except ValueError:
        return None
    if not mask or not masked:
        return None
    token = bytes(byte ^ mask[i % len(mask)] for i, byte in enumerate(masked))
    return hashlib.sha256(token).hexdigest()


def ask() -> None:
    """Show who reviews, or ask for the name; what cannot be one is said in one sentence."""
    name = access.visitor()
    if name is not None:
        safe.render(chips.muted(t("review.as", name=safe.plain(name))))
        return
    if _TYPED not in st.session_state:
        st.session_state[_TYPED] = current() or ""
    st.text_input(
        t("review.name"),
        key=_TYPED,
        max_chars=NAME_LIMIT,
        autocomplete="name",
        placeholder=t("review.name.placeholder"),
        persist_state="session",
        on_change=_remember,
    )
    typed = str(st.session_state.get(_TYPED) or "")
    try:
        checked_name(typed)
    except InputError as error:
        if typed.strip():
            notes.refused(error)


def _remember() -> None:
    typed = str(st.session_state.get(_TYPED) or "")
    st.session_state[_ASKED] = typed
    browser = browser_of(st.context.cookies)
    if browser is None:
        return
    try:
        remember_name(store_dir(None), browser, typed, now())
    except InputError:
        # The field itself says what is wrong with it.
        return
    except RagdashError as error:
        st.session_state["review.fault"] = str(error)
