from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from reportlab.pdfgen.canvas import Canvas

from ragdash.core.question import Evidence
from ragdash.core.retrieval import GoldRanks, Mode
from ragdash.ingest.corpus import ingest
from ragdash.ingest.folder import load_corpus
from ragdash.store.journal import Journal
from ragdash.store.runfile import publish
from ragdash.ui.i18n import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest

PDF, TEXT = "pdf-doc", "text<b>doc"
HOSTILE = "<img src=x>$1 … $2 :red[x]"


def page(at: AppTest) -> str:
    return "\n".join(str(one.value) for one in at.get("html"))  # type: ignore[union-attr]


def made_pdf() -> bytes:
    drawn = io.BytesIO()
    canvas = Canvas(drawn)
    canvas.drawString(72, 700, "Total net sales were $391,035 million in fiscal 2024.")
    canvas.showPage()
    canvas.showPage()
    canvas.drawString(72, 700, "Cost of sales was $210,352 million in fiscal 2024.")
    canvas.save()
    return drawn.getvalue()


@pytest.fixture(scope="module")
def stocked(build: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a corpus folder (a PDF with an empty page, a text), and two question sets."""
    folder: Path = tmp_path_factory.mktemp("stocked")
    (folder / "a.pdf").write_bytes(made_pdf())
    (folder / "b.txt").write_text("公司2023年营业收入为1,476.94亿元。\f\f净利润", encoding="utf-8")
    rows = [
        {"doc_id": PDF, "file": "a.pdf", "company": "Apple", "period": "2024",
         "doc_type": "10k", "lang": "en", "title": HOSTILE},
        {"doc_id": TEXT, "file": "b.txt", "company": "贵州茅台", "period": "2023",
         "doc_type": "annual", "lang": "zh"},
    ]  # fmt: skip
    manifest = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (folder / "manifest.jsonl").write_text(manifest, encoding="utf-8")
    store = folder / "store"
    ingest(folder / "manifest.jsonl", store / "corpora" / "mine")
    corpus = load_corpus(store / "corpora" / "mine")
    first = corpus.chunks[0]
    ranks = GoldRanks((first.chunk_id,), 1, 1, 1, None, 1, evidence_visible=True)
    questions = [
        build.make_question("q<1>", evidence=(Evidence(PDF, 1),)),
        build.make_question("q2", evidence=(Evidence(PDF, 2),)),
    ]
    for at, digit in enumerate("34"):
        # The later run is over the set of now, in which q2 has other evidence.
        asked = [questions[0], replace(questions[1], evidence=(Evidence(PDF, 2 + at),))]
        info = build.make_info(
            f"20261130-170{at}-data-1",
            started_at=f"2026-11-30T17:0{at}:00Z",
            modes=(Mode.HYBRID,),
            corpus_digest=corpus.digest,
            questions_name=HOSTILE,
            questions_digest=f"sha256:{digit * 64}",
        )
        journal = Journal.create(store, info, [q.id for q in asked])
        for question in asked:
            held = question.id == "q<1>"
            journal.append(
                build.make_result(
                    question=question,
                    mode=Mode.HYBRID,
                    gold_ranks=ranks if held else replace(ranks, chunk_ids=()),
                    evidence_chunks=(first,) if held else (),
                )
            )
        publish(store, journal, f"2026-11-30T17:0{at}:30Z")
    return store


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_sets_are_listed_and_another_gold_under_one_id_comes_first(
    stocked: Path, open_page: Callable[..., AppTest], lang: str
) -> None:
    at = open_page(stocked, "data", lang=lang)
    assert not at.exception
    shown = page(at)
    assert shown.count("&lt;img src=x&gt;$1 … $2 :red[x]") >= 2
    assert "<img" not in shown
    assert say("data.sets.own", lang) in shown
    assert say("data.diff.danger", lang, n=1) in shown
    assert say("data.field.evidence", lang) in shown
    assert f"{PDF} · P2" in shown
    assert f"{PDF} · P3" in shown


def test_the_sets_that_are_compared_stand_in_the_address_and_a_wrong_one_is_noted(
    stocked: Path, open_page: Callable[..., AppTest]
) -> None:
    swapped = {"set": "3" * 12, "with": "4" * 12}
    at = open_page(stocked, "data", **swapped)
    assert at.selectbox(key="pick.set").value == "3" * 12
    assert at.selectbox(key="pick.with").value == "4" * 12
    assert not at.warning
    # A set cannot be held against itself, and one that is not there cannot be held at all.
    for wrong in ({"set": "3" * 12, "with": "3" * 12}, {"set": "' OR 1"}):
        at = open_page(stocked, "data", **wrong)
        assert say("note.set", "en") in [one.value for one in at.warning]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_documents_show_pages_gaps_and_what_ingest_found(
    stocked: Path, open_page: Callable[..., AppTest], lang: str
) -> None:
    at = open_page(stocked, "data", tab="documents", lang=lang)
    assert not at.exception
    shown = page(at)
    # Page 2 of either document holds no text.
    assert shown.count(say("data.docs.gaps.no_text", lang, n=1, pages="P2")) == 2
    assert say("finding.pages_without_text", lang) in shown
    assert "text&lt;b&gt;doc" in shown
    assert "<b>" not in shown


def test_a_page_is_drawn_beside_its_chunks_with_the_question_whose_gold_it_is(
    stocked: Path, open_page: Callable[..., AppTest]
) -> None:
    at = open_page(stocked, "data", tab="documents", doc=PDF, leaf="1")
    assert not at.exception
    assert len(at.get("image")) == 1
    shown = page(at)
    assert "391,035" in shown
    assert "q&lt;1&gt;" in shown
    assert say("data.leaf.gold_of", "en") in shown
    # The empty page says that no chunk is of it.
    empty = open_page(stocked, "data", tab="documents", doc=PDF, leaf="2")
    assert say("data.leaf.no_chunk", "en") in [one.value for one in empty.info]
    # A text has no page to be drawn, and its chunks stand there all the same.
    text = open_page(stocked, "data", tab="documents", doc=TEXT, leaf="1", lang="zh")
    assert say("leaf.not_pdf", "zh") in [one.value for one in text.info]
    assert "1,476.94亿元" in page(text)


@pytest.mark.parametrize(
    ("name", "value", "note"),
    [
        ("doc", "no such", "note.doc"),
        ("leaf", "99", "note.leaf"),
        ("leaf", "<b>", "note.leaf"),
        ("page", "7", "note.page"),
        ("tab", "nope", "note.tab"),
    ],
)
def test_what_the_address_names_and_is_not_there_is_noted(
    stocked: Path, open_page: Callable[..., AppTest], name: str, value: str, note: str
) -> None:
    given = {"tab": "documents", name: value}
    at = open_page(stocked, "data", **given)
    assert not at.exception
    assert say(note, "en") in [one.value for one in at.warning]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_gold_passages_in_no_chunk_come_first_and_link_to_the_page(
    stocked: Path, open_page: Callable[..., AppTest], lang: str
) -> None:
    at = open_page(stocked, "data", tab="gold", lang=lang)
    assert not at.exception
    shown = page(at)
    assert "1/2 (0.50)" in shown
    assert shown.index(say("data.gold.state.none", lang)) < shown.index("q&lt;1&gt;")
    assert f"doc={PDF}&amp;leaf=3" in shown


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_without_the_corpus_folder_the_page_says_so_and_shows_the_run_file(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest], lang: str
) -> None:
    at = open_page(filled, "data", run=rich.RUN, tab="documents", lang=lang)
    assert not at.exception
    assert say("data.docs.no_folder", lang) in [one.value for one in at.info]
    shown = page(at)
    assert say("data.docs.gaps.unknown", lang) in shown
    assert say("data.leaf.seen_only", lang) in shown
    assert "147,693,604,994.14" in shown


def test_a_damaged_folder_is_named_and_the_run_file_is_shown(
    stocked: Path, open_page: Callable[..., AppTest]
) -> None:
    chunks = stocked / "corpora" / "mine" / "chunks.jsonl"
    head = chunks.with_name("corpus.json")
    kept, kept_head = chunks.read_bytes(), head.read_bytes()
    try:
        chunks.write_text("{", encoding="utf-8")
        head.write_bytes(kept_head + b"\n")
        at = open_page(stocked, "data", tab="documents")
        assert not at.exception
        assert say("data.docs.damaged", "en") in [one.value for one in at.warning]
        assert say("data.docs.gaps.unknown", "en") in page(at)
    finally:
        chunks.write_bytes(kept)
        head.write_bytes(kept_head)


def test_one_set_has_nothing_to_be_held_against(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest]
) -> None:
    at = open_page(filled, "data", run=rich.RUN)
    assert not at.exception
    assert say("data.diff.one", "en") in [one.value for one in at.text]
