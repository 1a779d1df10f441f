from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.amounts import Kind, read_amounts
from ragdash.amounts.beside import unit_behind, unit_named, unit_of_row

UNITS = {"元": 0, "千元": 3, "万元": 4, "百万元": 6, "亿元": 8, "US$ million": 6, "RMB billion": 9}
SHAPES = ["| 商誉 | {n} | {u} |", "| 商誉 | {u} | {n} |", "商誉 {n}（{u}）", "Goodwill: {n} ({u})"]


@given(st.integers(100, 10**7), st.sampled_from(sorted(UNITS)), st.sampled_from(SHAPES))
def test_a_unit_in_brackets_or_a_cell_of_the_row_scales_the_number(
    hundredths: int, unit: str, shape: str
) -> None:
    value = Decimal(hundredths) / 100
    (amount,) = read_amounts(shape.format(n=f"{value:,.2f}", u=unit))
    assert amount.value == value.scaleb(UNITS[unit])
    assert amount.kind is Kind.MONEY


@pytest.mark.parametrize("words", ["$", "USD", "shares", "Customers", "B", "营业收入", "", "2023"])
def test_a_lone_currency_a_label_and_a_letter_are_no_unit(words: str) -> None:
    assert unit_named(words) is None


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("%", Kind.PERCENT),
        ("人", Kind.COUNT),
        ("元/股", Kind.PER_SHARE),
        ("in millions", Kind.MONEY),
    ],
)
def test_other_units_alone_in_a_cell_are_read(words: str, kind: Kind) -> None:
    unit = unit_named(words)
    assert unit is not None
    assert unit.kind is kind


def test_a_unit_behind_another_number_is_that_one_s_alone() -> None:
    eight, money = read_amounts("| 收入 | 8 | % | 365,817")
    assert (eight.kind, money.kind) == (Kind.PERCENT, Kind.BARE)
    assert unit_of_row("| 收入 | 8 | % | ") is None


def test_words_in_brackets_that_are_no_unit_leave_the_number_bare() -> None:
    assert unit_behind("5 (营业收入)", 1) is None
    assert unit_behind("5 (restated)", 1) is None
