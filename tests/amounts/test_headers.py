from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.amounts import Amount, Kind, Match, match_amount, read_amounts, read_unit_note
from ragdash.core.question import Gold

WORDS = {"thousands": 3, "millions": 6, "billions": 9}
SIGNS = {"千": 3, "万": 4, "百万": 6, "亿": 8}
ENGLISH = [
    "(US dollars in {m}, except per-share amounts; share counts in {s})",
    "(In {m}, except number of shares, which are reflected in {s}, and per-share amounts)",
    "(In {m}, except number of shares which are reflected in\n{s} and per share amounts)",
    "Dollars in {m}, shares in {s}",
    "(Dollars in {m} and shares in {s})",
    "(in {m}, except per share data; shares in {s})",
    "(shares in {s}, dollars in {m})",
    "(In {m} of dollars and {s} of shares)",
]
CHINESE = [
    "单位：{m}元，股数：{s}股",
    "单位：{m}元、{s}股",
    "（人民币{m}元，股数以{s}股计）",
    "单位：{m}元 币种：人民币；股份数量单位为{s}股",
]


def stated(text: str, unit_note: str = "") -> list[Amount]:
    return [a for a in read_amounts(text, unit_note=unit_note) if a.asserted]


@given(
    st.sampled_from(ENGLISH),
    st.sampled_from(sorted(WORDS)),
    st.sampled_from(["thousands", "millions"]),
    st.integers(1_000, 10**7),
    st.integers(1_000, 10**8),
    st.booleans(),
)
def test_a_scale_said_of_shares_scales_their_counts_and_never_money(
    header: str, money: str, shares: str, income: int, count: int, beside: bool
) -> None:
    note = header.format(m=money, s=shares)
    rows = (
        f"Net income | $ {income:,}\nTotal assets | {income:,}\nWeighted average shares | {count:,}"
    )
    found = stated(rows, note) if beside else stated(f"{note}\n{rows}")
    worth = Decimal(income).scaleb(WORDS[money])
    assert [a.value for a in found] == [worth, worth, Decimal(count).scaleb(WORDS[shares])]
    assert found[2].kind is Kind.COUNT


@given(
    st.sampled_from(CHINESE),
    st.sampled_from(sorted(SIGNS)),
    st.sampled_from(["千", "万"]),
    st.integers(1_000, 10**7),
    st.booleans(),
)
def test_a_chinese_header_for_money_and_shares_is_read_apart(
    header: str, money: str, shares: str, n: int, beside: bool
) -> None:
    note = header.format(m=money, s=shares)
    rows = f"营业收入 | {n:,}\n发行在外普通股加权平均数 | {n:,}\n净利润 | {n:,}"
    found = stated(rows, note) if beside else stated(f"{note}\n{rows}")
    worth = Decimal(n).scaleb(SIGNS[money])
    assert [a.value for a in found] == [worth, Decimal(n).scaleb(SIGNS[shares]), worth]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("(Shares in thousands)\nNet income | 9,803\nShares outstanding | 5", [9803, 5000]),
        ("(In millions)\nWeighted average shares (in thousands) | 5\nCash | 7", [5000, 7_000_000]),
        ("(In millions, except share data)\nWeighted average shares | 5\nCash | 7", [5, 7_000_000]),
        ("(in millions, square feet in thousands)\nNet sales | 7", [7_000_000]),
        ("单位：百万元（股数除外）\n加权平均股数 | 5\n货币资金 | 7", [5, 7_000_000]),
        ("单位：万股\n净利润 | 9,803\n持股数量 | 5", [9803, 50_000]),
    ],
)
def test_each_row_has_the_scale_that_is_said_of_it(text: str, values: list[int]) -> None:
    assert [a.value for a in stated(text)] == values


def test_basic_and_diluted_belong_to_the_heading_above_them() -> None:
    text = (
        "(In millions, except number of shares, which are reflected in thousands)\n"
        "Earnings per share:\nBasic | 6.15\nDiluted | 6.13\n"
        "Shares used in computing earnings per share:\nBasic | 15,744\nDiluted | 15,812"
    )
    found = stated(text)
    assert [a.kind for a in found] == [Kind.PER_SHARE] * 2 + [Kind.COUNT] * 2
    assert [a.value for a in found[2:]] == [15_744_000, 15_812_000]


def test_the_scale_of_shares_stands_in_the_note_beside_that_of_money() -> None:
    note = read_unit_note("(Dollars in millions, shares in thousands)")
    assert note is not None
    assert [note.factor, note.share_factor, note.money_factor] == [10**6, 1000, 10**6]


@given(
    st.sampled_from(
        [
            "Income from operations",
            "Corporation tax",
            "Marginal cost",
            "Interest rate swaps",
            "Gross margin",
            "Restoration costs",
            "汇率变动对现金的影响",
            "员工薪酬",
            "毛利",
            "率先投产项目投资",
        ]
    ),
    st.integers(1_000, 10**6),
    st.sampled_from([": ", " | ", " | $ 1,234 | 8 % | ", " | 5% | "]),
)
def test_a_word_inside_another_word_does_not_switch_the_scale_off(
    label: str, n: int, gap: str
) -> None:
    last = stated(f"{label}{gap}{n:,}", "(In millions)")[-1]
    assert last.value == n * 10**6
    assert last.kind is Kind.MONEY


def test_the_scaled_figure_matches_and_the_unscaled_does_not() -> None:
    answer = "Income from operations: 114,301"
    for gold, verdict in ((114_301_000_000, Match.MATCH), (114_301, Match.MISMATCH)):
        got = match_amount(answer, Gold(Decimal(gold), "USD"), unit_note="(In millions)")
        assert got.verdict is verdict


@pytest.mark.parametrize(
    "cells", [" | $ 394,328 | 8 % | $ 365,817", " | 394,328 | 8 | % | 365,817"]
)
def test_a_percent_between_two_money_cells_is_a_percent_and_they_are_money(cells: str) -> None:
    first, change, last = stated(f"Total net sales{cells}", "(In millions)")
    assert [first.value, change.value, last.value] == [394_328_000_000, 8, 365_817_000_000]
    assert change.kind is Kind.PERCENT


@given(
    st.sampled_from(
        [
            "Gross margin",
            "Effective tax rate",
            "Current ratio",
            "R&D as % of net sales",
            "毛利率",
            "Gross margin percentage (unaudited)",
            "Return on equity",
            "资产负债率（%）",
            "研发投入占比",
            "净利率较上年",
        ]
    ),
    st.decimals(1, 99, places=2),
)
def test_a_ratio_s_row_is_not_scaled(label: str, value: Decimal) -> None:
    for amount in stated(f"{label} | {value} | {value}", "单位：万元"):
        assert (amount.value, amount.kind) == (value, Kind.BARE)


@pytest.mark.parametrize(
    ("cell", "value", "kind"),
    [
        ("43.3%", "43.3", Kind.PERCENT),
        ("43.3 %", "43.3", Kind.PERCENT),
        ("$ 805", "805000000", Kind.MONEY),
        ("170,782", "170782000000", Kind.MONEY),
    ],
)
def test_a_gross_margin_is_a_percent_or_money_as_its_number_says(
    cell: str, value: str, kind: Kind
) -> None:
    (amount,) = stated(f"Gross margin | {cell}", "(In millions)")
    assert (amount.value, amount.kind) == (Decimal(value), kind)
