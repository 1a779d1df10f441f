"""Hits and MRR of each mode on the shared questions with gold pages, by chunk and by page.

    python tests/bench/retrieval.py SHARED/data --set zh --filter strict --work DIR
    python tests/bench/retrieval.py SHARED/data --set fb --mode bm25 --work DIR

SHARED is the folder beside the checkout; nothing of it is copied into the project. The corpus is
made under DIR with the command's own ingest, and goes on where it was stopped; `--mode bm25` needs
no embedding. By chunk: chunks that hold the gold figure (metrics.md section 2). By page: pages by
their best chunk, as the BM25 references count.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent))

from real_filings import UNITS, answerable, rows

from ragdash.core.retrieval import Mode
from ragdash.core.run import RetrievalConfig
from ragdash.ingest.chunking import CHUNKINGS, DEFAULT
from ragdash.ingest.sentences import estimated_tokens
from ragdash.metrics.qrels import by_page, gold_chunks
from ragdash.questions import load_questions
from ragdash.retrieve.subject import FILTERS, QUERIES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Question

    Search = Callable[[Question], Sequence[Chunk]]

CUTS = (1, 5, 10, 50)
BM25 = "bm25"
_TYPES = {"Earnings": "earnings", "annual_report": "other"}
_PERIOD = re.compile(r"(\d{4}-\d\d-\d\d)$|_(\d{4}Q\d)_")


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of a set, and the ids of their gold chunks and gold pages."""

    questions: tuple[Question, ...]
    chunks: Mapping[str, frozenset[str]]
    pages: Mapping[str, frozenset[str]]


def manifest(shared: Path, name: str, folder: Path) -> Path:
    """Write the manifest of a set, which names the shared pages files where they are."""
    lines = []
    for row in rows(shared / "docs.jsonl"):
        if row["set"] != name:
            continue
        found = _PERIOD.search(row["doc_id"])
        period = next((p for p in found.groups() if p), None) if found else row["period"]
        lines.append(
            {
                "doc_id": row["doc_id"],
                "file": str((shared / row["file"]).resolve()),
                "company": row["company"],
                "period": str(period) if period else None,
                "doc_type": _TYPES.get(row["doc_type"], row["doc_type"]),
                "lang": row["lang"],
                # only a document off the filing channel may be without a period
                "channel": "filing" if period else "web",
            }
        )
    return write(folder / "manifest.jsonl", lines)


def write(path: Path, lines: list[dict[str, Any]]) -> Path:
    """Write JSON lines and return where."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, "utf-8")
    return path


def questions(shared: Path, name: str, folder: Path) -> tuple[Question, ...]:
    """Return the questions of a set that have gold pages."""
    in_corpus = {r["doc_id"] for r in rows(shared / "docs.jsonl") if r["set"] == name}
    labels = {r["fact_id"]: r["label"] for r in rows(shared / "facts" / "zh_facts.jsonl")}
    taken = [
        answerable({**record, "gold": figure(record["gold"])}, in_corpus, labels)
        for record in rows(shared / "questions" / f"{name}.jsonl")
        if record["answerable"] and record["gold_pages"]
    ]
    return load_questions(write(folder / "questions.jsonl", taken)).questions


def figure(gold: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a gold that is one figure in a unit of ours; names and yes or no have all chunks."""
    stated = gold and gold.get("base_value") is not None and gold.get("base_unit") in UNITS
    return gold if stated else None


def corpus(path: Path, manifest_file: Path, cut: str, spec: str | None) -> tuple[Chunk, ...]:
    """Ingest a manifest, with embeddings where a model is named, and say how fast that was."""
    from ragdash.cli.ingest import build_corpus
    from ragdash.ingest.corpus import ingest, load_corpus

    started, cpu = time.monotonic(), time.process_time()
    if spec is None:
        ingest(manifest_file, path, cut=cut)
    else:
        build_corpus(manifest_file, path, spec, cut)
    chunks = load_corpus(path).chunks
    tokens = sum(min(512.0, estimated_tokens(c.indexed_text)) for c in chunks)
    say(
        f"{len(chunks):,} chunks of {tokens:,.0f} estimated tokens; this call took "
        f"{time.monotonic() - started:,.0f} s and {time.process_time() - cpu:,.0f} s of CPU"
    )
    return chunks


