"""Tagged digests over canonical JSON, so that equal content has one name everywhere."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Decimal | Path):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    raise TypeError(f"no canonical JSON for a {type(value).__name__}")


def canonical_json(value: Any) -> str:
    """Return the one JSON text of a value: keys sorted, no blanks, no NaN.

    Args:
        value: JSON types, dataclasses, enums, Decimal (as text) and Path.

    Raises:
        ValueError: a float is NaN or infinite.
        TypeError: a type has no canonical form.
    """
    return json.dumps(
        value,
        default=_plain,
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
    )


def digest_bytes(data: bytes) -> str:
    """Return `sha256:` and 64 hexadecimal digits over raw bytes."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """Return the tagged digest of a value's canonical JSON."""
    # A lone surrogate of a broken text has no UTF-8 form, and is content all the same.
    return digest_bytes(canonical_json(value).encode("utf-8", "surrogatepass"))


def digest_file(path: Path) -> str:
    """Return the tagged digest of a file's bytes, read in blocks of 1 MiB."""
    sha = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            sha.update(block)
    return "sha256:" + sha.hexdigest()
