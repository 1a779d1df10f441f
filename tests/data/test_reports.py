"""The demo reports: what is in the PDFs, the manifest, and that they can be made again."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

ROOT = Path(__file__).parents[2]
REPORTS = ROOT / "data" / "reports"
SOURCE = REPORTS / "source"
MANIFEST = [
    json.loads(line) for line in (REPORTS / "manifest.jsonl").read_text("utf-8").splitlines()
]
IDS = [m["doc_id"] for m in MANIFEST]
FOOT = {"zh": "非公司原件", "en": "not the company's document"}


def content(doc_id: str) -> dict[str, Any]:
    return tomllib.loads((SOURCE / f"{doc_id}.toml").read_text(encoding="utf-8"))


def page_texts(doc_id: str) -> list[str]:
    document = pypdfium2.PdfDocument(REPORTS / f"{doc_id}.pdf")
    try:
        return [page.get_textpage().get_text_bounded() for page in document]
    finally:
        document.close()


PAGES = {doc_id: page_texts(doc_id) for doc_id in IDS}


def pictures(doc_id: str) -> set[int]:
    return set(content(doc_id).get("damage", {}).get("picture_pages", []))


def figures(text: str) -> set[str]:
    return set(re.findall(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text))


def test_manifest_names_every_report_once():
    assert sorted(m["file"] for m in MANIFEST) == sorted(p.name for p in REPORTS.glob("*.pdf"))
    assert sorted(IDS) == sorted(p.stem for p in SOURCE.glob("*.toml"))
    companies = {(m["company"], m["lang"]) for m in MANIFEST}
    assert sum(lang == "zh" for _, lang in companies) >= 4
    assert sum(lang == "en" for _, lang in companies) >= 2


def test_manifest_has_the_keys_of_the_contract():
    known = {
        "doc_id", "file", "company", "period", "doc_type", "lang", "channel", "title", "licence",
    }  # fmt: skip
    assert all(set(m) == known for m in MANIFEST)
    for m in MANIFEST:
        source = content(m["doc_id"])
        assert all(m[k] == source[k] for k in ("doc_id", "company", "period", "doc_type", "lang"))


@pytest.mark.parametrize("entry", MANIFEST, ids=IDS)
def test_each_page_says_it_is_not_the_companys_own(entry):
    texts = PAGES[entry["doc_id"]]
    for number, text in enumerate(texts, start=1):
        if number not in pictures(entry["doc_id"]):
            assert FOOT[entry["lang"]] in text, f"page {number}"
    first = re.sub(r"\s+", "", texts[0])
    assert ("不是公司原件" if entry["lang"] == "zh" else "typesetbytheragdashproject") in first


def test_there_is_enough_to_search():
    pieces = 0
    for entry in MANIFEST:
        size = 500 if entry["lang"] == "zh" else 1200
        pieces += sum(-(-len(text) // size) for text in PAGES[entry["doc_id"]])
    assert pieces >= 250


@pytest.mark.parametrize("doc_id", IDS)
def test_every_table_figure_is_in_the_text_layer(doc_id):
    source = content(doc_id)
    if "damage" in source:
        pytest.skip("its text layer is damaged on purpose")
    everything = "\n".join(PAGES[doc_id])
    wanted = {c for t in source["table"].values() for row in t["rows"] for c in row[1:]}
    missing = [c for c in wanted if figures(c) and not figures(c) <= figures(everything)]
    assert not missing


def test_table_rows_come_out_in_order():
    text = next(p for p in PAGES["603127-2024"] if "合并利润表（主要项目）" in p)
    rows = content("603127-2024")["table"]["is_c"]["rows"]
    places = [text.find(" ".join([row[0].strip(), *row[1:]])) for row in rows]
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.parametrize("doc_id", IDS)
def test_every_table_and_figure_names_its_source(doc_id):
    source = content(doc_id)
    assert all(t["source"] and isinstance(t["derived"], bool) for t in source["table"].values())
    for section in source["section"]:
        for paragraph in re.split(r"\n\s*\n", section["body"]):
            if figures(paragraph):
                assert "{src:" in paragraph, paragraph


def test_maotai_prints_both_revenues():
    text = "".join(PAGES["600519-2023"])
    assert "147,693,604,994.14" in text
    assert "150,560,330,316.45" in text


def test_the_damaged_report_says_so_and_is_damaged():
    damage = content("600201-2020")["damage"]
    texts = PAGES["600201-2020"]
    assert "有意损坏" in re.sub(r"\s+", "", texts[0])
    assert all(not texts[page - 1].strip() for page in damage["picture_pages"])
    for page in damage["misread_pages"]:
        assert re.search(r"\d \d|\d ,|, ?\d+[lO]|[lO]\d|,\r?\n", texts[page - 1]), page


def test_the_folder_stays_small():
    assert sum(p.stat().st_size for p in REPORTS.rglob("*") if p.is_file()) < 5_000_000


@pytest.mark.parametrize("doc_id", ["603259-2022", "BBY-2023"])
def test_the_script_makes_the_same_bytes_again(doc_id):
    pytest.importorskip("reportlab", reason="reportlab is in the test extra")
    from data.reports.source import layout, typeset

    if content(doc_id)["lang"] == "zh":
        try:
            layout.find_font()
        except layout.FontMissingError as error:
            pytest.skip(str(error))
    assert typeset.typeset(content(doc_id)) == (REPORTS / f"{doc_id}.pdf").read_bytes()
