from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from ragdash.core.errors import ConfigError, InputError, StoreError
from ragdash.ingest.chunking import DEFAULT
from ragdash.ingest.corpus import ingest, load_corpus
from ragdash.ingest.problems import ProblemKind

if TYPE_CHECKING:
    from pathlib import Path


def pdf(path: Path, *pages: str) -> None:
    canvas = Canvas(str(path))
    for text in pages:
        canvas.drawString(60, 700, text)
        canvas.showPage()
    canvas.save()


def entry(doc_id: str, file: str, **more: Any) -> dict[str, Any]:
    row = {"doc_id": doc_id, "file": file, "company": "贵州茅台", "period": "2023"}
    return {**row, "doc_type": "annual", "lang": "zh", **more}


def write(folder: Path, *entries: dict[str, Any]) -> Path:
    path = folder / "manifest.jsonl"
    path.write_text("\n".join(json.dumps(e, ensure_ascii=False) for e in entries), encoding="utf-8")
    return path


@pytest.fixture
def filings(tmp_path: Path) -> Path:
    """Two good documents, one as PDF and one as a pages file."""
    pdf(tmp_path / "en.pdf", "Revenue 1,234", "", "Net income 56")
    row = {
        "doc_id": "zh",
        "page": 2,
        "text": "单位：元\n项目 | 2023年\n营业收入 | 147,693,604,994.14\n净利润 | 1.00",
    }
    (tmp_path / "zh.jsonl").write_text(json.dumps(row), encoding="utf-8")
    en = entry("en/../1", "en.pdf", lang="en", company="Moutai")
    return write(tmp_path, en, entry("zh", "zh.jsonl"))


def test_a_corpus_comes_back_as_it_went_in(filings: Path, tmp_path: Path) -> None:
    report = ingest(filings, tmp_path / "out" / "corpus")
    corpus = load_corpus(tmp_path / "out" / "corpus")
    assert (report.documents, report.pages, report.pages_without_text) == (2, 3, 1)
    assert report.chunks == len(corpus.chunks)
    assert corpus.name == "corpus"
    assert [(s.doc_id, s.label, s.n_pages) for s in corpus.sources] == [
        ("en/../1", "2023年报", 3),
        ("zh", "2023年报", 2),
    ]
    page = corpus.page("zh", 2)
    assert page is not None
    assert "147,693,604,994.14" in page.text
    assert corpus.page("zh", 1) is None
    assert corpus.chunks[-1].unit_note == "单位：元"
    assert corpus.problems == report.problems
    assert [p.kind for p in corpus.problems] == [ProblemKind.NO_TEXT]


