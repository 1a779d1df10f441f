from __future__ import annotations

import re
import tomllib
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ragdash.caliber import (
    CaliberStatus,
    CaliberVerdict,
    asked_metric,
    caliber_check,
    find_periods,
    find_terms,
    metric_key,
    nearest_period,
    nearest_term,
    siblings,
    term,
)
from ragdash.caliber.terms import common_words
from ragdash.core.question import Gold

DATA = Path(__file__).parents[1] / "data" / "caliber" / "terms.toml"
KEYS = [row["key"] for row in tomllib.loads(DATA.read_text(encoding="utf-8"))["metric"]]
ALIASES = [a for key in KEYS if (t := term(key)) for a in t.aliases]
CHINESE = [a for a in ALIASES if a[0] >= "\u4e00"]


def keys(text: str) -> list[str]:
    return [hit.key for hit in find_terms(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("扣非归母净利润", ["net_profit_deducted"]),
        ("归母净利润与净利润", ["net_profit_parent", "net_profit"]),
        ("归属于上市公司股东的扣除非经常性损益的净利润", ["net_profit_deducted"]),
        ("营业总收入、营业收入", ["total_operating_revenue", "revenue"]),
        ("加权平均净资产收益率", ["roe"]),
        ("毛利率高于毛利", ["gross_margin", "gross_profit"]),
        ("Net income attributable to noncontrolling interests", ["net_profit_minority"]),
        ("Net income attributable to shareholders of the company", ["net_profit_parent"]),
        ("total operating revenue and revenue", ["total_operating_revenue", "revenue"]),
        ("Cost of sales; R&D expenses", ["operating_cost", "rd_expense"]),
        ("salesperson of netincome", []),
    ],
)
def test_the_longest_term_wins_at_each_place(text: str, expected: list[str]) -> None:
    assert keys(text) == expected


@given(st.sampled_from(ALIASES))
def test_every_spelling_in_the_data_finds_its_own_key(alias: str) -> None:
    name = "青禾制药" if alias in CHINESE else "Walmart"
    (hit,) = find_terms(f"x: {alias.replace('...', name)} 1")
    assert hit.key == metric_key(alias)


@given(st.sampled_from(CHINESE), st.data())
def test_blanks_and_line_breaks_inside_a_chinese_label_do_not_hide_it(
    alias: str, data: st.DataObject
) -> None:
    label = alias.replace("...", "青禾制药")
    gaps = data.draw(
        st.lists(st.sampled_from(["", "", " ", "\n", " \n "]), min_size=len(label) - 1)
    )
    inner = zip(label, [*gaps[: len(label) - 1], ""], strict=True)
    text = "；" + "".join(c + g for c, g in inner) + " 12.3"
    (hit,) = find_terms(text)
    assert hit.key == metric_key(alias)
    assert text[slice(*hit.span)].startswith(alias[0])


@given(st.text(max_size=200))
def test_no_text_makes_the_finder_raise(text: str) -> None:
    for hit in find_terms(text):
        assert 0 <= hit.span[0] < hit.span[1] <= len(text)
    find_periods(text)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("归属于青禾制药股东的净利润", "net_profit_parent"),
        ("归属于中国石油天然气股份有限公司所有者的净利润", "net_profit_parent"),
        ("归属于青禾制药股东的扣除非经常性损益的净利润", "net_profit_deducted"),
        ("归属于少数股东的净利润", "net_profit_minority"),
        ("归属于子公司少数股东的净利润", "net_profit_minority"),
        ("Net income attributable to Walmart", "net_profit_parent"),
        ("Net income (loss) attributable to Northfield Foods", "net_profit_parent"),
        ("net loss attributable to The Boeing Company", "net_profit_parent"),
        ("Net income attributable to 3M", "net_profit_parent"),
        ("Profit for the year attributable to owners of BYD", "net_profit_parent"),
        ("net income attributable to redeemable noncontrolling interests", "net_profit_minority"),
        ("net income attributable to the non-controlling interest", "net_profit_minority"),
        ("net income attributable to continuing operations", "net_profit"),
        ("net income attributable to lower costs", "net_profit"),
        ("the rise in net income, attributable to Walmart", "net_profit"),
    ],
)
def test_a_profit_belongs_to_whom_it_names(text: str, key: str) -> None:
    assert key in keys(text)
    assert keys(text)[0] == key


