"""Files of fixtures and of registered documents, read whole or refused with every fault named."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from pydantic import ValidationError

from ragdash.attack.schema import case_from, printable
from ragdash.core.errors import EnvironmentError_, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ragdash.core.attack import AttackCase


def published_fixtures() -> Path:
    """Return the file of the published six: in the wheel's own folder, or in the checkout.

    Raises:
        EnvironmentError_: neither is there.
    """
    package = Path(__file__).resolve().parents[1]
    for root in (package / "_app", package.parent):
        path = root / "data" / "attacks" / "published_six.jsonl"
        if path.is_file():
            return path
    raise EnvironmentError_(
        f"The published fixtures are not at data/attacks/published_six.jsonl beside {package}; "
        "restore the file from the repository, or give your own with --fixtures."
    )


def load_cases(path: Path) -> tuple[AttackCase, ...]:
    """Return the fixtures of a JSON-lines file, in its order.

    Raises:
        InputError: the file cannot be read, is empty, or has bad lines; each is named.
    """
    cases: list[AttackCase] = []
    lines_of_ids: dict[str, int] = {}
    faults: list[str] = []
    for number, line in _lines(path):
        try:
            obj = _json(line)
        except (ValueError, RecursionError) as error:
            faults.append(f"line {number}: not JSON ({printable(str(error), 120)})")
            continue
        # Before the rest is checked, so that a repeated id shows beside a line with other faults.
        first = lines_of_ids.setdefault(_id(obj), number) if _id(obj) else number
        if first != number:
            faults.append(f"line {number}: id '{printable(_id(obj))}' is that of line {first}")
        try:
            cases.append(case_from(obj))
        except ValidationError as error:
            faults.append(f"line {number}: {_sentence(error)}")
    if faults:
        count = f"{len(faults)} bad line{'s' if len(faults) > 1 else ''}"
        raise InputError(f"Fixtures {path}: {count}, nothing was run. {' | '.join(faults)}")
    if not cases:
        raise InputError(f"Fixtures {path} hold no case; give a JSON-lines file of fixtures.")
    return tuple(cases)


def load_registry(path: Path) -> frozenset[str]:
    """Return the ids of registered documents from a JSON list.

    Raises:
        InputError: the file cannot be read, or is not a list of different names.
    """
    try:
        ids = _json(_read(path, "Registry"))
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"Registry {path} is not JSON ({printable(str(error), 120)}); "
            "give a list of doc_id strings."
        ) from error
    if not isinstance(ids, list) or not all(isinstance(i, str) and i.strip() for i in ids):
        raise InputError(f"Registry {path} is not a JSON list of doc_id strings; write one.")
    if len(set(ids)) < len(ids):
        twice = sorted({printable(i) for i in ids if ids.count(i) > 1})
        raise InputError(f"Registry {path} names {', '.join(twice)} twice; name each once.")
    return frozenset(ids)


def _id(obj: Any) -> str:
    found = obj.get("id") if isinstance(obj, dict) else None
    return found if isinstance(found, str) else ""


def _read(path: Path, what: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{what} {path}: {error.strerror}; give a readable file.") from error


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, numbered from 1 as an editor numbers them."""
    content = _read(path, "Fixtures").removeprefix(b"\xef\xbb\xbf")
    # bytes.split: str.splitlines would also cut at U+2028, which JSON allows within a string.
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            yield number, line


def _json(line: bytes) -> Any:
    value = json.loads(
        line.decode("utf-8"),
        parse_float=Decimal,
        parse_constant=_refuse_constant,
        object_pairs_hook=_unique_keys,
    )
    # A lone surrogate is legal in JSON but in no text: no file, terminal or store can take it.
    json.dumps(value, ensure_ascii=False, default=str).encode("utf-8")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"key '{next(k for k in keys if keys.count(k) > 1)}' stands twice")
    return found


def _sentence(error: ValidationError) -> str:
    """Say each fault of a line with the place of its key."""
    faults = []
    for fault in error.errors(include_url=False):
        place = printable(".".join(str(part) for part in fault["loc"]), 80)
        if fault["type"] == "extra_forbidden":
            faults.append(f"unknown key {place}")
            continue
        text = fault["msg"].removeprefix("Value error, ")
        faults.append(f"{place}: {text}" if place else text)
    return "; ".join(faults)
