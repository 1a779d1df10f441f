"""Which figures an answer states: not its forecasts, not its working, not counts beside a ratio."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ragdash.amounts import Match, Role, Verdict, match_amount, read_amounts
from ragdash.amounts.asked import asked_places
from ragdash.core.question import Gold

ZH = "公司2024年营业收入是多少？"
EN = "What was the company's FY2024 revenue?"


def judged(answer: str, value: str, unit: str, question: str = "") -> Verdict:
    return match_amount(answer, Gold(Decimal(value), unit), question=question)


@pytest.mark.parametrize(
    "answer",
    [
        "公司预计2024年收入150亿元。",
        "公司预计，2024年营业收入将达到150亿元。",
        "2024年营业收入目标为150亿元。",
        "2024年营业收入预算：150亿元。",
        "2024年营业收入150亿元（预测）。",
        "公司提出2024年150亿元的收入目标。",
        "2024年营业收入有望达到150亿元。",
    ],
)
def test_a_chinese_forecast_target_or_budget_does_not_state_the_actual_figure(answer: str) -> None:
    verdict = judged(answer, "15000000000", "CNY", ZH)
    assert (verdict.verdict, verdict.reason) == (Match.MISMATCH, "forecast")
    figure = next(a for a in verdict.candidates if a.text == "150亿元")
    assert (figure.role, figure.excluded) == (Role.HEDGED, "forecast")


@pytest.mark.parametrize(
    "answer",
    [
        "Management expects FY2024 revenue of $5 billion.",
        "FY2024 revenue is expected to be $5 billion.",
        "FY2024 revenue guidance is $5 billion.",
        "Guidance: $5 billion.",
        "The company set a $5 billion revenue target for FY2024.",
        "The budgeted revenue for 2024 was $5 billion.",
        "Revenue for FY2024: $5 billion (projected).",
    ],
)
def test_an_english_forecast_target_or_budget_does_not_state_the_actual_figure(
    answer: str,
) -> None:
    verdict = judged(answer, "5000000000", "USD", EN)
    assert (verdict.verdict, verdict.reason) == (Match.MISMATCH, "forecast")


@pytest.mark.parametrize(
    ("answer", "value", "unit", "question"),
    [
        ("公司2024年营业收入为150亿元，完成年度预算的102%。", "15000000000", "CNY", ZH),
        ("2024年超出预期，营业收入为150亿元。", "15000000000", "CNY", ZH),
        ("公司预计2025年收入180亿元，2024年营业收入为150亿元。", "15000000000", "CNY", ZH),
        ("2024年末预计负债为1.5亿元。", "150000000", "CNY", "因未决诉讼确认的负债是多少？"),
        ("预期信用损失为1.5亿元。", "150000000", "CNY", "2024年坏账准备是多少？"),
        ("公司预计2024年营业收入150亿元。", "15000000000", "CNY", "公司预计2024年收入多少？"),
        ("Revenue beat guidance, reaching $5 billion.", "5000000000", "USD", EN),
        ("Target's FY2024 revenue was $5 billion.", "5000000000", "USD", EN),
        ("FY2024 revenue was $5 billion, above guidance of $4.8 billion.", "5000000000", "USD", EN),
        ("Expected credit losses were $5 million.", "5000000", "USD", "What was the allowance?"),
        ("Revenue guidance is $5 billion.", "5000000000", "USD", "What is the revenue guidance?"),
    ],
)
def test_an_actual_figure_near_a_forecast_and_an_asked_forecast_are_stated(
    answer: str, value: str, unit: str, question: str
) -> None:
    assert judged(answer, value, unit, question).verdict is Match.MATCH


@pytest.mark.parametrize(
    ("answer", "right", "working"),
    [
        ("Explanation: it was $680 million, then $774 million.\nAnswer: $94 million", "94", "680"),
        ("Revenue was $680 million.\n**Final Answer:** $94 million", "94", "680"),
        ("Revenue was $680 million, cost $586 million. The answer is $94 million.", "94", "680"),
        ("收入为680百万美元，成本为586百万美元。\n答案：94百万美元", "94", "680"),
        ("收入为680百万美元，成本为586百万美元，最终答案是94百万美元。", "94", "586"),
    ],
)
def test_what_stands_on_the_answer_line_is_the_answer(
    answer: str, right: str, working: str
) -> None:
    assert judged(answer, right + "000000", "USD").verdict is Match.MATCH
    wrong = judged(answer, working + "000000", "USD")
    assert (wrong.verdict, wrong.reason) == (Match.MISMATCH, "another_result")


def test_the_answer_line_may_be_bare_beside_working_with_units() -> None:
    answer = "Equipment is $2,641 thousand, assets are $3,025 thousand.\nAnswer: 0.87"
    assert judged(answer, "0.87", "ratio").verdict is Match.MATCH


@pytest.mark.parametrize(
    "answer",
    [
        "研发人员数为583，职工总数为5163，所以研发人员占职工人数比例为0.11。",
        "比例是0.11，将研发人员数583和职工总数5163代入公式计算得出。",
        "The number of employees was 5163; the ratio was 0.11.",
    ],
)
def test_a_bare_count_is_no_ratio(answer: str) -> None:
    assert judged(answer, "0.11", "ratio").verdict is Match.MATCH
    assert judged(answer, "0.13", "ratio").verdict is not Match.MATCH


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("$302,578,000", True),
        ("$302.578", True),
        ("302.578", True),
        ("302,578,000", False),
        ("$302,578", False),
        ("It was $302.578 million: Accounts payable (302,578)", True),
    ],
)
def test_a_currency_sign_may_stand_before_the_full_figure_where_millions_are_asked(
    answer: str, right: bool
) -> None:
    question = "What is the year end FY2018 accounts payable? Answer in USD millions."
    assert (judged(answer, "302578000", "USD", question).verdict is Match.MATCH) == right


@pytest.mark.parametrize("text", ["2078", "Answer: 2078", "答案：2078。", " 2078 "])
def test_a_number_that_is_the_whole_answer_is_no_year(text: str) -> None:
    assert [a.role for a in read_amounts(text)] == [Role.ASSERTED]


@pytest.mark.parametrize("text", ["2078年", "In 2078", "2019\n2018", "营业收入\n2019\n"])
def test_a_year_in_a_text_stays_one(text: str) -> None:
    assert {a.role for a in read_amounts(text)} == {Role.DATE}


@pytest.mark.parametrize(
    ("text", "value"),
    [("(67) thousand", "-67000"), ("$(98) million", "-98000000"), ("(44)%", "-44")],
)
def test_a_small_loss_in_brackets_is_no_list_mark(text: str, value: str) -> None:
    assert [a.value for a in read_amounts(text) if a.asserted] == [Decimal(value)]


@pytest.mark.parametrize(
    "text", ["(3)百万级客户", "(2)亿元以上客户", "(1) Revenue grew", "1. 元旦"]
)
def test_a_list_mark_before_a_word_that_begins_like_a_unit_stays_one(text: str) -> None:
    assert not [a for a in read_amounts(text) if a.asserted]


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("请保留两位小数。", 2),
        ("保留至小数点后两位", 2),
        ("结果保留4位小数", 4),
        ("round to one decimal place", 1),
        ("Round your answer to two decimals.", 2),
        ("rounded to the nearest hundredth", 2),
        ("2023年营业收入是多少？", None),
        ("What were the two decimating losses?", None),
    ],
)
def test_the_digits_that_a_question_asks_for_are_read(question: str, places: int | None) -> None:
    assert asked_places(question) == places
