"""Who may see a page; every page asks first, because a page file can be opened by itself.

Where secrets.toml has an `[auth]` section everybody signs in, also on this machine, as a proxy may
stand in front. Without it the server is for this machine only, unless the override says otherwise.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NoReturn

import streamlit as st

from ragdash.admission import (
    OVERRIDE,
    is_loopback,
    is_welcome,
    providers,
    sign_in_fault,
)
from ragdash.core.review import NAME_LIMIT
from ragdash.ui import commands, safe
from ragdash.ui.i18n import t

if TYPE_CHECKING:
    from collections.abc import Mapping

# What a proxy adds; whoever it speaks for is not on this machine.
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


def is_allowed(
    address: str | None, override: str, *, client: str | None = None, forwarded: bool = False
) -> bool:
    """Return whether a page may be shown to one who is not signed in.

    Args:
        address: what the server was told to listen on; None is everywhere.
        override: the value of `RAGDASH_ALLOW_REMOTE`.
        client: where the visitor's connection comes from; None is this machine.
        forwarded: whether a proxy passed the visitor on.
    """
    if override == "1":
        return True
    return is_loopback(address) and not forwarded and (client is None or is_loopback(client))


def require() -> None:
    """Stop the script with a note, or with the sign-in, unless this visitor may see the page."""
    auth = _section("auth")
    if auth:
        _require_sign_in(auth)
    elif not is_allowed(
        st.get_option("server.address"),
        os.environ.get(OVERRIDE, ""),
        client=_client(),
        forwarded=any(name in st.context.headers for name in _FORWARDED),
    ):
        st.title(t("access.title"))
        st.error(t("access.refused"))
        commands.show(f"{OVERRIDE}=1 {commands.line('serve')}")
        st.stop()


def visitor() -> str | None:
    """Return who is signed in, None where nobody is: the address that the provider vouches for.

    Without one it is the name with the provider's own id behind it, as anybody may take another's
    name. A reviewer's name in form; untrusted text all the same, for `ragdash.ui.safe` to show.
    """
    if not _signed_in():
        return None
    name, number = (str(st.user.get(key) or "") for key in ("name", "sub"))
    found = _address() or (f"{name[: NAME_LIMIT // 2]} ({number})" if name else number)
    return safe.plain(found, None)[:NAME_LIMIT].strip() or None


def signed_in_as() -> None:
    """Say who is signed in, with the way out; nothing where nobody is."""
    name = visitor()
    if name is None:
        return
    st.text(t("access.signed_in"))
    st.code(safe.plain(name), language=None, wrap_lines=True)
    st.button(t("access.sign_out"), on_click=st.logout, key="access.sign_out")


def _require_sign_in(auth: Mapping[str, Any]) -> None:
    fault = sign_in_fault(auth)
    if fault:
        st.title(t("access.title"))
        st.error(t("access.misconfigured"))
        _end(fault)
    if not _signed_in():
        st.title(t("access.sign_in.title"))
        st.text(t("access.sign_in.lead"))
        for name in providers(auth):
            label = t("access.sign_in.with", provider=name) if name else t("access.sign_in")
            args = [name] if name else []
            st.button(label, on_click=st.login, args=args, key=f"access.sign_in.{name}")
        st.stop()
    if not is_welcome(_address(), _section("ragdash").get("visitors", ())):
        st.title(t("access.title"))
        st.error(t("access.unwelcome"))
        signed_in_as()
        st.stop()


def _address() -> str:
    """Return the address of who is signed in; "" where the provider does not vouch for it."""
    return "" if st.user.get("email_verified") is False else str(st.user.get("email") or "")


def _end(text: str) -> NoReturn:
    st.code(text, language=None, wrap_lines=True)
    st.stop()


def _client() -> str | None:
    """Return where the visitor's connection comes from, None for this machine.

    Without a server (AppTest) there is no connection, and Streamlit gives what is no address.
    """
    found: object = st.context.ip_address
    return found if isinstance(found, str) else None


def _signed_in() -> bool:
    """Return whether the provider's cookie says so: a header that anybody may send never does.

    st.user has no is_logged_in where no provider is configured. A header that Streamlit was told
    to trust overrides the cookie, and none is needed here.
    """
    if st.get_option("server.trustedUserHeaders"):
        return False
    return not sign_in_fault(_section("auth")) and st.user.get("is_logged_in") is True


def _section(name: str) -> Mapping[str, Any]:
    """Return a section of secrets.toml, empty where there is none."""
    if not st.secrets.load_if_toml_exists():
        return {}
    found: Mapping[str, Any] = st.secrets.get(name, {})
    return found
