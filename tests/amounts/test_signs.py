from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.amounts import Amount, Sign, read_amounts

CENTS = st.integers(min_value=101, max_value=10**9).map(lambda n: Decimal(n).scaleb(-2))
RATE = st.integers(min_value=101, max_value=9_899).map(lambda n: Decimal(n).scaleb(-2))


def stated(text: str) -> list[Amount]:
    return [a for a in read_amounts(text) if a.asserted]


@given(
    st.sampled_from(
        [
            "Amazon lost ${} million in the year.",
            "The loss amounted to ${} million.",
            "It had losses of ${} million.",
            "Its loss widened to ${} million.",
            "Loss from operations before income taxes was ${} million.",
            "It posted a net loss, amounting to ${} million.",
            "公司产生亏损，金额为{}亿元。",
            "公司由盈转亏，净亏损{}亿元。",
            "本年亏损，亏损额为{}亿元。",
        ]
    ),
    CENTS,
)
def test_a_loss_that_the_clause_states_is_negative(form: str, value: Decimal) -> None:
    (amount,) = stated(form.format(f"{value:,}"))
    assert amount.value < 0
    assert amount.sign is Sign.LOSS_WORD


@given(
    st.sampled_from(
        [
            "公司上年亏损但本年净利润为{}亿元。",
            "公司由亏损转为盈利{}亿元。",
            "It made a loss before but net income was ${} million.",
            "It swung from a loss to a profit of ${} million.",
            "The provision for credit losses was ${} million.",
            "Goodwill impairment losses of ${} million were recorded.",
        ]
    ),
    CENTS,
)
def test_a_loss_of_another_time_or_name_does_not_turn_the_figure(form: str, value: Decimal) -> None:
    assert [(a.value > 0, a.sign) for a in stated(form.format(f"{value:,}"))] == [(True, Sign.NONE)]


@given(
    st.sampled_from(
        [
            "营业收入从2022年的{a}亿元下降至{b}亿元",
            "营业收入由上年的{a}亿元减少到{b}亿元",
            "毛利率由上年的{a}%下降为{b}%",
            "毛利率从{a}%降低至{b}%",
            "Revenue fell from ${a} million to ${b} million",
            "The margin declined from {a}% to {b}%",
        ]
    ),
    RATE,
    RATE,
)
def test_the_two_levels_of_a_decline_are_no_declines(form: str, a: Decimal, b: Decimal) -> None:
    found = stated(form.format(a=a, b=b))
    assert [x.sign for x in found] == [Sign.NONE, Sign.NONE]
    assert all(x.value > 0 for x in found)


@given(
    st.sampled_from(
        [
            "营业收入同比下降{}%。",
            "营业收入同比下降为{}%。",
            "降幅为{}%。",
            "毛利率下降的幅度为{}%。",
            "Revenue was lower than last year by {}%.",
            "Revenue decreased {}%.",
            "A {}% decline in revenue.",
            "A reduction of {}%.",
        ]
    ),
    RATE,
)
def test_a_decline_by_so_much_is_negative(form: str, value: Decimal) -> None:
    (amount,) = stated(form.format(value))
    assert amount.value == -value


@given(
    st.sampled_from(
        [
            "The lower effective tax rate of {}% helped.",
            "A reduced margin of {}%.",
            "The decreased gross margin was {}%.",
            "下降后的税率为{}%。",
            "下降的毛利率为{}%。",
        ]
    ),
    RATE,
)
def test_an_adjective_before_the_noun_is_no_decline_of_it(form: str, value: Decimal) -> None:
    (amount,) = stated(form.format(value))
    assert amount.value == value


@given(RATE, st.sampled_from(["=", "≈", "= ", "≈ ", " →"]))
def test_a_minus_after_a_sign_of_result_is_a_minus(value: Decimal, mark: str) -> None:
    text = f"增长率=(100-118)/118×100%{mark}-{value}%"
    assert stated(text)[-1].value == -value


@pytest.mark.parametrize("sign", ["−", "-", "–"])
def test_the_kinds_of_minus_are_the_same(sign: str) -> None:
    assert stated(f"增长率≈{sign}15.07%")[-1].value == Decimal("-15.07")
