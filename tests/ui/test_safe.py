from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.ui import safe

TEXTS = st.text(st.characters(), max_size=80)


def seen(markup: str) -> str:
    """What a reader sees of our markup: tags away, entities read."""
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


@given(TEXTS)
def test_no_text_can_open_a_tag(text: str) -> None:
    tags = re.findall(r"<(/?\w+)", safe.escape(text))
    assert set(tags) <= {"span", "/span"}


@given(TEXTS)
def test_visible_characters_come_out_as_they_went_in(text: str) -> None:
    kept = "".join(
        c for c in text.replace("\r\n", "\n").replace("\r", "\n") if not safe.is_hidden(c)
    )
    without_marks = re.sub(r"<span[^>]*>U\+[0-9A-F]{4,6}</span>", "", safe.escape(text))
    assert seen(without_marks) == kept


@given(TEXTS)
def test_nothing_hidden_is_left_in_a_cell(text: str) -> None:
    assert not any(safe.is_hidden(c) for c in safe.plain(text))


@pytest.mark.parametrize(
    "hidden",
    ["\u200b", "\u202e", "\u2066", "\ufeff", "\x00", "\u00ad", "\U000e0041", "\ud800", "\u3164"],
)
def test_a_hidden_character_is_named(hidden: str) -> None:
    assert safe.plain(f"1{hidden}2") == f"1⟦U+{ord(hidden):04X}⟧2"
    assert f"U+{ord(hidden):04X}" in safe.escape(hidden)


def test_chinese_and_money_stay_verbatim() -> None:
    text = "净利润 - 1,234 万元；$1 … $2；30~35%；12*3*4；|甲|乙|；:red[x]；![](http://h/b.png)"
    assert seen(safe.escape(text)) == text
    assert safe.plain(text) == text


def test_a_long_cell_says_how_much_is_left_out() -> None:
    assert safe.plain("年" * 1000, 400) == "年" * 400 + " …+600 chars"


@given(TEXTS, st.lists(st.tuples(st.integers(-5, 90), st.integers(-5, 90)), max_size=5))
def test_marks_never_change_the_text(text: str, spans: list[tuple[int, int]]) -> None:
    unmarked = re.sub(r"</?mark[^>]*>", "", safe.marked(text, spans))
    # "\r\n" that a mark divides is two breaks; no verbatim character depends on it.
    if "\r" not in text:
        assert unmarked == safe.escape(text)


def test_a_mark_covers_exactly_its_range() -> None:
    inner = re.findall(r"<mark[^>]*>(.*?)</mark>", safe.marked("收入 1,476.94亿元 &", [(3, 13)]))
    assert inner == ["1,476.94亿元"[:10]]


def test_only_markup_of_ours_is_rendered() -> None:
    with pytest.raises(TypeError, match="only Markup"):
        safe.render("<b>text</b>")  # type: ignore[arg-type]


def test_a_table_escapes_cells_heads_and_caption() -> None:
    made = safe.table(['<i>h"</i>'], [["<img src=x>"]], caption='"><script>')
    assert "<img" not in made
    assert "<script" not in made
    assert "<i>" not in made
