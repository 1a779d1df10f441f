"""A small corpus, a question set and tiny models: the real commands run on them in seconds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ragdash.models.tiny import write_tiny_embedder, write_tiny_reranker

if TYPE_CHECKING:
    from pathlib import Path

COMPANIES = ("青禾样例", "Northwind Example")


@dataclass(frozen=True, slots=True)
class Bench:
    """What the commands are pointed at."""

    folder: Path
    manifest: Path
    questions: Path
    config: Path
    corpus: Path

    def ragdash(self, *arguments: str, expect: int | None = 0) -> subprocess.CompletedProcess[str]:
        """Run a command as a user would, in a process of its own."""
        done = subprocess.run(
            self.command(*arguments), capture_output=True, text=True, check=False, env=self.env()
        )
        if expect is not None:
            assert done.returncode == expect, done.stderr + done.stdout
        return done

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "ragdash.cli", *arguments]

    def env(self) -> dict[str, str]:
        return {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}

    def run_arguments(self, store: Path) -> tuple[str, ...]:
        return (
            "run", "--corpus", str(self.corpus), "--questions", str(self.questions),
            "--config", str(self.config), "--store", str(store),
        )  # fmt: skip


def lines(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), "utf-8")
    return path


def pages(company: str, doc_id: str) -> list[dict[str, object]]:
    """Thirty pages, each with one figure of its own."""
    return [
        {"doc_id": doc_id, "page": n, "text": f"{company} 项目{n} 营业收入为{n},{n:03d}.50万元。"}
        for n in range(1, 31)
    ]


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    folder = tmp_path_factory.mktemp("flow")
    dense = write_tiny_embedder(folder / "embedder")
    reranker = write_tiny_reranker(folder / "reranker")
    manifest, questions = [], []
    for at, company in enumerate(COMPANIES):
        doc_id = f"doc-{at}"
        lines(folder / f"{doc_id}.jsonl", pages(company, doc_id))
        manifest.append(
            {"doc_id": doc_id, "file": f"{doc_id}.jsonl", "company": company, "period": "2023",
             "doc_type": "annual" if at == 0 else "10k", "lang": "zh" if at == 0 else "en"}
        )  # fmt: skip
        for n in range(1, 21):
            value = f"{n}{n:03d}5000"
            questions.append(
                {"id": f"{doc_id}-q{n}", "question": f"{company}2023年项目{n}营业收入是多少？",
                 "lang": "zh", "kind": "lookup", "company": company, "period": "2023",
                 "gold": [{"value": value, "unit": "CNY", "metric": "营业收入"}],
                 "gold_text": value, "evidence": [{"doc_id": doc_id, "page": n}],
                 "answerable": True}
            )  # fmt: skip
    config = folder / "run.toml"
    config.write_text(f'[models]\ndense = "path:{dense}"\nreranker = "path:{reranker}"\n', "utf-8")
    made = Bench(
        folder=folder,
        manifest=lines(folder / "manifest.jsonl", manifest),
        questions=lines(folder / "questions.jsonl", questions),
        config=config,
        corpus=folder / "corpus",
    )
    made.ragdash(
        "ingest", str(made.manifest), "--corpus", str(made.corpus), "--profile", f"path:{dense}"
    )
    return made
