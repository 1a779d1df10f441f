from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.amounts.nothing import nothing_stated


@pytest.mark.parametrize(
    "answer",
    [
        "There were no impairment charges in 2022.",
        "The company did not pay any dividends.",
        "No inventory write-downs were recorded.",
        "Goodwill impairment: none.",
        "| Dividends | — |",
        "None.",
        "本期无商誉减值损失。",
        "本期無商譽減值損失。",
        "公司没有发生资产减值损失。",
        "不存在对外担保。",
        "商誉减值损失：无",
    ],
)
def test_nothing_in_words_is_a_zero_with_its_place_in_the_answer(answer: str) -> None:
    nothing = nothing_stated(answer)
    assert nothing is not None
    assert nothing.value == 0
    assert answer[slice(*nothing.span)] == nothing.text


@pytest.mark.parametrize(
    "answer",
    [
        "No information on impairment charges is available.",
        "The report has no data about dividends.",
        "It does not disclose any dividends.",
        "There is no mention of an impairment.",
        "没有披露商誉减值损失。",
        "无法确定商誉减值损失。",
        "没有找到分红的数据。",
        "无形资产减值损失见附注。",
        "Impairment charges were $3 million.",
    ],
)
def test_what_a_report_does_not_say_is_not_nothing(answer: str) -> None:
    assert nothing_stated(answer) is None


@given(st.text("无没有未计提商誉减值损失披露 no impairment|:—。,\n", max_size=120))
def test_no_text_makes_it_raise(text: str) -> None:
    nothing = nothing_stated(text)
    assert nothing is None or text[slice(*nothing.span)] == nothing.text
