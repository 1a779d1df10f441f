"""Text from an endpoint, made safe to be kept: encodable, and short where it only explains."""

from __future__ import annotations

_BRIEF = 300


def well_formed(text: str) -> str:
    """Return the text without lone surrogates, which neither HTTP nor SQLite can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def brief(text: str, length: int = _BRIEF) -> str:
    """Return one line of at most `length` characters, for an error message.

    Control and direction marks are left out: a terminal would obey them.
    """
    line = " ".join(text[: length * 20].split())
    line = "".join(c for c in line if c.isprintable())
    return line if len(line) <= length else line[: length - 1] + "…"
