# ruff: noqa: T201
"""Time search against its references, and with --models the embedded models; prints ratios.

Usage: python tests/bench/index.py [--chunks N] [--vectors N] [--models]

Each ratio is theirs / ours, of CPU seconds, the median of rounds in which both take turns. faiss,
jieba and ranx are compared with where they are installed; ragdash does not need them. About two
minutes; `--chunks 20000` is quicker.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from rank_bm25 import BM25Okapi

sys.path.insert(0, str(Path(__file__).parents[2]))

from ragdash.index.bm25 import Postings, bm25
from ragdash.index.dense import DenseIndex
from ragdash.index.tokenize import tokenize
from ragdash.metrics.retrieval import calculate
from ragdash.retrieve.base import SEARCHED_TOGETHER
from ragdash.retrieve.fusion import fuse

if TYPE_CHECKING:
    from collections.abc import Callable

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


def cpu(call: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def ratio(theirs: Callable[[], object], ours: Callable[[], object], rounds: int = 5) -> str:
    """Both in turn: the median of theirs / ours, and what ours takes."""
    pairs = [(cpu(theirs), cpu(ours)) for _ in range(rounds)]
    times = median(one / other for one, other in pairs)
    return f"{times:.2f}x ({median(other for _, other in pairs) * 1e3:.2f} ms)"


def module(name: str) -> Any:
    """Return an optional module, or None and say that it is not there."""
    if find_spec(name) is None:
        print(f"  {name}: not installed")
        return None
    return import_module(name)


def words(n: int) -> None:
    """BM25: tokenising, and a query against rank-bm25 on the same tokens."""
    corpus = texts(n)
    print(f"tokenising {min(n, 2_000):,} chunks")
    some = corpus[:2_000]
    seconds = cpu(lambda: [tokenize(text) for text in some])
    print(f"  {sum(map(len, some)) / seconds / 1e6:.2f} million characters a second")
    if jieba := module("jieba"):
        jieba.lcut("预热")
        print(
            "  jieba.lcut / ours",
            ratio(lambda: list(map(jieba.lcut, some)), lambda: list(map(tokenize, some)), 3),
        )
    postings = Postings.build(corpus)
    ids, offsets = postings.arrays["ids"], postings.arrays["offsets"]
    documents = [ids[offsets[i] : offsets[i + 1]].tolist() for i in range(n)]
    theirs = BM25Okapi(documents)
    asked = [postings.known(tokenize(query)) for query in QUERIES]
    print(f"BM25, {len(QUERIES)} queries over {n:,} chunks")
    for variant in ("lucene", "okapi"):
        ours = bm25(postings, variant)
        print(
            f"  rank-bm25 / {variant}",
            ratio(
                lambda: [theirs.get_scores(terms) for terms in asked],
                lambda ours=ours: [ours.search(query, 20) for query in QUERIES],  # type: ignore[misc]
                3,
            ),
        )


def dense(n: int, dim: int = 384) -> None:
    """Dense: one query against reading the matrix, many against the product of matrices alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.npy"
        random = np.random.default_rng(1)
        rows = random.normal(size=(n, dim)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        np.save(path, rows)
        mapped = np.load(path, mmap_mode="r")
        index, many = DenseIndex(mapped), rows[random.integers(n, size=SEARCHED_TOGETHER)]
        index.search(many[0], 20)
        print(f"dense, {n:,} vectors of {dim}, from a mapped file")
        pairs = [
            (cpu(lambda: mapped.sum(dtype=np.float32)), cpu(lambda: index.search(many[0], 20)))
            for _ in range(7)
        ]
        times = median(read / search for read, search in pairs)
        speed = median(mapped.nbytes / search / 1e9 for _, search in pairs)
        print(f"  stream read / one query {times:.2f}x ({speed:.1f} GB/s)")
        print(
            f"  matrix product / batch of {len(many)}",
            ratio(lambda: many @ mapped.T, lambda: index.search_many(many, 20)),
        )
        print(
            f"  one by one / batch of {len(many)}",
            ratio(
                lambda: [index.search(query, 20) for query in many],
                lambda: index.search_many(many, 20),
                3,
            ),
        )
        if faiss := module("faiss"):
            faiss.omp_set_num_threads(1)
            flat = faiss.IndexFlatIP(dim)
            flat.add(rows)
            print(
                "  faiss IndexFlatIP / batch",
                ratio(lambda: flat.search(many, 20), lambda: index.search_many(many, 20), 3),
            )


MEASURES = {
    "Success@5": "success_5",
    "R@5": "recall_5",
    "RR": "recip_rank",
    "nDCG@10": "ndcg_cut_10",
}


def ranks(n: int = 300, depth: int = 100) -> None:
    """Fusion of two lists and four measures, a question at a time as a run does it."""
    random = np.random.default_rng(2)
    lists = [[random.permutation(2 * depth)[:depth].tolist() for _ in range(2)] for _ in range(n)]
    fused = [tuple(f"c{o.position}" for o in fuse(pair, 60, (1.0, 1.0))) for pair in lists]
    gold = [frozenset(f"c{i}" for i in random.integers(2 * depth, size=3)) for _ in range(n)]
    print(f"{n} questions, two lists of {depth}")
    if ranx := module("ranx"):
        runs = [
            ranx.Run(
                {
                    f"q{i}": {f"c{c}": 1 / (r + 1) for r, c in enumerate(pair[leg])}
                    for i, pair in enumerate(lists)
                }
            )
            for leg in range(2)
        ]
        ranx.fuse(runs=runs, method="rrf")
        print(
            "  ranx / fusion",
            ratio(
                lambda: ranx.fuse(runs=runs, method="rrf"),
                lambda: [fuse(pair, 60, (1.0, 1.0)) for pair in lists],
                3,
            ),
        )
    else:
        seconds = cpu(lambda: [fuse(pair, 60, (1.0, 1.0)) for pair in lists])
        print(f"  fusion {seconds / n * 1e3:.2f} ms a question")
    if pytrec_eval := module("pytrec_eval"):
        qrels = {f"q{i}": dict.fromkeys(one, 1) for i, one in enumerate(gold)}
        run = {f"q{i}": {c: -float(r) for r, c in enumerate(one)} for i, one in enumerate(fused)}
        theirs = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES.values()))
        found = theirs.evaluate(run)
        for i, (one, ranked) in enumerate(zip(gold, fused, strict=True)):
            for ours, name in MEASURES.items():
                assert abs(calculate(ours, one, ranked) - found[f"q{i}"][name]) < 1e-9
        print(
            "  pytrec_eval / four measures",
            ratio(
                lambda: theirs.evaluate(run),
                lambda: [
                    calculate(measure, one, ranked)
                    for one, ranked in zip(gold, fused, strict=True)
                    for measure in MEASURES
                ],
                3,
            ),
        )


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
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--models", action="store_true")
    args = parser.parse_args()
    words(args.chunks)
    dense(args.vectors)
    ranks()
    if args.models:
        models()


if __name__ == "__main__":
    main()
