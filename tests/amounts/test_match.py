from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ragdash.amounts import Match, all_match, match_all, match_amount
from ragdash.core.question import Gold

FIGURE = st.integers(min_value=10**10, max_value=10**14).map(lambda n: Decimal(n).scaleb(-2))


def money(value: str | Decimal, currency: str = "CNY", **more: object) -> Gold:
    return Gold(Decimal(value), currency, **more)  # type: ignore[arg-type]


@given(FIGURE, st.sampled_from([1, 2, 3, 4, 6, 8, -1, -2, -3, -4]), st.sampled_from("元万亿"))
def test_a_figure_off_by_a_power_of_ten_never_matches(
    value: Decimal, power: int, unit: str
) -> None:
    scale = {"元": 0, "万": 4, "亿": 8}[unit]
    written = value.scaleb(power - scale)
    answer = f"营业收入为{written:f}{unit if unit == '元' else unit + '元'}。"
    verdict = match_amount(answer, money(value))
    assert (verdict.verdict, verdict.reason) == (Match.MISMATCH, "magnitude")


@given(FIGURE, st.booleans())
def test_a_lost_or_added_sign_never_matches(value: Decimal, loss: bool) -> None:
    answer = f"净利润为{'-' if loss else ''}{value}元。"
    gold = money(value if loss else -value)
    verdict = match_amount(answer, gold)
    assert (verdict.verdict, verdict.reason) == (Match.MISMATCH, "sign")


@given(FIGURE, FIGURE)
def test_a_number_never_matches_a_gold_it_is_not_within_tolerance_of(
    gold: Decimal, said: Decimal
) -> None:
    within = abs(said - gold) * 200 <= gold
    verdict = match_amount(f"Revenue was RMB {said:,}.", money(gold))
    assert (verdict.verdict is Match.MATCH) == within


@given(
    FIGURE, st.sampled_from(["（贵州茅台·2023年报·P88）", " (Apple·FY2024 10-K·P45)", " 2024年"])
)
def test_a_citation_or_a_year_never_changes_the_verdict(value: Decimal, addition: str) -> None:
    for said in (value, value * 2):
        answer = f"营业收入为{said}元"
        plain = match_amount(answer, money(value))
        assert match_amount(answer + addition, money(value)).verdict is plain.verdict


def test_tolerance_is_compared_in_decimals_at_the_very_edge() -> None:
    gold = Gold(Decimal(1), "CNY/share")
    assert match_amount("每股分红0.995元。", gold).verdict is Match.MATCH
    assert match_amount("每股分红0.9949元。", gold).verdict is Match.MISMATCH


def test_a_rounding_matches_only_where_the_gold_says_how_precise_it_is() -> None:
    answer = "Dividends were $389 million."
    rounded = money("400000000", "USD", decimals=-8)
    assert match_amount(answer, rounded).verdict is Match.MATCH
    assert match_amount(answer, money("400000000", "USD")).verdict is Match.MISMATCH
    assert match_amount("Dividends were $349 million.", rounded).verdict is Match.MISMATCH


@pytest.mark.parametrize(
    ("answer", "unit", "value", "reason"),
    [
        ("归母净利润为123.46亿港元。", "CNY", "12346000000", "other_currency"),
        ("Net sales were RMB 391,035 million.", "USD", "391035000000", "other_currency"),
        ("每股分红18.04元。", "percent", "18.04", "other_kind"),
        ("员工总数为3.3万人。", "CNY", "33000", "other_kind"),
        ("毛利率增长2.5%。", "pp", "2.5", "other_kind"),
        ("归母净利润不是123.46亿元。", "CNY", "12346000000", "negated"),
        ("营业收入超过1,000亿元。", "CNY", "100000000000", "bound"),
        ("营业收入在1,470亿至1,480亿元之间。", "CNY", "147000000000", "range"),
        ("It was $5 million or $6 million.", "USD", "5000000", "hedged"),
    ],
)
def test_the_same_digits_under_another_kind_currency_or_role_do_not_match(
    answer: str, unit: str, value: str, reason: str
) -> None:
    verdict = match_amount(answer, Gold(Decimal(value), unit))
    assert (verdict.verdict, verdict.reason) == (Match.MISMATCH, reason)


