from __future__ import annotations

import pandas as pd
import pytest

from ragdash.charts import funnel

MODES = ("dense", "hybrid")
KEPT = pd.DataFrame(
    [
        {"step": step, "mode": mode, "k": k, "n": 52, "share": k / 52, "low": 0.1, "high": 0.9,
         "short": f"{k}/52", "place": f"{step} {mode}"}
        for step, mode, k in (("Indexed", "dense", 50), ("被回答采用", "dense", 31),
                              ("Indexed", "hybrid", 48))
    ]
)  # fmt: skip
LOST = pd.DataFrame(
    [
        {"step": step, "mode": mode, "n": n, "short": str(n), "place": f"{step} {mode}"}
        for step, mode, n in (("Indexed", "dense", 2), ("被回答采用", "dense", 0),
                              ("Indexed", "hybrid", 4))
    ]
)  # fmt: skip
WORDS = {"axis": "Share", "k": "k", "description": "Bars. {items}."}


def grid(shares: tuple[float, ...], *, own: bool = True) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"row": "1:1", "rrf_k": at, "share": share, "own": own and at == 1,
             "text": f"{share:.2f}", "tip": f"k {at}: {share:.2f}"}
            for at, share in enumerate(shares)
        ]
    )  # fmt: skip


def test_alt_texts_hold_every_value() -> None:
    kept = funnel.kept(KEPT, MODES, WORDS).to_dict()["description"]
    assert "Indexed dense 50/52 (0.96; 0.10–0.90)" in kept
    assert "被回答采用 dense 31/52 (0.60; 0.10–0.90)" in kept
    lost = funnel.lost(LOST, MODES, WORDS).to_dict()["description"]
    assert lost == "Bars. Indexed dense 2; 被回答采用 dense 0; Indexed hybrid 4."
    drawn = funnel.grid(grid((0.5, 0.75)), ["1:1"], WORDS, dark=False).to_dict()["description"]
    assert "k 0: 0.50; k 1: 0.75" in drawn


def test_every_bar_has_its_value_on_it_and_opens_its_own_place() -> None:
    for chart, pick in (
        (funnel.kept(KEPT, MODES, WORDS), funnel.KEPT_PICK),
        (funnel.lost(LOST, MODES, WORDS), funnel.LOST_PICK),
    ):
        made = chart.to_dict()
        bars, texts = made["layer"]
        assert texts["encoding"]["text"]["field"] == "short"
        assert texts["mark"]["color"] == "currentColor"
        assert bars["encoding"]["color"]["scale"]["domain"] == list(MODES)
        (chosen,) = made["params"]
        assert (chosen["name"], chosen["select"]["fields"]) == (pick, [funnel.FIELD])


def test_bars_without_any_loss_still_have_an_axis() -> None:
    none = LOST.assign(n=0, short="0")
    made = funnel.lost(none, MODES, WORDS).to_dict()
    assert made["layer"][0]["encoding"]["x"]["scale"]["domain"] == [0, pytest.approx(1.12)]


@pytest.mark.parametrize("dark", [False, True])
def test_a_grid_colours_its_own_range_and_frames_the_runs_setting(dark: bool) -> None:
    made = funnel.grid(grid((0.5, 0.75)), ["1:1"], WORDS, dark=dark).to_dict()
    assert made["layer"][0]["encoding"]["color"]["scale"]["domain"] == [0.5, 0.75]
    assert len(made["layer"]) == 3
    flat = funnel.grid(grid((0.5, 0.5), own=False), ["1:1"], WORDS, dark=dark).to_dict()
    assert flat["layer"][0]["encoding"]["color"]["scale"]["domain"] == [0, 1]
    # A layer without a mark would be a picture without words to a screen reader.
    assert len(flat["layer"]) == 2
