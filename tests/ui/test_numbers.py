"""Numbers beside their text: what is marked, what is told of each, in both languages."""

from __future__ import annotations

import html
import re
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.core.score import MetricKind
from ragdash.ui import chips, safe
from ragdash.ui.question import numbers
from ragdash.views.question import Detail, ScoreRow


def gold(value: str, unit: str = "CNY") -> dict[str, object]:
    names = ("decimals", "metric", "scope", "attribution", "period")
    return {"value_text": value, "unit": unit, "tolerance": "0.005", **dict.fromkeys(names)}


def asked(
    gold_text: str, *golds: dict[str, object], answer: str = "", amounts: Any = None
) -> Detail:
    scores: tuple[ScoreRow, ...] = ()
    if amounts is not None:
        evidence = {"amounts": amounts}
        scores = (
            ScoreRow("numeric_accuracy", MetricKind.GATE, 0, 1.0, "scored", "", evidence, ""),
        )
    question = {"gold_text": gold_text, "answerable": True, "lang": "zh"}
    return Detail(question, golds, (), {"answer": answer}, scores, (), (), {})


def text_of(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def marked(text: str, read: list[numbers.Number]) -> list[tuple[str, str, int]]:
    """What is marked in a text: the characters, how, and with which number."""
    return [(text[m.start : m.end], m.style, m.number) for m in numbers.marks(read)]


@pytest.mark.parametrize(
    ("text", "golds", "expected"),
    [
        (
            "茅台酒约1,265.89亿元，系列酒约206.30亿元",
            [gold("126589000000"), gold("20630000000")],
            [("1,265.89亿元", "hit", 1), ("206.30亿元", "hit", 2)],
        ),
        (
            "In fiscal 2024 total net sales were $391,035 million.",
            [gold("391035000000", "USD")],
            [("2024", "out", 1), ("$391,035 million", "hit", 2)],
        ),
        ("毛利率下降，约为 28.43%", [gold("3.1", "percent")], [("28.43%", "note", 1)]),
        ("没有数字", [], []),
    ],
)
def test_the_numbers_of_a_gold_text_are_marked_by_what_they_are(
    text: str, golds: list[dict[str, object]], expected: list[tuple[str, str, int]]
) -> None:
    assert marked(text, numbers.of_gold(asked(text, *golds))) == expected


def test_what_the_gate_read_is_taken_and_not_read_again() -> None:
    stored = [{"text": "7", "span": [0, 1], "value": "7", "excluded": "year"}]
    read, judged = numbers.of_answer(asked("", answer="1,234万元", amounts=stored))
    assert judged
    assert read == stored


def test_numbers_that_no_gate_judged_are_read_for_their_value_alone() -> None:
    read, judged = numbers.of_answer(asked("", answer="营业收入1,234万元"))
    assert not judged
    ((text, value, against),) = [(n["text"], n["value"], n["against"]) for n in read]
    assert (text, Decimal(value), against) == ("1,234万元", Decimal(12_340_000), [])
    shown = text_of(numbers.beside(read, label="x"))
    assert "12,340,000 元 (1,234.00 万)" in shown
    assert "the same" not in shown


def test_each_line_tells_span_value_unit_factor_error_and_verdict() -> None:
    text = "2023年营业收入为1,476.94亿元"
    read = numbers.of_gold(asked(text, gold("147693604994.14")))
    shown = text_of(numbers.beside(read, label="x"))
    for word in (
        "not counted: a year",
        "1,476.94亿元",
        "147,694,000,000 元 (1,476.94 亿)",
        "one unit is 100,000,000, from its own unit",
        "off by < 0.001%",
        "the same figure",
    ):
        assert word in shown


def test_of_two_golds_the_one_that_fits_is_named_and_else_the_nearest_is_told() -> None:
    text = "系列酒约206.30亿元，其他业务300亿元"
    read = numbers.of_gold(asked(text, gold("126589000000"), gold("20630000000")))
    shown = text_of(numbers.beside(read, label="x"))
    assert "gold 2: the same figure" in shown
    # 300 against 206.30, not against 1,265.89
    assert "off by 45%" in shown


@pytest.mark.parametrize(
    "span", [None, [], [1], [1, 2, 3], ["0", "1"], [True, False], "01", [0.0, 1.0], {"a": 1}]
)
def test_a_stored_span_that_is_none_marks_nothing(span: object) -> None:
    assert numbers.marks([{"text": "1", "span": span, "value": "1"}]) == []


@pytest.mark.parametrize("value", ["", "x", "NaN", "Infinity", None, 7, "1e400", ["1"]])
def test_a_stored_number_that_is_none_breaks_no_line(value: object) -> None:
    number = {"text": value, "value": value, "factor": value, "kind": value, "currency": value}
    against = [{"same": False, "reason": value, "relative_error": value}, value]
    assert numbers.beside([{**number, "against": against}], label="x")


@given(
    st.text(max_size=60), st.lists(st.tuples(st.integers(-3, 60), st.integers(-3, 60)), max_size=6)
)
def test_numbered_marks_never_change_the_text(text: str, spans: list[tuple[int, int]]) -> None:
    marks = [safe.Mark(a, b, style, i) for i, ((a, b), style) in
             enumerate(zip(spans, ("hit", "note", "out") * 2, strict=False))]  # fmt: skip
    unmarked = re.sub(r"</?mark[^>]*>", "", safe.marked(text, marks))
    if "\r" not in text:
        assert unmarked == safe.escape(text)


def test_a_number_is_beside_a_mark_and_in_no_copy_of_the_text() -> None:
    made = safe.marked("收入1亿元", [safe.Mark(2, 5, "hit", 3)])
    assert 'data-n="3"' in made
    assert text_of(made) == "收入1亿元"


def test_hostile_numbers_stay_text() -> None:
    number = {"text": '"><img src=x>', "span": [0, 3], "value": "<b>", "excluded": "<script>"}
    for one in (number, {**number, "excluded": ""}):
        made = numbers.beside([one], label='"><script>')
        assert "<img" not in made
        assert "<script" not in made
        assert "<b>" not in made


def test_tiles_escape_what_stands_in_them() -> None:
    made = chips.tiles([("<i>", "<img src=x>", "<script>")], label='"><script>')
    assert not {"<i>", "<img src=x>", "<script>"} & set(re.findall("<[^>]*>", made))


def test_a_picture_is_bytes_and_no_name() -> None:
    for name in ("http://beacon.example/b.png", "/etc/passwd", ["x"]):
        with pytest.raises(TypeError, match="bytes"):
            safe.picture(name, "alt")  # type: ignore[arg-type]


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=0, max_value=10))
def test_a_relative_error_is_zero_only_where_it_is_exact(error: Decimal) -> None:
    assert (numbers._percent(str(error)) == "0") == (error == 0)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    "code", ["sibling_metric", "parent_company", "part_of_the_company", "whole_company"]
)
def test_who_is_blind_reads_a_number_without_a_word_on_whose_figure_it_is(
    code: str, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import streamlit as st_

    monkeypatch.setitem(st_.session_state, "lang", lang)
    number = {
        "text": "747.34亿元",
        "value": "74734000000",
        "kind": "money",
        "currency": "CNY",
        "factor": "100000000",
        "scale_source": "inline",
        "against": [{"same": False, "reason": code, "relative_error": "0.05"}],
    }
    why = numbers.reason(code)
    (blind,) = numbers.neutral([number])
    assert why in text_of(numbers.beside([number], label="x"))
    told = text_of(numbers.beside([blind], label="x"))
    assert why not in told
    assert "747.34亿元" in told
    # A reason that says nothing of a caliber stays.
    plain = {**number, "against": [{"same": False, "reason": "other_figure"}]}
    assert numbers.neutral([plain])[0]["against"][0]["reason"] == "other_figure"