def test_a_corpus_says_how_it_was_cut_and_another_way_cuts_the_pages_it_has(
    filings: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "corpus"
    ingest(filings, folder)
    assert load_corpus(folder).chunking == DEFAULT
    assert ingest(filings, folder, cut="page").reused == 2
    corpus = load_corpus(folder)
    assert corpus.chunking == "page"
    pages = [(c.source.doc_id, c.source_page) for c in corpus.chunks]
    assert sorted(set(pages)) == sorted(pages)
    with pytest.raises(ConfigError, match="'lines'"):
        ingest(filings, folder, cut="lines")
    assert load_corpus(folder) == corpus


def test_a_doc_id_is_no_part_of_a_path(filings: Path, tmp_path: Path) -> None:
    ingest(filings, tmp_path / "corpus")
    corpus = load_corpus(tmp_path / "corpus")
    names = sorted(p.name for p in (tmp_path / "corpus" / "files").iterdir())
    assert names == sorted(corpus.file_of(s).name for s in corpus.sources)
    assert corpus.file_of(corpus.sources[0]).read_bytes() == (tmp_path / "en.pdf").read_bytes()


def test_bad_files_are_named_while_the_rest_goes_in(filings: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.pdf").write_bytes(b"no pdf")
    (tmp_path / "none.pdf").write_bytes(b"")
    entries = [json.loads(x) for x in filings.read_text(encoding="utf-8").split("\n")]
    write(tmp_path, *entries, entry("bad", "bad.pdf"), entry("none", "none.pdf"))
    report = ingest(filings, tmp_path / "corpus")
    assert report.documents == 2
    assert [(p.doc_id, p.kind) for p in report.problems] == [
        ("en/../1", ProblemKind.NO_TEXT),
        ("bad", ProblemKind.DAMAGED),
        ("none", ProblemKind.EMPTY),
    ]


def test_what_has_not_changed_is_not_read_again(filings: Path, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    ingest(filings, folder)
    first = load_corpus(folder)
    assert ingest(filings, folder).reused == 2
    assert load_corpus(folder) == first
    pdf(tmp_path / "en.pdf", "Revenue 9,999")
    assert ingest(filings, folder).reused == 1
    changed = load_corpus(folder)
    assert changed.digest != first.digest
    assert "9,999" in changed.chunks[0].text


def test_a_corrected_manifest_reaches_the_chunks_that_are_reused(
    filings: Path, tmp_path: Path
) -> None:
    ingest(filings, tmp_path / "corpus")
    filings.write_text(
        filings.read_text(encoding="utf-8").replace("2023", "2022"), encoding="utf-8"
    )
    assert ingest(filings, tmp_path / "corpus").reused == 2
    assert {c.source.label for c in load_corpus(tmp_path / "corpus").chunks} == {"2022年报"}


def test_the_index_in_the_folder_is_kept(filings: Path, tmp_path: Path) -> None:
    ingest(filings, tmp_path / "corpus")
    index = tmp_path / "corpus" / "index" / "dense"
    index.mkdir(parents=True)
    (index / "embeddings.npy").write_bytes(b"vectors")
    pdf(tmp_path / "en.pdf", "Revenue 9,999")
    ingest(filings, tmp_path / "corpus")
    assert (index / "embeddings.npy").read_bytes() == b"vectors"


def test_a_refused_ingest_leaves_everything_as_it_was(filings: Path, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    ingest(filings, folder)
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    write(tmp_path, entry("a", "missing.pdf"))
    with pytest.raises(InputError, match=r"line 1: file 'missing\.pdf'"):
        ingest(filings, folder)
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before
    with pytest.raises(InputError):
        ingest(filings, tmp_path / "never")
    assert not (tmp_path / "never").exists()
    assert not list(tmp_path.glob(".*"))


def test_a_pages_file_with_bad_lines_stops_the_ingest(filings: Path, tmp_path: Path) -> None:
    (tmp_path / "zh.jsonl").write_text(
        '{"doc_id": "zh", "page": 0, "text": ""}\n{', encoding="utf-8"
    )
    with pytest.raises(InputError, match=r"zh\.jsonl: line 1: .*line 2: "):
        ingest(filings, tmp_path / "corpus")
    assert not (tmp_path / "corpus").exists()


def test_a_kill_between_the_two_renames_loses_nothing(filings: Path, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    ingest(filings, folder)
    digest = load_corpus(folder).digest
    folder.rename(tmp_path / ".corpus.old")
    assert load_corpus(folder).digest == digest


def test_a_folder_with_other_files_is_not_touched(filings: Path, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"cat")
    with pytest.raises(InputError, match="photos"):
        ingest(filings, tmp_path / "photos")
    assert (tmp_path / "photos" / "cat.jpg").read_bytes() == b"cat"


def test_a_changed_or_foreign_corpus_is_refused(filings: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no corpus"):
        load_corpus(tmp_path / "nowhere")
    ingest(filings, tmp_path / "corpus")
    chunks = tmp_path / "corpus" / "chunks.jsonl"
    chunks.write_text(chunks.read_text(encoding="utf-8").replace("147,", "148,"), encoding="utf-8")
    with pytest.raises(StoreError, match="ingest it again"):
        load_corpus(tmp_path / "corpus")
    head = tmp_path / "corpus" / "corpus.json"
    head.write_text(json.dumps({**json.loads(head.read_text()), "schema": 99}))
    with pytest.raises(StoreError, match="schema 99"):
        load_corpus(tmp_path / "corpus")


def test_no_readable_file_at_all_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "bad.pdf").write_bytes(b"no pdf")
    with pytest.raises(InputError, match=r"bad\.pdf"):
        ingest(write(tmp_path, entry("bad", "bad.pdf")), tmp_path / "corpus")
    assert not (tmp_path / "corpus").exists()


def fingerprint(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_where_indexing_fails_the_corpus_before_stays_whole(filings: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    ingest(filings, corpus, lambda folder, _: (folder / "index").mkdir())
    (corpus / "index" / "vectors").write_bytes(b"old")
    before = fingerprint(corpus)

    def stopped(folder: Path, _: object) -> None:
        (folder / "index" / "finished-block").write_bytes(b"kept")
        raise KeyboardInterrupt

    write(tmp_path, entry("zh", "zh.jsonl"))
    with pytest.raises(KeyboardInterrupt):
        ingest(filings, corpus, stopped)
    assert fingerprint(corpus) == before

    seen: list[set[str]] = []
    ingest(filings, corpus, lambda folder, _: seen.append(set(fingerprint(folder / "index"))))
    # What the stopped call had embedded is there again, and so is the index of before.
    assert seen == [{"vectors", "finished-block"}]
    assert [s.doc_id for s in load_corpus(corpus).sources] == ["zh"]
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".corpus")]


def test_a_first_ingest_that_fails_leaves_no_corpus(filings: Path, tmp_path: Path) -> None:
    def failing(_: Path, __: object) -> None:
        raise StoreError("no room")

    with pytest.raises(StoreError, match="no room"):
        ingest(filings, tmp_path / "corpus", failing)
    assert not (tmp_path / "corpus").exists()
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".corpus")]


def test_a_link_to_a_corpus_is_followed_each_time(filings: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for _ in range(2):
        ingest(filings, tmp_path / "link")
        assert (tmp_path / "link").is_symlink()
        assert load_corpus(tmp_path / "real").chunks


def test_documents_that_cannot_be_told_apart_in_a_citation_are_named(tmp_path: Path) -> None:
    pdf(tmp_path / "a.pdf", "Revenue 1,234")
    pdf(tmp_path / "b.pdf", "Revenue 1,235")
    report = ingest(write(tmp_path, entry("a", "a.pdf"), entry("b", "b.pdf")), tmp_path / "corpus")
    (problem,) = report.problems
    assert problem.kind is ProblemKind.AMBIGUOUS
    assert "a.pdf" in problem.message
    assert "b.pdf" in problem.message


def test_ambiguous_documents_are_named_once_however_often_they_are_ingested(tmp_path: Path) -> None:
    pdf(tmp_path / "a.pdf", "Revenue 1,234")
    pdf(tmp_path / "b.pdf", "Revenue 1,235")
    manifest = write(tmp_path, entry("a", "a.pdf"), entry("b", "b.pdf"))
    first = ingest(manifest, tmp_path / "corpus")
    assert ingest(manifest, tmp_path / "corpus").problems == first.problems


def test_every_kind_of_file_becomes_pages_of_one_corpus(tmp_path: Path) -> None:
    pdf(tmp_path / "a.pdf", "Revenue 1,234")
    (tmp_path / "b.html").write_text("<p>营业收入</p>", encoding="utf-8")
    (tmp_path / "c.txt").write_bytes("净利润".encode("gb18030"))
    (tmp_path / "d.htm").write_bytes(b"%PDF-1.4")
    manifest = write(
        tmp_path,
        entry("a", "a.pdf", lang="en"),
        *(entry(x, f, period=p) for x, f, p in (("b", "b.html", "2022"), ("c", "c.txt", "2021"))),
        entry("d", "d.htm", period="2020"),
    )
    report = ingest(manifest, tmp_path / "corpus")
    corpus = load_corpus(tmp_path / "corpus")
    assert [(p.doc_id, p.text) for p in corpus.pages()] == [
        ("a", "Revenue 1,234"), ("b", "营业收入"), ("c", "净利润")
    ]  # fmt: skip
    assert [corpus.file_of(s).suffix for s in corpus.sources] == [".pdf", ".html", ".txt"]
    assert [p.message for p in report.problems] == ["d.htm is a PDF; name it .pdf"]


def test_what_a_stopped_call_has_read_is_not_read_again(filings: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    pdf(tmp_path / "two.pdf", "Cost 1,234")
    rows = [json.loads(line) for line in filings.read_text(encoding="utf-8").split("\n")]
    write(tmp_path, *rows, entry("two", "two.pdf", period="2022"))

    def stop(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest(filings, corpus, on_read=stop)
    (kept,) = (tmp_path / ".corpus.read").iterdir()
    row = json.loads(kept.read_text(encoding="utf-8"))
    row["pages"][0]["text"] = "Revenue as it was read before"
    kept.write_text(json.dumps(row), encoding="utf-8")
    seen: list[tuple[int, int]] = []
    ingest(filings, corpus, on_read=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]
    page = load_corpus(corpus).page("en/../1", 1)
    assert page is not None
    assert page.text == "Revenue as it was read before"
    assert not (tmp_path / ".corpus.read").exists()


def test_a_half_written_read_is_read_again(filings: Path, tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest(filings, tmp_path / "corpus", stop)
    (kept,) = (tmp_path / ".corpus.read").iterdir()
    kept.write_text('{"pages": [', encoding="utf-8")
    ingest(filings, tmp_path / "corpus")
    assert load_corpus(tmp_path / "corpus").page("en/../1", 1) is not None


def test_the_seconds_of_the_report_hold_those_of_the_index(filings: Path, tmp_path: Path) -> None:
    report = ingest(filings, tmp_path / "corpus", lambda *_: time.sleep(0.05))
    assert report.seconds >= report.index_seconds >= 0.05


def test_another_language_of_a_text_file_is_another_reading(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"the company\x92s net income")
    ingest(write(tmp_path, entry("a", "a.txt", lang="en")), tmp_path / "corpus")
    assert load_corpus(tmp_path / "corpus").pages()[0].text == "the company’s net income"
    assert ingest(write(tmp_path, entry("a", "a.txt")), tmp_path / "corpus").reused == 0
    assert load_corpus(tmp_path / "corpus").pages()[0].text != "the company’s net income"
