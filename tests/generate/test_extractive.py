"""The extractive generator states the right row with its unit and page, or declines."""

from __future__ import annotations

import pytest

from ragdash.contract import REFUSAL_EN, REFUSAL_ZH
from ragdash.core.answer import AnswerStatus
from ragdash.core.chunk import ChunkKind, DocType
from ragdash.generate import ExtractiveGenerator

STATEMENT = (
    "单位：万元\n项目 | 2023年 | 2022年\n营业收入 | 14,769,360.50 | 12,409,984.38\n"
    "营业总收入 | 15,056,033.03 | 12,755,395.94\n"
    "归属于上市公司股东的净利润 | 7,473,407.16 | 6,271,746.79\n"
    "归属于上市公司股东的扣除非经常性损益的净利润 | 7,475,256.44 | 6,279,181.66"
)
PRODUCTS = (
    "单位：万元\n产品 | 营业收入 | 毛利率(%)\n茅台酒 | 12,658,900.00 | 94.12\n"
    "系列酒 | 2,063,000.00 | 79.76"
)


@pytest.fixture
def context(build):
    source = build.make_source()
    apple = build.make_source(
        "AAPL-2022", company="Apple", period="2022", doc_type=DocType.FORM_10K, lang="en",
        label="FY2022 10-K",
    )  # fmt: skip
    sales = (
        "(In millions)\n | 2022 | 2021\niPhone | $ 205,489 | $ 191,973\nMac | 40,177 | 35,190\n"
        "Total net sales | $ 394,328 | $ 365,817"
    )
    return (
        build.make_chunk("c1", source=source, text=STATEMENT, unit_note="单位：万元"),
        build.make_chunk(
            "c2", source=source, source_page=62, text=PRODUCTS, unit_note="单位：万元",
            section="主营业务分产品情况",
        ),
        build.make_chunk(
            "c3", source=apple, source_page=21, text=sales, unit_note="(In millions)",
            section="Net sales by category",
        ),
        build.make_chunk(
            "c4", source=apple, source_page=9, kind=ChunkKind.TEXT, unit_note="", section="",
            text="The Company competes on price, design and ecosystem. It keeps no inventory risk.",
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "holds", "cites"),
    [
        ("贵州茅台2023年营业收入是多少？", "14,769,360.50万元", "P45"),
        ("贵州茅台2023年营业总收入是多少？", "15,056,033.03万元", "P45"),
        ("贵州茅台2022年营业收入是多少？", "12,409,984.38万元", "P45"),
        ("贵州茅台2023年归母净利润是多少？", "7,473,407.16万元", "P45"),
        ("贵州茅台2023年扣非净利润是多少？", "7,475,256.44万元", "P45"),
        ("贵州茅台2023年茅台酒的营业收入是多少？", "12,658,900.00万元", "P62"),
        ("贵州茅台2023年系列酒的营业收入是多少？", "2,063,000.00万元", "P62"),
    ],
)
def test_a_chinese_question_gets_its_row_its_column_and_its_unit(
    context, question, holds, cites
) -> None:
    answer = ExtractiveGenerator().generate(question, "zh", context)
    assert answer.status is AnswerStatus.ANSWERED
    assert holds in answer.text
    assert f"(贵州茅台·2023年报·{cites})" in answer.text


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("What were Apple's total net sales in 2022?", "$ 394,328 million"),
        ("What were Apple's total net sales in 2021?", "$ 365,817 million"),
        ("What were Apple's iPhone net sales in 2022?", "$ 205,489 million"),
        ("What were Apple's Mac net sales in 2022?", "40,177 million"),
    ],
)
def test_an_english_question_gets_its_row_its_column_and_its_unit(context, question, holds) -> None:
    answer = ExtractiveGenerator().generate(question, "en", context)
    assert holds in answer.text
    assert "(Apple·FY2022 10-K·P21)" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "五粮液2023年营业收入是多少？",
        "贵州茅台2019年营业收入是多少？",
        "贵州茅台2023年研发费用是多少？",
        "贵州茅台2030年营业收入预测是多少？",
    ],
)
def test_another_company_year_or_metric_is_declined(context, question) -> None:
    answer = ExtractiveGenerator().generate(question, "zh", context)
    assert answer.status is AnswerStatus.REFUSED
    assert REFUSAL_ZH in answer.text
    assert not answer.citations


def test_an_english_refusal_is_the_english_sentence(context) -> None:
    answer = ExtractiveGenerator().generate("What was Tesla's revenue in 2022?", "en", context)
    assert REFUSAL_EN in answer.text


def test_an_empty_context_is_declined() -> None:
    answer = ExtractiveGenerator().generate("贵州茅台2023年营业收入是多少？", "zh", ())
    assert answer.status is AnswerStatus.REFUSED


