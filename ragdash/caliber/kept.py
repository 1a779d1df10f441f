"""What was found in a sentence is kept: every amount of it asks for the same."""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

# A sentence is looked at 600 characters to either side; longer texts are not worth the memory.
_LONGEST = 2_000
_PLACES = 1_024

Found = TypeVar("Found")


def kept(find: Callable[[str], Found]) -> Callable[[str], Found]:
    """Return the same finder with its last 1,024 results kept, of texts up to 2,000 characters.

    Only for a finder whose result depends on the text alone and cannot be changed.
    """
    again = lru_cache(maxsize=_PLACES)(find)

    @wraps(find)
    def found(text: str) -> Found:
        return again(text) if len(text) <= _LONGEST else find(text)

    return found
