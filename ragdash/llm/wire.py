"""One request over the openai package: what came back, whatever that is, within a time."""

from __future__ import annotations

import asyncio
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any

from ragdash.core.call import CallReason
from ragdash.llm.reading import Received
from ragdash.llm.text import brief, well_formed

if TYPE_CHECKING:
    from concurrent.futures import Future

    from openai import AsyncOpenAI

    from ragdash.llm.address import Address
    from ragdash.llm.keys import Key

_LOOP_LOCK = threading.Lock()
_LOOPS: list[asyncio.AbstractEventLoop] = []
# Some hosts are slow to fail a connection; a reply may take minutes, a handshake may not.
_CONNECT = 15.0


def _loop() -> asyncio.AbstractEventLoop:
    """Return the event loop on which all requests run, in a thread of its own.

    Only there can a request be ended at a given second wherever it is: in a handshake, between two
    bytes of a header, or in a body that drips.
    """
    with _LOOP_LOCK:
        if not _LOOPS:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="ragdash-llm", daemon=True).start()
            _LOOPS.append(loop)
        return _LOOPS[0]


class Wire:
    """A client of the openai package for one address; may be used from several threads."""

    def __init__(self, address: Address, key: Key, connections: int) -> None:
        import httpx2
        from openai import AsyncOpenAI

        from ragdash.llm.keys import guard_loggers
        from ragdash.llm.transport import GuardedTransport

        guard_loggers()
        self._key = key
        http = httpx2.AsyncClient(
            transport=GuardedTransport(address, connections),
            timeout=httpx2.Timeout(None, connect=_CONNECT),
            trust_env=False,
            follow_redirects=False,
        )
        # one retry layer, and it is ours
        self._client = AsyncOpenAI(
            api_key=key.reveal(),
            base_url=address.url,
            http_client=http,
            max_retries=0,
            timeout=None,
        )
        self._finalizer = weakref.finalize(self, _close, self._client)
        # at the end of the process there is nobody left to close for
        self._finalizer.atexit = False

    def send(self, body: dict[str, Any], timeout: float) -> Received:
        """Send one chat completion request; never raises for what the other side does.

        Args:
            body: the fields of the request.
            timeout: seconds until it must have been received whole.
        """
        began = time.monotonic()
        future = asyncio.run_coroutine_threadsafe(self._send(body, timeout), _loop())
        try:
            status, content, headers, fault, detail = future.result()
        except BaseException:
            future.cancel()
            raise
        detail = self._key.redact(detail)
        return Received(status, content, headers, time.monotonic() - began, fault, detail)

    async def _send(
        self, body: dict[str, Any], timeout: float
    ) -> tuple[int, bytes, dict[str, str], CallReason, str]:
        import openai
        import pydantic

        try:
            async with asyncio.timeout(timeout):
                raw = await self._client.chat.completions.with_raw_response.create(**body)
                return raw.status_code, raw.content, _lower(raw.headers), CallReason.NONE, ""
        except openai.APIStatusError as error:
            response = error.response
            headers = _lower(response.headers)
            return response.status_code, response.content, headers, CallReason.NONE, ""
        except openai.APITimeoutError:
            return _nothing(CallReason.TIMEOUT, f"no connection within {_CONNECT:.0f} seconds")
        except TimeoutError:
            return _nothing(CallReason.TIMEOUT, f"no reply within {timeout:.3g} seconds")
        except openai.APIConnectionError as error:
            return _unreached(error.__cause__ or error)
        except OSError as error:
            return _unreached(error)
        # Bugs of the client package on odd replies (its issues 1763 and 2406): this call only.
        except (
            openai.OpenAIError,
            pydantic.ValidationError,
            AttributeError,
            TypeError,
            ValueError,
            LookupError,
            RecursionError,
        ) as error:
            told = f"sent what the client could not read ({type(error).__name__})"
            return _nothing(CallReason.BAD_RESPONSE, told)

    def close(self) -> None:
        """Close the connections; a second time does nothing."""
        closing = self._finalizer()
        if closing is not None:
            closing.result(_CONNECT)


def _close(client: AsyncOpenAI) -> Future[None]:
    return asyncio.run_coroutine_threadsafe(client.close(), _loop())


def _lower(headers: Any) -> dict[str, str]:
    return {str(name).lower(): str(value) for name, value in headers.items()}


def _nothing(reason: CallReason, detail: str) -> tuple[int, bytes, dict[str, str], CallReason, str]:
    return 0, b"", {}, reason, detail


def _unreached(error: BaseException) -> tuple[int, bytes, dict[str, str], CallReason, str]:
    from ragdash.llm.transport import TooLargeError

    told = brief(well_formed(str(error))) or "the connection was lost"
    if isinstance(error, TooLargeError):
        return _nothing(CallReason.BAD_RESPONSE, f"sent {told}")
    return _nothing(CallReason.UNREACHABLE, f"cannot be reached: {told}")
