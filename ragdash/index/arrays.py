"""Arrays on disk: written whole or not at all, and read by mapping."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt


def save(path: Path, array: npt.NDArray[Any]) -> None:
    """Write an array under its name at once: staged beside it and renamed."""
    staged = path.with_name(f".{path.name}.{os.getpid()}")
    with staged.open("wb") as file:
        np.save(file, array, allow_pickle=False)
    staged.replace(path)


def mapped(path: Path) -> npt.NDArray[Any]:
    """Return an array as a read-only map of its file, without reading it.

    Raises:
        OSError, ValueError, EOFError: the file is missing, cut off or no array.
    """
    with path.open("rb") as file:
        version = np.lib.format.read_magic(file)
        shape, _, _ = (
            np.lib.format.read_array_header_1_0(file)
            if version == (1, 0)
            else np.lib.format.read_array_header_2_0(file)
        )
    # nothing cannot be mapped
    mode: Any = "r" if np.prod(shape) else None
    array: npt.NDArray[Any] = np.load(path, mmap_mode=mode, allow_pickle=False)
    return array
