from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.ingest.problems import ProblemKind
from ragdash.ingest.text import read_text

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.ingest.problems import ReadFile


def read(folder: Path, data: bytes, lang: str = "zh") -> ReadFile:
    path = folder / "filing.txt"
    path.write_bytes(data)
    return read_text(path, "d", "filing.txt", lang)


def test_pages_end_at_form_feeds_and_bare_ones_are_named(tmp_path: Path) -> None:
    found = read(tmp_path, "营业收入 1\r\n净利润\f\n \fRevenue\f".encode())
    assert [(p.page, p.text) for p in found.pages] == [(1, "营业收入 1\n净利润"), (3, "Revenue")]
    assert found.n_pages == 3
    (problem,) = found.problems
    assert problem.message == "filing.txt: 1 of 3 pages holds no text: 2"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "gbk", "utf-16"])
def test_chinese_is_read_in_the_encodings_it_comes_in(tmp_path: Path, encoding: str) -> None:
    (page,) = read(tmp_path, "贵州茅台 2023年\n营业收入".encode(encoding)).pages
    assert page.text == "贵州茅台 2023年\n营业收入"


def test_an_english_file_is_windows_text_and_a_chinese_one_is_not(tmp_path: Path) -> None:
    assert read(tmp_path, b"Company\x92s net", "en").pages[0].text == "Company’s net"


@pytest.mark.parametrize(
    ("data", "lang", "why"),
    [
        (b"abc\xff\xff", "zh", "is not text in utf-8 or gb18030 (byte 3)"),
        (b"abc\x81\x8d", "en", "is not text in utf-8 or cp1252 (byte 3)"),
        (b"PK\x03\x04\0\0", "en", "holds a zero byte at character 4"),
        (b"\xff\xfea", "en", "is not text in utf-16-le"),
        (b"", "zh", "holds no page with text"),
        (b"\f \f", "zh", "holds no page with text"),
    ],
)
def test_what_cannot_be_read_is_a_problem_that_says_why(
    tmp_path: Path, data: bytes, lang: str, why: str
) -> None:
    found = read(tmp_path, data, lang)
    assert found.pages == ()
    (problem,) = found.problems
    assert problem.kind in (ProblemKind.DAMAGED, ProblemKind.EMPTY)
    assert why in problem.message


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.text(st.characters(codec="gb18030", categories=("L", "N", "P")), min_size=1)),
    st.sampled_from(["utf-8", "gb18030", "utf-16"]),
)
def test_every_page_comes_back_under_its_own_number(
    tmp_path_factory: pytest.TempPathFactory, pages: list[str], encoding: str
) -> None:
    data = "\f".join(pages).encode(encoding)
    try:
        if encoding == "gb18030" and data.decode("utf-8") != data.decode("gb18030"):
            return  # a text that is UTF-8 as well is read as UTF-8
    except UnicodeDecodeError:
        pass
    found = read(tmp_path_factory.mktemp("t"), data)
    assert [p.text for p in found.pages] == pages
    assert [p.page for p in found.pages] == list(range(1, len(pages) + 1))
