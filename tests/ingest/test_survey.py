from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from ragdash.core.errors import StoreError
from ragdash.ingest.corpus import ingest
from ragdash.ingest.folder import load_corpus
from ragdash.ingest.survey import page_rows, survey

if TYPE_CHECKING:
    from pathlib import Path

ZH = "贵州茅台2023年营业收入为1,476.94亿元，归属于上市公司股东的净利润为747.34亿元。"
EN = "Total net sales were $391,035 million in fiscal 2024, up from $383,285 million."


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two documents of text; page 2 of the first is empty. A third file is empty as a whole."""
    folder: Path = tmp_path_factory.mktemp("survey")
    texts = {"a": "\f".join((ZH, "", ZH * 40)), "b": "\f".join((EN, EN * 3)), "c": ""}
    rows = []
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        lang, kind = ("zh", "annual") if name == "a" else ("en", "10k")
        rows.append({"doc_id": f"doc<{name}>", "file": f"{name}.txt", "company": f"公司{name}",
                     "period": "2023", "lang": lang, "doc_type": kind})  # fmt: skip
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (folder / "manifest.jsonl").write_text(lines, encoding="utf-8")
    ingest(folder / "manifest.jsonl", folder / "corpus")
    return folder / "corpus"


def test_a_survey_counts_what_the_loaded_corpus_holds(corpus: Path) -> None:
    found, loaded = survey(corpus), load_corpus(corpus)
    assert found.digest == loaded.digest
    assert [d.source for d in found.documents.values()] == list(loaded.sources)
    for source in loaded.sources:
        one = found.documents[source.doc_id]
        own = [c.source_page for c in loaded.chunks if c.source.doc_id == source.doc_id]
        assert dict(one.chunks) == dict(Counter(own))
        texts = {p.page for p in loaded.pages() if p.doc_id == source.doc_id and p.text.strip()}
        assert one.with_text == texts


def test_gaps_are_pages_without_text_and_files_that_stayed_out_are_named(corpus: Path) -> None:
    found = survey(corpus)
    one = found.documents["doc<a>"]
    assert (one.without_text, one.unchunked) == ((2,), ())
    assert "doc<c>" not in found.documents
    assert [problem.doc_id for problem in found.left_out] == ["doc<c>"]


def test_a_page_with_text_and_no_chunk_is_a_gap_of_its_own(corpus: Path, tmp_path: Path) -> None:
    for name in ("corpus.json", "sources.jsonl", "pages.jsonl", "chunks.jsonl", "problems.jsonl"):
        (tmp_path / name).write_bytes((corpus / name).read_bytes())
    kept = [
        line
        for line in (tmp_path / "chunks.jsonl").read_text("utf-8").splitlines()
        if json.loads(line)["page"] != 1
    ]
    (tmp_path / "chunks.jsonl").write_text("\n".join(kept) + "\n", encoding="utf-8")
    found = survey(tmp_path)
    assert [d.unchunked for d in found.documents.values()] == [(1,), (1,)]
    # A corpus of before quality and hidden text were recorded has neither, and is no fault.
    assert [d.quality for d in found.documents.values()] == [None, None]
    assert [dict(d.hidden) for d in found.documents.values()] == [{}, {}]


def test_the_rows_of_one_page_are_those_of_that_document_and_page(corpus: Path) -> None:
    every = [json.loads(line) for line in (corpus / "chunks.jsonl").read_text("utf-8").splitlines()]
    for doc_id, page in (("doc<a>", 3), ("doc<b>", 1), ("doc<a>", 2), ("no such", 1), ('"', 1)):
        expected = [row for row in every if (row["doc_id"], row["page"]) == (doc_id, page)]
        assert page_rows(corpus, "chunks", doc_id, page) == expected


@pytest.mark.parametrize("name", ["sources", "pages", "chunks", "problems", "quality", "hidden"])
@pytest.mark.parametrize("text", ["{", "[]\n", '{"doc_id": "x"}\n', "\x00"])
def test_a_damaged_file_is_named_and_nothing_is_made_up(
    corpus: Path, tmp_path: Path, name: str, text: str
) -> None:
    for path in corpus.glob("*.json*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(StoreError, match=r"ingest (it|the corpus) again"):
        survey(tmp_path)


def test_a_folder_that_went_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="ingest it again"):
        survey(tmp_path / "gone")
