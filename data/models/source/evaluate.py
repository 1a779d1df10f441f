"""Measure adapters of e5-joint beside MaxSim and the first stage, on generated pairs and real ones.

    python data/models/source/evaluate.py pairs
    python data/models/source/evaluate.py corpus CORPUS QUESTIONS [--sample N]

`--rerankers` names specs ("embedded:e5-maxsim") or adapter files, or "fusion" for the first stage;
without it, both embedded ones.
CORPUS is a folder made by `ragdash ingest` with embeddings, QUESTIONS a question file with evidence
pages: nothing is embedded but the questions. The same sample and the same candidates are scored by
every reranker. By chunk: chunks that hold the gold figure; by page: pages by their best chunk.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[3]))

import numpy as np

from data.models.source.pairs import held_out_pairs
from ragdash.compare.intervals import wilson
from ragdash.core.retrieval import Mode
from ragdash.core.run import RetrievalConfig

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Question
    from ragdash.models.base import FloatArray, ModelIdentity, Reranker
    from ragdash.retrieve.base import Retriever

CUTS = (1, 5, 10)
BOTH = ("embedded:e5-joint", "embedded:e5-maxsim")
FUSION = "fusion"
SAMPLE_SEED = 99
HELD_OUT, HELD_OUT_SEED = 100, 99


class Remembered:
    """A `Reranker` that scores each pair once: two filters share most of their candidates."""

    def __init__(self, reranker: Reranker) -> None:
        self._reranker = reranker
        self._scores: dict[tuple[str, str], float] = {}

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        return self._reranker.identity

    def score(self, query: str, passages: Sequence[str]) -> FloatArray:
        """Return float32, (n,), higher is better, in the order of `passages`."""
        new = [p for p in dict.fromkeys(passages) if (query, p) not in self._scores]
        # of like length together, so that little is spent on padding
        new.sort(key=lambda p: len(p.encode("utf-8")))
        for passage, score in zip(new, self._reranker.score(query, new), strict=True):
            self._scores[query, passage] = float(score)
        return np.array([self._scores[query, p] for p in passages], np.float32)


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions with the ids of their gold chunks and gold pages."""

    questions: tuple[Question, ...]
    chunks: Mapping[str, frozenset[str]]
    pages: Mapping[str, frozenset[str]]


def load(name: str) -> Reranker:
    """Return the reranker of a spec or of an adapter file."""
    from ragdash.models import joint
    from ragdash.models.base import ModelIdentity
    from ragdash.models.loading import load_reranker
    from ragdash.models.pairs import PairReranker
    from ragdash.models.spec import Role, resolve

    if not name.endswith(".safetensors"):
        return load_reranker(name)
    base = resolve(Role.RERANKER, "embedded:e5-joint")
    model = joint.with_adapter(base.folder, Path(name))
    identity = ModelIdentity(str(Role.RERANKER), name, name, "adapter", None, 512)
    return PairReranker(model, identity, joint.PROMPTS)


def asked(questions_file: Path, chunks: Sequence[Chunk], sample: int | None) -> Asked:
    """Return the questions with evidence in the corpus, or a fixed random sample of them."""
    from ragdash.metrics.qrels import by_page, gold_chunks
    from ragdash.questions import load_questions

    pages = by_page(chunks)
    found = [q for q in load_questions(questions_file).questions if q.answerable and q.evidence]
    if sample is not None and sample < len(found):
        found = random.Random(SAMPLE_SEED).sample(found, sample)
    gold = {q.id: gold_chunks(q, pages).values() for q in found}
    return Asked(
        tuple(found),
        {q: frozenset(c.chunk_id for held in sets for c in held) for q, sets in gold.items()},
        {q.id: frozenset(f"{e.doc_id}#{e.page}" for e in q.evidence) for q in found},
    )


def first(ranked: Sequence[str], gold: frozenset[str]) -> int | None:
    """Return the rank of the first gold unit, from 1, each unit counted once."""
    return next((k for k, unit in enumerate(dict.fromkeys(ranked), 1) if unit in gold), None)


