"""Who may reach the dashboard: which addresses are this machine, and whether sign-in is set up."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

OVERRIDE = "RAGDASH_ALLOW_REMOTE"
# Whoever knows or guesses it writes a sign-in cookie of his own.
MIN_COOKIE_SECRET = 32
# 32 hex digits of chance have fewer than nine different ones about once in 300,000
_DISTINCT = 9
_OF_PROVIDER = ("client_id", "client_secret", "server_metadata_url")
_CALLBACK = "/oauth2callback"


def is_loopback(address: str | None) -> bool:
    """Return whether an address can be reached from this machine only; None listens everywhere."""
    if not address:
        return False
    if address.lower() == "localhost":
        return True
    try:
        found = ipaddress.ip_address(address.removeprefix("[").removesuffix("]"))
    except ValueError:
        # A name may resolve to anything, and so may the short forms of an address.
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return bool((mapped or found).is_loopback)


def providers(auth: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of the OIDC providers of an `[auth]` section; "" is the one without."""
    named = [
        name
        for name, section in auth.items()
        if isinstance(section, Mapping) and all(section.get(key) for key in _OF_PROVIDER)
    ]
    return (*([""] if all(auth.get(key) for key in _OF_PROVIDER) else []), *named)


def sign_in_fault(auth: Mapping[str, object]) -> str:
    """Return what an `[auth]` section lacks for st.login, never a value of it; "" for nothing."""
    if not auth:
        return "there is no [auth] section in secrets.toml"
    if not str(auth.get("redirect_uri", "")).endswith(_CALLBACK):
        return f"redirect_uri is not the dashboard's address followed by {_CALLBACK}"
    secret = str(auth.get("cookie_secret", ""))
    if len(secret) < MIN_COOKIE_SECRET or len(set(secret)) < _DISTINCT:
        return f"cookie_secret is not {MIN_COOKIE_SECRET} or more random characters"
    if not providers(auth):
        return f"no provider has {', '.join(_OF_PROVIDER)}"
    return ""


def named_host(auth: Mapping[str, object]) -> str | None:
    """Return the host under which the provider sends people back; None where there is none."""
    return urlsplit(str(auth.get("redirect_uri", ""))).hostname


def is_welcome(email: str | None, visitors: Sequence[str]) -> bool:
    """Return whether one who signed in may look: on the list, or there is no list.

    Args:
        email: as the provider says it; None where it does not vouch for it.
        visitors: addresses, or domains as `@example.com`.
    """
    if not visitors:
        return True
    if not email or email.count("@") != 1:
        return False
    lower = email.lower()
    return any(lower == v.lower() or (v[:1] == "@" and lower.endswith(v.lower())) for v in visitors)
