"""The HTTP below the openai client: one host, no proxy, no telemetry, replies of bounded size.

Imported where the first client is made, as httpx2 takes a while.
"""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

import httpx2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ragdash.llm.address import Address

# a chat completion of a hundred thousand tokens is well below
MOST_BYTES = 16 * 2**20


class TooLargeError(httpx2.RequestError):
    """A reply that does not end."""


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Sends to one address only, and reads no more than MOST_BYTES of a reply.

    What the openai package tells about this machine is taken out of each request, and its
    organisation and project (from the environment) go to OpenAI alone.
    """

    def __init__(self, address: Address, connections: int) -> None:
        self._hostname = address.hostname
        secure = address.url.startswith("https:")
        self._inner = httpx2.AsyncHTTPTransport(
            verify=_trusted() if secure else False,
            trust_env=False,
            limits=httpx2.Limits(
                max_connections=connections, max_keepalive_connections=connections
            ),
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request.

        Raises:
            httpx2.UnsupportedProtocol: it is for another host.
        """
        if request.url.host != self._hostname:
            raise httpx2.UnsupportedProtocol("a request to another host was held back")
        openai = self._hostname.endswith("openai.com")
        # a copy: the openai package looks into its own request again when the reply is there
        sent = httpx2.Request(
            request.method,
            request.url,
            headers=[
                (name, value)
                for name, value in request.headers.multi_items()
                if not name.startswith("x-stainless") and (openai or not name.startswith("openai-"))
            ],
            stream=request.stream,
            extensions=request.extensions,
        )
        sent.headers["accept-encoding"] = "identity"
        sent.headers["user-agent"] = "ragdash"
        response = await self._inner.handle_async_request(sent)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Bounded(response.stream)
        return response

    async def aclose(self) -> None:
        """Close every connection."""
        await self._inner.aclose()


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for block in self._inner:
            size += len(block)
            if size > MOST_BYTES:
                raise TooLargeError(f"a reply of more than {MOST_BYTES} bytes")
            yield block

    async def aclose(self) -> None:
        await self._inner.aclose()


def _trusted() -> ssl.SSLContext:
    """Return a context of certifi's roots and the machine's own, which a company may have added."""
    import certifi

    context = ssl.create_default_context(cafile=certifi.where())
    context.load_default_certs()
    return context
