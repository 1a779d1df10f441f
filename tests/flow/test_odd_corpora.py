"""Runs at the edges: one sentence and an exit code, or the right candidates.

In this process, as most of them end before a model is asked.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from ragdash.cli import invoke
from ragdash.models.tiny import write_tiny_embedder, write_tiny_reranker
from ragdash.store.attach import attach

if TYPE_CHECKING:
    from pathlib import Path

PAGES = ["营", "营业收入为1,234.50万元。", "Net income was 99,803 million.", "x"]
ZH, EN = "营业收入是多少？", "What was net income?"


@dataclass(frozen=True, slots=True)
class Place:
    """A corpus of four short chunks and its models."""

    folder: Path
    corpus: Path
    embedder: Path

    def run(self, *questions: str, modes: tuple[str, ...] = (), retrieval: str = "") -> int:
        """Run the questions in a store of their own and return the exit code."""
        rows = [
            {"id": f"q{i}", "question": text, "lang": "zh", "kind": "text", "answerable": False}
            for i, text in enumerate(questions)
        ]
        asked = self.folder / "questions.jsonl"
        asked.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        config = self.folder / "run.toml"
        config.write_text(
            f'[models]\ndense = "path:{self.embedder}"\n'
            f'reranker = "path:{self.folder / "reranker"}"\n[retrieval]\n{retrieval}\n',
            "utf-8",
        )
        return invoke(
            ["run", *modes, "--corpus", str(self.corpus), "--questions", str(asked),
             "--config", str(config), "--store", str(self.folder / "store")]
        )  # fmt: skip

    def found(self, columns: str) -> list[tuple[object, ...]]:
        """Return columns of the candidates of the only run, in a fixed order."""
        (path,) = (self.folder / "store" / "runs").glob("*.duckdb")
        return attach(path).execute(f"SELECT {columns} FROM run.candidates ORDER BY ALL").fetchall()  # noqa: S608


@pytest.fixture
def place(tmp_path: Path) -> Place:
    embedder = write_tiny_embedder(tmp_path / "embedder")
    write_tiny_reranker(tmp_path / "reranker")
    rows = [{"doc_id": "d", "page": n, "text": text} for n, text in enumerate(PAGES, start=1)]
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    manifest = tmp_path / "manifest.jsonl"
    entry = {"doc_id": "d", "file": "d.jsonl", "company": "甲", "period": "2023",
             "doc_type": "annual", "lang": "zh"}  # fmt: skip
    manifest.write_text(json.dumps(entry), "utf-8")
    corpus = tmp_path / "corpus"
    assert invoke(["ingest", str(manifest), "--corpus", str(corpus),
                   "--profile", f"path:{embedder}"]) == 0  # fmt: skip
    return Place(tmp_path, corpus, embedder)


def sentence(capsys: pytest.CaptureFixture[str]) -> str:
    """The last line of stderr."""
    return capsys.readouterr().err.strip().splitlines()[-1]


def test_more_candidates_than_chunks_and_chunks_of_one_character(place: Place) -> None:
    wide = "top_k = 99\ncandidates_dense = 99\ncandidates_bm25 = 99\ncandidates_rerank = 99"
    assert place.run(ZH, EN, "营", "x", retrieval=wide) == 0
    rows = place.found("mode, question_id, final_rank, in_context, chunk_id")
    assert len(rows) == 3 * 4 * len(PAGES)
    assert all(in_context for *_, in_context, _ in rows)
    by_question: dict[tuple[object, object], list[tuple[object, object]]] = {}
    for mode, question, rank, _, chunk in rows:
        by_question.setdefault((mode, question), []).append((rank, chunk))
    for ranked in by_question.values():
        assert [rank for rank, _ in ranked] == list(range(1, len(PAGES) + 1))
        assert len({chunk for _, chunk in ranked}) == len(PAGES)
    # a chunk of one character is found by that character, in both scripts
    words = place.found("question_id, bm25_rank, chunk_id, mode")
    first = {q: chunk for q, rank, chunk, mode in words if rank == 1 and mode == "hybrid"}
    assert "p1" in str(first["q2"])
    assert "p4" in str(first["q3"])


def test_a_question_without_any_word_finds_by_meaning_alone(place: Place) -> None:
    assert place.run("？", "\u200b?", modes=("hybrid",)) == 0
    assert {rank for (rank,) in place.found("bm25_rank")} == {None}
    assert len(place.found("dense_rank")) == 2 * len(PAGES)


@pytest.mark.parametrize("text", ["", "  ", "\n\t\u3000"])
def test_an_empty_question_names_its_line(
    place: Place, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert place.run(ZH, text) == 2
    assert "line 2" in sentence(capsys)
    assert not (place.folder / "store").exists()


@pytest.mark.parametrize("text", [ZH * 4_300, "What was net income in 2022? " * 3_500])
def test_a_question_of_100_kb_is_refused_before_a_model_is_asked(
    place: Place, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert len(text.encode()) > 100_000
    assert place.run(EN, text) == 2
    said = sentence(capsys)
    assert "line 2" in said
    assert "4000" in said
    assert len(said) < 1_000
    assert not (place.folder / "store").exists()


@pytest.mark.parametrize("text", [ZH * 500, ("What was net income in 2022? " * 140)[:4_000]])
def test_the_longest_question_that_is_taken_is_answered_in_every_mode(
    place: Place, text: str
) -> None:
    assert place.run(text) == 0
    assert len(place.found("mode, final_rank")) == 3 * len(PAGES)


def test_a_corpus_whose_chunks_were_changed_is_refused(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    chunks = place.corpus / "chunks.jsonl"
    chunks.write_text(chunks.read_text("utf-8").replace("1,234.50", "1,234.51"), "utf-8")
    assert place.run(ZH) == 3
    assert "has been changed since it was written" in sentence(capsys)
    assert not (place.folder / "store").exists()


def test_a_model_whose_weights_were_changed_under_its_name_is_refused(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write_tiny_embedder(place.folder / "other", seed=3)
    (weights,) = other.glob("*.safetensors")
    weights.replace(place.embedder / weights.name)
    assert place.run(ZH, modes=("dense",)) == 2
    said = sentence(capsys)
    # the spec is the same on both sides, so the digests must tell them apart
    assert said.count(f"path:{place.embedder} (sha256:") == 2
    assert "was embedded by" in said
    assert not (place.folder / "store").exists()


def test_a_model_that_went_away_after_ingest_is_a_matter_of_the_environment(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    place.embedder.rename(place.folder / "away")
    assert place.run(ZH) == 3
    assert str(place.embedder) in sentence(capsys)
    assert not (place.folder / "store").exists()


def test_an_index_of_other_chunks_is_refused(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    (words,) = (place.corpus / "index" / "words").iterdir()
    words.rename(words.with_name("0" * 16))
    assert place.run(ZH) == 2
    assert "was made for other chunks" in sentence(capsys)
