from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.models.e5_weights import WeightFile, read_weight_file

if TYPE_CHECKING:
    from pathlib import Path

SIZES = (32, 1, 2, 64, 4, 8, 2)


def _block(scale: float, values: list[int]) -> bytes:
    """One block of 32 four-bit weights, by the description of the format and not by our reader."""
    low, high = values[:16], values[16:]
    return struct.pack("<e", scale) + bytes(a | b << 4 for a, b in zip(low, high, strict=True))


def _write(path: Path, pieces: list[str], tensors: dict[str, bytes]) -> Path:
    blob = b"".join(piece.encode() for piece in pieces)
    ends = np.cumsum([0, *(len(piece.encode()) for piece in pieces)]).astype("<u4").tobytes()
    scores = np.arange(len(pieces), dtype="<f4").tobytes()
    norm = struct.pack("<IB", 0xA0, 1) + struct.pack("<I", 0x20) + struct.pack("<IB", 1, 0)
    head = b"E5S1" + struct.pack("<i7ifi", 1, *SIZES, 1e-12, 32)
    head += struct.pack("<5iQ", len(pieces), 0, 2, 1, 3, len(blob)) + ends + scores + blob
    head += struct.pack("<iI", 2, len(norm)) + norm
    at = len(head) + 4 + sum(2 + len(name) + 21 for name in tensors)
    directory = struct.pack("<i", len(tensors))
    for name, data in tensors.items():
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", 1, 0, at, len(data))
        at += len(data)
    path.write_bytes(head + directory + b"".join(tensors.values()))
    return path


def test_sizes_vocabulary_and_replacements_are_read(tmp_path: Path) -> None:
    read = read_weight_file(
        _write(tmp_path / "w", ["<s>", "<pad>", "</s>", "<unk>", "\u2581营业"], {})
    )
    assert (read.shape.hidden, read.shape.layers, read.shape.max_positions) == (32, 1, 8)
    assert (read.shape.bos, read.shape.eos, read.shape.pad, read.shape.unk) == (0, 2, 1, 3)
    assert read.pieces[4] == "\u2581营业"
    assert read.scores == (0.0, 1.0, 2.0, 3.0, 4.0)
    assert read.replacements == {0xA0: " ", 1: ""}


@settings(deadline=None)
@given(
    rows=st.lists(
        st.tuples(
            st.floats(0.0009765625, 4.0, width=16),
            st.lists(st.integers(0, 15), min_size=32, max_size=32),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_a_weight_is_its_nibble_minus_8_times_its_blocks_scale(
    rows: list[tuple[float, list[int]]],
) -> None:
    data = b"".join(_block(scale, values) for scale, values in rows)
    read = WeightFile(shape=None, pieces=(), scores=(), replacements={}, data=b"xx" + data,
                      directory={"w": (2, len(data))})  # fmt: skip
    expected = [[(value - 8) * scale for value in values] for scale, values in rows]
    np.testing.assert_allclose(read.matrix("w", 32), expected, rtol=1e-6)


def test_tensors_are_found_by_name(tmp_path: Path) -> None:
    vector = np.array([1.5, -2.0], "<f4")
    tensors = {"a": vector.tobytes(), "emb.word": _block(0.5, [8] * 16 + [10] * 16)}
    read = read_weight_file(_write(tmp_path / "w", ["x"], tensors))
    assert read.vector("a").tolist() == [1.5, -2.0]
    assert read.matrix("emb.word", 32).tolist() == [[0.0] * 16 + [1.0] * 16]


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "w").write_bytes(b"GGUF" + bytes(64))
    with pytest.raises(ValueError, match="does not start with"):
        read_weight_file(tmp_path / "w")
