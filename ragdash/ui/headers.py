"""Security headers on every HTTP answer; plain ASGI, so that web sockets pass untouched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
