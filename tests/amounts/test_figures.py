"""When two figures are the same: the rounding rule, on by default, and where it ends."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.amounts import Match, Verdict, all_match, match_all, match_amount
from ragdash.core.question import Gold


def judged(answer: str, value: str, unit: str = "CNY", *, question: str = "") -> Verdict:
    return match_amount(answer, Gold(Decimal(value), unit), question=question)


@pytest.mark.parametrize(
    ("answer", "value", "unit"),
    [
        ("营业收入为23亿元。", "2267970979.11", "CNY"),
        ("归母净利润0.23亿元。", "23170466.54", "CNY"),
        ("归母净利润0.10亿元。", "10277234.44", "CNY"),
        ("归母净利润-0.09亿元。", "-9235485.89", "CNY"),
        ("Net sales were $0.98 billion.", "975100000", "USD"),
        ("The net loss was $1.2 million.", "-1234567", "USD"),
        ("毛利率为65%。", "65.4", "percent"),
        ("Operating margin was 31%.", "30.8", "percent"),
        ("It was 12%.", "0.1234", "ratio"),
        ("每股收益为0.36元。", "0.3567", "CNY/share"),
    ],
)
def test_a_figure_that_is_only_rounded_matches_and_the_reason_says_so(
    answer: str, value: str, unit: str
) -> None:
    verdict = judged(answer, value, unit)
    assert (verdict.verdict, verdict.reason) == (Match.MATCH, "equal_as_rounded")


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("营业收入为1,460亿元。", "147693604994.14"),  # the last written place is wrong
        ("营业收入为1,500亿元。", "147693604994.14"),  # a zero that is written is stated
        ("营业收入为22亿元。", "2267970979.11"),  # cut off, not rounded
        ("营业收入为9亿元。", "8670970979.11"),  # one digit says too little
        ("净利润为0.01亿元。", "1470000"),  # 32 % off
        ("净利润为0.00亿元。", "123456"),
        ("净利润为0.23亿元。", "-23170466.54"),
        ("Revenue was $22 million.", "2267970979.11"),
    ],
)
def test_what_rounding_does_not_explain_stays_a_mismatch(answer: str, value: str) -> None:
    currency = "USD" if "$" in answer else "CNY"
    assert judged(answer, value, currency).verdict is Match.MISMATCH


@pytest.mark.parametrize("tolerance", ["0", "0.0001", "0.0049"])
def test_a_tight_tolerance_is_taken_at_its_word(tolerance: str) -> None:
    gold = Gold(Decimal("2267970979.11"), "CNY", Decimal(tolerance))
    assert match_amount("营业收入为23亿元。", gold).verdict is Match.MISMATCH


@pytest.mark.parametrize(
    ("value", "answer", "question"),
    [
        ("65.55", "毛利率为66%。", "毛利率是多少？请保留两位小数。"),
        ("65.04", "毛利率为65.0%。", "毛利率是多少？保留2位小数"),
        ("65.55", "It was 66%.", "What was the margin, rounded to one decimal place?"),
        ("1.57", "It was 1.6%.", "What was the yield to the nearest hundredth?"),
    ],
)
def test_rounding_more_than_the_question_asks_for_is_no_rounding(
    value: str, answer: str, question: str
) -> None:
    assert judged(answer, value, "percent").verdict is Match.MATCH
    within = abs(Decimal(value) - Decimal("65")) < Decimal("0.3")
    verdict = judged(answer, value, "percent", question=question)
    assert verdict.reason == ("equal" if within else "other_figure")


def test_a_figure_that_is_as_precise_as_asked_may_be_rounded() -> None:
    question = "What was the change, rounded to one decimal place?"
    assert judged("It was 1.2%.", "1.234", "percent", question=question).verdict is Match.MATCH


@given(
    st.integers(min_value=10**9, max_value=10**13),
    st.integers(min_value=-2, max_value=2),
    st.sampled_from([("元", 0), ("万元", 4), ("亿元", 8)]),
    st.booleans(),
)
def test_rounding_agrees_with_plain_fractions(
    cents: int, nudge: int, unit: tuple[str, int], loss: bool
) -> None:
    """Two decimals of the unit, nudged by up to two in the last place."""
    word, power = unit
    gold = Fraction(cents, 100)
    written = int(gold / 10**power * 100 + Fraction(1, 2)) + nudge
    stated = Fraction(written, 100) * 10**power
    answer = f"净利润为{'-' if loss else ''}{Decimal(written).scaleb(-2):f}{word}。"
    value = Decimal(cents).scaleb(-2) * (-1 if loss else 1)
    error = abs(stated - gold) / gold
    same = stated > 0 and (error <= Fraction(1, 200) or (nudge == 0 and error <= Fraction(1, 20)))
    verdict = match_amount(answer, Gold(value, "CNY"))
    assert (verdict.verdict is Match.MATCH) == same


def test_a_gold_with_decimals_takes_what_rounds_to_it_and_its_brackets_are_one_figure() -> None:
    gold = Gold(Decimal("400000000"), "USD", decimals=-8)
    answer = "Dividends were $389 million. The statement shows: Dividends paid $(389) million."
    assert match_amount(answer, gold).verdict is Match.MATCH
    assert match_amount("Dividends were $349 million.", gold).verdict is Match.MISMATCH


@pytest.mark.parametrize(
    ("answer", "value", "unit", "decimals"),
    [
        ("DPO was 93.88 days.", "93.86", "days", 2),
        ("应付账款周转天数为93.86天。", "93.86", "days", None),
        ("现金周转周期为-3.7天。", "-3.7", "days", 1),
        ("It was 82.57%.", "0.83", "ratio", 2),
        ("Revenue was $123 million.", "120000000", "USD", -7),
        ("营业收入1.237亿元", "120000000", "CNY", -7),
    ],
)
def test_days_ratios_and_scaled_golds_compare_in_their_own_unit(
    answer: str, value: str, unit: str, decimals: int | None
) -> None:
    gold = Gold(Decimal(value), unit, decimals=decimals)
    assert match_amount(answer, gold).verdict is Match.MATCH


def test_a_comparison_may_be_answered_in_rounded_figures_but_not_in_forecasts() -> None:
    golds = tuple(
        Gold(Decimal(value), "CNY", metric="营业收入", period=year)
        for year, value in (("2022", "2267970979.11"), ("2023", "2534567890.12"))
    )
    question = "2022年和2023年营业收入分别是多少？"
    rounded = "2022年营业收入23亿元，2023年营业收入25亿元。"
    assert all_match(match_all(rounded, golds, question=question))
    swapped = "2022年营业收入25亿元，2023年营业收入23亿元。"
    assert not all_match(match_all(swapped, golds, question=question))
    forecast = "2022年营业收入23亿元，预计2023年营业收入25亿元。"
    found = match_all(forecast, golds, question=question)
    assert [v.reason for v in found] == ["equal_as_rounded", "forecast"]
