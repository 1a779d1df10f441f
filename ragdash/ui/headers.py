"""What stands before every request: who may connect at all, and the headers of each answer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ragdash.admission import OVERRIDE, is_loopback

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# The second line behind ui/safe.py: were a picture or a form of a filing ever rendered, the
# browser would still send nothing to another host.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "frame-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}


class ThisMachineOnly:
    """ASGI middleware that refuses connections from elsewhere unless people sign in.

    It looks at the socket, not at a setting: started by another server than Streamlit's own
    (`uvicorn app:app --host 0.0.0.0`), the app does not know where it listens.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, or end it with 403."""
        if scope["type"] not in ("http", "websocket") or self._is_let_in(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            head = [(b"content-type", b"text/plain; charset=utf-8")]
            await send({"type": "http.response.start", "status": 403, "headers": head})
            await send({"type": "http.response.body", "body": _REFUSED.encode()})

    def _is_let_in(self, scope: Scope) -> bool:
        server = scope.get("server") or (None,)
        return is_loopback(server[0]) or os.environ.get(OVERRIDE) == "1" or _has_sign_in()


_REFUSED = (
    "ragdash shows its pages on this machine only, as no sign-in is configured: see the README, "
    "Serving it to others.\n"
)


def _has_sign_in() -> bool:
    """Return whether secrets.toml has an [auth] section: the pages then ask for sign-in."""
    import streamlit as st

    return bool(st.secrets.load_if_toml_exists() and st.secrets.get("auth"))


class SecurityHeaders:
    """ASGI middleware that adds `HEADERS` to every HTTP response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request through and set the headers on its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        names = {name.encode() for name in HEADERS}

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept: list[Any] = [h for h in message["headers"] if h[0].lower() not in names]
                kept += [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = kept
            await send(message)

        await self.app(scope, receive, send_with_headers)
