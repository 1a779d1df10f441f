"""The values of one term, checked against what its field can be, and put into the field's codes."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from typing import TYPE_CHECKING

from ragdash.filter.faults import BadFilter, shown, unknown_value
from ragdash.filter.fields import (
    FIELDS,
    FLIPS,
    Kind,
    by_any_name,
    codes_of,
    field_of,
    is_given,
)
from ragdash.filter.tree import Expr, Op, Term, negated, some
from ragdash.store.folding import folded

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBER = re.compile(r"(?P<n>[-+]?(?:[0-9]{1,15}(?:\.[0-9]{0,15})?|\.[0-9]{1,15}))(?P<share>%?)")
_EXACT = (Op.IS, Op.EQUAL)
Values = list[tuple[int, str]]


def term_of(
    name: str, op: Op | None, values: Values, position: int, typed: str | None = None
) -> Expr:
    """Return the term that one comparison is.

    Args:
        name: the field.
        op: how; None for "is not".
        values: each with its position, from 1; at least one.
        position: of the comparison, from 1.
        typed: the name of the field as it was written, for what is said of it.

    Raises:
        BadFilter: the field has no such comparison or value.
    """
    if op is None:
        return negated(term_of(name, Op.EQUAL, values, position, typed))
    said = shown(typed or name)
    kind = field_of(name).kind
    if kind in (Kind.NUMBER, Kind.METRIC):
        return _number(name, op, values, said)
    if op not in _EXACT:
        raise BadFilter(
            position,
            f"{said} is no number: write {said}:{shown(values[0][1])}",
            f"{said} 不是数字：请写 {said}:{shown(values[0][1])}",
        )
    if kind is Kind.PRESENCE:
        return _presence(name, values, said)
    if kind is Kind.TEXT:
        return Term(name, op, _once(word for _, word in values))
    if kind is Kind.ID:
        known = codes_of(name)
        return Term(name, Op.IS, _once(known.get(folded(w), (w,))[0] for _, w in values))
    return Term(name, Op.IS, _codes(name, values, said))


def _codes(name: str, values: Values, said: str) -> tuple[str, ...]:
    known = codes_of(name)
    found: list[str] = []
    for position, word in values:
        if folded(word) not in known:
            plain = {spelling: codes[0] for spelling, codes in known.items()}
            raise unknown_value(position, said, word, plain)
        found += known[folded(word)]
    return _once(found)


def _presence(name: str, values: Values, said: str) -> Expr:
    held = set(_with_presence())
    known = {word: field for word, field in by_any_name().items() if field in held}
    for position, word in values:
        if folded(word) not in known and not is_given(word):
            raise unknown_value(position, said, word, known)
    names = _once(known.get(folded(word), word) for _, word in values)
    if name == "has":
        return Term("has", Op.IS, names)
    # One of them has no value; each is a term of its own, so that the opposite is exact.
    return some([negated(Term("has", Op.IS, (one,))) for one in names])


def _number(name: str, op: Op, values: Values, said: str) -> Expr:
    if (
        op in _EXACT
        and field_of(name).kind is Kind.METRIC
        and folded(values[0][1]) in codes_of(name)
    ):
        return Term(name, Op.IS, _codes(name, values, said))
    numbers = [_read(name, at, word, said) for at, word in values]
    if op in _EXACT:
        return Term(name, Op.EQUAL, _once(numbers))
    if len(numbers) > 1:
        raise BadFilter(
            values[1][0],
            f"{said}{op} takes one number: the second is {numbers[1]}",
            f"{said}{op} 只能比较一个数字：第二个是 {numbers[1]}",
        )
    return Term(name, op, (numbers[0],))


def _read(name: str, position: int, word: str, said: str) -> str:
    found = _NUMBER.fullmatch(unicodedata.normalize("NFKC", word))
    if found is None:
        statuses = (
            ", as 0.5" if field_of(name).kind is Kind.NUMBER else ", as 0.5, or a status, as error"
        )
        raise BadFilter(
            position,
            f"{said} is a number{statuses}, and {shown(word)} is none",
            f"{said} 应为数字（如 0.5），{shown(word)} 不是数字",
        )
    number = Decimal(found["n"]) / (100 if found["share"] else 1)
    return format(number.normalize() + 0, "f")


def _once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def _with_presence() -> list[str]:
    """Return the fields that a row may be without."""
    never = {"lost", "kept", FLIPS}
    kinds = (Kind.STATE, Kind.PRESENCE)
    return [f.name for f in FIELDS.values() if f.kind not in kinds and f.name not in never]
