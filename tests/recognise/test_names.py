from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash import shipped
from ragdash.recognise.folding import folded
from ragdash.recognise.names import CompanyNames, alias_groups
from tests.builders import make_chunk, make_source

if TYPE_CHECKING:
    from ragdash.core.chunk import Chunk

SOURCES = [
    make_source("600519-2023"),
    make_source("603127-2023", company="昭衍新药"),
    make_source("AAPL-2022", company="Apple", lang="en"),
    make_source("BLK-2020", company="Block", lang="en"),
    make_source("RBA-2022", company="Ritchie Bros. Auctioneers Incorporated", lang="en"),
    make_source("AR9-2022", company="archTIS Limited", lang="en"),
]
NAMES = CompanyNames(SOURCES)


def named(text: str, names: CompanyNames = NAMES) -> list[tuple[str, bool]]:
    return [(hit.company, hit.known) for hit in names.find(text)]


def traditional(text: str) -> str:
    table = shipped.path("data/companies/traditional.txt").read_text("utf-8")
    pairs = table.split("\n", 1)[1].split()
    back = {simple: old for old, simple in (tuple(pair) for pair in reversed(pairs))}
    return "".join(back.get(c, c) for c in text)


def full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


@pytest.mark.parametrize("alias", ["贵州茅台", "茅台", "600519", "贵州茅台酒股份有限公司"])
@pytest.mark.parametrize("dress", [str, traditional, full_width], ids=lambda d: d.__name__)
def test_every_name_of_a_chinese_company_is_it_in_any_dress(alias: str, dress) -> None:
    text = dress(f"{alias}2023年营业收入是多少元？")
    if alias.isdigit():
        text = dress(f"{alias}的营业收入是多少元？")
    assert named(text) == [("贵州茅台", True)]


@pytest.mark.parametrize(
    "text", ["Apple Inc.'s revenue", "What did AAPL earn?", "Is apple a fruit?"]
)
def test_names_and_tickers_of_an_american_company_are_it_and_the_word_is_not(text: str) -> None:
    assert named(text) == ([] if "fruit" in text else [("Apple", True)])


@given(
    st.sampled_from(
        [g for g in alias_groups() if g[0] in ("贵州茅台", "昭衍新药", "Apple", "Block")]
    ),
    st.data(),
)
def test_a_span_holds_the_name_and_ends_where_it_ends(group: tuple[str, ...], data) -> None:
    alias = data.draw(st.sampled_from(group))
    before = data.draw(st.sampled_from(["", "请问", "What did "]))
    after = data.draw(st.sampled_from(["的净利润", " earn in FY2022?", "？"]))
    text = before + alias + after
    (hit,) = NAMES.find(text)
    assert hit.known
    start, end = hit.span
    assert text[start:end] == alias
    assert named(text[start:end]) == [(hit.company, True)]


@given(st.text(max_size=60))
def test_folding_keeps_every_place_and_is_the_same_twice(text: str) -> None:
    assert len(folded(text)) == len(text)
    assert folded(folded(text)) == folded(text)


def test_no_name_stands_for_two_companies_and_tickers_are_written_as_such() -> None:
    owners: dict[str, str] = {}
    for group in alias_groups():
        for name in group:
            assert owners.setdefault(folded(name), group[0]) == group[0], name
            assert name == unicodedata.normalize("NFC", name).strip()
        assert all(re.fullmatch(r"\d{5,6}", n) for n in group if n.isdigit())


def test_a_full_name_that_no_data_has_is_taken_whole_around_the_name_of_the_corpus() -> None:
    text = "北京昭衍新药研究中心股份有限公司2023年营业成本为多少？"
    names = CompanyNames([make_source("d", company="昭衍新药")])
    (hit,) = names.find("请问" + text)
    assert hit.company == "昭衍新药"
    assert ("请问" + text)[slice(*hit.span)] == "北京昭衍新药研究中心股份有限公司"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("比亚迪2023年的研发费用是多少元？", ("比亚迪", False)),
        ("What was Tesla's revenue?", ("Tesla", False)),
        ("请问某某未知股份有限公司的收入？", ("某某未知股份有限公司", False)),
        ("For Peako Limited, what was the revenue?", ("Peako Limited", False)),
        ("For archTIS Limited, what was the revenue?", ("archTIS Limited", True)),
    ],
)
def test_a_company_without_a_document_is_named_as_such(text: str, expected) -> None:
    assert named(text) == [expected]


def front_page(text: str, **source: str) -> Chunk:
    return make_chunk("d#p1c1", source=make_source("d", **source), source_page=1, text=text)


@pytest.mark.parametrize(
    ("page", "company", "asked"),
    [
        ("公司的中文名称 | 金宇生物技术股份有限公司", "生物甲", "金宇生物技术股份有限公司的收入"),
        ("公司代码：600999 公司简称：生物甲\n年度报告", "生物甲", "600999的收入"),
        ("生物甲 | 600999 | 不适用", "生物甲", "股票代码 600999 的收入"),
        (
            "Widget Works, Inc.\n(Exact name of registrant as specified in its charter)\n"
            "Common Stock | WDGT | New York Stock Exchange",
            "Widget",
            "What did WDGT sell?",
        ),
        (
            "Widget Works, Inc.\n(Exact name of registrant as specified in its charter)",
            "Widget",
            "What did Widget Works sell?",
        ),
    ],
)
def test_names_that_a_report_states_on_its_first_pages_are_known(
    page: str, company: str, asked: str
) -> None:
    chunk = front_page(
        ("股票代码 " if "|" in page and "600999" in page else "") + page, company=company
    )
    assert named(asked, CompanyNames([chunk.source], [chunk])) == [(company, True)]


def test_a_figure_that_holds_a_stock_code_names_nobody() -> None:
    assert named("收入为1,600519.00元，编号7600519") == []
