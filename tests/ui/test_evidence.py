from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.ui import formats
from ragdash.ui.question.evidence import Figures, chunk_spans, figures, gold_places
from ragdash.views.question import ChunkRow, Detail

CHUNK = ChunkRow(
    "c1", "某公司", "2024年报", 12, "", "table", "", "", "zh", 1, 1, None, None, None, True, True
)


def gold(value: str, unit: str = "CNY") -> dict[str, object]:
    names = ("decimals", "metric", "scope", "attribution", "period")
    return {"value_text": value, "unit": unit, "tolerance": "0.005", **dict.fromkeys(names)}


def sought(*golds: dict[str, object]) -> Figures:
    return figures(Detail({}, golds, (), {"answer": ""}, (), (), (), {}))


def marked(text: str, figures_: Figures, unit_note: str = "") -> list[str]:
    chunk = replace(CHUNK, text=text, unit_note=unit_note)
    return [text[start:end] for start, end in chunk_spans(chunk, figures_)]


@pytest.mark.parametrize(
    ("text", "note", "found"),
    [
        (
            "药物研究服务 | 1,579,380,630.70 | 2,309,000,000.00",
            "单位：元",
            "1,579,380,630.70",
        ),
        ("营业收入 | 157,938.06 | 230,900.00", "单位：万元", "157,938.06"),
        (
            "Revenue was 1,579.38 million, 1,312.00 million before.",
            "",
            "1,579.38 million",
        ),
    ],
)
def test_a_gold_figure_is_marked_as_the_filing_prints_it(text: str, note: str, found: str) -> None:
    assert marked(text, sought(gold("1579380630.7")), note) == [found]


def test_a_sibling_within_the_tolerance_is_not_marked() -> None:
    text = "归母净利润 | 1,579,380,630.70 | 扣非净利润 | 1,579,380,999.10"
    assert marked(text, sought(gold("1579380630.7")), "单位：元") == ["1,579,380,630.70"]


@given(cents=st.integers(10_000, 10**13))
def test_every_money_gold_is_found_with_its_two_places(cents: int) -> None:
    printed = f"{Decimal(cents) / 100:,.2f}"
    stored = str((Decimal(cents) / 100).normalize().quantize(Decimal("0.01")).normalize() + 0)
    assert marked(f"营业收入 | {printed}", sought(gold(stored)), "单位：元") == [printed]


@pytest.mark.parametrize(("answer", "judged"), [("15,793.81", (0, 9)), ("减少 15,793.81", (3, 12))])
def test_the_figure_of_the_answer_is_marked_with_the_unit_of_the_chunk(
    answer: str, judged: tuple[int, int]
) -> None:
    said = Figures((), answer, frozenset({judged}))
    assert marked("净利润 | 15,793.81 | 14,000.00", said, "单位：万元") == ["15,793.81"]


def test_a_figure_that_was_not_judged_is_not_marked() -> None:
    assert marked("净利润 | 15,793.81", Figures((), "15,793.81", frozenset())) == []


@pytest.mark.parametrize("value", ["", "NaN", "Infinity", "twelve"])
def test_a_stored_figure_that_is_no_number_marks_nothing(value: str) -> None:
    assert marked("营业收入 | 1,234.00", sought(gold(value))) == []


@pytest.mark.parametrize(
    ("value", "unit", "stated", "shown"),
    [
        ("1579380630.7", "CNY", "", "1,579,380,630.70 CNY (15.79 亿)"),
        ("1579380630.7", "CNY", "1,579,380,630.70 元", "1,579,380,630.70 CNY (15.79 亿)"),
        ("0.5", "USD/share", "", "0.50 USD/share"),
        ("391035000000", "USD", "$391,035 million", "391,035,000,000 USD (391,035.00 million)"),
        ("12.5", "percent", "", "12.5%"),
        ("12.5", "percent", "12.50%", "12.50%"),
        ("1200", "stores", "1,200 stores", "1,200 stores"),
    ],
)
def test_a_gold_figure_keeps_the_zeros_that_its_set_states(
    value: str, unit: str, stated: str, shown: str
) -> None:
    assert formats.amount(value, unit, gold_places(gold(value, unit), stated)) == shown


@given(value=st.decimals(allow_nan=False, allow_infinity=False, places=3), places=st.integers(0, 9))
def test_padding_never_changes_the_value(value: Decimal, places: int) -> None:
    shown = formats.amount(str(value), "stores", places).removesuffix(" stores")
    assert Decimal(shown.replace(",", "").replace("−", "-")) == value
