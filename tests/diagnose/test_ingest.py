"""What the corpus lost of a gold figure, told from its chunks."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.amounts import printed, read_chunk
from ragdash.core.chunk import ChunkKind
from ragdash.core.diagnosis import Layer
from ragdash.core.question import Evidence, Gold
from ragdash.diagnose.digits import may_print, misread_digits, other_scale, split_number

HEAD = "单位：元\n项目 | 2023年 | 2022年\n"
REST = "\n营业成本 | 11,867,274,000.00 | 10,093,468,600.00"
ROW = "营业收入 | 147,693,604,994.14 | 124,099,843,771.99"


@pytest.fixture
def page(build):
    """`page("text", 45)` -> a chunk of that page."""

    def make(text, number=45, part=1, **fields):
        fields = {"unit_note": "单位：元", "kind": ChunkKind.TABLE} | fields
        name = f"600519-2023/p{number}/{part}"
        return build.make_chunk(name, text=text, source_page=number, **fields)

    return make


@pytest.fixture
def lost(ask, build):
    """The diagnosis over a corpus of chunks, the first of which is what the generator saw."""

    def run(*corpus, question=None):
        return ask(question or build.make_question(), corpus, corpus[:1])

    return run


def test_a_healthy_page_is_not_lost_at_ingest(lost, page) -> None:
    assert lost(page(HEAD + ROW + REST)).layer is Layer.GENERATION


def test_a_document_that_was_never_ingested_is_named(lost, build) -> None:
    other = build.make_chunk("x", source=build.make_source("000002-2023"))
    found = lost(other)
    assert (found.layer, found.reason) == (Layer.INGEST, "document_not_indexed")
    assert "600519-2023 P45" in found.evidence.en
    assert "600519-2023 P45" in found.evidence.zh


def test_a_page_without_chunks_is_a_gap_between_its_neighbours(lost, page) -> None:
    found = lost(page("甲", 44), page("乙", 46), page("丙", 90))
    assert found.reason == "page_not_indexed"
    assert "P44, P46" in found.evidence.en
    assert "P44、P46" in found.evidence.zh
    assert found.facts["nearest"] == [44, 46]


def test_a_gap_says_where_else_the_document_prints_the_figure(lost, page) -> None:
    found = lost(page("甲", 44), page(HEAD + ROW, 99))
    assert [there["page"] for there in found.facts["printed_on"]] == [99]
    assert "P99" in found.evidence.zh


def test_a_page_behind_the_last_is_the_question_s_fault(lost, page, build) -> None:
    question = build.make_question(evidence=(Evidence("600519-2023", 500),))
    found = lost(page(HEAD + ROW), question=question)
    assert found.reason == "page_beyond_document"
    assert "143" in found.evidence.en


@pytest.mark.parametrize(
    "row",
    [
        "营业收入 | 147 693 604 994.14 | 124,099,843,771.99",
        "营业收入 | 147693 604994.14 | 124,099,843,771.99",
        "营业收入 | 147,693,|604,994.14 | 124,099,843,771.99",
        "营业收入\n147693\n604994.14",
        "营业收入 | １４７６９３ ６０４９９４．１４ | 1",
    ],
)
def test_a_number_in_pieces_is_a_split_number(lost, page, row) -> None:
    found = lost(page(HEAD + row + REST))
    assert (found.layer, found.reason) == (Layer.INGEST, "split_number")


def test_a_number_cut_by_a_chunk_border_is_a_split_number(lost, page) -> None:
    """The second chunk repeats unit line and header above the rest of the row."""
    found = lost(page(HEAD + "营业收入 | 147,693,"), page(HEAD + "604,994.14" + REST, part=2))
    assert found.reason == "split_number"


def test_a_number_that_the_reader_glues_by_itself_is_none(lost, page) -> None:
    found = lost(page(HEAD + "营业收入 | 147,693,\n604,994.14 | 1" + REST))
    assert found.layer is Layer.GENERATION


def test_digits_without_their_unit_line_are_a_lost_unit(lost, page) -> None:
    table = "项目 | 2023年\n营业收入 | 14,769,360.50\n营业成本 | 1,186,727.40"
    found = lost(page(table, unit_note=""))
    assert (found.layer, found.reason) == (Layer.INGEST, "lost_unit")
    assert "14,769,360.50" in found.evidence.en
    assert "单位行或表头" in found.evidence.zh


def test_an_english_table_without_in_millions_is_a_lost_unit(lost, page, build) -> None:
    gold = Gold(Decimal(394328000000), "USD", metric="net sales", period="2022")
    question = build.make_question(lang="en", text="Apple net sales 2022?", gold=(gold,))
    table = "| 2022 | 2021\nTotal net sales | 394,328 | 365,817"
    assert lost(page(table, unit_note=""), question=question).reason == "lost_unit"
    whole = page("(In millions)\n" + table, unit_note="In millions")
    assert lost(whole, question=question).layer is Layer.GENERATION


def test_lost_brackets_are_a_lost_sign(lost, page, build) -> None:
    gold = Gold(Decimal("-357277652.58"), "CNY", metric="净利润")
    question = build.make_question(gold=(gold,))
    found = lost(page("单位：元\n净利润 | 357,277,652.58"), question=question)
    assert (found.layer, found.reason) == (Layer.INGEST, "lost_sign")


def test_the_figure_on_another_page_only_is_a_wrong_page(lost, page) -> None:
    found = lost(page(HEAD + REST), page(HEAD + ROW, 46), page(HEAD + ROW, 80))
    assert (found.layer, found.reason) == (Layer.INGEST, "wrong_page")
    assert [there["page"] for there in found.facts["printed_on"]] == [46, 80]
    assert "600519-2023 P46" in found.evidence.zh


def test_another_document_s_page_is_no_wrong_page(lost, page, build) -> None:
    other = build.make_chunk("x", source=build.make_source("2022"), text=HEAD + ROW)
    assert lost(page(HEAD + REST), other).reason == "not_printed_on_page"


@pytest.mark.parametrize("written", ["l47,693,6O4,994.l4", "147,693,6o4,994.14"])
def test_letters_for_digits_are_misread_where_they_look_like_them(lost, page, written) -> None:
    found = lost(page(HEAD + f"营业收入 | {written} | 1" + REST))
    assert (found.layer, found.reason) == (Layer.INGEST, "misread_digits")
    assert written in found.evidence.zh


def test_a_figure_that_stands_nowhere_is_not_printed(lost, page) -> None:
    found = lost(page(HEAD + REST), page("公司治理", 46))
    assert (found.layer, found.reason) == (Layer.INGEST, "not_printed_on_page")
    assert "147,693,604,994.14 CNY" in found.evidence.en


VALUES = st.decimals(
    Decimal("1000.01"), Decimal("999999999999.99"), places=2, allow_nan=False
).filter(lambda d: d.normalize().adjusted() - d.normalize().as_tuple().exponent >= 4)


@given(VALUES, st.data())
def test_any_number_that_blanks_cut_in_two_is_found(build, value, data) -> None:
    digits = f"{value:f}"
    at = data.draw(st.integers(1, digits.index(".") - 1))
    text = f"单位：元\n项目 | 2023年\n营业收入 | {digits[:at]} {digits[at:]}"
    chunk = build.make_chunk(text=text)
    gold = Gold(value, "CNY")
    if not any(printed(a, gold) for a in read_chunk(text, "单位：元")):
        assert split_number([chunk], gold) is not None


@given(VALUES, st.sampled_from(["单位：元", "单位：万元", "单位：千元"]))
def test_what_is_printed_whole_is_never_split_or_misread(build, value, note) -> None:
    scale = {"单位：元": 0, "单位：万元": 4, "单位：千元": 3}[note]
    chunk = build.make_chunk(text=f"{note}\n营业收入 | {value:,f}", unit_note=note)
    gold = Gold(value.scaleb(scale), "CNY")
    assert any(printed(a, gold) for a in read_chunk(chunk.text, note))
    assert may_print(chunk.text, gold)
    assert misread_digits([chunk], gold) is None
    assert split_number([chunk], gold) is None


@given(VALUES, st.sampled_from([3, 4, 6, 8]))
def test_a_table_without_its_unit_line_is_always_a_lost_unit(build, value, scale) -> None:
    chunk = build.make_chunk(text=f"项目 | 本期\n营业收入 | {value:,f}", unit_note="")
    assert other_scale([chunk], Gold(value.scaleb(scale), "CNY")) is not None