def test_a_comparison_states_a_figure_for_each_side(context) -> None:
    question = "贵州茅台2022年和2023年的营业收入分别是多少？"
    answer = ExtractiveGenerator().generate(question, "zh", context)
    assert "14,769,360.50万元" in answer.text
    assert "12,409,984.38万元" in answer.text
    assert len(answer.citations) == 2


def test_a_question_for_prose_gets_a_cited_sentence(context) -> None:
    answer = ExtractiveGenerator().generate(
        "Does Apple compete on price and design?", "en", context
    )
    assert "price, design and ecosystem" in answer.text
    assert "(Apple·FY2022 10-K·P9)" in answer.text


@pytest.fixture
def statement(build):
    """A consolidated income statement as a Chinese report prints it, and its quarters."""
    source = build.make_source(company="百克生物", label="2023年报")
    rows = (
        "单位：元 币种：人民币\n项目 | 附注 | 2023年度 | 2022年度\n"
        "其中：营业收入 | 61 | 1,824,688,777.32 | 1,071,446,025.21\n"
        "财务费用 | 66 | -9,976,208.15 | -15,109,225.17\n"
        "四、利润总额（亏损总额以“－”号填列） |  | 104,039,073.62 | 506,950,437.23"
    )
    quarters = (
        "单位：元\n | 第一季度 | 第二季度 | 第三季度 | 第四季度\n"
        "管理费用 | 97,300,561.77 | 98,113,617.76 | 112,228,440.03 | 116,907,114.45"
    )
    return (
        build.make_chunk("s1", source=source, text=rows, unit_note="单位：元 币种：人民币"),
        build.make_chunk("s2", source=source, text=quarters, unit_note="单位：元"),
    )


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("百克生物2023年营业收入是多少？", "1,824,688,777.32元"),
        ("百克生物2022年营业收入是多少？", "1,071,446,025.21元"),
        ("长春百克生物科技股份公司2023年营业收入为多少？", "1,824,688,777.32元"),
        ("百克生物2023年财务费用是多少？", "为-9,976,208.15元"),
        ("百克生物2023年利润总额是多少？", "104,039,073.62元"),
        ("百克生物2023年第一季度管理费用是多少？", "97,300,561.77元"),
    ],
)
def test_a_column_is_found_by_its_year_past_the_notes_and_keeps_its_sign(
    statement, question, holds
) -> None:
    answer = ExtractiveGenerator().generate(question, "zh", statement)
    assert holds in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "百克生物2023年管理费用是多少？",
        "百克生物2023年营业收入同比增长率是多少？",
        "百克生物2021年营业收入是多少？",
    ],
)
def test_a_quarter_is_no_year_and_money_no_growth(statement, question) -> None:
    answer = ExtractiveGenerator().generate(question, "zh", statement)
    assert answer.status is AnswerStatus.REFUSED


def test_a_growth_printed_in_its_column_is_stated_as_a_percent(build) -> None:
    source = build.make_source(company="百克生物")
    chunk = build.make_chunk(
        source=source, unit_note="单位：元",
        text="单位：元\n项目 | 2023年 | 2022年 | 增减(%)\n营业收入 | 1,824.50 | 1,071.25 | 70.32",
    )  # fmt: skip
    answer = ExtractiveGenerator().generate("百克生物2023年营业收入同比增长率？", "zh", (chunk,))
    assert "70.32%" in answer.text
    last_year = ExtractiveGenerator().generate("百克生物2022年营业收入同比增长率？", "zh", (chunk,))
    assert last_year.status is AnswerStatus.REFUSED


@pytest.mark.parametrize(
    ("number", "named"),
    [
        ("四、", "净利润"),
        ("十二、", "净利润"),
        ("（二）", "净利润"),
        ("(3)", "净利润"),
        ("5、", "净利润"),
        ("1. ", "净利润"),
    ],
)
def test_the_number_of_a_row_is_no_part_of_its_name(build, number, named) -> None:
    text = f"单位：元\n项目 | 2023年 | 2022年\n{number}{named} | 235,335,260.44 | 1.00"
    chunk = build.make_chunk("c1", text=text, unit_note="单位：元")
    answer = ExtractiveGenerator().generate("贵州茅台2023年净利润是多少？", "zh", (chunk,))
    assert f"2023年{named}为235,335,260.44元" in answer.text


def test_the_number_of_an_english_row_is_no_part_of_its_name(build) -> None:
    text = "(In millions)\n | 2023 | 2022\n(a) Net income | 96,995 | 99,803"
    source = build.make_source(company="Apple", label="FY2023 10-K", doc_type=DocType.FORM_10K)
    chunk = build.make_chunk("c1", source=source, text=text, unit_note="(In millions)")
    answer = ExtractiveGenerator().generate("What was Apple's net income in 2023?", "en", (chunk,))
    assert " Net income for 2023: 96,995 million" in answer.text
    assert "(a)" not in answer.text
