"""A scripted endpoint on this machine: real HTTP, for tests, benches and demos.

with Loopback(answering("42")) as server:
client = EndpointClient(Endpoint(base_url=server.url, model="any"))
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self, TypeAlias

if TYPE_CHECKING:
    from types import TracebackType

_KEPT = 4096


@dataclass(frozen=True, slots=True)
class Sent:
    """One HTTP reply: `body` as it is, or an object to be sent as JSON.

    `delay` is seconds before the first byte, `drip` between two bytes of the body (of everything
    where `drip_headers`). `reset` ends the connection in place of a reply.
    """

    body: Any = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    drip_headers: bool = False
    reset: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it arrived; header names in lower case, `at` by time.monotonic."""

    path: str
    body: dict[str, Any]
    headers: Mapping[str, str]
    at: float


Reply: TypeAlias = Sent | Callable[[Asked], Sent]


class Loopback:
    """An endpoint that gives the replies in turn, and the last one for ever.

    `asked` is the latest requests, `n_asked` the number of all, `peak` the most that were in
    flight at one time.
    """

    def __init__(self, *replies: Reply, port: int = 0) -> None:
        self.asked: deque[Asked] = deque(maxlen=_KEPT)
        self.n_asked = 0
        self.peak = 0
        self._in_flight = 0
        self._replies = replies
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", port), _handler(self))

    @property
    def url(self) -> str:
        """The base URL of the endpoint."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def begin(self, asked: Asked) -> Sent:
        """Enter a request and return its reply."""
        with self._lock:
            reply = self._replies[min(self.n_asked, len(self._replies) - 1)]
            self.n_asked += 1
            self.asked.append(asked)
            self._in_flight += 1
            self.peak = max(self.peak, self._in_flight)
        return reply(asked) if callable(reply) else reply

    def end(self) -> None:
        """Enter that a reply is about to go out."""
        with self._lock:
            self._in_flight -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that goes away is a part of the play."""


def _handler(server: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # else the last bytes of a reply wait 40 ms for the client's acknowledgement
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            sent = server.begin(Asked(self.path, json.loads(raw), headers, time.monotonic()))
            try:
                time.sleep(sent.delay)
            finally:
                server.end()
            self._send(sent)

        def do_GET(self) -> None:
            self._send(Sent({"error": {"message": "only POST /chat/completions"}}, status=404))

        def _send(self, sent: Sent) -> None:
            if sent.reset:
                # a linger of 0 makes close() send RST
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.close_connection = True
                self.connection.close()
                return
            body = sent.body if isinstance(sent.body, str | bytes) else json.dumps(sent.body)
            raw = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
            head = {
                "Content-Type": "application/json",
                "Content-Length": str(len(raw)),
                **sent.headers,
            }
            lines = [f"HTTP/1.1 {sent.status} Scripted", *(f"{k}: {v}" for k, v in head.items())]
            start = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
            if sent.drip and sent.drip_headers:
                raw, start = start + raw, b""
            if not sent.drip:
                self.wfile.write(start + raw)
                return
            self.wfile.write(start)
            for at in range(len(raw)):
                self.wfile.write(raw[at : at + 1])
                time.sleep(sent.drip)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


def completion(content: Any, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """Return the body of a chat completion; further fields go into its message."""
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "system_fingerprint": "fp_scripted",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        "usage": {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30},
    }


def answering(content: Any, finish: str = "stop", *, delay: float = 0.0, **message: Any) -> Sent:
    """Return a good reply with a content; a dict is sent as the JSON text of a content."""
    text = json.dumps(content, ensure_ascii=False) if isinstance(content, dict) else content
    return Sent(completion(text, finish, **message), delay=delay)


def failing(status: int, message: str = "scripted", **headers: str) -> Sent:
    """Return an error in OpenAI's form; `retry_after="1"` is the header Retry-After."""
    error = {"error": {"message": message, "type": "scripted", "param": None, "code": None}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Sent(error, status, headers=named)


def honouring(prose: str = "Paris is the capital of France.", **levels: Sent) -> Reply:
    """Return an endpoint that keeps to JSON schemas and JSON objects as real ones do.

    Args:
        prose: its answer where nothing holds it to a form.
        **levels: what it does instead for json_schema or json_object, e.g. `json_schema=failing(
            500)`; `json_schema=answering(prose)` is one that accepts and ignores it.
    """

    def reply(asked: Asked) -> Sent:
        form = asked.body.get("response_format") or {}
        kind = form.get("type", "text")
        if kind in levels:
            return levels[kind]
        if kind == "json_schema":
            return answering(_instance(form["json_schema"]["schema"]))
        return answering({"answer": prose} if kind == "json_object" else prose)

    return reply


def _instance(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an object of a flat schema, the first value of each enum."""
    plain = {"string": "text", "number": 0.0, "integer": 0, "boolean": False, "array": []}
    return {
        name: node["enum"][0] if "enum" in node else node.get("const", plain.get(node.get("type")))
        for name, node in schema["properties"].items()
    }
