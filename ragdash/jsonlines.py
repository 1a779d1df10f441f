"""JSON lines that people write: every bad line named by its number, nothing guessed.

Read so are manifests, pages files, question sets and attack fixtures, and, line by line and within
limits, the results of other systems.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, NoReturn

from ragdash.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pydantic import ValidationError

_BOM = b"\xef\xbb\xbf"
_MOST_DIGITS = 4_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What a file of strangers may hold: bytes of the file and of a line, levels of nesting.

    After so many `faults` nobody reads on.
    """

    file: int
    line: int
    depth: int
    faults: int


def read_objects(path: Path, faults: list[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file with their line numbers; a bad line goes to `faults`.

    Fractions come as Decimal, as written. A key that stands twice, NaN and Infinity are bad.

    Raises:
        InputError: the file is not there, or is no UTF-8 text.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; check the path.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 at byte {error.start}; save it as UTF-8.") from error
    # Not splitlines: that would also cut at U+2028, which JSON allows within a string.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        row = _object(line, number, faults)
        if row is not None:
            yield number, row


def stream_objects(
    path: Path, faults: list[str], limits: Limits
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file as `read_objects` does, with one line in memory at a time.

    A line that is too long or too deep is bad, and after too many bad ones reading ends.

    Raises:
        InputError: the file is not there, is larger than the limit, or is no UTF-8 text.
    """
    try:
        with path.open("rb") as file:
            number = taken = 0
            while len(faults) < limits.faults and (raw := file.readline(limits.line + 1)):
                number += 1
                taken += len(raw)
                if taken > limits.file:
                    raise InputError(f"{path} grew beyond {limits.file >> 20} MB while it was read")
                if len(raw) > limits.line and not raw.endswith(b"\n"):
                    faults.append(f"line {number}: longer than {limits.line:,} bytes")
                    while raw and not raw.endswith(b"\n"):
                        raw = file.readline(1 << 20)
                        taken += len(raw)
                    continue
                line = _decoded(raw.removeprefix(_BOM) if number == 1 else raw, path, number)
                row = _object(line, number, faults, limits.depth) if line.strip() else None
                if row is not None:
                    yield number, row
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; check the path.") from error


def _decoded(raw: bytes, path: Path, number: int) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not UTF-8 at byte {error.start + 1} of line {number} (GBK or another "
            "encoding): save it as UTF-8"
        ) from error


def _object(
    line: str, number: int, faults: list[str], deepest: int | None = None
) -> dict[str, Any] | None:
    """Return the object that a line is; None, with a fault, where it is none."""
    try:
        row = parse(line)
    except RecursionError:
        faults.append(f"line {number}: nested too deeply")
        return None
    except ValueError as error:
        # The parser counts lines too, from the start of this one.
        why = str(error).replace("line 1 column", "column")
        faults.append(f"line {number}: no JSON object ({printable(why, 120)})")
        return None
    if not isinstance(row, dict):
        faults.append(f"line {number}: a JSON object is wanted, not {type(row).__name__}")
        return None
    if deepest is not None and _is_deeper(row, deepest):
        faults.append(f"line {number}: nested more than {deepest} levels deep")
        return None
    return row


def _is_deeper(value: Any, levels: int) -> bool:
    """Whether a value is nested deeper than so many levels; takes no stack of its own."""
    waiting = [(value, 1)]
    while waiting:
        one, level = waiting.pop()
        if not isinstance(one, dict | list):
            continue
        if level > levels:
            return True
        inner = one.values() if isinstance(one, dict) else one
        waiting += [(each, level + 1) for each in inner if isinstance(each, dict | list)]
    return False


def parse(text: str, *, nan: bool = False) -> Any:
    """Return one JSON value, fractions as Decimal.

    Args:
        text: the JSON.
        nan: take NaN and Infinity, as Decimal, where whoever reads a key refuses them there.

    Raises:
        ValueError: it is none, holds NaN or Infinity, or names a key twice.
    """
    constant = Decimal if nan else _refused
    return json.loads(
        text,
        parse_float=_exact,
        parse_int=_whole,
        parse_constant=constant,
        object_pairs_hook=_once,
    )


def explained(error: ValidationError) -> str:
    """Say in one clause what is wrong with each key of a line."""
    parts = []
    for fault in error.errors(include_url=False):
        key = printable(".".join(map(str, fault["loc"])), 80)
        why = fault["msg"].removeprefix("Value error, ")
        if fault["type"] == "extra_forbidden":
            parts.append(f"unknown key {key!r}")
        elif fault["type"] == "missing":
            parts.append(f"{key!r} is missing")
        elif not key:
            parts.append(why)
        else:
            parts.append(f"{key!r} is {_shown(fault['input'])}: {why}")
    return ", ".join(parts)


def _shown(value: object) -> str:
    """A value with quotes only where it is text, so that 2022 and "2022" can be told apart."""
    return f"'{printable(value)}'" if isinstance(value, str) else printable(str(value))


def printable(text: str, limit: int = 60) -> str:
    """Return untrusted text on one line, control and direction marks escaped, cut to a length."""
    shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[: limit + 1])
    return shown if len(shown) <= limit else shown[:limit] + "…"


def _exact(fraction: str) -> Decimal:
    try:
        return Decimal(fraction)
    except InvalidOperation as error:
        # An exponent of twenty digits is more than Decimal holds, and no ValueError.
        raise ValueError(f"{printable(fraction)} is out of any range") from error


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        # Python itself refuses a little later, in words that are no help here.
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


def _refused(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no finite number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"key {next(k for k in keys if keys.count(k) > 1)!r} stands twice")
    return row
