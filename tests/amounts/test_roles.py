from __future__ import annotations

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.amounts import Match, Role, match_amount, read_amounts
from ragdash.core.question import Gold

CENTS = st.integers(min_value=101, max_value=10**9).map(lambda n: Decimal(n).scaleb(-2))


def roles(text: str) -> set[Role]:
    return {a.role for a in read_amounts(text)}


@given(
    CENTS,
    st.sampled_from(
        ["以上数据来源于年报", "以上为合并口径", "以下列示明细", "有误之处请指正", "- 其他说明"]
    ),
)
def test_what_stands_on_the_next_line_says_nothing_about_an_amount(
    value: Decimal, line: str
) -> None:
    assert roles(f"营业收入为{value:,}亿元\n{line}") == {Role.ASSERTED}


@given(CENTS, st.sampled_from(["以上数据来源于年报", "以上均为合并口径"]))
def test_an_amount_before_a_sentence_on_the_above_is_no_bound(value: Decimal, rest: str) -> None:
    assert roles(f"营业收入为{value:,}亿元 {rest}") == {Role.ASSERTED}


@given(CENTS, st.sampled_from(["创历史最高", "为历史最高", "为有史以来最高", "创下最高"]))
def test_a_record_is_no_bound(value: Decimal, words: str) -> None:
    assert roles(f"营业收入{words}{value:,}亿元") == {Role.ASSERTED}


@pytest.mark.parametrize(
    "text",
    ["5亿元以上", "5亿元以下", "最高5亿元", "最低5亿元", "at most $5 million", "5亿元以上。"],
)
def test_a_bound_on_the_same_line_is_still_one(text: str) -> None:
    assert roles(text) == {Role.BOUND}


@given(st.integers(100_000, 999_999), st.sampled_from([" or ", ", or ", ",或", "，或者", "或"]))
def test_one_figure_in_two_units_is_no_choice(millions: int, link: str) -> None:
    billions = (Decimal(millions) / 1000).quantize(Decimal("0.1"))
    text = f"Revenue was ${millions:,} million{link}${billions} billion."
    assert roles(text) == {Role.ASSERTED}
    gold = Gold(Decimal(millions) * 10**6, "USD")
    assert match_amount(text, gold).verdict is Match.MATCH


@given(st.integers(100, 900), st.integers(10, 90), st.sampled_from([" or ", "或", "，或"]))
def test_two_figures_are_a_choice(n: int, more: int, link: str) -> None:
    assert roles(f"营业收入为{n}亿元{link}{n + more}亿元") == {Role.HEDGED}


@pytest.mark.parametrize("piece", ["1,", "12,", "1, ", "1 ", "1、", "1或"])
def test_200_000_characters_of_figures_take_bounded_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    started = time.process_time()
    read_amounts(text[: len(text) if piece.endswith(",") else 20_000])
    assert time.process_time() - started < 3


def test_a_list_of_single_digits_is_no_figure() -> None:
    assert roles("1," * 60 + "1") == {Role.IDENTIFIER}
    assert roles("1,234,567,890") == {Role.ASSERTED}
