"""Columns that number rows, and gaps, marks and letters that a newcomer's answers had."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ragdash.amounts import read_amounts


def _asserted(text: str) -> list[Decimal]:
    return [a.value for a in read_amounts(text) if not a.excluded]


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("| 项目 | 附注 | 2023 |", "| 应收账款 | 5 | 1,204,567,890.12 |"),
        ("| 项目 | 序号 | 2023 |", "| 应收账款 | 12 | 1,204,567,890.12 |"),
        ("| Item | Note | 2023 |", "| Receivables | 5 | 1,204,567,890.12 |"),
        ("Item | **Notes** | 2023", "Receivables | 7(a) | 1,204,567,890.12"),
    ],
)
def test_a_cell_below_a_header_that_numbers_rows_is_no_amount(head: str, row: str) -> None:
    assert _asserted(f"{head}\n|---|---|---|\n{row}") == [Decimal("1204567890.12")]


@pytest.mark.parametrize("head", ["| 项目 | 家数 | 2023 |", "| Item | Stores | 2023 |"])
def test_a_small_number_below_any_other_header_stays_one(head: str) -> None:
    assert _asserted(f"{head}\n|---|---|---|\n| a | 5 | 1,204 |") == [Decimal(5), Decimal(1204)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("存货余额 44,689,\r\n 182,304.57 元", "44689182304.57"),
        ("| 营业收入 | 147,693,604,\n  994.14 |", "147693604994.14"),
        ("Total revenue was $ 211, 915 million.", "211915000000"),
        ("人民币211, 915万元", "2119150000"),
        ("Revenue was $391,035 [2] million.", "391035000000"),
        ("（除特别注明外，金额单位均为人民币万元）\n营业收入 14,769,360.50", "147693605000"),
        ("以百万元计，净利润12,345.68", "12345680000"),
        ("归母净利润为 – 5.36亿元。", "-536000000"),
    ],
)
def test_a_figure_is_read_whole_over_gaps_marks_and_headers(text: str, value: str) -> None:
    assert _asserted(text) == [Decimal(value)]


@pytest.mark.parametrize("text", ["改善明显^5^。", "Margins improved^[12]^."])
def test_a_raised_citation_mark_is_no_amount(text: str) -> None:
    assert _asserted(text) == []


@pytest.mark.parametrize("text", ["分别为$100, 200 and 300 million", "5, 915 million shares"])
def test_a_list_is_never_glued(text: str) -> None:
    assert max(_asserted(text)) < 10**9


@pytest.mark.parametrize("text", ["0ſ$", "5 bıllion", "5 bİllion", "7 \u212a", "\u212a$ 3"])
def test_letters_that_only_look_alike_without_case_raise_nothing(text: str) -> None:
    assert len(read_amounts(text)) == 1
