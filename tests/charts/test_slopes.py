from __future__ import annotations

from math import nan

import pandas as pd
import pytest

from ragdash.charts import slopes

WORDS = {
    "rank": "Final rank", "none": "not found", "cut": "the model sees the first 5",
    "regressed": "变差", "improved": "变好", "description": "Slopes. {items}.",
}  # fmt: skip
MOVES = pd.DataFrame(
    [
        ("q01", "变差", 2.0, 14.0),
        ("题{0}", "变好", nan, 1.0),
        ("q:[3]", "变差", 1.0, nan),
    ],
    columns=["question", "change", "before", "after"],
)


def spec(frame: pd.DataFrame = MOVES, *, dark: bool = False) -> dict:
    found: dict = slopes.slopes(frame, ("dense", "hybrid"), WORDS, top_k=5, dark=dark).to_dict()
    return found


def data(chart: dict) -> list[dict]:
    return [row for rows in chart["datasets"].values() for row in rows]


def test_alt_text_holds_every_line_and_says_where_nothing_was_found() -> None:
    assert spec()["description"] == (
        "Slopes. q01 变差, dense 2, hybrid 14; 题{0} 变好, dense not found, hybrid 1; "
        "q:[3] 变差, dense 1, hybrid not found."
    )


def test_what_was_not_found_stands_below_every_rank_and_nothing_is_nan() -> None:
    ends = [row for row in data(spec()) if "question" in row]
    ranks = {(row["question"], row["side"]): row["rank"] for row in ends}
    assert ranks["q01", "hybrid"] == 14
    assert ranks["题{0}", "dense"] == ranks["q:[3]", "hybrid"] > 14
    assert all(row["rank"] is not None for row in ends)


def test_only_few_lines_are_named_and_a_click_picks_one() -> None:
    many = pd.concat(
        [MOVES.assign(question=[f"{i}-{q}" for q in MOVES["question"]]) for i in range(9)]
    )
    named = [layer for layer in spec()["layer"] if layer["mark"]["type"] == "text"]
    assert [p["name"] for p in spec()["params"]] == [slopes.PICK]
    assert named[-1]["transform"] == [{"filter": {"field": "side", "oneOf": ["hybrid"]}}]
    crowded = [layer for layer in spec(many)["layer"] if layer["mark"]["type"] == "text"]
    assert crowded[-1]["transform"] == [{"filter": {"field": "side", "oneOf": []}}]


@pytest.mark.parametrize("dark", [False, True])
def test_a_change_differs_by_dash_as_well_as_by_colour(dark: bool) -> None:
    line = next(layer for layer in spec(dark=dark)["layer"] if layer["mark"]["type"] == "line")
    dashes = line["encoding"]["strokeDash"]["scale"]["range"]
    colours = line["encoding"]["color"]["scale"]["range"]
    assert len({tuple(dash) for dash in dashes}) == len(set(colours)) == 2


def test_no_rank_on_either_side_is_drawn_and_not_an_error() -> None:
    nowhere = MOVES.assign(before=nan, after=nan)
    assert "dense not found, hybrid not found" in spec(nowhere)["description"]