def searches(
    args: argparse.Namespace, config: RetrievalConfig, path: Path, chunks: Sequence[Chunk]
) -> dict[str, Search]:
    """Return what each asked mode ranks, best first; bm25 is the leg alone, over all chunks."""
    from ragdash.index.bm25 import Postings, bm25
    from ragdash.retrieve.subject import SubjectFilter

    found: dict[str, Search] = {}
    if BM25 in args.mode:
        subjects = SubjectFilter(config, chunks)
        leg = bm25(Postings.build(c.indexed_text for c in chunks), config.bm25)

        def words(question: Question) -> Sequence[Chunk]:
            subject, within = subjects.read(question.text)
            return [chunks[i] for i in leg.search(subject.words, 500, within).positions]

        found[BM25] = words
    modes = [Mode(m) for m in args.mode if m != BM25]
    if not modes:
        return found
    from ragdash.index.corpus_index import open_index
    from ragdash.models.loading import load_embedder, load_reranker
    from ragdash.retrieve import build_retrievers

    embedder = load_embedder(args.dense)
    reranker = load_reranker(args.reranker) if Mode.RERANK in modes else None
    index = open_index(path, chunks, embedder.identity)
    retrievers = build_retrievers(config, modes, index, embedder, reranker)

    def of(mode: Mode) -> Search:
        return lambda q: [c.chunk for c in retrievers[mode].retrieve(q.id, q.text).candidates]

    return found | {mode.value: of(mode) for mode in modes}


def first(ranked: Sequence[str], gold: frozenset[str]) -> int | None:
    """Return the rank of the first gold unit, from 1, each unit counted once."""
    return next((k for k, unit in enumerate(dict.fromkeys(ranked), 1) if unit in gold), None)


def measure(search: Search, asked: Asked) -> dict[str, list[int | None]]:
    """Return the first gold rank of every question, by chunk and by page."""
    ranks: dict[str, list[int | None]] = {"chunk": [], "page": []}
    for question in asked.questions:
        ranked = search(question)
        pages = [f"{c.source.doc_id}#{c.source_page}" for c in ranked]
        ranks["page"].append(first(pages, asked.pages[question.id]))
        ranks["chunk"].append(first([c.chunk_id for c in ranked], asked.chunks[question.id]))
    return ranks


def line(name: str, unit: str, ranks: list[int | None]) -> str:
    """Return one row of the table."""
    n = len(ranks)
    hits = [sum(r is not None and r <= k for r in ranks) / n for k in CUTS]
    mrr = sum(1 / r for r in ranks if r) / n
    return f"| {name} | {unit} | {n} | " + " | ".join(f"{v:.3f}" for v in (*hits, mrr)) + " |"


def say(text: str) -> None:
    """Print at once, as a table grows over minutes."""
    print(text, flush=True)  # noqa: T201


def read_arguments() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--set", dest="name", choices=("zh", "fb", "erc"), default="zh")
    parser.add_argument("--filter", choices=FILTERS, default="none")
    parser.add_argument("--query", choices=QUERIES, default="resolved")
    parser.add_argument("--chunking", choices=list(CHUNKINGS), default=DEFAULT)
    parser.add_argument("--mode", nargs="+", default=[BM25, *map(str, Mode)])
    parser.add_argument("--dense", default="embedded:e5-small")
    parser.add_argument("--reranker", default="embedded:e5-joint")
    parser.add_argument("--candidates", type=int, default=20)
    parser.add_argument("--work", type=Path, required=True)
    return parser.parse_args()


def main() -> None:
    """Make the corpus, ask the questions, print the table."""
    args = read_arguments()
    config = RetrievalConfig(
        candidates_dense=args.candidates,
        candidates_bm25=args.candidates,
        candidates_rerank=args.candidates,
        filter=args.filter,
        query=args.query,
    )
    home = args.work / args.name
    path = home / args.chunking
    embeds = any(m != BM25 for m in args.mode)
    listed = manifest(args.shared, args.name, home)
    chunks = corpus(path, listed, args.chunking, args.dense if embeds else None)
    found = questions(args.shared, args.name, home)
    pages = by_page(chunks)
    gold = {
        q.id: frozenset(c.chunk_id for held in gold_chunks(q, pages).values() for c in held)
        for q in found
    }
    asked = Asked(
        found, gold, {q.id: frozenset(f"{e.doc_id}#{e.page}" for e in q.evidence) for q in found}
    )
    say(f"\n{args.name}: {json.dumps(asdict(config))}, chunking {args.chunking}")
    if embeds:
        say(f"dense {args.dense}, reranker {args.reranker}")
    say("\n| mode | by | n | " + " | ".join(f"hit@{k}" for k in CUTS) + " | MRR |")
    say("|---|---|---|" + "---|" * (len(CUTS) + 1))
    for name, search in searches(args, config, path, chunks).items():
        for unit, ranks in measure(search, asked).items():
            say(line(name, unit, ranks))


if __name__ == "__main__":
    main()
