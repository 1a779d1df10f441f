from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragdash.core.chunk import Channel, Chunk, ChunkKind, DocType, Page, Source
from ragdash.core.errors import ConfigError
from ragdash.ingest.chunking import CHUNKINGS, chunk_document, chunking
from ragdash.ingest.sentences import cut_to_size, estimated_tokens, sentences

AMOUNT = re.compile(r"\d[\d,]*\.?\d*")
UNITS = ("单位：元  币种：人民币", "(In millions, except per share amounts)")


def source(doc_id: str = "d") -> Source:
    return Source(
        doc_id,
        "d.pdf",
        "贵州茅台",
        "2023",
        DocType.ANNUAL,
        "zh",
        Channel.FILING,
        "",
        "",
        "2023年报",
        "sha256:0",
        1,
    )


def chunks_of(*texts: str, name: str = "blocks") -> tuple[Chunk, ...]:
    pages = [Page("d", n, t) for n, t in enumerate(texts, start=1)]
    return chunk_document(source(), pages, CHUNKINGS[name])


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


# What a page can be made of: prose in both languages, headings, and tables with unit and header.
figure = st.integers(-(10**9), 10**12).map(lambda n: f"{n / 100:,.2f}")
zh_sentence = st.text("营业收入同比增长主要系本期销量增加所致", min_size=4, max_size=90).map(
    lambda s: s + "。"
)
en_sentence = st.lists(
    st.sampled_from(
        ["revenue", "increased", "due", "to", "higher", "volume", "sold", "No.", "5", "1,234.56"]
    ),
    min_size=3,
    max_size=40,
).map(lambda words: "The " + " ".join(words) + ".")
prose = st.lists(st.one_of(zh_sentence, en_sentence), min_size=1, max_size=12).map("".join)
heading = st.sampled_from(
    ["七、近三年主要会计数据", "（一）主要会计数据", "Item 7. Management Discussion"]
)
row = st.tuples(
    st.text("货币资金应收账款存其他", min_size=2, max_size=12),
    st.lists(figure, min_size=2, max_size=4),
).map(lambda r: " | ".join((r[0], *r[1])))
table = st.tuples(st.sampled_from(UNITS), st.lists(row, min_size=2, max_size=40)).map(
    lambda t: "\n".join((t[0], "项目 | 2023年 | 2022年 | 附注", *t[1]))
)
page_text = st.lists(st.one_of(prose, heading, table), min_size=1, max_size=8).map("\n".join)
pages = st.lists(page_text, min_size=1, max_size=4)


@settings(max_examples=25, deadline=None)
@given(st.lists(page_text, min_size=1, max_size=2), st.sampled_from(list(CHUNKINGS)))
def test_no_chunk_crosses_a_page_and_every_page_is_covered(texts: list[str], name: str) -> None:
    found = chunks_of(*texts, name=name)
    for number, text in enumerate(texts, start=1):
        own = [c for c in found if c.source_page == number]
        body = squeezed("".join(c.text for c in own))
        assert [c.chunk_id for c in own] == [f"d#p{number}c{k}" for k in range(1, len(own) + 1)]
        for line in text.split("\n"):
            for piece in sentences(line):
                assert (
                    all(squeezed(p) in body for p in cut_to_size(piece, 120.0))
                    or squeezed(piece) in body
                )
        assert not Counter(squeezed(text)) - Counter(body)
        for amount in AMOUNT.findall(text):
            assert any(amount in AMOUNT.findall(c.text) for c in own)


@settings(max_examples=25, deadline=None)
@given(pages)
def test_windows_fit_their_room_and_never_lose_a_unit(texts: list[str]) -> None:
    for chunk in chunks_of(*texts, name="window"):
        assert estimated_tokens(chunk.text) <= CHUNKINGS["window"].room + 40
        if any(" | " in line and AMOUNT.search(line) for line in chunk.text.split("\n")):
            assert chunk.unit_note in {" ".join(u.split()) for u in UNITS}
            assert any(line in chunk.text.split("\n") for line in {chunk.unit_note})


