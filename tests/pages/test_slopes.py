from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from streamlit.testing.v1 import AppTest


@pytest.mark.parametrize(("lang", "words"), [("en", "regressed"), ("zh", "变差")])
def test_compare_draws_where_the_gold_chunk_went_with_its_values_as_alt_text(
    filled: Path, open_page: Callable[..., AppTest], lang: str, words: str
) -> None:
    at = open_page(filled, "compare", lang=lang)
    assert not at.exception
    specs = [json.loads(chart.proto.spec) for chart in at.get("vega_lite_chart")]
    drawn = [spec for spec in specs if "q03" in spec.get("description", "")]
    assert drawn
    assert f"q03 {words}, dense " in drawn[0]["description"]
