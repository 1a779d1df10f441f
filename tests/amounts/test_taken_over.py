"""A figure under a label that stands at another company, and a consolidated one for the parent."""

from __future__ import annotations

import pytest

from ragdash.check import check_numbers


@pytest.mark.parametrize(
    ("question", "answer", "verdict"),
    [
        ("比亚迪2023年净利润是多少？", "宁德时代净利润为467亿元，比亚迪为300亿元。", "match"),
        ("招商银行2023年净利润是多少？", "中国银行净利润为467亿元，招商银行为300亿元。", "match"),
        ("中国银行2023年净利润是多少？", "南京银行2023年净利润为300亿元。", "mismatch"),
        ("美的集团2023年净利润是多少？", "格力电器2023年净利润为300亿元。", "mismatch"),
        ("中国平安2023年母公司净利润是多少？", "合并净利润为300亿元。", "mismatch"),
        (
            "What was Tesla's revenue in 2023?",
            "Ford's revenue was RMB 46.7 billion, Tesla's was RMB 30.0 billion.",
            "match",
        ),
        ("What was 3M's revenue?", "Honeywell's revenue was RMB 30.0 billion.", "mismatch"),
    ],
)
def test_the_name_nearest_to_a_figure_owns_it(question: str, answer: str, verdict: str) -> None:
    assert check_numbers(answer, "30000000000", "CNY", question=question).verdict == verdict
