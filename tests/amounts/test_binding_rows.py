"""Binding and comparison, row by row (binding_rows.jsonl), and what holds for any name or year."""

from __future__ import annotations

import json
import time
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ragdash.amounts import Match, all_match, match_all, match_amount
from ragdash.caliber import same_name
from ragdash.core.question import Gold

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "binding_rows.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
GOLD = Gold(Decimal("1240000000"), "CNY")
DOLLARS = Gold(Decimal("5000000000"), "USD")
FIRST, LAST = "青海南明远宏瑞达鼎恒博凯润泰", "禾航峰川岭湖桥塔星原木石泉舟"
CHINESE_NAME = st.tuples(st.sampled_from(FIRST), st.sampled_from(LAST), st.sampled_from(LAST)).map(
    "".join
)
ENGLISH_NAME = st.sampled_from(
    [
        "Northwind",
        "Contoso",
        "Fabrikam",
        "Tailspin Toys",
        "Wingtip",
        "Litware",
        "Proseware",
        "Alpine",
    ]
)


def gold_of(row: dict[str, str]) -> Gold:
    """Read a gold; value and tolerance are written as text."""
    rest = {k: row[k] for k in ("metric", "scope", "attribution", "period") if k in row}
    tolerance = Decimal(row.get("tolerance", "0.005"))
    return Gold(Decimal(row["value"]), row["unit"], tolerance, **rest)


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_a_figure_counts_only_under_what_is_asked(row) -> None:
    golds = tuple(gold_of(g) for g in row["gold"])
    verdicts = match_all(row["answer"], golds, question=row["question"])
    assert all_match(verdicts) is row["should_match"], (row["why"], [v.reason for v in verdicts])


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("青禾食品2022年毛利是多少？", "青禾食品2022年净利润为12.40亿元。", "other_metric"),
        ("青禾食品2022年毛利是多少？", "青禾食品2021年毛利为12.40亿元。", "other_period"),
        ("青禾食品2022年毛利是多少？", "上年毛利为12.40亿元。", "other_period"),
        ("青禾食品2022年毛利是多少？", "远航科技2022年毛利为12.40亿元。", "other_company"),
        ("青禾食品2022年毛利是多少？", "饮料业务毛利为12.40亿元。", "part_of_the_company"),
        ("青禾食品2022年饮料业务毛利是多少？", "公司总毛利为12.40亿元。", "whole_company"),
        ("青禾食品2022年毛利比远航科技高多少？", "青禾食品毛利12.40亿元。", "other_metric"),
    ],
)
def test_a_figure_under_something_else_is_told_by_its_reason(question, answer, reason) -> None:
    verdict = match_amount(answer, GOLD, question=question)
    assert (verdict.verdict, verdict.reason) == (Match.MISMATCH, reason)


@pytest.mark.parametrize(
    ("answer", "reasons"),
    [
        ("青禾食品12.40亿元，远航科技9.10亿元。", ["equal", "equal"]),
        ("青禾食品9.10亿元，远航科技12.40亿元。", ["other_company", "other_company"]),
        ("青禾食品12.40亿元，远航科技9.10亿元，远航科技更高。", ["equal", "contradicts_itself"]),
        ("青禾食品12.40亿元，远航科技9.10亿元，远航科技更低。", ["equal", "equal"]),
        ("青禾食品12.40亿元，远航科技9.10亿元，远航科技增速更高。", ["equal", "equal"]),
    ],
)
def test_a_comparison_tells_whose_figure_is_wrong(answer, reasons) -> None:
    golds = (GOLD, Gold(Decimal("910000000"), "CNY"))
    question = "青禾食品和远航科技2022年的营业收入哪个更高？"
    assert [v.reason for v in match_all(answer, golds, question=question)] == reasons


def test_a_figure_that_fits_two_golds_goes_to_the_one_it_stands_under() -> None:
    golds = (GOLD, Gold(Decimal("1241000000"), "CNY"))
    question = "青禾食品和远航科技2022年的营业收入哪个更高？"
    right = "远航科技12.41亿元，青禾食品12.40亿元。"
    first, second = match_all(right, golds, question=question)
    assert first.candidate is not None
    assert second.candidate is not None
    assert (first.candidate.text, second.candidate.text) == ("12.40亿元", "12.41亿元")
    assert not all_match(match_all("远航科技12.41亿元。", golds, question=question))


