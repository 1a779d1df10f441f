from __future__ import annotations

import pytest

from ragdash.check import check_refusals
from ragdash.check.refusals import judge_line
from ragdash.core.errors import InputError


@pytest.mark.parametrize(
    ("text", "is_refusal", "fixed_text", "with_answer"),
    [
        ("未在所给资料中检索到", True, True, False),
        ("Not found in the provided filings.", True, True, False),
        ("根据所给资料，无法确定该公司2023年的营业收入。", True, False, False),
        ("The filings provided do not disclose this figure.", True, False, False),
        ("营业收入为883.20亿元。", False, False, False),
        ("Revenue was $88.32 billion.", False, False, False),
        ("未在所给资料中检索到，但营业收入应为883.20亿元。", False, True, True),
        ("Not found in the provided filings, but revenue was $88.32 billion.", False, True, True),
    ],
)
def test_three_questions_are_answered_apart(text, is_refusal, fixed_text, with_answer) -> None:
    assert judge_line({"id": "a", "text": text}) == {
        "is_refusal": is_refusal,
        "fixed_text": fixed_text,
        "refusal_with_answer": with_answer,
    }


@pytest.mark.parametrize(
    ("text", "named"), [("", "no_output"), (" \n", "no_output"), (None, "missing"), (3, "is 3")]
)
def test_a_text_that_is_none_is_neither_answer_nor_refusal(text, named) -> None:
    with pytest.raises(InputError, match=named):
        check_refusals(text)
