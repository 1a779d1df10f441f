"""Where an endpoint is: its base URL checked before anything is sent there."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from ragdash.core.errors import ConfigError

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Address:
    """A base URL taken apart.

    `host` is what is stored with a call (with its port where that is not the usual one), `place`
    host and path: two addresses of equal place are one endpoint. `loopback` is this machine.
    """

    url: str
    hostname: str
    host: str
    place: str
    loopback: bool


def address_of(base_url: str) -> Address:
    """Return the address that a base URL names.

    Raises:
        ConfigError: it is no plain http or https URL; what it may hold in secret is not repeated.
    """
    text = base_url.strip()
    example = "write it like https://api.openai.com/v1"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise ConfigError(f"a base_url cannot be read ({_why(error)}): {example}") from None
    if "@" in parts.netloc:
        raise ConfigError(
            f"the base_url of {parts.hostname!r} holds a user or password: keys come from the "
            "environment only, see api_key_env"
        )
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ConfigError(f"base_url {text!r} has no http:// or https:// before a host: {example}")
    if parts.query or parts.fragment or any(c.isspace() or not c.isprintable() for c in text):
        raise ConfigError(
            f"the base_url of {parts.hostname!r} holds a query, a fragment or blanks: {example}"
        )
    path = parts.path.rstrip("/")
    if path.endswith("/completions"):
        raise ConfigError(
            f"base_url {text!r} names a method: leave /chat/completions away, it is added"
        )
    return _taken_apart(parts, port, path)


def _taken_apart(parts: SplitResult, port: int | None, path: str) -> Address:
    hostname = parts.hostname or ""
    shown = f"[{hostname}]" if ":" in hostname else hostname
    host = shown if port in (None, _PORTS[parts.scheme]) else f"{shown}:{port}"
    return Address(
        url=f"{parts.scheme}://{host}{path}",
        hostname=hostname,
        host=host,
        place=f"{host}{path}",
        loopback=_is_loopback(hostname),
    )


def _is_loopback(hostname: str) -> bool:
    if hostname == "localhost" or hostname.endswith(".localhost"):
        return True
    try:
        return ip_address(hostname).is_loopback
    except ValueError:
        return False


def _why(error: ValueError) -> str:
    # urllib repeats the address in its messages, and an address may hold a password
    return "its port is no number" if "ort" in str(error) else "it is no URL"
