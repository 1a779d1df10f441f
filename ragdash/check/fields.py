"""The keys of a line: what is wanted of each, and what is wrong with it in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.core.errors import InputError
from ragdash.jsonlines import printable

if TYPE_CHECKING:
    from collections.abc import Mapping


def id_of(row: Mapping[str, Any]) -> str | int:
    """Return a line's id as it was given, text or a whole number.

    Raises:
        InputError: it is missing, empty or of another type.
    """
    given = row.get("id")
    if isinstance(given, str) and given.strip():
        return given
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    if given is None:
        raise InputError("'id' is missing")
    raise InputError(f"'id' is {shown(given)}: text or a whole number is wanted")


def judged_text(value: object, key: str) -> str:
    """Return the text that is to be judged.

    Raises:
        InputError: it is missing, no text, or empty: that is neither an answer nor a refusal.
    """
    text = optional_text(value, key)
    if text is None:
        raise InputError(f"'{key}' is missing (no_output)")
    if not text.strip():
        raise InputError(f"'{key}' is empty: neither an answer nor a refusal (no_output)")
    return text


def optional_text(value: object, key: str) -> str | None:
    """Return a text or None.

    Raises:
        InputError: it is neither.
    """
    if value is None or isinstance(value, str):
        return value
    raise InputError(f"'{key}' is {shown(value)}: text is wanted")


def shown(value: object) -> str:
    """Return a value of a line as it may stand in a sentence: short, and of what type it is."""
    if isinstance(value, str):
        return f"'{printable(value)}'"
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    if isinstance(value, dict):
        return "an object"
    return "null" if value is None else printable(str(value))
