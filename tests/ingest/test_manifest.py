from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ragdash.core.chunk import Channel, DocType
from ragdash.core.errors import InputError
from ragdash.ingest.manifest import load_manifest

if TYPE_CHECKING:
    from pathlib import Path

GOOD = {
    "doc_id": "600519-2023",
    "file": "a.pdf",
    "company": "贵州茅台",
    "period": "2023",
    "doc_type": "annual",
    "lang": "zh",
}


def manifest(folder: Path, *lines: dict[str, object] | str) -> Path:
    (folder / "a.pdf").write_bytes(b"%PDF")
    path = folder / "manifest.jsonl"
    texts = [x if isinstance(x, str) else json.dumps(x, ensure_ascii=False) for x in lines]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def test_a_line_gives_one_entry_with_its_defaults_and_label(tmp_path: Path) -> None:
    (entry,) = load_manifest(manifest(tmp_path, GOOD))
    assert (entry.label, entry.channel, entry.doc_type) == (
        "2023年报",
        Channel.FILING,
        DocType.ANNUAL,
    )
    assert entry.path == tmp_path / "a.pdf"
    assert (entry.title, entry.licence) == ("", "")


@pytest.mark.parametrize(
    ("doc_type", "period", "label"),
    [
        ("annual_summary", "2023", "2023年报摘要"),
        ("semiannual", "2024", "2024半年报"),
        ("q1", "2024", "2024一季报"),
        ("q3", "2024", "2024三季报"),
        ("10k", "2024", "FY2024 10-K"),
        ("10q", "2024Q2", "2024Q2 10-Q"),
        ("8k", "2024-05-20", "2024-05-20 8-K"),
    ],
)
def test_the_label_is_that_of_the_contract(
    tmp_path: Path, doc_type: str, period: str, label: str
) -> None:
    row = {**GOOD, "doc_type": doc_type, "period": period}
    assert load_manifest(manifest(tmp_path, row))[0].label == label


def test_every_bad_line_is_named_with_its_number(tmp_path: Path) -> None:
    path = manifest(
        tmp_path,
        GOOD,
        {**GOOD, "doc_id": "b", "pages": 3},
        "{not json",
        "",
        {**GOOD, "doc_id": "c", "file": "missing.pdf"},
        GOOD,
        {**GOOD, "doc_id": "d", "period": 2023},
        {**GOOD, "doc_id": "e", "period": None},
        {**GOOD, "doc_id": "f", "file": "page.docx"},
        {k: v for k, v in GOOD.items() if k != "lang"},
        '{"doc_id": "x", "doc_id": "y"}',
        "[1]",
    )
    with pytest.raises(InputError) as caught:
        load_manifest(path)
    text = str(caught.value)
    for part in (
        "line 2: unknown key 'pages'",
        "line 3: no JSON object",
        "line 5: file 'missing.pdf' is not there",
        "line 6: doc_id '600519-2023' is taken by line 1",
        "line 7: 'period' is 2023",
        "line 8: 'period' is null",
        "line 9: file 'page.docx'",
        "line 10: 'lang' is missing",
        "line 11: no JSON object (key 'doc_id' stands twice)",
        "line 12: a JSON object is wanted",
    ):
        assert part in text
    assert "line 1:" not in text
    assert "line 4:" not in text


def test_a_document_off_the_filing_channel_may_have_no_period(tmp_path: Path) -> None:
    row = {**GOOD, "period": None, "doc_type": "other", "channel": "web"}
    assert load_manifest(manifest(tmp_path, row))[0].period is None


@pytest.mark.parametrize("company", ["", "two\nlines", "bell\u0007"])
def test_a_company_is_one_line_of_readable_text(tmp_path: Path, company: str) -> None:
    with pytest.raises(InputError, match="company"):
        load_manifest(manifest(tmp_path, {**GOOD, "company": company}))


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff\xfe\x00"])
def test_a_manifest_without_readable_lines_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "manifest.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"manifest\.jsonl"):
        load_manifest(path)


def test_a_missing_manifest_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.jsonl"):
        load_manifest(tmp_path / "nowhere.jsonl")


@pytest.mark.parametrize("lang", ["cn", "zh-CN", "ZH", "", "english"])
def test_a_language_is_zh_or_en(tmp_path: Path, lang: str) -> None:
    with pytest.raises(InputError, match='write "zh" for a Chinese document') as caught:
        load_manifest(manifest(tmp_path, {**GOOD, "lang": lang}))
    assert "line 1: 'lang' is" in str(caught.value)


@pytest.mark.parametrize(
    "period", ["FY2024", "24", "2024年", "2024q2", "2024Q5", "2024-02-30", "1024", "２０２４"]
)
def test_a_period_is_a_year_a_part_of_one_or_a_day(tmp_path: Path, period: str) -> None:
    row = {**GOOD, "doc_type": "earnings", "period": period}
    with pytest.raises(InputError, match='write "2024", "2024Q2"'):
        load_manifest(manifest(tmp_path, row))


@pytest.mark.parametrize("doc_type", ["annual", "semiannual", "q1", "10k"])
def test_a_period_whose_part_the_label_would_lose_is_refused(tmp_path: Path, doc_type: str) -> None:
    with pytest.raises(InputError, match='is its year, "2024"'):
        load_manifest(manifest(tmp_path, {**GOOD, "doc_type": doc_type, "period": "2024Q2"}))


@pytest.mark.parametrize("file", ["a.pdf", "a.html", "a.HTM", "a.xhtml", "a.txt", "a.jsonl"])
def test_every_kind_of_file_of_the_contract_is_taken(tmp_path: Path, file: str) -> None:
    (tmp_path / file).write_bytes(b"x")
    assert load_manifest(manifest(tmp_path, {**GOOD, "file": file}))[0].file == file
