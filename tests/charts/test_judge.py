from __future__ import annotations

import pandas as pd
import pytest

from ragdash.charts import judge

FRAME = pd.DataFrame(
    [
        {"bin": name, "mode": mode, "n": n, "label": str(n) if n else ""}
        for name, mode, n in (("0", "dense", 4), ("≤ 0.1", "dense", 0), ("0", "混合", 7))
    ]
)
WORDS = {"x": "sd", "y": "questions", "description": "Columns: {items}."}


def test_alt_text_holds_every_bin_of_every_mode() -> None:
    made = judge.spread(FRAME, ["dense", "混合"], WORDS).to_dict()
    assert made["description"] == "Columns: 0 dense 4; ≤ 0.1 dense 0; 0 混合 7."


def test_columns_carry_their_count_in_the_colour_of_the_page() -> None:
    bars, texts = judge.spread(FRAME, ["dense", "混合"], WORDS).to_dict()["layer"]
    assert texts["mark"]["color"] == "currentColor"
    assert texts["encoding"]["text"]["field"] == "label"
    assert bars["encoding"]["color"]["scale"]["domain"] == ["dense", "混合"]
    assert bars["encoding"]["y"]["scale"]["domain"] == [0, pytest.approx(7 * 1.12)]


def test_columns_without_any_question_still_have_an_axis() -> None:
    made = judge.spread(FRAME.assign(n=0), ["dense"], WORDS).to_dict()
    assert made["layer"][0]["encoding"]["y"]["scale"]["domain"][1] > 0
