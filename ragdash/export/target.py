"""Where an export goes: a file written beside and renamed, or standard output."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from ragdash.core.errors import InputError
from ragdash.jsonlines import printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STDOUT = "-"


def refuse_taken(path: Path, *, force: bool) -> None:
    """Refuse a place that an export cannot be put at, before any work is done for it.

    Raises:
        InputError: something is there already, or no file can be made there.
    """
    shown = printable(str(path), 200)
    if path.is_dir():
        raise InputError(f"{shown} is a folder: name a file in it with -o")
    if path.exists() and not force:
        raise InputError(f"{shown} is there already: name another file, or --force to replace it")
    folder = path.parent
    if not folder.is_dir():
        raise InputError(f"the folder of {shown} does not exist: make it, or name another file")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"nothing can be written beside {shown} (no permission): choose another")


def put(path: Path, pieces: Iterator[bytes], *, force: bool = False) -> int:
    """Write a file whole or not at all, and return its size in bytes.

    Raises:
        InputError: something is there already, or it cannot be written; what was there stays.
    """
    refuse_taken(path, force=force)
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    size = 0
    try:
        with beside.open("wb") as file:
            for piece in pieces:
                size += file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        refuse_taken(path, force=force)
        beside.replace(path)
    except OSError as error:
        shown = printable(str(path), 200)
        raise InputError(
            f"{shown} cannot be written ({error.strerror}): choose another place"
        ) from error
    finally:
        beside.unlink(missing_ok=True)
    return size


def print_out(pieces: Iterator[bytes]) -> None:
    """Write an export to standard output."""
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()