@given(CHINESE_NAME, CHINESE_NAME, st.sampled_from(["", "的", "股份有限公司", "公司"]))
def test_no_chinese_company_stands_for_another(asked: str, named: str, tail: str) -> None:
    assume(not same_name(asked, named))
    question = f"{asked}2022年营业收入是多少？"
    own = match_amount(f"{asked}{tail}2022年营业收入为12.40亿元。", GOLD, question=question)
    other = match_amount(f"{named}{tail}2022年营业收入为12.40亿元。", GOLD, question=question)
    assert own.verdict is Match.MATCH
    assert (other.verdict, other.reason) == (Match.MISMATCH, "other_company")


@given(
    ENGLISH_NAME,
    ENGLISH_NAME,
    st.sampled_from(
        [
            "{}'s revenue was",
            "{} reported revenue of",
            "{}, Inc. generated revenue of",
            "For {}, revenue was",
        ]
    ),
)
def test_no_english_company_stands_for_another(asked: str, named: str, form: str) -> None:
    assume(asked != named)
    question = f"What was {asked}'s revenue in 2022?"
    own = match_amount(f"{form.format(asked)} $5.0 billion in 2022.", DOLLARS, question=question)
    other = match_amount(f"{form.format(named)} $5.0 billion in 2022.", DOLLARS, question=question)
    assert own.verdict is Match.MATCH
    assert (other.verdict, other.reason) == (Match.MISMATCH, "other_company")


@given(
    st.sampled_from(ROWS),
    st.sampled_from(["贵州茅台", "青禾食品", "Apple", "Contoso"]),
    st.integers(2015, 2026),
    st.integers(1, 400),
)
def test_a_citation_at_the_end_never_changes_a_verdict(row, company, year, page) -> None:
    """Whatever company and year it cites: the report of 2024 prints 2023's figure as well."""
    golds = tuple(gold_of(g) for g in row["gold"])
    text = row["answer"].rstrip("。.")
    plain = match_all(row["answer"], golds, question=row["question"])
    cited = f"{text}({company}·{year}年报·P{page})。"
    marked = match_all(cited, golds, question=row["question"])
    assert [v.verdict for v in marked] == [v.verdict for v in plain]


@pytest.mark.parametrize(
    "unit",
    [
        "2022年青禾食品营业收入为12.40亿元，远航科技为9.10亿元；饮料业务收入3亿元。",
        "Fabrikam's revenue was $5.0 billion in 2022, Contoso reported $6.4 billion. ",
        "上年营业收入",
        "青禾和远航、",
    ],
)
def test_binding_takes_linear_time(unit: str) -> None:
    question = "青禾食品2022年营业收入是多少？"

    def seconds(times: int) -> float:
        text = unit * times
        start = time.process_time()
        match_amount(text, GOLD, question=question)
        return time.process_time() - start

    seconds(10)
    short = min(seconds(100) for _ in range(2))
    assert seconds(400) < 12 * short + 0.05


@pytest.mark.parametrize(
    ("metric", "said", "matches"),
    [
        ("净利润", "净利润", True),
        ("净利润", "四、净利润", True),
        ("净利润", "母公司净利润", True),
        ("净利润", "合并净利润", False),
        ("营业收入", "营业收入", True),
        ("营业收入", "一、营业收入", True),
        ("营业收入", "合并营业收入", False),
    ],
)
def test_a_bare_label_may_be_the_parents_and_a_consolidated_one_is_not(
    metric, said, matches
) -> None:
    gold = gold_of({"value": "1240000000", "unit": "CNY", "metric": metric, "scope": "parent"})
    question = f"青禾食品2022年母公司{metric}是多少？"
    verdict = match_amount(f"青禾食品2022年{said}为12.40亿元。", gold, question=question)
    assert (verdict.verdict is Match.MATCH) is matches, verdict.reason
