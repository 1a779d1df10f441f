from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.check import check_citations
from ragdash.check.citations import judge_line
from ragdash.core.errors import InputError

ZH = {"company": "青禾样例", "period": "2023", "doc_type": "annual", "page": 4,
      "text": "单位：万元\n项目 | 2023年 | 2022年\n"
              "营业收入 | 8,832,000.00 | 7,500,000.00"}  # fmt: skip
EN = {"company": "Northwind Example", "period": "2024", "doc_type": "10k", "page": 31,
      "text": "(In millions)\nNet sales | 95,310 | 75,000\nGross margin was 41.2%."}  # fmt: skip


def judged(text: str, chunks: list[Any] | None = None, answer: str | None = None) -> list[Any]:
    """(resolves, supports) of each citation."""
    rows = judge_line({"text": text, "chunks": chunks, "answer": answer})["citations"]
    return [(r["resolves"], r["supports"]) for r in rows]


@pytest.mark.parametrize(
    ("text", "well_formed"),
    [
        ("收入883.20亿元(青禾样例·2023年报·P4)。", True),
        ("收入883.20亿元（青禾样例·2023年度报告·p 4）。", True),
        ("Net sales were $95.3 billion (Northwind Example·FY2024 10-K·P31).", True),
        ("收入883.20亿元(青禾样例·2023年报)。", False),
        ("Net sales were $95.3 billion [1].", False),
        ("收入883.20亿元(青禾样例·2023年报·P4)，利润5亿元[2]。", False),
        ("收入883.20亿元。", False),
    ],
)
def test_all_must_be_well_formed_and_there_must_be_one(text, well_formed) -> None:
    assert check_citations(text).well_formed is well_formed


def test_without_chunks_nothing_is_said_of_pages() -> None:
    assert judged("收入883.20亿元(青禾样例·2023年报·P4)。") == [(None, None)]
    found = judge_line({"text": "(青禾样例·2023年报·P4)", "chunks": None})
    assert found == {
        "citations": [
            {"text": "(青禾样例·2023年报·P4)", "well_formed": True, "resolves": None,
             "supports": None}
        ],
        "well_formed": True,
    }  # fmt: skip


def test_where_no_chunk_was_seen_no_citation_resolves() -> None:
    assert judged("收入883.20亿元(青禾样例·2023年报·P4)。", []) == [(False, False)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("收入883.20亿元(青禾样例·2023年报·P4)。", (True, True)),
        ("收入883.20亿元(青禾样例·2023年报·P5)。", (False, False)),
        ("收入883.20亿元(青禾样例·2022年报·P4)。", (False, False)),
        ("收入883.20亿元(别家公司·2023年报·P4)。", (False, False)),
        ("收入999.99亿元(青禾样例·2023年报·P4)。", (True, False)),
        ("收入883.20万元(青禾样例·2023年报·P4)。", (True, False)),
        ("公司主营农产品(青禾样例·2023年报·P4)。", (True, None)),
        ("根据(青禾样例·2023年报·P4)，收入为883.20亿元。", (True, True)),
        ("(青禾样例·2023年报·P4)：\n- 收入为883.20亿元\n- 利润为1.11亿元", (True, False)),
        ("Net sales were $95.3 billion (Northwind Example·FY2024 10-K·P31).", (True, True)),
        ("Net sales were $99.9 billion (Northwind Example·2024 10-K·P31).", (True, False)),
        ("Gross margin was 41.2%. (northwind example·FY2024 10-K·P31)", (True, True)),
        ("收入883.20亿元(青禾样例·2023年报)。", (False, False)),
    ],
)
def test_one_citation_is_held_to_its_page(text, expected) -> None:
    assert judged(text, [ZH, EN]) == [expected]


def test_each_citation_answers_for_what_was_said_since_the_one_before() -> None:
    good, bad = "收入883.20亿元(青禾样例·2023年报·P4)", "收入1.23亿元(青禾样例·2023年报·P4)"
    english = "Net sales were $95.3 billion (Northwind Example·FY2024 10-K·P31)"
    assert judged(f"{good}；{english}。", [ZH, EN]) == [(True, True), (True, True)]
    assert judged(f"{bad}；{english}。", [ZH, EN]) == [(True, False), (True, True)]
    swapped = (
        "收入883.20亿元(Northwind Example·FY2024 10-K·P31)，"
        "net sales $99.9 billion(青禾样例·2023年报·P4)"
    )
    assert judged(swapped, [ZH, EN]) == [(True, False), (True, False)]


def test_citations_side_by_side_share_a_claim_and_each_holds_a_part() -> None:
    text = "甲883.20亿元，乙41.2%(青禾样例·2023年报·P4)(Northwind Example·FY2024 10-K·P31)。"
    assert judged(text, [ZH, EN]) == [(True, True), (True, True)]
    alone = text.replace("，乙41.2%", "")
    assert judged(alone, [ZH, EN]) == [(True, True), (True, False)]
    assert judged(text.replace("41.2", "43.9"), [ZH, EN]) == [(True, False), (True, False)]


