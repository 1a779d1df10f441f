"""A tree as people write it; reading that gives the same tree."""

from __future__ import annotations

import re

from ragdash.filter.fields import Kind, field_of
from ragdash.filter.parser import RESERVED
from ragdash.filter.tree import Every, Expr, Not, Phrase, Some, Term
from ragdash.store.folding import folded

_WORD = re.compile(r"[\w.@%*]+(?:-[\w.@%*]+)*")


def written(expr: Expr) -> str:
    """Return the one way to write a filter; empty where it asks for everything."""
    match expr:
        case Phrase(text):
            return _text(text)
        case Term(name, op, values):
            is_free = field_of(name).kind in (Kind.TEXT, Kind.ID)
            if not is_free:
                return f"{name}{op}{','.join(values)}"
            # A comma between two digits would be one of a number.
            return f"{name}{op}{', '.join(_text(value) for value in values)}"
        case Not(of):
            return f"-{_part(of)}"
        case Every(parts):
            return " ".join(f"({written(p)})" if isinstance(p, Some) else written(p) for p in parts)
        case Some(parts):
            return " OR ".join(written(part) for part in parts)


def _part(expr: Expr) -> str:
    return f"({written(expr)})" if isinstance(expr, Every | Some) else written(expr)


def _text(text: str) -> str:
    if _WORD.fullmatch(text) and folded(text) not in RESERVED:
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
