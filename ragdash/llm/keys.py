"""Keys of endpoints: read from the environment, sent to their host, written nowhere."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, NoReturn

from ragdash.core.errors import EnvironmentError_

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ragdash.core.call import Endpoint
    from ragdash.llm.address import Address

# Shorter ones are placeholders such as EMPTY or ollama, which also are words of replies.
_SECRET = 8
# A server may repeat a part of a key ("sk-abcdef... is not valid"); as long a part is no word.
_PART = 12
_MARK = "[key]"
_LOGGERS = ("openai", "httpx2", "httpcore2", "asyncio")


class Key:
    """The text of a key and the name of its variable; it shows itself by name only."""

    __slots__ = ("_parts", "_text", "name")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self._text = text
        secret = len(text) >= _SECRET
        size = min(_PART, len(text))
        self._parts = [text[at : at + size] for at in range(len(text) - size + 1)] if secret else []

    def __repr__(self) -> str:
        return f"Key({self.name})"

    def reveal(self) -> str:
        """Return the key itself, for the one header it belongs to."""
        return self._text

    def redact(self, text: str) -> str:
        """Return a text in which the key, and every longer piece of it, is a mark."""
        spans = sorted(span for part in self._parts for span in _places(part, text))
        kept, at, until = [], 0, -1
        for start, end in spans:
            if start > until:
                # overlapping pieces of one echo become one mark
                kept += [text[at:start], _MARK]
            at = until = max(until, end)
        return "".join(kept) + text[at:] if spans else text

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is never written anywhere")


def _places(part: str, text: str) -> Iterator[tuple[int, int]]:
    at = text.find(part)
    while at >= 0:
        yield at, at + len(part)
        at = text.find(part, at + 1)


def key_of(endpoint: Endpoint, address: Address) -> Key:
    """Return the key of an endpoint; a placeholder for a server of this machine without one.

    Raises:
        EnvironmentError_: the variable is not set, or holds what no key can hold.
    """
    name = endpoint.api_key_env
    text = os.environ.get(name, "").strip()
    if not text:
        if address.loopback:
            return Key(name, "none")
        raise EnvironmentError_(
            f"{address.host} needs a key and {name} is not set: put the key into that environment "
            "variable, never into a file (any word will do for a server that asks for none)"
        )
    if not text.isascii() or not text.isprintable() or " " in text:
        raise EnvironmentError_(
            f"{name} holds a blank, a line break or a sign that no key for {address.host} can "
            "hold: set it again, without quotes"
        )
    key = Key(name, text)
    _guard_logs(key)
    return key


class _Redactor(logging.Filter):
    def __init__(self) -> None:
        super().__init__()
        self.keys: dict[str, Key] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        clean = text
        for key in tuple(self.keys.values()):
            clean = key.redact(clean)
        if clean != text:
            record.msg, record.args = clean, ()
        return True


_REDACTOR = _Redactor()


def _guard_logs(key: Key) -> None:
    _REDACTOR.keys[key.reveal()] = key
    guard_loggers()


def guard_loggers() -> None:
    """Let no logger of the HTTP libraries write a key, at any level.

    A filter acts on the logger that it sits on and not on those below, hence each by name.
    """
    known = tuple(logging.Logger.manager.loggerDict)
    for name in {*_LOGGERS, *(n for n in known if n.split(".")[0] in _LOGGERS)}:
        logger = logging.getLogger(name)
        if _REDACTOR not in logger.filters:
            logger.addFilter(_REDACTOR)
