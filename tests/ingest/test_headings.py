from __future__ import annotations

import pytest

from ragdash.ingest.headings import Outline, heading_level


@pytest.mark.parametrize(
    "line",
    [
        "四、利润总额（亏损总额以",
        "五、净利润（净亏损以“－”号填列）",
        "六、期末现金及现金等价物余",
        "（一）归属母公司所有者的其他",
        "（二）按所有权归属分类",
        "二、将重分类进损益的其他综合收益",
        "四、账面价值",
        "二、联营企业",
        "1.归属于母公司股东的净利润",
        "（5）现金流量套期储备",
        "10.52 个",
        "3.75 亿元",
    ],
)
def test_a_numbered_line_of_a_statement_is_no_heading(line: str) -> None:
    assert heading_level(line) is None


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("第十节 财务报告", 0),
        ("三、公司基本情况", 1),
        ("七、 近三年主要会计数据和财务指标", 1),
        ("（一）主要会计数据", 2),
        ("合并利润表", 2),
        ("61、 营业收入和营业成本", 3),
        ("3.1 近 3 年的主要会计数据", 3),
        ("Item 7. Management Discussion", 1),
        ("PART II", 0),
    ],
)
def test_headings_keep_their_level(line: str, level: int) -> None:
    assert heading_level(line) == level


def test_a_statement_stays_the_section_while_its_lines_go_by() -> None:
    outline = Outline()
    for line in ("第十节 财务报告", "合并利润表", "五、净利润（净亏损以", "（二）按所有权归属分类"):
        level = heading_level(line)
        if level is not None:
            outline.enter(level, line)
    assert outline.section == "第十节 财务报告 / 合并利润表"
