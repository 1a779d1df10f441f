# ruff: noqa: T201
"""Forty filings from pages to a run of 200 questions in three modes; wall, CPU and memory of each.

    python tests/bench/end_to_end.py SHARED/data --work DIR [--documents 40] [--questions 200]
        [--sets zh fb] [--reuse CORPUS ...] [--run-only]

SHARED is the folder beside the checkout; nothing of it is copied into the project. The documents
are those that most questions are about; questions about others are asked too, as questions that
these filings cannot answer. Both steps are the commands that a user types. `--reuse` lets ingest
find the embeddings of other corpora by the digest of their texts, as it finds those of a call that
was stopped, so that it embeds only what none of them holds. Without it, 40 Chinese reports are
about 1.7 million tokens (1,300 a CPU-second), and the reranker reads 20 candidates a question.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from real_filings import answerable, question, rows
from retrieval import figure, manifest, write

from ragdash.store.attach import attach


def records(shared: Path, sets: list[str]) -> list[dict[str, Any]]:
    """Return the shared questions of the sets, answerable or not, as they were published."""
    found = [r for name in sets for r in rows(shared / "questions" / f"{name}.jsonl")]
    return [r for r in found if r["gold_pages"] or not r["answerable"]]


def documents(asked: list[dict[str, Any]], n: int) -> set[str]:
    """Return the n documents with most questions about them, the first names first among equals."""
    about = Counter(
        doc for r in asked for doc in sorted({p["doc_id"] for p in r["gold_pages"]})
    )  # fmt: skip
    return set(sorted(about, key=lambda doc: (-about[doc], doc))[:n])


def write_inputs(
    shared: Path, folder: Path, sets: list[str], n_documents: int, n_questions: int
) -> None:
    """Write the manifest and the question file of the run."""
    asked = records(shared, sets)
    chosen = documents(asked, n_documents)
    entries = [e for name in sets for e in rows(manifest(shared, name, folder / name))]
    write(folder / "manifest.jsonl", [e for e in entries if e["doc_id"] in chosen])
    labels = {r["fact_id"]: r["label"] for r in rows(shared / "facts" / "zh_facts.jsonl")}
    inside, outside = [], []
    for record in asked:
        pages = {p["doc_id"] for p in record["gold_pages"]}
        if record["answerable"] and pages <= chosen:
            inside.append(answerable({**record, "gold": figure(record["gold"])}, chosen, labels))
        elif not pages & chosen:
            outside.append(question(record, kind="lookup", answerable=False))
    taken = [*inside, *outside][:n_questions]
    write(folder / "questions.jsonl", taken)
    print(
        f"{len(chosen)} documents, {len(taken)} questions, of them "
        f"{min(len(inside), n_questions)} that the documents answer"
    )


def reuse(corpora: list[Path], corpus: Path) -> None:
    """Put embeddings of other corpora where an ingest that was stopped leaves its own."""
    for at, other in enumerate(corpora):
        for model in other.glob("index/vectors/*/model.json"):
            home = corpus.with_name(f".{corpus.name}.new") / "index" / "vectors" / model.parent.name
            for part in model.parent.glob("*/vectors.npy"):
                shutil.copytree(part.parent, home / f"reused-{at}", dirs_exist_ok=True)
            shutil.copy(model, home)


def timed(what: str, folder: Path, *arguments: str) -> int:
    """Run a command of ragdash, print what it took, and return its exit code."""
    log = folder / f"{what}.log"
    command = [sys.executable, "-m", "ragdash.cli", *arguments]
    started = time.monotonic()
    with log.open("wb") as out:
        to_log = [(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, out.fileno(), 2)]
        pid = os.posix_spawn(sys.executable, command, os.environ, file_actions=to_log)
        _, status, used = os.wait4(pid, 0)
    print(
        f"{what}: {time.monotonic() - started:,.0f} s, {used.ru_utime + used.ru_stime:,.0f} s of "
        f"CPU, {used.ru_maxrss * 1024 / 1e9:.2f} GB at most, "
        f"exit code {os.waitstatus_to_exitcode(status)}; all it said is in {log}",
        flush=True,
    )
    return os.waitstatus_to_exitcode(status)


def stages(store: Path) -> None:
    """Print what retrieving and generating took in each mode of the newest run, by its own rows."""
    newest = max((store / "runs").glob("*.duckdb"), key=lambda path: path.stat().st_mtime)
    found = (
        attach(newest)
        .execute(
            "SELECT mode, count(*), sum(retrieve_seconds), sum(generate_seconds) "
            "FROM run.results GROUP BY mode ORDER BY mode"
        )
        .fetchall()
    )
    for mode, n, retrieving, generating in found:
        print(
            f"  {mode}: {n} questions, {retrieving:,.1f} s retrieving, {generating:,.1f} s "
            "generating (by the clock)"
        )


def main() -> None:
    """Write the inputs, ingest, run, and print what each took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--sets", nargs="+", choices=("zh", "fb", "erc"), default=["zh", "fb"])
    parser.add_argument("--chunking", default="window")
    parser.add_argument("--reuse", type=Path, nargs="*", default=[])
    parser.add_argument("--modes", nargs="*", default=[], help="all three where none is named")
    parser.add_argument("--run-only", action="store_true", help="the corpus is there already")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    corpus, store = args.work / "corpus", args.work / "store"
    write_inputs(args.shared, args.work, args.sets, args.documents, args.questions)
    if not args.run_only:
        reuse(args.reuse, corpus)
        ingested = timed(
            "ingest", args.work, "ingest", str(args.work / "manifest.jsonl"),
            "--corpus", str(corpus), "--chunking", args.chunking,
        )  # fmt: skip
        if ingested:
            sys.exit(ingested)
    config = args.work / "run.toml"
    config.write_text(f'[corpus]\nchunking = "{args.chunking}"\n', "utf-8")
    code = timed(
        "run", args.work, "run", *args.modes, "--corpus", str(corpus),
        "--questions", str(args.work / "questions.jsonl"),
        "--config", str(config), "--store", str(store),
    )  # fmt: skip
    if code in (0, 1):
        stages(store)
    sys.exit(code)


if __name__ == "__main__":
    main()
