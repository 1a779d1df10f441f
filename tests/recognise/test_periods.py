from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.recognise.periods import asked_periods


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2022年末的总资产", ["2022"]),
        ("2023年上半年的营业收入", ["2023H1"]),
        ("2023年第一季度的净利润", ["2023Q1"]),
        ("2024年前三季度的净利润", ["20249M"]),
        ("二〇二三年的净利润", ["2023"]),
        ("2023年净利润较上年同期", ["2023"]),
        ("What is the FY2018 capital expenditure?", ["2018"]),
        ("FY2015 - FY2017 3 year average", ["2015", "2016", "2017"]),
        ("2015年至2017年的平均", ["2015", "2016", "2017"]),
        ("in the second quarter of fiscal 2023", ["2023Q2"]),
        ("As of Q2'2023, is it spinning off?", ["2023Q2"]),
        ("between FY2021 and FY2022", ["2021", "2022"]),
        ("As of May 26, 2023, what may be borrowed?", ["2023"]),
        ("What is the revenue of 3M?", []),
        ("营业收入是多少？", []),
    ],
)
def test_the_periods_of_a_question(text: str, expected: list[str]) -> None:
    found = [str(p) for p in asked_periods(text)]
    assert sorted(found) == sorted(expected)


@given(st.integers(1995, 2050), st.sampled_from(["{}年的收入", "in FY{}", "{} revenue"]))
def test_a_year_is_found_in_both_languages(year: int, form: str) -> None:
    assert [str(p) for p in asked_periods(form.format(year))] == [str(year)]
