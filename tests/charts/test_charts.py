from __future__ import annotations

import json
import re

import pandas as pd
import pytest

from ragdash.charts import attacks, compare

WORDS = {"axis": "Share", "description": "Bars. {items}."}
RATES = pd.DataFrame(
    [
        {"policy": "baseline", "measure": "Unsafe action", "k": 3, "n": 6, "rate": 0.5},
        {"policy": "defended", "measure": "Unsafe action", "k": 0, "n": 6, "rate": 0.0},
        {"policy": "拒答{0}", "measure": "不安全动作", "k": 1, "n": 6, "rate": 1 / 6},
    ]
)
SHARES = pd.DataFrame(
    [
        {"metric": "Answer accuracy", "mode": m, "k": k, "n": 6, "rate": k / 6, "low": 0.44,
         "high": 0.97, "short": f"{k}/6"}
        for m, k in (("dense", 5), ("hybrid", 5), ("rerank", 6))
    ]
)  # fmt: skip


def test_alt_text_holds_every_value_of_the_failure_chart() -> None:
    chart = attacks.failures(RATES, ["baseline", "defended"], WORDS, dark=False).to_dict()
    assert "baseline Unsafe action 0.50 (3/6)" in chart["description"]
    assert "defended Unsafe action 0.00 (0/6)" in chart["description"]
    assert "拒答{0} 不安全动作 0.17 (1/6)" in chart["description"]


def test_alt_text_holds_every_value_of_the_share_chart() -> None:
    chart = compare.shares(SHARES, ["dense", "hybrid", "rerank"], WORDS).to_dict()
    for text in ("dense 5/6 (0.83; 0.44–0.97)", "rerank 6/6 (1.00; 0.44–0.97)"):
        assert text in chart["description"]


@pytest.mark.parametrize("dark", [False, True])
def test_written_labels_take_the_colour_of_the_page(dark: bool) -> None:
    charts = (
        attacks.failures(RATES, ["baseline"], WORDS, dark=dark),
        attacks.abstention(RATES, ["baseline"], WORDS),
        compare.shares(SHARES, ["dense", "hybrid", "rerank"], WORDS),
    )
    for chart in charts:
        texts = [x for x in chart.to_dict()["layer"] if x["mark"]["type"] == "text"]
        assert texts
        assert all("currentColor" in json.dumps(x) for x in texts)


def test_abstention_is_slate_and_has_no_legend_with_failures() -> None:
    cost = json.dumps(attacks.abstention(RATES, ["baseline"], WORDS).to_dict())
    assert attacks.SLATE in cost
    assert '"color": {"field"' not in cost
    failing = json.dumps(attacks.failures(RATES, ["baseline"], WORDS, dark=False).to_dict())
    assert attacks.SLATE not in failing


def test_no_chart_names_black_white_or_a_remote_address() -> None:
    for chart in (
        attacks.failures(RATES, ["baseline"], WORDS, dark=True),
        compare.shares(SHARES, ["dense", "hybrid", "rerank"], WORDS),
    ):
        spec = {k: v for k, v in chart.to_dict().items() if k != "$schema"}
        assert not re.search(r"#000|#fff\b|black|white|https?://", json.dumps(spec).lower())


def test_mode_colours_follow_the_order_of_the_run() -> None:
    spec = compare.shares(SHARES, ["rerank", "dense", "hybrid"], WORDS).to_dict()
    domains = [x["encoding"]["color"]["scale"]["domain"] for x in spec["layer"][:2]]
    assert domains == [["rerank", "dense", "hybrid"]] * 2
