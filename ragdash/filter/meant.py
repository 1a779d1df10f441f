"""Words that were looked for as text and are values of a field: what was meant, perhaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.filter.fields import FIELDS, Kind, codes_of
from ragdash.filter.tree import phrases
from ragdash.store.folding import folded

if TYPE_CHECKING:
    from ragdash.filter.tree import Expr

# In this order: what a list is filtered by most. Yes and no, languages and numbers are no words.
_FIELDS = ("outcome", "layer", "caliber", "change", "is", "mode", "kind")


def meant(expr: Expr) -> dict[str, str]:
    """Return the texts of a filter that are values of a field, each with the term to write."""
    found: dict[str, str] = {}
    for phrase in phrases(expr):
        term = next((said for name in _FIELDS if (said := _term(name, phrase.text))), "")
        if term:
            found.setdefault(phrase.text, term)
    return found


def _term(name: str, text: str) -> str:
    """Return the term of a field with this value, empty where the field has no such value."""
    known = codes_of(name)
    if folded(text) not in known or text.isdigit():
        return ""
    field = FIELDS[name]
    typed = text.strip()
    chinese = any(not char.isascii() for char in typed)
    spelled = field.also[0] if chinese and field.also else name
    return f"{spelled}:{typed}" if field.kind in (Kind.CODE, Kind.STATE, Kind.ID) else ""
