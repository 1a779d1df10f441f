"""An OpenID Connect provider on loopback that lets in whoever comes, under a given name."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

CLIENT, SECRET = "ragdash", "of-the-client-and-long-enough-for-a-signature-by-it"


class Provider(ThreadingHTTPServer):
    """`person` is who signs in next: the claims of the identity token."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.person: dict[str, Any] = {}
        self.nonce = ""

    def token(self) -> str:
        """Return the signed identity token of the person."""
        now = int(time.time())
        claims = {
            "iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 600, "nonce": self.nonce,
            "sub": "42", **self.person,
        }  # fmt: skip
        head = _encoded(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
        signed = f"{head}.{_encoded(json.dumps(claims).encode())}"
        return f"{signed}.{_encoded(hmac.digest(SECRET.encode(), signed.encode(), 'sha256'))}"


@contextmanager
def providing() -> Iterator[Provider]:
    """Run a provider until the block ends."""
    with Provider() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/authorize":
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            self.server.nonce = asked["nonce"]
            back = urlencode({"code": "once", "state": asked["state"]})
            self.send_response(302)
            self.send_header("Location", f"{asked['redirect_uri']}?{back}")
            self.end_headers()
            return
        url = self.server.url
        self._send(
            {
                "issuer": url,
                "authorization_endpoint": f"{url}/authorize",
                "token_endpoint": f"{url}/token",
                "jwks_uri": f"{url}/keys",
                "id_token_signing_alg_values_supported": ["HS256"],
            }
            if parts.path.startswith("/.well-known/")
            else {"keys": [{"kty": "oct", "k": _encoded(SECRET.encode()), "alg": "HS256"}]}
        )

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        access = hashlib.sha256(self.server.nonce.encode()).hexdigest()
        self._send(
            {"access_token": access, "token_type": "Bearer", "expires_in": 600,
             "id_token": self.server.token()}
        )  # fmt: skip

    def _send(self, value: dict[str, Any]) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        del format, args
