"""Files of fixtures and of registered documents, read whole or refused with every fault named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ragdash import shipped
from ragdash.attack.schema import case_from
from ragdash.core.errors import InputError
from ragdash.jsonlines import explained, parse, printable, read_objects

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.core.attack import AttackCase


def published_fixtures() -> Path:
    """Return the file of the published six: in the wheel's own folder, or in the checkout.

    Raises:
        EnvironmentError_: neither is there.
    """
    return fixture_file("published_six.jsonl")


def fixture_file(name: str) -> Path:
    """Return a file of ours under data/attacks: published_six, fixtures, variants, registries.

    Raises:
        EnvironmentError_: it is not there.
    """
    return shipped.path(f"data/attacks/{name}")


def load_cases(path: Path) -> tuple[AttackCase, ...]:
    """Return the fixtures of a JSON-lines file, in its order.

    Raises:
        InputError: the file cannot be read, is empty, or has bad lines; each is named.
    """
    cases: list[AttackCase] = []
    lines_of_ids: dict[str, int] = {}
    faults: list[str] = []
    for number, obj in read_objects(path, faults):
        if not _encodable(obj):
            faults.append(f"line {number}: a lone surrogate, which no text file can hold")
            continue
        # Before the rest is checked, so that a repeated id shows beside a line with other faults.
        first = lines_of_ids.setdefault(_id(obj), number) if _id(obj) else number
        if first != number:
            faults.append(f"line {number}: id '{printable(_id(obj))}' is that of line {first}")
        try:
            cases.append(case_from(obj))
        except ValidationError as error:
            faults.append(f"line {number}: {explained(error)}")
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
        ids = parse(_read(path))
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


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"Registry {path}: {error.strerror}; give a readable file.") from error


def _encodable(value: Any) -> bool:
    """Whether a value holds no lone surrogate: legal in JSON, but no terminal or store takes it."""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