def test_citations_alone_are_held_against_the_answer() -> None:
    text = "(青禾样例·2023年报·P4)"
    assert judged(text, [ZH], "2023年收入为883.20亿元。") == [(True, True)]
    assert judged(text, [ZH], "2023年收入为883.99亿元。") == [(True, False)]
    assert judged(text, [ZH], "收入有所增长。") == [(True, None)]
    assert judged(text, [ZH]) == [(True, None)]


def test_a_figure_without_a_unit_is_in_that_of_the_cited_header() -> None:
    assert judged("收入8,832,000.00(青禾样例·2023年报·P4)", [ZH]) == [(True, True)]
    assert judged("Net sales: 95,310 (Northwind Example·FY2024 10-K·P31)", [EN]) == [(True, True)]


def test_every_page_of_a_range_must_be_there() -> None:
    text = "收入883.20亿元(青禾样例·2023年报·P4-5)。"
    assert judged(text, [ZH]) == [(False, False)]
    assert judged(text, [ZH, {**ZH, "page": 5, "text": "无数字"}]) == [(True, True)]


def test_one_page_in_several_chunks_is_one_page_and_a_year_may_be_a_number() -> None:
    parts = [{**ZH, "text": "营业收入883.20亿元"}, {**ZH, "period": 2023, "text": "利润5.00亿元"}]
    text = "收入883.20亿元，利润5.00亿元(青禾样例·2023年报·P4)。"
    assert judged(text, parts) == [(True, True)]


def test_chunks_may_be_the_nouns_themselves(build) -> None:
    chunk = build.make_chunk()
    found = check_citations("收入147,693,604,994.14元(贵州茅台·2023年报·P45)", [chunk])
    assert found.citations[0].supports


def test_evidence_names_the_pages_and_the_figures_not_found() -> None:
    row = {"text": "收入883.20亿元，利润7.77亿元(青禾样例·2023年报·P4)。", "chunks": [ZH]}
    (found,) = judge_line(row, evidence=True)["citations"]
    assert found["pages"] == [{"company": "青禾样例", "label": "2023年报", "page": 4}]
    assert found["missing"] == ["7.77亿元"]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"text": ""}, "no_output"),
        ({"text": None}, "'text' is missing"),
        ({"answer": 1}, "'answer' is 1"),
        ({"chunks": "x"}, "'chunks' is 'x': a list"),
        ({"chunks": ["x"]}, "'chunks.0' is 'x'"),
        ({"chunks": [ZH, {**ZH, "page": 0}]}, "chunk 2: 'page' is 0"),
        ({"chunks": [{**ZH, "page": "4"}]}, "'page' is '4'"),
        ({"chunks": [{**ZH, "doc_type": "blog"}]}, "'doc_type' is 'blog'"),
        ({"chunks": [{**ZH, "period": "23"}]}, "Period '23'"),
        ({"chunks": [{**ZH, "period": None}]}, "no period"),
        ({"chunks": [{**ZH, "company": " "}]}, "'company'"),
        ({"chunks": [{k: v for k, v in ZH.items() if k != "text"}]}, "'text' is missing"),
    ],
)
def test_a_bad_value_is_named(change, named) -> None:
    with pytest.raises(InputError) as caught:
        judge_line({"text": "(青禾样例·2023年报·P4)", **change})
    assert named in str(caught.value)


PIECES = st.lists(
    st.sampled_from(
        [
            "收入883.20亿元",
            "net sales $95.3 billion",
            "41.2%",
            "1.23亿元",
            "主营农产品",
            "(青禾样例·2023年报·P4)",
            "(Northwind Example·FY2024 10-K·P31)",
            "(青禾样例·2023年报)",
            "[1]",
            "。",
            "，",
            "\n",
        ]
    ),
    max_size=9,
)


@given(PIECES)
def test_where_every_citation_supports_every_figure_stands_on_a_cited_page(pieces) -> None:
    from ragdash.amounts import read_amounts, read_chunk, restates

    text = "答：" + "".join(pieces)
    found = check_citations(text, [ZH, EN])
    if not found.citations or not all(r.supports for r in found.citations):
        return
    held = [
        amount
        for chunk in (ZH, EN)
        if any(page == chunk["page"] for r in found.citations for _, _, page in r.pages)
        for amount in read_chunk(str(chunk["text"]), "")
    ]
    for stated in read_amounts(text, unit_note=""):
        assert stated.excluded or any(restates(stated, h) for h in held)


@given(
    st.text(),
    st.none() | st.lists(st.dictionaries(st.sampled_from([*ZH, "x"]), st.text() | st.integers())),
    st.none() | st.text(),
)
def test_any_values_are_judged_or_refused_in_a_sentence(text, chunks, answer) -> None:
    try:
        found = judge_line({"text": text, "chunks": chunks, "answer": answer}, evidence=True)
    except InputError:
        return
    json.dumps(found, allow_nan=False)
