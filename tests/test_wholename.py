"""Companies whose names common words break, or that are a place and a trade."""

from __future__ import annotations

import pytest

from ragdash.caliber import asked_names, find_names, same_name


@pytest.mark.parametrize(
    "company", ["美的集团", "中国银行", "上海医药", "至正股份", "同有科技", "天津港", "汉得信息"]
)
@pytest.mark.parametrize(
    "question", ["{}2023年营业收入是多少？", "2023年{}的净利润是多少？", "{}的总资产是多少？"]
)
def test_a_company_is_asked_for_under_any_name(company: str, question: str) -> None:
    assert asked_names(question.format(company)) == (company,)


@pytest.mark.parametrize(
    "question",
    [
        "公司2022年归母净利润是多少？",
        "该公司2022年归母净利润是多少？",
        "上市公司2022年净利润是多少？",
        "请问2023年营业收入是多少？",
        "集团2023年营业收入是多少？",
        "相关财务数据2023年净利润是多少？",
        "What was revenue in 2023?",
        "",
    ],
)
def test_no_company_is_made_up_where_none_is_named(question: str) -> None:
    assert asked_names(question) == ()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("中国银行", "中国银行股份有限公司", True),
        ("中国银行", "南京银行", False),
        ("中国银行", "中国农业银行", False),
        ("中国银行", "中行", True),
        ("上海医药", "上海医药集团股份有限公司", True),
        ("招商银行", "中国银行", False),
    ],
)
def test_a_place_and_a_trade_are_one_company_only(one: str, other: str, same: bool) -> None:
    assert same_name(one, other) is same
    assert same_name(other, one) is same


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        ("美的集团股份有限公司2023年净利润为337亿元。", [0]),
        ("格力电器2023年净利润为290亿元。", [None]),
        ("至正股份2023年净利润为290亿元。", [None]),
        ("公司2023年净利润为290亿元。", []),
    ],
)
def test_whose_figure_an_answer_states_is_told_for_a_broken_name(
    answer: str, asked: list[int | None]
) -> None:
    assert [n.asked for n in find_names(answer, "美的集团2023年净利润是多少？")] == asked


def test_a_name_that_begins_with_a_digit_is_one_where_it_is_a_subject() -> None:
    question = "What was 3M's revenue in 2022?"
    assert asked_names(question) == ("3M",)
    assert [n.asked for n in find_names("3M's revenue was $34.2 billion.", question)] == [0]
    assert [n.asked for n in find_names("Honeywell's revenue was $34 billion.", question)] == [None]


def test_a_segment_before_the_total_is_no_other_company() -> None:
    answer = "2023年增值服务收入为2,983.75亿元，总收入为6,090.15亿元。"
    assert find_names(answer, "腾讯2023年总收入是多少？") == ()
