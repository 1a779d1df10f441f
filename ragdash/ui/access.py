"""Who may see a page; every page asks first, because a page file can be opened by itself."""

from __future__ import annotations

import os

import streamlit as st

from ragdash.ui.i18n import t

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
OVERRIDE = "RAGDASH_ALLOW_REMOTE"


def is_allowed(address: str | None, override: str, signed_in: bool) -> bool:
    """Return whether a page may be shown: a loopback server, a sign-in, or the override "1"."""
    return address in LOOPBACK or signed_in or override == "1"


def _signed_in() -> bool:
    # st.user has no is_logged_in where no provider is configured.
    return bool(getattr(st.user, "is_logged_in", False))


def require() -> None:
    """Stop the script with a note unless this visitor may see the page."""
    address = st.get_option("server.address")
    if is_allowed(address, os.environ.get(OVERRIDE, ""), _signed_in()):
        return
    st.title(t("access.title"))
    st.error(t("access.refused"))
    st.code(f"{OVERRIDE}=1 ragdash serve", language=None)
    st.stop()
