from __future__ import annotations

import pandas as pd
import pytest

from ragdash.charts.triage import FIELD, PICK, layers

WORDS = {"axis": "题数", "rule": "规则", "person": "人工", "description": "按层：{items}。"}
ROWS = [
    ("recall", "召回", "规则", 3),
    ("ranking", "排序", "规则", 4),
    ("ranking", "排序", "人工", 2),
]


@pytest.fixture
def spec() -> dict:
    frame = pd.DataFrame(ROWS, columns=["layer", "name", "who", "n"])
    return layers(frame, ["召回", "排序"], WORDS).to_dict()


def test_the_alt_text_holds_every_bar_with_its_whole_count(spec: dict) -> None:
    assert spec["description"] in ("按层：召回 3; 排序 6。", "按层：排序 6; 召回 3。")


def test_a_bar_is_picked_by_the_code_of_its_layer(spec: dict) -> None:
    (selection,) = [p for p in spec["params"] if p["name"] == PICK]
    assert selection["select"]["fields"] == [FIELD]
    data = [row for rows in spec["datasets"].values() for row in rows if "who" in row]
    assert {row[FIELD] for row in data} == {"recall", "ranking"}


def test_every_layer_has_a_label_and_text_follows_the_theme(spec: dict) -> None:
    bars, labels = spec["layer"]
    assert bars["encoding"]["y"]["axis"]["labelOverlap"] is False
    assert labels["mark"]["color"] == "currentColor"
    assert spec["height"] > 2 * 30
