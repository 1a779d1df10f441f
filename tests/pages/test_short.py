from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest


def page(at: AppTest) -> str:
    return "\n".join(str(one.value) for one in at.get("html"))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_share_of_compare_opens_the_questions_it_leaves_out(
    filled: Path, rich: ModuleType, open_page: Callable[..., AppTest], lang: str
) -> None:
    shown = html.unescape(page(open_page(filled, "compare", lang=lang)))
    found = re.search(
        rf'triage\?run={rich.RUN}(?::|%3A)hybrid&short=answer_accuracy[^"]*"[^>]*>(\d+)/(\d+)',
        shown,
    )
    assert found is not None
    right, scored = int(found[1]), int(found[2])
    at = open_page(filled, "triage", run=f"{rich.RUN}:hybrid", short="answer_accuracy", lang=lang)
    assert not at.exception
    told = {"en": f"{scored - right} of 6 questions", "zh": f"6 题中的 {scored - right} 题"}
    assert told[lang] in [one.value for one in at.text]


def test_a_metric_that_does_not_exist_is_noted(
    filled: Path, open_page: Callable[..., AppTest]
) -> None:
    at = open_page(filled, "triage", short="no_such_metric")
    assert not at.exception
    assert len(at.warning) == 1
