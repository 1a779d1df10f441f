"""Embeddings that are made once for a text, kept by its digest, and survive an interruption.

While texts are embedded, each finished block is a pair of files under `blocks/`, staged and
renamed. When all are there, the vectors are put in the order of the chunks as one array, and the
blocks go. The next call takes its vectors from that array, from blocks that an interrupted call has
left, and embeds only the rest.
"""

from __future__ import annotations

import hashlib
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np

from ragdash.core.errors import StoreError
from ragdash.index.arrays import mapped, save

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from ragdash.models.base import Embedder, FloatArray, Progress

# texts to a block: at most so many are lost when a call is killed (about 20 s on two cores)
BLOCK = 128
VECTORS = "vectors.npy"
KEYS = "keys.npy"
_KEY_BYTES = 32


def text_key(text: str) -> bytes:
    """Return the SHA-256 of a text; a lone surrogate counts as itself."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def write_keys(path: Path, keys: Sequence[bytes]) -> None:
    """Write keys as uint8, (n, 32)."""
    array = np.frombuffer(b"".join(keys), np.uint8).reshape(len(keys), _KEY_BYTES)
    save(path, array)


class KnownVectors:
    """The vectors that earlier calls have left under a model's folder, by the key of their text."""

    def __init__(self, folder: Path, dimension: int) -> None:
        self._blocks = folder / "blocks"
        self._dimension = dimension
        self._files: list[Path] = []
        self._where: dict[bytes, tuple[int, int]] = {}
        for path in sorted([*folder.glob(f"*/{VECTORS}"), *self._blocks.glob(f"*.{VECTORS}")]):
            self._add(path)

    def _add(self, path: Path) -> None:
        """Note which keys a file of vectors holds."""
        keys = _readable(path.with_name(path.name.replace(VECTORS, KEYS)))
        rows = len(_readable(path))
        if rows != len(keys):
            raise _damaged(path, f"{rows} vectors for {len(keys)} texts")
        self._files.append(path)
        for row, key in enumerate(keys):
            self._where.setdefault(key.tobytes(), (len(self._files) - 1, row))

    def missing(self, keys: Sequence[bytes]) -> list[int]:
        """Return the first position of each key that has no vector yet."""
        first = {key: i for i, key in reversed(list(enumerate(keys)))}
        return sorted(i for key, i in first.items() if key not in self._where)

    def write_block(self, keys: Sequence[bytes], vectors: FloatArray) -> None:
        """Keep a finished block: the keys first, as it is the file of vectors that counts."""
        self._blocks.mkdir(parents=True, exist_ok=True)
        path = self._blocks / f"{hashlib.sha256(b''.join(keys)).hexdigest()[:24]}.{VECTORS}"
        write_keys(path.with_name(path.name.replace(VECTORS, KEYS)), keys)
        save(path, vectors)
        self._add(path)

    def write_gathered(self, path: Path, keys: Sequence[bytes]) -> None:
        """Write float32, (n, dim), a row for each key; read file by file, never all at once."""
        places: dict[int, list[tuple[int, int]]] = {}
        for target, key in enumerate(keys):
            file, row = self._where[key]
            places.setdefault(file, []).append((target, row))
        if not keys:
            save(path, np.empty((0, self._dimension), np.float32))
            return
        whole = np.lib.format.open_memmap(
            path, mode="w+", dtype=np.float32, shape=(len(keys), self._dimension)
        )
        for file, pairs in places.items():
            targets, rows = zip(*pairs, strict=True)
            whole[list(targets)] = _readable(self._files[file])[list(rows)]
        whole.flush()

    def drop_blocks(self) -> None:
        """Remove the blocks, once their vectors are part of a published array."""
        shutil.rmtree(self._blocks, ignore_errors=True)


def embed_missing(
    known: KnownVectors,
    texts: Sequence[str],
    embedder: Embedder,
    on_progress: Progress | None = None,
) -> int:
    """Embed the texts that have no vector yet, block by block, and return how many there were.

    `on_progress(done, total)` counts those texts only. They are taken in the order of their length,
    longest first, so that a batch wastes little padding.
    """
    keys = [text_key(text) for text in texts]
    sizes = [len(text.encode("utf-8", "replace")) for text in texts]
    missing = sorted(known.missing(keys), key=lambda i: (-sizes[i], i))
    for start in range(0, len(missing), BLOCK):
        block = missing[start : start + BLOCK]

        def report(done: int, _: int, before: int = start) -> None:
            if on_progress is not None:
                on_progress(before + done, len(missing))

        vectors = embedder.encode_passages([texts[i] for i in block], report)
        known.write_block([keys[i] for i in block], vectors)
    return len(missing)


def _readable(path: Path) -> npt.NDArray[Any]:
    try:
        return mapped(path)
    except (OSError, ValueError, EOFError) as error:
        raise _damaged(path, str(error)) from error


def _damaged(path: Path, why: str) -> StoreError:
    return StoreError(
        f"the embeddings in {path} cannot be used ({why}): remove {path.parent} and ingest again"
    )
