"""Does a text decline to answer: in which words, and does it state a figure all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.check.fields import judged_text
from ragdash.contract import Refusal, read_refusal

if TYPE_CHECKING:
    from collections.abc import Mapping


def check_refusals(text: str) -> Refusal:
    """Return whether an answer is a refusal, uses the fixed sentence, and states a figure.

    The three are independent questions. `is_refusal`: it declines in any wording, Chinese or
    English, and states no figure as the answer. `fixed_text`: the contract's sentence stands in
    it, which is 未在所给资料中检索到 or "Not found in the provided filings". `refusal_with_answer`:
    it declines and states a figure all the same, which is an answer and a breach of the contract.

        >>> check_refusals("The filings do not disclose this figure.").is_refusal
        True

    Source: the project's metric definitions, section 2 (refusal), and contract, section 3.

    Raises:
        InputError: the text is empty, which is neither an answer nor a refusal.
    """
    return read_refusal(judged_text(text, "text"))


def judge_line(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `check refusals` prints for one line, its id left out."""
    read = check_refusals(row.get("text"))  # type: ignore[arg-type]
    return {
        "is_refusal": read.is_refusal,
        "fixed_text": read.fixed_text,
        "refusal_with_answer": read.refusal_with_answer,
    }
