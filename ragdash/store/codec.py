"""Nouns to plain JSON and back, driven by their own type hints: a new field needs no code.

Exact both ways: a Decimal travels as text, a tuple as a list, an enum as its value. NaN and
infinity are refused. A field that an older journal does not hold takes its default; an unknown
one is refused.
"""

from __future__ import annotations

import dataclasses
import json
import math
import operator
import types
import typing
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from ragdash.core import (
    answer,
    attack,
    call,
    chunk,
    diagnosis,
    poison,
    question,
    retrieval,
    run,
    score,
)
from ragdash.core.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")
Convert = Callable[[Any], Any]

# Hints of core are text (its modules import each other for type checking only), so the names that
# they use are looked up here.
_NOUNS = {
    name: value
    for module in (answer, attack, call, chunk, diagnosis, poison, question, retrieval, run, score)
    for name, value in vars(module).items()
    if isinstance(value, type)
}


def encode(noun: Any) -> dict[str, Any]:
    """Return a dataclass of core as plain JSON types.

    Raises:
        ValueError: a number is NaN or infinite; the text names the field.
        TypeError: a value is not of its declared type.
    """
    plain: dict[str, Any] = _encoder(typing.cast("Any", type(noun)))(noun)
    return plain


def decode(noun: type[T], plain: Mapping[str, Any]) -> T:
    """Return the dataclass that `encode` was given.

    Raises:
        StoreError: a field is missing, unknown or of another type.
    """
    try:
        value: T = _decoder(typing.cast("Any", noun))(plain)
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        raise StoreError(
            f"a stored {noun.__name__} cannot be read ({error}): it is damaged or was written by "
            "another version of ragdash"
        ) from error
    return value


def dumps(plain: Any) -> str:
    """Return compact JSON in ASCII, which SQLite can keep whatever the text holds.

    A lone surrogate (a broken model reply) has no UTF-8 form, but it has an escape.
    """
    return json.dumps(plain, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


@cache
def _hints(noun: type) -> dict[str, Any]:
    return typing.get_type_hints(noun, localns=_NOUNS)


@cache
def _encoder(hint: Any) -> Convert:
    if dataclasses.is_dataclass(hint):
        return _noun_encoder(typing.cast("type", hint))
    scalar = _SCALARS.get(hint)
    if scalar is not None:
        return scalar[0]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return lambda value: hint(value).value
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return _tuple_encoder(inner)
    if origin in (types.UnionType, typing.Union):
        some = _encoder(_without_none(inner))
        return lambda value: None if value is None else some(value)
    if origin is dict or hint is Any:
        return _plain
    raise TypeError(f"no JSON form for {hint}")


def _noun_encoder(noun: type) -> Convert:
    fields = [
        (f.name, _encoder(_hints(noun)[f.name]))
        for f in dataclasses.fields(typing.cast("Any", noun))
    ]

    def convert(value: Any) -> dict[str, Any]:
        plain = {}
        for name, inner in fields:
            try:
                plain[name] = inner(getattr(value, name))
            except (ValueError, TypeError) as error:
                raise type(error)(f"{noun.__name__}.{name}: {error}") from error
        return plain

    return convert


def _tuple_encoder(inner: tuple[Any, ...]) -> Convert:
    if inner[-1] is Ellipsis:
        one = _encoder(inner[0])
        return lambda values: [one(value) for value in values]
    each = [_encoder(hint) for hint in inner]
    return lambda values: [f(v) for f, v in zip(each, values, strict=True)]


@cache
def _decoder(hint: Any) -> Convert:
    if dataclasses.is_dataclass(hint):
        return _noun_decoder(typing.cast("type", hint))
    scalar = _SCALARS.get(hint)
    if scalar is not None:
        return scalar[1]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return _tuple_decoder(inner)
    if origin in (types.UnionType, typing.Union):
        some = _decoder(_without_none(inner))
        return lambda plain: None if plain is None else some(plain)
    return lambda plain: plain


def _noun_decoder(noun: type) -> Convert:
    readers = {name: _decoder(hint) for name, hint in _hints(noun).items()}

    def convert(plain: Mapping[str, Any]) -> Any:
        return noun(**{name: readers[name](value) for name, value in plain.items()})

    return convert


def _tuple_decoder(inner: tuple[Any, ...]) -> Convert:
    if inner[-1] is Ellipsis:
        one = _decoder(inner[0])
        return lambda plain: tuple(one(value) for value in plain)
    each = [_decoder(hint) for hint in inner]
    return lambda plain: tuple(f(v) for f, v in zip(each, plain, strict=True))


def _without_none(inner: tuple[Any, ...]) -> Any:
    some = [hint for hint in inner if hint is not type(None)]
    if len(some) != 1:
        raise TypeError(f"no JSON form for a choice between {inner}")
    return some[0]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return str(value)


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{number} is not a finite number")
    return number


def _decimal_text(value: Decimal) -> str:
    if not value.is_finite():
        raise ValueError(f"{value} is not a finite number")
    return str(value)


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str):
        return value
    if isinstance(value, Decimal):
        return _decimal_text(value)
    if isinstance(value, float):
        return _finite(value)
    if isinstance(value, dict):
        return {_text(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if dataclasses.is_dataclass(value):
        return encode(value)
    raise TypeError(f"a {type(value).__name__} has no JSON form")


_SCALARS: dict[Any, tuple[Convert, Convert]] = {
    str: (_text, _text),
    int: (operator.index, operator.index),
    float: (_finite, _finite),
    bool: (bool, bool),
    Decimal: (_decimal_text, Decimal),
}
