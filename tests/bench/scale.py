# ruff: noqa: T201
"""Search and its memory from 1,000 to 1,000,000 chunks, resampled from a corpus; prints growth.

Usage: python tests/bench/scale.py CORPUS [--largest N]

Texts are made of lines of the corpus' own chunks, vectors are its own with a little noise, so that
vocabulary, lengths and neighbourhoods are real. Times are CPU seconds.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from ragdash.index.bm25 import Postings, bm25
from ragdash.index.dense import DenseIndex
from ragdash.ingest.corpus import load_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUERIES = [
    "贵州茅台2023年归属于上市公司股东的净利润是多少？",
    "What was total revenue in fiscal 2022?",
    "研发费用占营业收入的比例",
    "net cash provided by operating activities",
]
MANY = 200


def resampled(texts: list[str], n: int) -> Iterator[str]:
    """Yield n texts, each of lines of two chunks of the corpus."""
    random = np.random.default_rng(n)
    lines = [text.split("\n") for text in texts]
    for _ in range(n):
        one, other = (lines[i] for i in random.integers(len(lines), size=2))
        yield "\n".join(one[: len(one) // 2 + 1] + other[len(other) // 2 :])


def noisy(vectors: np.ndarray, n: int, path: Path) -> np.ndarray:
    """Write n vectors near those of the corpus to a file and return them mapped."""
    random = np.random.default_rng(n)
    whole = np.lib.format.open_memmap(
        path, mode="w+", dtype=np.float32, shape=(n, vectors.shape[1])
    )
    for start in range(0, n, 50_000):
        size = min(50_000, n - start)
        block = np.array(vectors[random.integers(len(vectors), size=size)])
        block += random.normal(scale=0.01, size=block.shape).astype(np.float32)
        whole[start : start + size] = block / np.linalg.norm(block, axis=1, keepdims=True)
    whole.flush()
    return np.load(path, mmap_mode="r")


def seconds(call: object) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    call()  # type: ignore[operator]
    return time.process_time() - start


def measure(n: int, texts: list[str], vectors: np.ndarray, folder: Path) -> dict[str, float]:
    """Build and search n chunks; seconds, and the peak of memory so far in GB."""
    start = time.process_time()
    postings = Postings.build(resampled(texts, n))
    build = time.process_time() - start
    words = bm25(postings, "lucene")
    words.search(QUERIES[0], 20)
    index = DenseIndex(noisy(vectors, n, folder / f"{n}.npy"))
    one = np.array(vectors[7])
    many = np.array(vectors[np.random.default_rng(1).integers(len(vectors), size=MANY)])
    index.search(one, 20)
    return {
        "bm25 index": build,
        "bm25 query": seconds(lambda: [words.search(q, 20) for q in QUERIES]) / len(QUERIES),
        "dense query": min(seconds(lambda: index.search(one, 20)) for _ in range(3)),
        f"dense, each of {MANY}": seconds(lambda: index.search_many(many, 20)) / MANY,
        "peak GB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
    }


def main() -> None:
    """Measure each size and print it beside the growth from the one before."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--largest", type=int, default=100_000)
    args = parser.parse_args()
    chunks = load_corpus(args.corpus).chunks
    texts = [chunk.indexed_text for chunk in chunks]
    files = sorted(args.corpus.rglob("vectors.npy"))
    vectors = np.load(files[0], mmap_mode="r")
    before: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for n in (size for size in SIZES if size <= args.largest):
            found = measure(n, texts, vectors, Path(folder))
            told = []
            for name, value in found.items():
                unit = f"{value:.2f}" if name == "peak GB" else f"{value * 1e3:,.2f} ms"
                grown = f" ({value / before[name]:.1f}x)" if before.get(name) else ""
                told.append(f"{name} {unit}{grown}")
            print(f"{n:>9,} chunks: " + "; ".join(told), flush=True)
            before = found


if __name__ == "__main__":
    main()