def test_a_gold_of_zero_is_met_by_zero_in_digits_or_words_only() -> None:
    zero = money("0")
    for answer in ("商誉减值损失为0元。", "商誉减值损失为零。", "Goodwill impairment: nil."):
        assert match_amount(answer, zero).verdict is Match.MATCH, answer
    assert match_amount("2023年报未披露商誉减值损失。", zero).verdict is Match.NO_NUMBER
    assert match_amount("商誉减值损失为3.2亿元。", zero).verdict is Match.MISMATCH


def test_a_ratio_and_its_percentage_are_one_kind() -> None:
    assert match_amount("It was 55.1%.", Gold(Decimal("0.551"), "ratio")).verdict is Match.MATCH
    assert match_amount("It was 0.551.", Gold(Decimal("0.551"), "ratio")).verdict is Match.MATCH
    off = match_amount("It was 0.551%.", Gold(Decimal("0.551"), "ratio"))
    assert off.verdict is Match.MISMATCH


def test_figures_that_disagree_are_ambiguous_unless_one_is_the_stated_result() -> None:
    gold = money("5000000", "USD")
    both = match_amount("Cash was $5 million. Cash was $7 million.", gold)
    assert (both.verdict, both.reason) == (Match.AMBIGUOUS, "several_figures")
    sums = match_amount("Cash was $2 million + $3 million = $5 million.", gold)
    assert sums.verdict is Match.MATCH


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("2022年扣非净利润为123.46亿元。", "sibling_metric"),
        ("2022年净利润为123.46亿元。", "sibling_metric"),
        ("2021年归母净利润为123.46亿元。", "other_period"),
        ("2022年第四季度归母净利润为123.46亿元。", "other_period"),
        ("2022年母公司归母净利润为123.46亿元。", "parent_company"),
    ],
)
def test_the_right_figure_under_another_label_does_not_match(answer: str, reason: str) -> None:
    gold = money("12345678901.23", metric="净利润", attribution="归母", period="2022")
    verdict = match_amount(answer, gold)
    assert (verdict.verdict, verdict.reason) == (Match.MISMATCH, reason)


def test_among_several_figures_the_one_under_the_asked_label_counts() -> None:
    gold = money("12345678901.23")
    answer = "2022年营业收入1,505.60亿元，归母净利润123.46亿元。"
    question = "公司2022年归母净利润是多少？"
    assert match_amount(answer, gold, question=question).verdict is Match.MATCH
    swapped = "2022年营业收入123.46亿元，归母净利润1,505.60亿元。"
    assert match_amount(swapped, gold, question=question).verdict is Match.MISMATCH


def test_a_comparison_needs_a_candidate_of_its_own_for_every_gold() -> None:
    a = money("100000000", period="2022", metric="营业收入")
    b = money("100000000", period="2023", metric="营业收入")
    once = match_all("2022年营业收入为1亿元。", (a, b))
    assert [v.verdict for v in once] == [Match.MATCH, Match.MISMATCH] or not all_match(once)
    twice = match_all("2022年营业收入为1亿元，2023年营业收入为1亿元。", (a, b))
    assert all_match(twice)
    assert twice[0].candidate != twice[1].candidate


@given(FIGURE, FIGURE)
def test_golds_that_are_swapped_between_years_do_not_match(a: Decimal, b: Decimal) -> None:
    assume(abs(a - b) * 50 > max(a, b))
    golds = (
        money(a, period="2022", metric="营业收入"),
        money(b, period="2023", metric="营业收入"),
    )
    right = f"2022年营业收入为{a}元，2023年营业收入为{b}元。"
    wrong = f"2022年营业收入为{b}元，2023年营业收入为{a}元。"
    assert all_match(match_all(right, golds))
    assert not all_match(match_all(wrong, golds))


def test_a_number_without_unit_takes_the_unit_of_the_cited_header() -> None:
    gold = money("391035000000", "USD")
    assert match_amount("Total net sales: 391,035", gold).verdict is Match.MISMATCH
    noted = match_amount("Total net sales: 391,035", gold, unit_note="(In millions)")
    assert noted.verdict is Match.MATCH
    assert noted.candidate is not None
    assert noted.candidate.scale_source.value == "header"
