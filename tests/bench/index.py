# ruff: noqa: T201
"""Time search against its references, and with --models the embedded models; prints ratios.

Usage: python tests/bench/index.py [--chunks N] [--vectors N] [--models]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from rank_bm25 import BM25Okapi

sys.path.insert(0, str(Path(__file__).parents[2]))

from ragdash.index.bm25 import Postings, bm25
from ragdash.index.dense import DenseIndex
from ragdash.index.tokenize import tokenize

HEADS = [
    "合并利润表",
    "主要会计数据",
    "分地区情况",
    "Consolidated statements of income",
    "Segments",
]
ITEMS = [
    "营业收入",
    "归属于上市公司股东的净利润",
    "研发费用",
    "Total net sales",
    "Net income",
    "存货",
]
QUERIES = [
    "甲公司2023年营业收入是多少？",
    "What was net income in 2022?",
    "研发费用占营业收入的比例",
]
PASSAGE = (
    "报告期内公司实现营业收入 12,345,678,901.23 元，较上年同期增长 8.15%，归属于上市公司股东的"
    "净利润 1,234,567,890.12 元，研发费用 345,678,901.00 元，主要系新产品投入增加所致。"
)


def texts(n: int) -> list[str]:
    """Return n invented chunks of some 500 characters in both languages, always the same."""
    random = np.random.default_rng(0)
    found = []
    for i in range(n):
        rows = [
            f"{ITEMS[random.integers(len(ITEMS))]} {random.integers(10**11) / 100:,.2f}"
            for _ in range(20)
        ]
        found.append(
            f"公司{i % 97} 20{10 + i % 15}年报 {HEADS[i % len(HEADS)]}\n" + "\n".join(rows)
        )
    return found


def cpu(call: object, repeats: int = 5) -> float:
    """Median CPU seconds of a call."""
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        call()  # type: ignore[operator]
        seconds.append(time.process_time() - start)
    return median(seconds)


def words(n: int) -> None:
    """BM25: tokenising, and a query against rank-bm25 on the same tokens."""
    corpus = texts(n)
    start = time.process_time()
    documents = [tokenize(text) for text in corpus]
    seconds = time.process_time() - start
    print(f"tokenize: {sum(map(len, corpus)) / seconds / 1e6:.2f} million characters a second")
    postings = Postings.build(corpus)
    theirs = BM25Okapi(documents)
    for variant in ("lucene", "okapi"):
        ours = bm25(postings, variant)
        base = cpu(lambda: [theirs.get_scores(tokenize(query)) for query in QUERIES])
        mine = cpu(lambda ours=ours: [ours.search(query, 20) for query in QUERIES])
        each = mine / len(QUERIES) * 1e3
        print(f"bm25 {variant}, {n} chunks: {each:.2f} ms, rank-bm25 / ours {base / mine:.1f}x")


def dense(n: int, dim: int = 384) -> None:
    """Dense: bytes a second of one query against bytes a second of reading the matrix."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.npy"
        rows = np.random.default_rng(1).normal(size=(n, dim)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        np.save(path, rows)
        query = rows[7].copy()
        mapped = np.load(path, mmap_mode="r")
        index = DenseIndex(mapped)
        index.search(query, 20)
        ratios = []
        for _ in range(7):
            read = cpu(lambda: mapped.sum(dtype=np.float32), 1)
            search = cpu(lambda: index.search(query, 20), 1)
            ratios.append((read / search, mapped.nbytes / search / 1e9))
        ratio, speed = np.median(ratios, axis=0)
        print(f"dense, {n} vectors: {speed:.1f} GB/s, {ratio:.2f} of the speed of a stream read")


def models() -> None:
    """The embedded models: conversion, loading, texts and pairs a second."""
    from ragdash.models.e5 import e5_folder
    from ragdash.models.loading import THREADS, load_embedder, load_reranker

    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get("XDG_CACHE_HOME")
        os.environ["XDG_CACHE_HOME"] = folder
        start = time.perf_counter()
        e5_folder()
        print(f"e5-small: converted in {time.perf_counter() - start:.1f} s")
        if before is None:
            del os.environ["XDG_CACHE_HOME"]
        else:
            os.environ["XDG_CACHE_HOME"] = before
    e5_folder()
    load_embedder("embedded:e5-small")
    start = time.perf_counter()
    embedder = load_embedder("embedded:e5-small")
    print(f"e5-small: loaded in {time.perf_counter() - start:.1f} s (torch already imported)")
    passages = [f"{i} {PASSAGE * 5}"[:500] for i in range(40)]
    report("e5-small", len(passages), lambda: embedder.encode_passages(passages), "chunks")
    for name in ("e5-joint", "e5-maxsim"):
        start = time.perf_counter()
        reranker = load_reranker(f"embedded:{name}")
        print(f"{name}: loaded in {time.perf_counter() - start:.1f} s")
        report(name, 40, lambda reranker=reranker: reranker.score(QUERIES[0], passages), "pairs")
    print(f"on {THREADS} threads; chunks and pairs of 500 Chinese characters")


def report(name: str, n: int, call: object, what: str) -> None:
    """Print items a second, by the clock and by CPU time, the best of three."""
    wall, used = [], []
    for _ in range(3):
        start, began = time.perf_counter(), time.process_time()
        call()  # type: ignore[operator]
        wall.append(time.perf_counter() - start)
        used.append(time.process_time() - began)
    print(f"{name}: {n / min(wall):.1f} {what} a second, {n / min(used):.1f} a CPU-second")


def main() -> None:
    """Run the parts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--models", action="store_true")
    args = parser.parse_args()
    words(args.chunks)
    dense(args.vectors)
    if args.models:
        models()


if __name__ == "__main__":
    main()