def test_a_page_is_one_chunk_however_long() -> None:
    rows = [f"项目{k} | {k},234,567.00 | {k},765,432.00" for k in range(1, 80)]
    text = "\n".join(["主要会计数据", "单位：万元", "项目 | 2023年 | 2022年", *rows])
    (chunk,) = chunks_of(text, name="page")
    assert chunk.text.split("\n")[3:] == rows
    assert chunk.unit_note == "单位：万元"


@pytest.mark.parametrize("name", CHUNKINGS)
def test_running_lines_and_folios_are_in_no_chunk_and_figures_alone_on_a_line_are(
    name: str,
) -> None:
    texts = [
        f"某某股份有限公司2023年年度报告\n{n}/5\n{'好' * n}说明。\n研发人员\n{n * 37}\n{n + 2}"
        for n in range(1, 6)
    ]
    found = chunks_of(*texts, name=name)
    assert [c.text.split("\n") for c in found] == [
        ["好" * n + "说明。", "研发人员", str(n * 37)] for n in range(1, 6)
    ]


@pytest.mark.parametrize("name", CHUNKINGS)
def test_an_english_folio_is_in_no_chunk(name: str) -> None:
    said = ["Sales rose by a third.", "Costs fell.", "The board met in May.", "Cash is held here."]
    texts = [f"ACME CORP\n{line}\n{n + 40}" for n, line in enumerate(said)]
    assert [c.text for c in chunks_of(*texts, name=name)] == said


def test_a_chunking_of_another_name_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"'sentences'.*page, blocks, window"):
        chunking("sentences")


@settings(max_examples=25, deadline=None)
@given(pages)
def test_every_piece_of_a_table_has_its_unit_and_header_first(texts: list[str]) -> None:
    for chunk in chunks_of(*texts):
        if chunk.kind is ChunkKind.TABLE:
            assert chunk.unit_note in {" ".join(u.split()) for u in UNITS}
            assert chunk.text.split("\n")[:2] == [chunk.unit_note, "项目 | 2023年 | 2022年 | 附注"]


@settings(max_examples=25, deadline=None)
@given(pages)
def test_chunks_are_the_same_each_time_in_one_order_and_fit_the_embedder(texts: list[str]) -> None:
    found = chunks_of(*texts)
    assert found == chunks_of(*texts)
    assert [c.source_page for c in found] == sorted(c.source_page for c in found)
    assert len({c.chunk_id for c in found}) == len(found)
    room = CHUNKINGS["blocks"].room
    assert all(estimated_tokens(c.text) <= room + 40 for c in found)


@settings(max_examples=50, deadline=None)
@given(st.text(min_size=1, max_size=3000), st.sampled_from(list(CHUNKINGS)))
def test_any_text_at_all_is_covered(text: str, name: str) -> None:
    found = chunks_of(text, name=name)
    missing = Counter(squeezed(text)) - Counter(squeezed("".join(c.text for c in found)))
    assert not missing


def test_a_long_table_repeats_unit_and_header_and_keeps_rows_whole() -> None:
    rows = [f"项目{k} | {k},234,567.00 | {k},765,432.00" for k in range(1, 80)]
    found = chunks_of("\n".join(["单位：万元", "项目 | 2023年 | 2022年", *rows]))
    assert len(found) > 2
    assert all(c.text.startswith("单位：万元\n项目 | 2023年 | 2022年\n") for c in found)
    assert [line for c in found for line in c.text.split("\n")[2:]] == rows


