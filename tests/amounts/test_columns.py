"""An answer's own table: a figure stands under its column's head and beside its row's label."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ragdash.amounts import Kind, Match, match_amount, read_chunk
from ragdash.amounts.columns import column_header
from ragdash.core.question import Gold

YEARS = """单位：亿元

| 项目 | 2023年 | 2022年 |
|---|---|---|
| 营业收入 | 1,476.94 | 1,275.54 |
| 归母净利润 | 747.34 | 627.16 |
"""
METRICS = """| Year | Revenue | Net income |
|:--|--:|--:|
| FY2024 | $391,035 million | $93,736 million |
| FY2023 | $383,285 million | $96,995 million |
"""


@pytest.mark.parametrize(
    ("table", "question", "unit", "value", "right"),
    [
        (YEARS, "公司2023年营业收入是多少？", "CNY", "147694000000", True),
        (YEARS, "公司2022年营业收入是多少？", "CNY", "127554000000", True),
        (YEARS, "公司2023年营业收入是多少？", "CNY", "127554000000", False),
        (YEARS, "公司2023年营业收入是多少？", "CNY", "74734000000", False),
        (YEARS, "公司2022年归母净利润是多少？", "CNY", "62716000000", True),
        (METRICS, "What was revenue in FY2024?", "USD", "391035000000", True),
        (METRICS, "What was revenue in FY2024?", "USD", "383285000000", False),
        (METRICS, "What was revenue in FY2024?", "USD", "93736000000", False),
        (METRICS, "What was net income in FY2023?", "USD", "96995000000", True),
    ],
)
def test_a_figure_of_a_table_counts_for_its_row_and_column_only(
    table: str, question: str, unit: str, value: str, right: bool
) -> None:
    verdict = match_amount(table, Gold(Decimal(value), unit), question=question)
    assert verdict.verdict is (Match.MATCH if right else Match.MISMATCH)


def test_a_percent_column_below_the_rule_of_a_table_holds_percents() -> None:
    table = "| 项目 | 2023年（亿元） | 同比(%) |\n|---|---|---|\n| 营业收入 | 1,476.94 | 18.04 |\n"
    last = read_chunk(table, "")[-1]
    assert (last.kind, last.value) == (Kind.PERCENT, Decimal("18.04"))


def test_the_head_of_a_column_is_found_and_outside_of_a_table_there_is_none() -> None:
    assert column_header(YEARS, YEARS.index("1,275.54")) == "2022年"
    assert column_header(YEARS, YEARS.index("2023年")) == ""
    assert column_header("营业收入为1,476.94亿元。", 6) == ""
    assert column_header("", 0) == ""
