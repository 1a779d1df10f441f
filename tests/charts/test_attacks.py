from __future__ import annotations

import json
import re

import pandas as pd
import pytest

from ragdash.charts import attacks

WORDS = {
    "axis": "Share",
    "threshold": "Threshold",
    "at": "0.4",
    "description": "Chart. {items}.",
}
CLASSES = pd.DataFrame(
    [
        {"policy": p, "class": c, "k": k, "n": 4, "rate": k / 4, "low": 0.0, "high": 0.6}
        for p, c, k in (
            ("baseline", "plain injection", 4),
            ("layered", "plain injection", 0),
            ("baseline", "隐藏标记", 2),
        )
    ]
)
SWEPT = pd.DataFrame(
    [
        {"policy": "baseline", "threshold": t, "k": k, "n": 6, "rate": k / 6}
        for t, k in ((0.1, 2), (0.2, 2), (0.3, 3), (0.4, 4))
    ]
)
COSTS = pd.DataFrame(
    [
        {"policy": p, "measure": m, "k": 1, "n": 5, "rate": 0.2, "low": 0.04, "high": 0.62}
        for p in ("defended", "layered")
        for m in ("Over-abstention", "Correct abstention")
    ]
)


@pytest.mark.parametrize("dark", [False, True])
def test_the_class_chart_says_every_cell_with_its_interval(dark: bool) -> None:
    chart = attacks.by_class(CLASSES, ["baseline", "layered"], WORDS, dark=dark).to_dict()
    said = chart["description"]
    assert "plain injection: baseline 1.00 (4/4; 0.00–0.60), layered 0.00 (0/4; 0.00–0.60)" in said
    assert "隐藏标记: baseline 0.50 (2/4; 0.00–0.60)" in said
    text = next(layer for layer in chart["layer"] if layer["mark"]["type"] == "text")
    assert text["mark"]["color"] == "currentColor"


def test_the_alt_text_of_the_sweep_names_the_thresholds_where_a_count_changes() -> None:
    said = attacks.sweep(SWEPT, ["baseline"], WORDS, dark=False).to_dict()["description"]
    assert "baseline 2/6 ≥ 0.10, 3/6 ≥ 0.30, 4/6 ≥ 0.40" in said


def test_more_policies_than_colours_still_have_a_line_each() -> None:
    names = [f"p{i}" for i in range(12)]
    frame = pd.concat([SWEPT.assign(policy=name) for name in names])
    spec = json.dumps(attacks.sweep(frame, names, WORDS, dark=True).to_dict())
    assert json.loads(spec)["layer"][1]["encoding"]["color"]["scale"]["domain"] == names


def test_both_parts_of_abstention_are_slate_and_each_bar_says_its_own() -> None:
    spec = attacks.abstention(COSTS, ["defended", "layered"], WORDS).to_dict()
    bars = [layer["mark"] for layer in spec["layer"] if layer["mark"]["type"] == "bar"]
    assert {bar["stroke"] for bar in bars} == {attacks.SLATE}
    assert "Over-abstention 1/5" in json.dumps(spec)
    assert "layered Correct abstention 0.20 (1/5; 0.04–0.62)" in spec["description"]


def test_none_of_them_names_black_white_or_a_remote_address() -> None:
    for chart in (
        attacks.by_class(CLASSES, ["baseline", "layered"], WORDS, dark=True),
        attacks.sweep(SWEPT, ["baseline"], WORDS, dark=False),
        attacks.abstention(COSTS, ["defended", "layered"], WORDS),
    ):
        spec = {k: v for k, v in chart.to_dict().items() if k != "$schema"}
        assert not re.search(r"#000|#fff\b|black|white|https?://", json.dumps(spec).lower())