def row(names: Sequence[str], ranks: Sequence[int | None]) -> str:
    """Return a table row: n, hit@k with a 95 % Wilson interval for the first, MRR."""
    n = len(ranks)
    hits = [sum(r is not None and r <= k for r in ranks) for k in CUTS]
    bounds = wilson(hits[0], n)
    top = f"{hits[0] / n:.3f} [{bounds.low:.2f}, {bounds.high:.2f}]" if bounds else "-"
    rest = [f"{h / n:.3f}" for h in hits[1:]]
    mrr = f"{sum(1 / r for r in ranks if r) / n:.3f}"
    return "| " + " | ".join([*names, str(n), top, *rest, mrr]) + " |"


def header(*names: str) -> None:
    """Print the head of a table whose first columns have these names."""
    columns = [*names, "n", "hit@1 [95 %]", *(f"hit@{k}" for k in CUTS[1:]), "MRR"]
    say("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))


def over_corpus(args: argparse.Namespace) -> None:
    """Print the table of a corpus: every reranker, every filter, by chunk and by page."""
    from ragdash.index.corpus_index import open_index
    from ragdash.ingest.corpus import load_corpus
    from ragdash.models.loading import load_embedder
    from ragdash.retrieve import build_retrievers

    chunks = load_corpus(args.corpus).chunks
    these = asked(args.questions, chunks, args.sample)
    embedder = load_embedder("embedded:e5-small")
    index = open_index(args.corpus, chunks, embedder.identity)
    header("reranker", "filter", "by")
    for name in args.rerankers:
        reranker = None if name == FUSION else Remembered(load(name))
        mode = Mode.HYBRID if reranker is None else Mode.RERANK
        started = time.process_time()
        for kept in args.filter:
            config = RetrievalConfig(
                candidates_dense=20, candidates_bm25=20, candidates_rerank=20, filter=kept
            )
            retriever = build_retrievers(config, [mode], index, embedder, reranker)[mode]
            for unit, ranks in measure(retriever, these).items():
                say(row([name, kept, unit], ranks))
        say(f"<!-- {time.process_time() - started:,.0f} CPU-seconds -->")


def measure(retriever: Retriever, these: Asked) -> dict[str, list[int | None]]:
    """Return the first gold rank of every question, by chunk and by page."""
    ranks: dict[str, list[int | None]] = {"chunk": [], "page": []}
    for question in these.questions:
        found = retriever.retrieve(question.id, question.text)
        chunks = [candidate.chunk for candidate in found.candidates]
        ranks["chunk"].append(first([c.chunk_id for c in chunks], these.chunks[question.id]))
        pages = [f"{c.source.doc_id}#{c.source_page}" for c in chunks]
        ranks["page"].append(first(pages, these.pages[question.id]))
    return ranks


def over_pairs(args: argparse.Namespace) -> None:
    """Print the table of held-out generated pairs, by the languages of question and passage."""
    pairs = held_out_pairs(HELD_OUT, HELD_OUT_SEED)
    header("reranker", "question to passage")
    for name in args.rerankers:
        reranker = load(name)
        ranks: dict[str, list[int | None]] = {}
        for pair in pairs:
            scores = reranker.score(pair.question, (pair.positive, *pair.negatives))
            kind = f"{pair.question_lang} to {pair.passage_lang}"
            ranks.setdefault(kind, []).append(1 + int((scores[1:] >= scores[0]).sum()))
        for kind, found in sorted(ranks.items()):
            say(row([name, kind], found))


def say(text: str) -> None:
    """Print at once, as a table grows over minutes."""
    print(text, flush=True)  # noqa: T201


def read_arguments() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kinds = parser.add_subparsers(required=True)
    generated = kinds.add_parser("pairs")
    real = kinds.add_parser("corpus")
    real.add_argument("corpus", type=Path)
    real.add_argument("questions", type=Path)
    real.add_argument("--sample", type=int)
    real.add_argument("--filter", nargs="+", default=["none", "strict"])
    generated.set_defaults(run=over_pairs)
    for each in (generated, real):
        each.add_argument("--rerankers", nargs="+", default=BOTH)
    real.set_defaults(run=over_corpus)
    return parser.parse_args()


if __name__ == "__main__":
    arguments = read_arguments()
    arguments.run(arguments)
