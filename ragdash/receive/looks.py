"""What a file really is, before it is read as JSON lines: told by its size and first bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.core.errors import InputError
from ragdash.jsonlines import printable
from ragdash.receive.form import LARGEST_FILE

if TYPE_CHECKING:
    from pathlib import Path

_HEAD = 64 << 10
_MAGIC = (
    (b"\x1f\x8b", "gzip", "unpack it first"),
    (b"PK\x03\x04", "a zip archive (or .xlsx)", "unpack it, or save the sheet as JSON lines"),
    (b"PK\x05\x06", "an empty zip archive", "name a file of JSON lines"),
    (b"BZh", "bzip2", "unpack it first"),
    (b"\xfd7zXZ\x00", "xz", "unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstd", "unpack it first"),
    (b"PAR1", "Parquet", "write it as JSON lines, e.g. with pandas `to_json(lines=True)`"),
    (b"ARROW1", "an Arrow file", "write it as JSON lines"),
    (b"SQLite format 3\x00", "an SQLite database", "write its rows as JSON lines"),
    (b"%PDF-", "a PDF", "name a file of JSON lines"),
    (b"\xff\xfe", "UTF-16", "save it as UTF-8"),
    (b"\xfe\xff", "UTF-16", "save it as UTF-8"),
)
_CELLS = re.compile(r"[,;\t|]")


def refuse_other(path: Path, largest: int = LARGEST_FILE) -> None:
    """Refuse a file that is too large, or by its first bytes something else than JSON lines.

    Nothing is unpacked and nothing else of the file is read.

    Raises:
        InputError: which, and what to do.
    """
    name = printable(str(path), 200)
    try:
        if not path.is_file():
            raise InputError(f"{name} is no file: name a file of JSON lines")
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}; check the path") from error
    if size > largest:
        raise InputError(
            f"{name} has {size / (1 << 20):,.0f} MB, {largest >> 20} MB are read at most: split "
            "it, e.g. with `split -l 20000`, give each part the header line, and import the parts"
        )
    for magic, what, remedy in _MAGIC:
        if head.startswith(magic):
            raise InputError(f"{name} is {what}, not JSON lines: {remedy}")
    if head[8:12] == b"DUCK":
        raise InputError(f"{name} is a DuckDB database, not JSON lines: write its rows as such")
    if b"\x00" in head:
        raise InputError(f"{name} holds NUL bytes (UTF-16 or no text at all): save it as UTF-8")
    _refuse_other_text(name, head.decode("utf-8-sig", "replace").lstrip())


def _refuse_other_text(name: str, text: str) -> None:
    if not text:
        raise InputError(f"{name} holds no line: write one JSON object a line")
    first = text.partition("\n")[0].strip()
    if first.startswith("["):
        raise InputError(
            f"{name} begins a JSON array, and one object a line is wanted: `jq -c '.[]' FILE` "
            "writes it so"
        )
    if first == "{":
        raise InputError(
            f"{name} spreads an object over several lines, and one object a line is wanted: "
            "`jq -c . FILE` writes it so"
        )
    if first.startswith("{"):
        return
    if first.startswith("<"):
        raise InputError(f"{name} looks like HTML or XML, not JSON lines: name another file")
    if _CELLS.search(first):
        raise InputError(
            f"{name} looks like CSV (first line: {printable(first)}), not JSON lines: write each "
            "row as a JSON object"
        )