def test_an_english_unit_line_above_a_title_and_a_period_line_is_found() -> None:
    (chunk,) = [
        c
        for c in chunks_of(
            "CONSOLIDATED BALANCE SHEETS\n(in millions, except per share data)\n"
            "Year Ended December 31,\n2018 | 2019\nCash | $ 31,750 | $ 36,092\n"
            "ASSETS\nInventories | 17,174 | 20,497"
        )
        if c.kind is ChunkKind.TABLE
    ]
    assert chunk.unit_note == "(in millions, except per share data)"
    assert chunk.text.split("\n")[:3] == [chunk.unit_note, "Year Ended December 31,", "2018 | 2019"]
    assert chunk.section == "CONSOLIDATED BALANCE SHEETS"


def test_a_unit_named_in_the_sentence_above_is_taken() -> None:
    found = chunks_of(
        "Capital expenditures were as follows ($ in millions):\n"
        "2023 | 2022\nStores | 540 | 549\nTotal | 930 | 737"
    )
    assert found[-1].unit_note == "($ in millions)"


def test_the_name_of_who_prepared_a_statement_is_no_unit() -> None:
    found = chunks_of(
        "编制单位：北京昭衍新药研究中心股份有限公司\n单位：元  币种：人民币\n"
        "项目 | 2024年\n货币资金 | 457,659,319.42\n存货 | 139,444,715.38"
    )
    assert found[-1].unit_note == "单位：元 币种：人民币"


def test_a_table_that_goes_on_over_the_page_keeps_unit_and_header() -> None:
    found = chunks_of(
        "合并资产负债表\n单位：元\n项目 | 2023年 | 2022年\n"
        "货币资金 | 1,234.00 | 5,678.00\n存货 | 11.00 | 12.00\n1/2",
        "固定资产 | 2,234.00 | 6,678.00\n在建工程 | 21.00 | 22.00\n2/2",
    )
    second = next(c for c in found if c.source_page == 2)
    assert second.unit_note == "单位：元"
    assert second.text.startswith("单位：元\n项目 | 2023年 | 2022年\n固定资产 | 2,234.00")
    assert second.section == "合并资产负债表"


@pytest.mark.parametrize(
    "second",
    [
        "说明文字在前。\n固定资产 | 2,234.00 | 6,678.00\n在建工程 | 21.00 | 22.00",
        "固定资产 | 2,234.00 | 6,678.00 | 3.00\n在建工程 | 21.00 | 22.00 | 4.00",
        "项目 | 2021年 | 2020年\n固定资产 | 2,234.00 | 6,678.00",
    ],
)
def test_a_unit_that_cannot_be_known_is_not_guessed(second: str) -> None:
    found = chunks_of(
        "单位：元\n项目 | 2023年 | 2022年\n货币资金 | 1.50 | 5.50\n存货 | 11.00 | 12.00", second
    )
    assert {c.unit_note for c in found if c.source_page == 2 and c.kind is ChunkKind.TABLE} == {""}


def test_a_section_is_carried_over_pages_with_its_parent() -> None:
    found = chunks_of(
        "七、财务报表附注\n5、应收账款\n（1）按账龄披露", "期末余额较期初增长，主要系销售增加。" * 5
    )
    assert found[-1].section == "5、应收账款 / （1）按账龄披露"


def test_sentences_end_neither_in_a_number_nor_after_no() -> None:
    text = "Revenue was 1,234.56 in No. 5 of the U.S. It rose. 营业收入1,234.56元。同比增长！"
    assert sentences(text) == [
        "Revenue was 1,234.56 in No. 5 of the U.S. It rose. ",
        "营业收入1,234.56元。",
        "同比增长！",
    ]


@settings(max_examples=100, deadline=None)
@example("营" * 9 + "。" + "营" * 9, 7.2)
@given(st.text("营收A b1,2.3。；", max_size=600), st.floats(8, 60))
def test_cut_pieces_are_the_text_again_and_split_no_number(text: str, room: float) -> None:
    pieces = cut_to_size(text, room)
    assert "".join(pieces) == text
    for before, after in pairwise(pieces):
        assert not (before[-1].isdigit() and after[0].isdigit())
