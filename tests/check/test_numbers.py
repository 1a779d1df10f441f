from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.check import check_numbers
from ragdash.check.numbers import judge_line
from ragdash.core.errors import InputError
from ragdash.core.question import Gold

ROWS = [
    # answer, expected value, unit, verdict, reason
    ("2023年营业收入为883.20亿元。", "88320000000", "CNY", "match", "equal"),
    ("Revenue came to $88.32 billion.", "88320000000", "USD", "match", "equal"),
    ("营业收入8,832,000.00万元", "88320000000", "CNY", "match", "equal"),
    ("营业收入为883.20万元。", "88320000000", "CNY", "mismatch", "magnitude"),
    ("Revenue came to $88.32 million.", "88320000000", "USD", "mismatch", "magnitude"),
    ("净利润为-3.1亿元。", "310000000", "CNY", "mismatch", "sign"),
    ("公司亏损3.1亿元。", "-310000000", "CNY", "match", "equal"),
    ("The company reported a net loss of $310 million.", "-310000000", "USD", "match", "equal"),
    ("Net income was $310 million.", "-310000000", "USD", "mismatch", "sign"),
    ("毛利率为41.2%。", "41.2", "percent", "match", "equal"),
    ("Gross margin was 41.2 percent.", "0.412", "ratio", "match", "equal"),
    ("毛利率上升1.5个百分点。", "1.5", "pp", "match", "equal"),
    ("毛利率为1.5%。", "1.5", "pp", "mismatch", "other_kind"),
    ("营业收入为883.20亿美元。", "88320000000", "CNY", "mismatch", "other_currency"),
    ("营业收入不是883.20亿元。", "88320000000", "CNY", "mismatch", "negated"),
    ("营业收入超过883.20亿元。", "88320000000", "CNY", "mismatch", "bound"),
    ("Revenue was between $80 billion and $90 billion.", "80000000000", "USD", "mismatch", "range"),
    ("营业收入稳步增长。", "88320000000", "CNY", "no_number", "no_number"),
    ("Revenue grew, see page 88.", "88", "CNY", "no_number", "no_number"),
    ("未在所给资料中检索到", "88320000000", "CNY", "refused", "refused"),
    ("Not found in the provided filings.", "88320000000", "USD", "refused", "refused"),
    ("基本每股收益为2.35元/股。", "2.35", "CNY/share", "match", "equal"),
    ("Diluted EPS was $6.13 per share.", "6.13", "USD/share", "match", "equal"),
    ("应付账款周转天数为45天。", "45", "days", "match", "equal"),
]


@pytest.mark.parametrize(("answer", "value", "unit", "verdict", "reason"), ROWS)
def test_an_answer_is_judged_with_a_reason(answer, value, unit, verdict, reason) -> None:
    found = judge_line({"answer": answer, "expected_value": value, "unit": unit})
    assert (found["verdict"], found["reason"]) == (verdict, reason)
    assert found["match"] is (verdict == "match")
    assert list(found) == ["verdict", "match", "candidate", "reason"]


@pytest.mark.parametrize(
    ("answer", "unit", "shown"),
    [
        ("营业收入883.20亿元", "CNY", ("883.20亿元", "88320000000", "CNY", "money")),
        ("EPS of $6.13 per share", "USD/share", ("$6.13 per share", "6.13", "USD/share",
                                                 "per_share")),
        ("毛利率41.2%", "percent", ("41.2%", "41.2", "percent", "percent")),
        ("员工1.2万人", "employees", ("1.2万人", "12000", "人", "count")),
        ("1.2 million employees", "employees", ("1.2 million employees", "1200000", "employees",
                                                "count")),
        ("883.2", "CNY", ("883.2", "883.2", None, "bare")),
    ],
)  # fmt: skip
def test_the_candidate_has_its_value_in_the_unit_it_names(answer, unit, shown) -> None:
    found = judge_line({"answer": answer, "expected_value": "1", "unit": unit})["candidate"]
    assert found == dict(zip(("text", "value", "unit", "kind"), shown, strict=True))


@pytest.mark.parametrize("value", [Decimal("0.1"), "0.1", 0.1])
def test_a_number_may_be_a_decimal_a_string_or_a_float_and_is_exact(value) -> None:
    assert check_numbers("0.1%", value, "percent", tolerance=0).match
    assert not check_numbers("0.1000000000000001%", value, "percent", tolerance=0).match


def test_each_figure_of_a_comparison_is_met_by_an_amount_of_its_own() -> None:
    golds = [{"value": 2, "unit": "CNY"}, {"value": 3, "unit": "CNY"}]
    both = judge_line({"answer": "甲为2元，乙为3元。", "gold": golds})
    assert (both["verdict"], [c["text"] for c in both["candidate"]]) == ("match", ["2元", "3元"])
    one = judge_line({"answer": "A was CNY 2, B was CNY 7.", "gold": golds})
    assert (one["verdict"], one["reason"]) == ("mismatch", "some_figures_missing")
    same = [{"value": 2, "unit": "CNY"}, {"value": 2, "unit": "CNY"}]
    assert judge_line({"answer": "都是2元。", "gold": same})["verdict"] == "mismatch"
    assert judge_line({"answer": "没有变化。", "gold": golds})["verdict"] == "no_number"


