"""What a filter says, as a tree; equal trees are equal filters, and each has one way to be written.

Trees are made by `every`, `some` and `negated`, which leave out what changes nothing: a group in a
group of its kind, a group of one, a negation of a negation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Op(StrEnum):
    """How a value is held against a field; IS finds a text within, and a code or id whole."""

    IS = ":"
    EQUAL = "="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text that question or answer holds."""

    text: str


@dataclass(frozen=True, slots=True)
class Term:
    """One field against one of several values, in the field's own codes and as they are written."""

    field: str
    op: Op
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite; what cannot be said of a row stays unsaid."""

    of: Expr


@dataclass(frozen=True, slots=True)
class Every:
    """All of these; none at all holds for every row."""

    of: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Some:
    """Any of these, two or more."""

    of: tuple[Expr, ...]


Expr = Phrase | Term | Not | Every | Some
NOTHING_ASKED = Every()


def every(parts: Iterable[Expr]) -> Expr:
    """Return what holds where all of these do."""
    flat = [one for part in parts for one in (part.of if isinstance(part, Every) else (part,))]
    return flat[0] if len(flat) == 1 else Every(tuple(flat))


def some(parts: Iterable[Expr]) -> Expr:
    """Return what holds where any of these, at least one, does."""
    flat = [one for part in parts for one in (part.of if isinstance(part, Some) else (part,))]
    return flat[0] if len(flat) == 1 else Some(tuple(flat))


def negated(part: Expr) -> Expr:
    """Return the opposite."""
    return part.of if isinstance(part, Not) else Not(part)


def phrases(expr: Expr) -> Iterator[Phrase]:
    """Yield every text of a tree."""
    match expr:
        case Phrase():
            yield expr
        case Not(of):
            yield from phrases(of)
        case Every(parts) | Some(parts):
            for part in parts:
                yield from phrases(part)
        case Term():
            return


def terms(expr: Expr) -> Iterator[Term]:
    """Yield every term of a tree."""
    match expr:
        case Term():
            yield expr
        case Not(of):
            yield from terms(of)
        case Every(parts) | Some(parts):
            for part in parts:
                yield from terms(part)
        case Phrase():
            return
