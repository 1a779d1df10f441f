"""A quote is found in any width, spacing and punctuation, and never in half a number."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.metrics.quotes import occurs, plain

ZH = (
    "单位：万元\n项目 | 2023年 | 2022年\n营业收入 | 14,769,360.50 | 12,409,984.38\n"
    "净利润（亏损）下降，门店数2022、2023。15家为直营"
)
EN = (
    "(In millions)\n | 2023, 2022 and 2021\nNet sales | $ 383,285 | $ 394,328\n"
    "It grew by 1.5% “again”. We opened stores in 2024. 15 were closed."
)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("营业收入 | 14,769,360.50", ZH),
        ("营业收入14，769，360.50", ZH),
        ("营业收入　１４,７６９,３６０.５０", ZH),
        ("单位: 万元 项目", ZH),
        ("净利润(亏损)下降。", ZH),
        ("“营业收入”", ZH),
        ("14,769,360.50 12,409,984.38", ZH),
        ("net sales $383,285 | $394,328", EN),
        ("NET SALES", EN),
        ("**Net sales** | $ 383,285", EN),
        ("2023, 2022", EN),
        ("2023", EN),
        ("opened stores in 2024", EN),
        ("15 were closed", EN),
        ("门店数2022", ZH),
        ("15家为直营", ZH),
        ('It grew by 1.5% "again"', EN),
    ],
)
def test_a_quote_with_other_marks_is_found(quote, text) -> None:
    assert occurs(quote, text)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("769,360.50", ZH),
        ("14,769,360", ZH),
        ("14,769,360.5", ZH),
        ("营业收入为14,769,360.50", ZH),
        ("14769360.50", ZH),
        ("", ZH),
        ("…", ZH),
        ("。", ZH),
        ("383,28", EN),
        ("grew by 15%", EN),
        ("5%", EN),
        ("20232022", EN),
        ("Net sales ... $ 394,328", EN),
    ],
)
def test_another_text_or_half_a_number_is_not(quote, text) -> None:
    assert not occurs(quote, text)


def test_a_quote_that_is_too_short_proves_nothing() -> None:
    assert occurs("元", ZH)
    assert not occurs("元", ZH, least=4)
    assert occurs("营业收入", ZH, least=4)


@given(st.text(), st.text(), st.text())
def test_plain_and_occurs_take_any_text(before, quote, after) -> None:
    plain(before)
    occurs(quote, before + quote + after)


WORD = st.sampled_from(["营业收入", "net sales", "1,476.94", "15", "(1.5)%", "2023年", "，", "."])


@settings(max_examples=500)
@given(st.lists(WORD, max_size=6), st.lists(WORD, min_size=1, max_size=4), st.lists(WORD))
def test_a_run_of_words_copied_from_a_text_is_found_in_it(before, quote, after) -> None:
    text = " | ".join([*before, *quote, *after])
    assert occurs(" | ".join(quote), text) == any(c.isalnum() for c in "".join(quote))
