"""The table that ends a run: k/n first, what is missing is missing, signals apart from gates."""

from __future__ import annotations

from ragdash.cli.mode_table import mode_table
from ragdash.core.retrieval import Mode
from ragdash.metrics import METRICS
from ragdash.store.summary import MetricSummary

MODES = (Mode.DENSE, Mode.HYBRID)


def row(table: str, name: str) -> str:
    return next(line for line in table.splitlines() if f" {name}" in line)


def test_a_zero_or_one_metric_is_k_of_n_with_what_was_left_out() -> None:
    summary = MetricSummary("dense", "answer_accuracy", 0.5, 2, 4, 3, 1, 1, 0.4, 0.6)
    line = row(mode_table(MODES, [summary], {}), "answer_accuracy")
    assert "2/4 0.50 (3 unscored) (1 errors)" in line


def test_a_graded_metric_is_its_mean_with_n() -> None:
    summary = MetricSummary("hybrid", "mrr", 0.625, None, 8, 0, 0, 0, 0.625, 0.625)
    line = row(mode_table(MODES, [summary], {}), "mrr")
    assert "0.62 n=8" in line
    assert line.split()[2] == "-"


def test_nothing_scored_is_a_dash_and_never_a_zero() -> None:
    summary = MetricSummary("dense", "caliber", None, None, 0, 5, 0, 0, None, None)
    line = row(mode_table(MODES, [summary], {}), "caliber")
    assert "- (5 unscored)" in line
    assert "0.0" not in line


def test_every_metric_has_a_line_and_signals_say_what_they_are() -> None:
    tried = [MetricSummary("dense", m.name, None, None, 0, 0, 0, 1, 0.0, 1.0) for m in METRICS]
    table = mode_table(MODES, tried, {})
    for metric in METRICS:
        assert "(1 errors)" in row(table, metric.name)
    assert "similarity, not entailment" in table
    assert "not judged" not in table
    assert "over_refusal (cost)" in table


def test_signals_that_nobody_gave_are_one_line_that_says_so() -> None:
    asked = [MetricSummary("dense", m.name, None, None, 0, 9, 0, 0, None, None) for m in METRICS]
    table = mode_table(MODES, asked, {})
    assert table.count("not judged") == 2
    assert not [line for line in table.splitlines() if "faithfulness" in line]
    assert "- (9 unscored)" in row(table, "answer_accuracy")


def test_outcomes_are_counted_per_mode() -> None:
    table = mode_table(MODES, [], {("dense", "correct"): 3, ("hybrid", "abstained_right"): 2})
    assert row(table, "correct").split() == ["correct", "3", "0"]
    assert row(table, "abstained_right").split() == ["abstained_right", "0", "2"]
