# ruff: noqa: T201
"""Index, search and their memory from 1,000 to 1,000,000 chunks, resampled from a corpus.

Usage: python tests/bench/scale.py CORPUS [--sizes 1000 10000 100000 1000000]

CORPUS is one that `ragdash ingest` has made. Texts are made of lines of its own chunks, vectors are
its own with a little noise, so that vocabulary, lengths and neighbourhoods are real; only the model
is left out. Each size is indexed, opened and searched as the commands do it, in a process of its
own. Times are CPU seconds, `peak GB` is resident memory with what is mapped from files.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from ragdash.core.retrieval import Mode
from ragdash.core.run import RetrievalConfig
from ragdash.index.corpus_index import build_index, open_index
from ragdash.ingest.corpus import load_corpus
from ragdash.models.base import ModelIdentity
from ragdash.retrieve import build_retrievers
from ragdash.retrieve.base import SEARCHED_TOGETHER, SearchesTogether

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.models.base import FloatArray, Progress
    from ragdash.retrieve.base import Retriever

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUESTIONS = [
    "贵州茅台2023年归属于上市公司股东的净利润是多少？",
    "What was total revenue in fiscal 2022?",
    "研发费用占营业收入的比例",
    "net cash provided by operating activities",
]
A_DOCUMENT = 200
"""Chunks to a document; its name is another for each, as are its first pages."""


class Resampling:
    """An embedder whose vectors are those of the corpus with a little noise, drawn by a seed."""

    def __init__(self, vectors: FloatArray) -> None:
        self.identity = ModelIdentity(
            "embedder", "path:resampled", "", "sha256:0", vectors.shape[1], 512
        )
        self._vectors = vectors
        self._random = np.random.default_rng(0)

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return vectors near those of chunks."""
        return self.encode_passages(texts)

    def encode_passages(
        self, texts: Sequence[str], on_progress: Progress | None = None
    ) -> FloatArray:
        """Return as many unit vectors as there are texts."""
        rows = self._vectors[self._random.integers(len(self._vectors), size=len(texts))]
        noise = self._random.normal(scale=0.01, size=rows.shape).astype(np.float32)
        if on_progress is not None:
            on_progress(len(texts), len(texts))
        found: FloatArray = rows + noise
        found /= np.linalg.norm(found, axis=1, keepdims=True)
        return found


def resampled(chunks: Sequence[Chunk], n: int) -> Iterator[Chunk]:
    """Yield n chunks, each with lines of two chunks of the corpus."""
    random = np.random.default_rng(n)
    lines = [chunk.text.split("\n") for chunk in chunks]
    source = chunks[0].source
    for at in range(n):
        if at % A_DOCUMENT == 0:
            like = chunks[int(random.integers(len(chunks)))].source
            source = replace(like, doc_id=f"d{at}", company=f"{like.company}{at}")
        one, other = (lines[i] for i in random.integers(len(lines), size=2))
        text = "\n".join(one[: len(one) // 2 + 1] + other[len(other) // 2 :])
        page = at % A_DOCUMENT + 1
        yield replace(
            chunks[at % len(chunks)], chunk_id=f"c{at}", source=source, source_page=page, text=text
        )


def seconds(call: Callable[[], object], times: int = 1) -> float:
    """CPU seconds of one call, the best of some."""
    found = []
    for _ in range(times):
        start = time.process_time()
        call()
        found.append(time.process_time() - start)
    return min(found)


def measure(corpus: Path, n: int, folder: Path) -> dict[str, float]:
    """Index, open and search n chunks."""
    own = load_corpus(corpus).chunks
    vectors = np.load(sorted(corpus.rglob("vectors.npy"))[0], mmap_mode="r")
    embedder = Resampling(np.array(vectors))
    chunks = tuple(resampled(own, n))
    found = {"index": seconds(lambda: build_index(folder, chunks, embedder))}
    found["peak GB of index"] = peak()
    opened = []
    found["open"] = seconds(lambda: opened.append(open_index(folder, chunks, embedder.identity)))
    (index,) = opened
    words, one = index.bm25("lucene"), embedder.encode_queries(["one"])[0]
    index.dense.search(one, 20)
    words.search(QUESTIONS[0], 20)
    found["bm25 query"] = seconds(lambda: [words.search(q, 20) for q in QUESTIONS], 3) / 4
    found["dense query"] = seconds(lambda: index.dense.search(one, 20), 3)
    many = embedder.encode_queries(["many"] * SEARCHED_TOGETHER)
    found[f"dense, each of {SEARCHED_TOGETHER}"] = (
        seconds(lambda: index.dense.search_many(many, 20), 3) / SEARCHED_TOGETHER
    )
    made: list[Retriever] = []
    found["set up a run"] = seconds(
        lambda: made.extend(
            build_retrievers(RetrievalConfig(), [Mode.HYBRID], index, embedder).values()
        )
    )
    asked = [f"{q} {i}" for i in range(16) for q in QUESTIONS]

    def run() -> None:
        hybrid = made[0]
        if isinstance(hybrid, SearchesTogether):
            hybrid.search_together(asked)
        for question in asked:
            hybrid.retrieve("q", question)

    found["hybrid, each of 64"] = seconds(run) / len(asked)
    found["peak GB"] = peak()
    return found


def peak() -> float:
    """Return the most resident memory of this process so far, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


def main() -> None:
    """Measure each size in a process of its own and print it beside the growth since the last."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one is not None:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(measure(args.corpus, args.one, Path(folder))))
        return
    before: dict[str, float] = {}
    for n in args.sizes:
        command = [sys.executable, __file__, str(args.corpus), "--one", str(n)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        found = json.loads(done.stdout)
        told = []
        for name, value in found.items():
            unit = f"{value:.2f}" if "GB" in name else f"{value * 1e3:,.2f} ms"
            grown = f" ({value / before[name]:.1f}x)" if before.get(name) else ""
            told.append(f"{name} {unit}{grown}")
        print(f"{n:>9,} chunks: " + "; ".join(told), flush=True)
        before = found


if __name__ == "__main__":
    main()
