from __future__ import annotations

import json
import re
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.charts import question

Spec = dict[str, Any]
WORDS = {
    **{stage: stage.upper() for stage in question.STAGES},
    **{name: name for name in ("axis", "gold", "rank", "source", "stage", "chunk", "cut")},
    "missing": "not returned",
    "n_missing": "{n} not returned",
    "description": "{n} candidates, cut at {k}: {items}. {missing}",
}


def candidates(n: int, *, gold: tuple[int, ...] = (), stages: str = "dbf") -> pd.DataFrame:
    """n candidates by final rank; BM25 returned every second, and there is no rerank."""
    rows = [
        {
            "source": f"贵州茅台 · 2023年报 · P{i}",
            "chunk_id": f"doc#p{i}c1",
            "is_gold": i in gold,
            "in_context": i <= 5,
            "dense_rank": n + 1 - i if "d" in stages else None,
            "bm25_rank": i // 2 if "b" in stages and i % 2 == 0 else None,
            "fused_rank": i if "f" in stages else None,
            "rerank_rank": None,
            "final_rank": i,
        }
        for i in range(1, n + 1)
    ]
    frame = pd.DataFrame(rows)
    for stage in ("dense", "bm25", "fused", "rerank"):
        frame[f"{stage}_rank"] = frame[f"{stage}_rank"].astype("Int64")
    return frame


def drawn(frame: pd.DataFrame, *, dark: bool = False, top_k: int = 5) -> Spec:
    return question.bump(frame, top_k, WORDS, dark=dark).to_dict()


def points(chart: Spec) -> list[Spec]:
    return max(chart["datasets"].values(), key=len)


def marks(chart: Spec) -> list[Spec]:
    return [layer["mark"] for layer in chart["layer"] if "mark" in layer]


def test_every_candidate_has_a_point_at_every_stage_that_the_mode_has() -> None:
    found = [row for row in points(drawn(candidates(50, gold=(20,)))) if not row["gold"]]
    assert {row["stage"] for row in found} == {"DENSE", "BM25", "FUSED", "FINAL"}
    assert len({row["chunk"] for row in found}) == 49
    assert len(found) == 49 * 4


def test_a_stage_that_returned_nothing_is_not_drawn() -> None:
    assert question.stages(candidates(10, stages="d")) == ("dense", "final")


def test_what_a_stage_did_not_return_lies_below_all_ranks_and_is_marked_missing() -> None:
    found = points(drawn(candidates(40)))
    missing = [row for row in found if row["missing"]]
    assert len(missing) == 20
    assert {row["said"] for row in missing} == {"not returned"}
    deepest = max(row["rank"] for row in found if not row["missing"])
    assert min(row["rank"] for row in missing) > deepest


@given(n=st.integers(1, 60), top_k=st.integers(1, 70))
def test_the_cut_lies_between_the_last_rank_that_is_seen_and_the_next(n: int, top_k: int) -> None:
    chart = drawn(candidates(n), top_k=top_k)
    text = json.dumps(chart)
    cut = [row["rank"] for rows in chart["datasets"].values() for row in rows if "low" in row]
    assert cut == [top_k + 0.5]
    assert f"datum.value == {top_k + 0.5}" in text
    low, high = chart["layer"][1]["encoding"]["y"]["scale"]["domain"]
    assert low > top_k + 0.5 > high


def test_gold_is_bold_and_carries_its_ranks() -> None:
    chart = drawn(candidates(50, gold=(8, 20)))
    widths = [m["strokeWidth"] for m in marks(chart) if m["type"] == "line"]
    assert max(widths) >= 3 * min(widths)
    texts = [x for x in chart["layer"] if x.get("mark", {}).get("type") == "text"]
    ranks = chart["datasets"][texts[0]["data"]["name"]]
    assert {row["said"] for row in ranks if row["stage"] == "FINAL"} == {"8", "20"}


def test_alt_text_tells_the_gold_stage_by_stage_and_what_is_missing() -> None:
    told = drawn(candidates(50, gold=(21,)))["description"]
    assert "gold 贵州茅台 · 2023年报 · P21: DENSE 30, BM25 not returned, FUSED 21, FINAL 21" in told
    assert "50 candidates, cut at 5" in told
    assert "贵州茅台 · 2023年报 · P1: DENSE 50" in told
    assert "BM25 25 not returned" in told
    assert len(told) < 2_000


@pytest.mark.parametrize("dark", [False, True])
def test_no_ink_is_that_of_the_other_theme(dark: bool) -> None:
    text = json.dumps(drawn(candidates(30, gold=(9,)), dark=dark))
    inks = set(re.findall(r"#[0-9A-F]{6}", text))
    other = set(
        re.findall(r"#[0-9A-F]{6}", json.dumps(drawn(candidates(30, gold=(9,)), dark=not dark)))
    )
    assert inks
    assert not inks & other


@pytest.mark.parametrize("gold", [(), (1,), (1, 2, 3, 4)])
@pytest.mark.parametrize("stages", ["d", "df", "dbf"])
def test_no_layer_is_without_a_mark(gold: tuple[int, ...], stages: str) -> None:
    chart = drawn(candidates(4, gold=gold, stages=stages))
    assert all(chart["datasets"].values())


def test_one_candidate_and_a_top_k_beyond_it_make_a_chart() -> None:
    chart = drawn(candidates(1, gold=(1,), stages="d"))
    assert chart["description"].startswith("1 candidates")


def test_words_with_quotes_and_braces_stay_words() -> None:
    frame = candidates(3)
    frame["source"] = ['"; {0} ${datum}', "a'b", "{items}"]
    words = {**WORDS, "missing": 'no "rank" {here}'}
    chart = question.bump(frame, 5, words, dark=False).to_dict()
    assert '"; {0} ${datum}' in chart["description"]
    # As one string of the expression, whatever is in it.
    assert json.dumps(json.dumps('no "rank" {here}'))[1:-1] in json.dumps(chart["layer"][1])