def test_unit_and_tolerance_of_the_line_hold_for_golds_that_name_none() -> None:
    row = {"answer": "甲为2.1元，乙为3元。", "unit": "CNY", "tolerance": 0.1}
    golds: list[dict[str, Any]] = [{"value": 2}, {"value": 3}]
    assert judge_line({**row, "gold": golds})["match"]
    golds[0]["tolerance"] = 0
    assert not judge_line({**row, "gold": golds})["match"]


def test_other_keys_are_ignored_also_in_a_gold() -> None:
    row = {"answer": "2元", "gold": [{"value": 2, "unit": "CNY", "page": 9}], "run": "x"}
    assert judge_line(row)["match"]


def test_a_gold_may_be_the_noun_itself() -> None:
    assert check_numbers("Sales were $5.", gold=[Gold(Decimal(5), "USD")]).match


def test_the_question_tells_metric_and_unit() -> None:
    assert check_numbers("88,320", "883200000", "CNY", question="营业收入是多少万元？").match
    found = check_numbers(
        "2022年扣非净利润为123.46亿元。", "12346000000", "CNY",
        question="公司2022年归母净利润是多少？",
    )  # fmt: skip
    assert (found.verdict.value, found.reason) == ("mismatch", "sibling_metric")


def test_declining_with_the_figure_is_an_answer() -> None:
    text = "年报中没有直接披露，但可算出营业收入为883.20亿元。"
    assert check_numbers(text, "88320000000", "CNY").verdict.value != "refused"


def test_evidence_tells_every_number_and_why_it_was_left_out() -> None:
    row = {"answer": "2023年收入约150.2亿元（去年120亿元），第8页。", "expected_value": 15000000000,
           "unit": "CNY"}  # fmt: skip
    found = judge_line(row, evidence=True)
    amounts = {a["text"]: a for a in found["amounts"]}
    assert amounts["2023"]["excluded"] == "year"
    assert amounts["150.2亿元"]["against"] == [
        {"same": True, "reason": "equal", "relative_error": "0.0013333333"}
    ]
    assert amounts["120亿元"]["against"][0]["reason"] == "other_figure"
    assert amounts["120亿元"]["factor"] == "100000000"
    assert found["golds"][0]["verdict"] == found["verdict"]


def test_evidence_of_a_refusal_keeps_its_numbers() -> None:
    row = {"answer": "未在所给资料中检索到2023年的数据", "expected_value": 1, "unit": "CNY"}
    found = judge_line(row, evidence=True)
    assert (found["verdict"], found["candidate"]) == ("refused", None)
    assert [a["text"] for a in found["amounts"]] == ["2023"]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"answer": ""}, "no_output"),
        ({"answer": " \n　"}, "no_output"),
        ({"answer": None}, "'answer' is missing"),
        ({"answer": 5}, "'answer' is 5"),
        ({"expected_value": None}, "'expected_value' is missing"),
        ({"expected_value": "1,000"}, "'expected_value' is '1,000'"),
        ({"expected_value": "万"}, "'expected_value'"),
        ({"expected_value": True}, "'expected_value' is True"),
        ({"expected_value": float("nan")}, "'expected_value' is NaN: a finite number"),
        ({"expected_value": float("-inf")}, "a finite number"),
        ({"expected_value": Decimal("1e999")}, "more than 60 digits"),
        ({"expected_value": [1]}, "'expected_value'"),
        ({"unit": None}, "'unit' is missing"),
        ({"unit": "万元"}, "'unit' is '万元'"),
        ({"unit": "Yuan"}, "'unit' is 'Yuan'"),
        ({"unit": "QQQ"}, "no currency of ISO 4217"),
        ({"unit": "XXX/share"}, "no currency of ISO 4217"),
        ({"tolerance": -0.01}, "'tolerance'"),
        ({"tolerance": 1}, "'tolerance'"),
        ({"tolerance": "half"}, "'tolerance'"),
        ({"decimals": 1.5}, "'decimals'"),
        ({"question": 7}, "'question' is 7"),
        ({"gold": [{"value": 1}]}, "both there"),
        ({"expected_value": None, "gold": []}, "'gold' is an empty list"),
        ({"expected_value": None, "gold": {"value": 1}}, "'gold' is an object"),
        ({"expected_value": None, "gold": [1]}, "'gold.0' is 1"),
        ({"expected_value": None, "gold": [{"value": "x"}]}, "'gold.0.value' is 'x'"),
        ({"expected_value": None, "gold": [{"unit": "CNY"}]}, "'gold.0.value' is missing"),
    ],
)
def test_a_bad_value_is_told_under_the_key_of_the_line(change, named) -> None:
    row = {"answer": "1元", "expected_value": 1, "unit": "CNY", **change}
    with pytest.raises(InputError) as caught:
        judge_line(row)
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("unit", ["CNY", "DEM", "XAU", "USD/share", "stores", "km"])
def test_currencies_of_iso_4217_and_lower_case_nouns_are_units(unit) -> None:
    assert check_numbers("未披露", 1, unit).golds[0].unit == unit


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=True)
    | st.text()
    | st.sampled_from(["CNY", "percent", "2023年营业收入是多少万元？", "约1,2-3.亿%元(5)"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["value", "unit", "tolerance", "x"]), inner)
    ),
    max_leaves=6,
)
KEYS = ("answer", "expected_value", "unit", "tolerance", "decimals", "question", "gold")


@given(st.dictionaries(st.sampled_from(KEYS), JSON))
def test_any_object_is_judged_or_refused(row) -> None:
    try:
        found = judge_line(row, evidence=True)
    except InputError:
        return
    assert found["match"] is (found["verdict"] == "match")
    json.dumps(found, allow_nan=False)
