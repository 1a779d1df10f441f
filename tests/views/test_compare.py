from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from ragdash.compare.paired import Test as Kind
from ragdash.core.score import MetricKind
from ragdash.store.effective import NOBODY
from ragdash.views import compare

if TYPE_CHECKING:
    from types import ModuleType

    from ragdash.views.query import Cursor

MODES = ("dense", "hybrid", "rerank")


def row(cursor: Cursor, name: str, base: str = "dense") -> compare.MetricRow:
    return next(r for r in compare.metric_rows(cursor, MODES, base, NOBODY) if r.name == name)


def test_k_of_n_equals_a_count_over_the_fates(cursor: Cursor, rich: ModuleType) -> None:
    cells = row(cursor, "answer_accuracy").cells
    for mode, cell in zip(rich.MODES, cells, strict=True):
        scored = [fate for fate in rich.FATES[mode] if fate in "cwo"]
        assert (cell.k, cell.n) == (scored.count("c"), len(scored))
        assert cell.errors == rich.FATES[mode].count("e")


def test_errors_give_both_bounds_and_are_never_a_zero(cursor: Cursor) -> None:
    dense = row(cursor, "answer_accuracy").cells[0]
    assert (dense.k, dense.n, dense.errors) == (2, 4, 1)
    assert (dense.value, dense.low, dense.high) == (0.5, 2 / 5, 3 / 5)
    hybrid = row(cursor, "answer_accuracy").cells[1]
    assert (hybrid.low, hybrid.high) == (None, None)


def test_a_difference_is_paired_on_the_same_questions(cursor: Cursor) -> None:
    base, hybrid, rerank = row(cursor, "answer_accuracy").cells
    assert base.pair is None
    assert hybrid.pair
    assert (hybrid.pair.improved, hybrid.pair.regressed) == (("q02",), ("q03",))
    assert rerank.pair
    assert rerank.pair.delta == pytest.approx(0.5)


def test_another_base_turns_the_difference_round(cursor: Cursor) -> None:
    dense = row(cursor, "answer_accuracy", base="rerank").cells[0]
    assert dense.pair
    assert dense.pair.delta == pytest.approx(-0.5)


def test_kinds_come_from_the_metrics_and_graded_ones_have_no_k(cursor: Cursor) -> None:
    signal = row(cursor, "faithfulness_similarity")
    assert signal.kind is MetricKind.SIGNAL
    assert signal.graded
    assert all(cell.k is None for cell in signal.cells)
    assert all(cell.interval is None for cell in signal.cells)
    assert row(cursor, "answer_accuracy").kind is MetricKind.GATE


def test_outcomes_equal_the_fates(cursor: Cursor, rich: ModuleType) -> None:
    counts = compare.outcome_counts(cursor, NOBODY)
    for mode in rich.MODES:
        expected = Counter(rich.OUTCOMES[fate].value for fate in rich.FATES[mode])
        assert counts[mode] == expected


def test_layers_count_each_failed_question_once(cursor: Cursor, rich: ModuleType) -> None:
    counts = compare.layer_counts(cursor, NOBODY)
    for mode in rich.MODES:
        failed = Counter(rich.LAYERS[f].value for f in rich.FATES[mode] if f in rich.LAYERS)
        assert {layer: n for (layer, m), n in counts.items() if m == mode} == failed


def test_refusals_are_split_by_where_the_evidence_was(cursor: Cursor) -> None:
    cells = {(c.mode, c.evidence): (c.refused, c.answered) for c in compare.refusal_table(cursor)}
    assert cells["dense", "not_in_corpus"] == (1, 0)
    assert cells["dense", "in_corpus"] == (1, 0)
    assert cells["dense", "visible"] == (0, 3)


def test_a_signal_has_no_p_where_nobody_knows_how_far_it_would_move(cursor: Cursor) -> None:
    for cell in row(cursor, "faithfulness_similarity").cells[1:]:
        assert cell.pair
        assert cell.pair.test is Kind.UNTESTED
        assert (cell.pair.p, cell.pair.p_holm, cell.pair.needed) == (None, None, None)
        assert cell.pair.delta is not None
        assert not cell.pair.separated


def test_a_judge_asked_again_has_a_p_beside_its_noise(judged_cursor: Cursor) -> None:
    found = compare.metric_rows(judged_cursor, ("dense", "hybrid"), "dense", NOBODY)
    cell = next(r for r in found if r.name == "faithfulness").cells[1]
    assert cell.noise
    assert cell.noise.se is not None
    assert cell.pair
    assert cell.pair.test is Kind.SIGN_FLIP
    assert cell.pair.p is not None


def test_gates_are_told_apart_from_what_a_model_says() -> None:
    assert compare.deterministic("numeric_accuracy") == "yes"
    assert compare.deterministic("caliber") == "partly"
    assert compare.deterministic("faithfulness") == "no"
    assert compare.deterministic("of a newer version") == "no"


def test_holm_counts_the_pairs_of_all_tables_shown_together(cursor: Cursor) -> None:
    columns = [compare.Column(mode, cursor, mode, NOBODY) for mode in MODES]
    one = compare.table(columns, "dense", lambda *_: True)
    together = compare.adjusted([one, one])
    for table in together:
        pairs = [c.pair for c in table[0].cells if c.pair]
        assert [p.p_holm for p in pairs] == pytest.approx([min(1.0, 4 * (p.p or 0)) for p in pairs])


def test_a_metric_that_may_not_be_paired_stands_without_a_difference(cursor: Cursor) -> None:
    columns = [compare.Column(mode, cursor, mode, NOBODY) for mode in MODES]
    found = compare.table(columns, "dense", lambda _, name: name == "rerank")
    for one in found:
        assert [cell.pair is not None for cell in one.cells] == [False, False, True]
