from __future__ import annotations

import pytest

from ragdash.core.chunk import DocType
from ragdash.core.retrieval import SubjectState
from ragdash.recognise import Recogniser
from tests.builders import make_source


def zh(doc_id: str, period: str, doc_type: DocType, label: str):
    return make_source(doc_id, period=period, doc_type=doc_type, label=label)


SOURCES = [
    zh("m22", "2022", DocType.ANNUAL, "2022年报"),
    zh("m23", "2023", DocType.ANNUAL, "2023年报"),
    zh("m23s", "2023", DocType.ANNUAL_SUMMARY, "2023年报摘要"),
    zh("m23h", "2023", DocType.SEMIANNUAL, "2023半年报"),
    zh("m23q3", "2023", DocType.Q3, "2023三季报"),
    zh("m25q1", "2025", DocType.Q1, "2025一季报"),
    make_source(
        "p22", company="PepsiCo", period="2022", doc_type=DocType.FORM_10K, label="FY2022 10-K"
    ),
    make_source(
        "p23q1",
        company="PepsiCo",
        period="2023Q1",
        doc_type=DocType.EARNINGS,
        label="2023Q1 earnings",
    ),
    make_source(
        "p8k",
        company="PepsiCo",
        period="2023-05-05",
        doc_type=DocType.FORM_8K,
        label="2023-05-05 8-K",
    ),
]
RECOGNISER = Recogniser(SOURCES)


@pytest.mark.parametrize(
    ("question", "doc_ids", "state"),
    [
        ("贵州茅台2023年的营业收入", ["m23", "m23s"], SubjectState.MATCHED),
        ("茅台2023年上半年的营业收入", ["m23h"], SubjectState.MATCHED),
        ("茅台2023年前三季度的净利润", ["m23q3"], SubjectState.MATCHED),
        ("茅台2021年的净利润", ["m22"], SubjectState.LATER),
        ("茅台2020年的净利润", ["m22"], SubjectState.LATER),
        ("茅台2025年的净利润", ["m25q1"], SubjectState.OTHER_PART),
        (
            "茅台2010年的净利润",
            ["m22", "m23", "m23s", "m23h", "m23q3", "m25q1"],
            SubjectState.NO_PERIOD,
        ),
        ("茅台的净利润", ["m22", "m23", "m23s", "m23h", "m23q3", "m25q1"], SubjectState.MATCHED),
        ("五粮液2023年的净利润", [], SubjectState.NO_COMPANY),
        ("净利润是多少", [s.doc_id for s in SOURCES], SubjectState.UNRECOGNISED),
        ("What is the FY2022 capex of PepsiCo?", ["p22"], SubjectState.MATCHED),
        ("What is the FY2021 capex of Pepsi?", ["p22"], SubjectState.LATER),
        ("In Q1 2023, what did PEP guide?", ["p23q1", "p8k"], SubjectState.MATCHED),
        ("Was there a vote at PepsiCo on May 3, 2023?", ["p8k"], SubjectState.MATCHED),
        ("What did Tesla sell in 2023?", [], SubjectState.NO_COMPANY),
        ("Compare PepsiCo FY2022 with 茅台2022年", ["m22", "p22"], SubjectState.MATCHED),
    ],
)
def test_the_documents_that_a_question_is_about(
    question: str, doc_ids: list[str], state: SubjectState
) -> None:
    subject = RECOGNISER.subject(question)
    assert (sorted(subject.doc_ids), subject.state) == (sorted(doc_ids), state)


def test_a_comparison_with_a_company_that_is_not_there_keeps_the_one_that_is() -> None:
    subject = RECOGNISER.subject("茅台和五粮液2023年的净利润谁高？")
    assert (subject.companies, subject.absent) == (("贵州茅台",), ("五粮液",))
    assert subject.doc_ids == ("m23", "m23s")


@pytest.mark.parametrize(
    ("question", "query"),
    [
        (
            "贵州茅台酒股份有限公司2023年营业成本为多少？请以亿元为单位回答。",
            "贵州茅台 2023年营业成本",
        ),
        ("根据2023年的报告，茅台的营业成本是多少亿元？", "2023年的 贵州茅台 的营业成本"),
        (
            "What is the FY2022 capital expenditure (in USD millions) for Pepsi? "
            "Give a response to the question by relying on the cash flow statement.",
            "the FY2022 capital expenditure for PepsiCo",
        ),
        ("是多少？", "是多少？"),
    ],
)
def test_the_searched_text_names_the_company_and_leaves_out_what_only_asks(
    question: str, query: str
) -> None:
    assert RECOGNISER.subject(question, named=False).query == query


def test_the_searched_text_begins_as_the_chunks_of_the_documents_do() -> None:
    assert RECOGNISER.subject("茅台2023年营收").query.startswith("贵州茅台 2023年报 2023年报摘要 ")
    assert RECOGNISER.subject("PEP's FY2022 sales").query.startswith("PepsiCo FY2022 10-K ")


def test_words_of_an_english_question_hold_other_names_of_its_terms_and_chinese_ones_none() -> None:
    english = RECOGNISER.subject("PepsiCo's FY2022 capital expenditure")
    assert "purchases of property" in english.words
    assert "purchases of property" not in english.query
    chinese = RECOGNISER.subject("茅台2023年营业收入")
    assert chinese.words == chinese.query