@given(name=st.text("青禾制药远山重工白塔食品", min_size=2, max_size=20))
def test_the_shareholders_of_any_chinese_name_have_the_parent_s_profit(name: str) -> None:
    assert keys(f"归属于{name}股东的净利润 12亿元") == ["net_profit_parent"]


@given(name=st.from_regex(r"[A-Z][a-z]{3,9}( [A-Z][a-z]{2,8})?", fullmatch=True))
def test_what_belongs_to_any_english_name_is_the_parent_s_profit(name: str) -> None:
    assume(name.split()[0].lower() not in common_words("en_no_owner"))
    assert keys(f"Net income attributable to {name}: 12")[0] == "net_profit_parent"


def test_siblings_are_the_other_keys_of_the_family() -> None:
    assert set(siblings("net_profit")) == {
        "net_profit_parent",
        "net_profit_deducted",
        "net_profit_minority",
    }
    assert siblings("nothing") == ()


@pytest.mark.parametrize(
    ("text", "number", "key"),
    [
        ("营业收入1,505.60亿元，归母净利润123.46亿元", "123.46", "net_profit_parent"),
        ("实现123.46亿元的归母净利润", "123.46", "net_profit_parent"),
        ("FY2022,123.46亿元（归母净利润）", "123.46", "net_profit_parent"),
        ("Revenue was $5bn and net income $3bn", "$3bn", "net_profit"),
        ("| 营业收入 | 12 | 11 |\n| 净利润 | 3 | 2 |", "3 |", "net_profit"),
        ("归母净利润如下：\n- 2022年：123.46亿元", "123.46", "net_profit_parent"),
    ],
)
def test_the_nearest_term_is_the_label_of_the_amount(text: str, number: str, key: str) -> None:
    at = text.index(number)
    hit = nearest_term(text, (at, at + len(number)))
    assert hit is not None
    assert hit.key == key


def test_an_attribution_turns_a_family_name_into_its_sibling() -> None:
    assert asked_metric("净利润", "归母").key == "net_profit_parent"
    assert asked_metric("净利润", "扣非").key == "net_profit_deducted"
    assert asked_metric("净利润").key == "net_profit"
    asked = asked_metric("iPhone net sales")
    assert (asked.key, asked.qualifier) == ("revenue", "iphone")


GOLD = Gold(
    Decimal("12345678901.23"),
    "CNY",
    metric="净利润",
    attribution="归母",
    period="2022",
    scope="consolidated",
)
ROW = "归属于上市公司股东的净\n利润 12,345,678,901.23 11,000,000,000.00"


def check(answer: str, number: str, row: str = "", context: str = "") -> CaliberVerdict:
    at = answer.index(number)
    return caliber_check(GOLD, answer, (at, at + len(number)), row, context)


def test_the_right_label_in_answer_and_row_passes() -> None:
    verdict = check("2022年归母净利润为123.46亿元。", "123.46亿元", ROW, "合并利润表")
    assert (verdict.verdict, verdict.label_found) == (CaliberStatus.PASS, "归母净利润")


@pytest.mark.parametrize(
    ("answer", "row", "context", "reason"),
    [
        ("2022年扣非净利润为123.46亿元。", "", "", "sibling_label"),
        ("2022年净利润为123.46亿元。", "", "", "sibling_label"),
        ("2022年营业收入为123.46亿元。", "", "", "other_label"),
        ("2021年归母净利润为123.46亿元。", "", "", "other_period"),
        ("2022年第四季度归母净利润为123.46亿元。", "", "", "other_period"),
        ("2022年母公司归母净利润为123.46亿元。", "", "", "parent_not_consolidated"),
        ("123.46亿元。", ROW, "母公司利润表", "parent_not_consolidated"),
        ("123.46亿元。", "净利润 12,345,678,901.23", "", "sibling_label"),
    ],
)
def test_a_conflicting_caliber_fails(answer: str, row: str, context: str, reason: str) -> None:
    verdict = check(answer, "123.46亿元", row, context)
    assert (verdict.verdict, verdict.reason) == (CaliberStatus.FAIL, reason)


def test_no_label_needs_review_and_never_passes() -> None:
    assert check("123.46亿元。", "123.46亿元").verdict is CaliberStatus.NEEDS_REVIEW
    bare = Gold(Decimal(1), "CNY")
    verdict = caliber_check(bare, "归母净利润1元", (5, 7), "", "")
    assert verdict.verdict is CaliberStatus.NEEDS_REVIEW


def test_a_part_of_the_company_is_not_the_total() -> None:
    gold = Gold(Decimal(391035000000), "USD", metric="total net sales", period="2024")
    answer = "iPhone net sales were $391,035 million in fiscal 2024."
    at = answer.index("$")
    verdict = caliber_check(gold, answer, (at, at + 16), "", "")
    assert (verdict.verdict, verdict.reason) == (CaliberStatus.FAIL, "part_not_total")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("合并净利润（含少数股东损益）约为775.22亿元", "净利润"),
        ("净利润(归属于母公司股东的净利润除外)为775.22亿元", "净利润"),
        ("Net income (including noncontrolling interests) was $775 million", "net income"),
        ("营业收入（不含税）为100万元", "营业收入"),
    ],
)
def test_what_stands_in_a_closed_bracket_qualifies_the_label_before_it(text, key) -> None:
    figure = re.search(r"[$\d][\d.,]+", text)
    assert figure is not None
    hit = nearest_term(text, figure.span())
    assert hit is not None
    assert hit.key == metric_key(key)


def test_a_term_after_the_bracket_is_the_label_again() -> None:
    text = "净利润（含少数股东损益）中归属于上市公司股东的净利润为747.34亿元"
    hit = nearest_term(text, (text.index("747.34"), text.index("747.34") + 6))
    assert hit is not None
    assert hit.key == metric_key("归母净利润")


@pytest.mark.parametrize(
    ("text", "figure", "year"),
    [
        ("2023年和2022年营业收入分别为1,476.94亿元和1,240.99亿元", "1,476.94", 2023),
        ("2023年和2022年营业收入分别为1,476.94亿元和1,240.99亿元", "1,240.99", 2022),
        ("In 2023 and 2022, net sales were $383,285 million and $394,328 million, respectively.",
         "394,328", 2022),
        ("Net sales were $383,285 million and $394,328 million in 2023 and 2022, respectively.",
         "383,285", 2023),
        ("In 2023 net sales were $383,285 million, compared with $394,328 million in 2022.",
         "383,285", 2023),
        ("In 2023 net sales were $383,285 million, compared with $394,328 million in 2022.",
         "$394,328 million", 2022),
        ("2024年营业收入20.18亿元，较2023年的23.76亿元下降15.07%", "20.18", 2024),
        ("2024年营业收入20.18亿元，较2023年的23.76亿元下降15.07%", "23.76", 2023),
    ],
)  # fmt: skip
def test_each_figure_of_a_sentence_has_its_own_year(text, figure, year) -> None:
    at = text.index(figure)
    hit = nearest_period(text, (at, at + len(figure)))
    assert hit is not None
    assert hit.year == year


def test_a_year_behind_another_figure_is_not_the_first_one_s() -> None:
    text = "Net sales were $383,285 million, compared with $394,328 million in 2022."
    assert nearest_period(text, (text.index("383"), text.index("383") + 7)) is None


@pytest.mark.parametrize(
    ("text", "figure", "metric"),
    [
        ("营业收入和净利润分别为1,476.94亿元和775.22亿元", "1,476.94", "营业收入"),
        ("营业收入和净利润分别为1,476.94亿元和775.22亿元", "775.22", "净利润"),
        ("营业收入1,476.94亿元（营业总收入1,505.60亿元）", "1,476.94", "营业收入"),
        ("营业收入1,476.94亿元（营业总收入1,505.60亿元）", "1,505.60", "营业总收入"),
        ("公司实现1,476.94亿元（营业收入）", "1,476.94", "营业收入"),
        ("Net sales and net income were $383 million and $97 million, respectively.", "97",
         "net income"),
    ],
)  # fmt: skip
def test_each_figure_of_a_sentence_has_its_own_label(text, figure, metric) -> None:
    at = text.index(figure)
    hit = nearest_term(text, (at, at + len(figure)))
    assert hit is not None
    assert hit.key == metric_key(metric)
