from __future__ import annotations

import shutil
from collections import Counter
from contextlib import closing
from dataclasses import replace
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import duckdb
import pytest

from ragdash.compare.intervals import wilson
from ragdash.compare.noise import noise_between
from ragdash.core.answer import AnswerStatus
from ragdash.core.call import CallReason
from ragdash.core.retrieval import Mode
from ragdash.core.score import failed, scored, undefined
from ragdash.store.attach import attach
from ragdash.store.effective import NOBODY
from ragdash.store.journal import Journal
from ragdash.store.runfile import publish
from ragdash.views import compare, endpoints, judge
from ragdash.views.frame import facts

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.views.query import Cursor

MODES = ("dense", "hybrid")


def known(values: tuple[float | CallReason, ...]) -> list[float]:
    return [v for v in values if not isinstance(v, CallReason)]


def faithfulness(cursor: Cursor, base: str = "dense") -> tuple[judge.Judged, ...]:
    return next(m for m in judge.signals(cursor, MODES, base) if m.name == "faithfulness").modes


def test_every_judge_metric_is_there_and_no_other(judged_cursor: Cursor) -> None:
    names = [m.name for m in judge.signals(judged_cursor, MODES, "dense")]
    assert names == ["faithfulness", "answer_relevancy", "context_relevance"]


def test_repeats_are_no_extra_questions(judged_cursor: Cursor, judged: ModuleType) -> None:
    for mode, found in zip(judged.MODES, faithfulness(judged_cursor), strict=True):
        per_question = [fmean(known(v)) for v in judged.FAITHFULNESS[mode].values()]
        assert found.noise.mean == pytest.approx(fmean(per_question))
        assert (found.noise.n, found.total) == (len(per_question), 6)
        assert found.not_applicable == 2


def test_errors_are_counted_by_reason_and_a_missing_answer_is_no_error_of_the_judge(
    judged_cursor: Cursor,
) -> None:
    dense, hybrid = faithfulness(judged_cursor)
    assert dense.errors == {judge.NO_ANSWER: 3}
    assert hybrid.errors == {"timeout": 1, "invalid_json": 1}
    assert hybrid.tried == 12
    assert judge.failures(judged_cursor) == judge.Failures(2, 9 + 12 + 9 + 12 + 15 + 15)


def test_both_bounds_count_each_failed_repeat_as_0_and_as_1(
    judged_cursor: Cursor, judged: ModuleType
) -> None:
    hybrid = faithfulness(judged_cursor)[1]
    for put, bound in ((0.0, "low"), (1.0, "high")):
        filled = [
            [put if isinstance(v, CallReason) else v for v in values]
            for values in judged.FAITHFULNESS[judged.Mode.HYBRID].values()
        ]
        assert getattr(hybrid.bounds, bound) == pytest.approx(fmean(map(fmean, filled)))
    dense = faithfulness(judged_cursor)[0]
    assert dense.bounds
    # q05 has no answer: all three of its repeats are missing.
    assert (dense.bounds.low, dense.bounds.high) == (
        pytest.approx((1 + 1 + 2 / 3 + 0) / 4),
        pytest.approx((1 + 1 + 2 / 3 + 1) / 4),
    )


def test_the_spread_is_taken_per_question_and_a_flip_is_named(
    judged_cursor: Cursor, judged: ModuleType
) -> None:
    dense = faithfulness(judged_cursor)[0]
    sds = [stdev(values) for values in judged.FAITHFULNESS[judged.Mode.DENSE].values()]
    assert dense.sd_mean == pytest.approx(fmean(sds))
    assert dense.sd_max == pytest.approx(max(sds))
    assert dense.noise.flipped == ("q03",)
    assert (dense.noise.low, dense.noise.high) == (0.25, 1.0)
    assert dense.means == pytest.approx((2.25 / 3, 2.75 / 3, 1.0))


def test_only_graded_chunks_have_an_average_precision(judged_cursor: Cursor) -> None:
    by_name = {m.name: m.modes[0] for m in judge.signals(judged_cursor, MODES, "dense")}
    assert by_name["context_relevance"].precision == 1.0
    assert by_name["faithfulness"].precision is None


def test_a_repeat_that_failed_keeps_its_question_out_of_the_means_of_the_repeats(
    judged_cursor: Cursor,
) -> None:
    # q02 and q05 lack a repeat: the means are over q01 and q03.
    assert faithfulness(judged_cursor)[1].means == (1.0, 1.0, 1.0)


def test_the_difference_comes_with_the_noise_of_the_judge(
    judged_cursor: Cursor, judged: ModuleType
) -> None:
    values = {
        mode: {q: [None if isinstance(v, CallReason) else v for v in vs] for q, vs in part.items()}
        for mode, part in judged.FAITHFULNESS.items()
    }
    dense, hybrid = faithfulness(judged_cursor)
    expected = noise_between(values[judged.Mode.DENSE], values[judged.Mode.HYBRID])
    assert dense.between is None
    assert hybrid.between
    assert hybrid.between.se == pytest.approx(expected.se)
    assert hybrid.between.difference == pytest.approx(expected.difference)
    turned = faithfulness(judged_cursor, base="hybrid")[0]
    assert turned.between
    assert turned.between.difference == pytest.approx(-(expected.difference or 0))


def test_a_wrong_figure_that_stands_in_a_chunk_is_faithful(judged_cursor: Cursor) -> None:
    dense, hybrid = judge.agreement(judged_cursor, MODES)
    assert (dense.gated, dense.passed, dense.judged) == (3, 2, 3)
    assert (dense.failed_judged, dense.believed) == (1, ("q02",))
    assert (dense.passed_judged, dense.doubted) == (2, ("q03",))
    assert dense.believed_interval == wilson(1, 1)
    assert (hybrid.believed, hybrid.doubted) == (("q03",), ())
    assert hybrid.doubted_interval == wilson(0, 2)


def test_a_run_without_a_judge_has_no_signals_and_no_failures(cursor: Cursor) -> None:
    assert judge.signals(cursor, MODES, "dense") == []
    assert judge.failures(cursor) == judge.Failures(0, 0)
    assert [a.judged for a in judge.agreement(cursor, MODES)] == [0, 0]
    assert endpoints.asked(cursor, facts(cursor)) == []
    assert endpoints.spent(cursor, facts(cursor)) == []


def test_an_endpoint_is_shown_as_it_was_found_and_as_it_was_used(judged_cursor: Cursor) -> None:
    generator, asked = endpoints.asked(judged_cursor, facts(judged_cursor))
    assert (generator.role, generator.host, generator.level) == (
        "generator",
        "127.0.0.1:11434",
        "text",
    )
    assert (asked.model, asked.seed, asked.logprobs) == ("judge-large", True, False)
    assert asked.why == ("json_schema: accepted, and the reply broke the schema",)
    assert set(asked.levels) == {"json_object"}
    assert {digest for _, digest in asked.prompts} == {"sha256:" + "b" * 64}
    assert asked.fingerprints == ("fp_7c2",)


def test_calls_add_up_from_the_purposes_to_the_run(judged_cursor: Cursor) -> None:
    found = endpoints.spent(judged_cursor, facts(judged_cursor))
    whole = found[-1]
    assert (whole.stage, whole.purpose) == (None, None)
    stages = [s for s in found if s.stage and s.purpose is None]
    assert [s.stage for s in stages] == ["generate", "judge"]
    for name in ("n", "cached", "retried", "prompt_tokens", "unpriced"):
        assert sum(getattr(s, name) for s in stages) == getattr(whole, name)
        for stage in stages:
            parts = [s for s in found if s.stage == stage.stage and s.purpose]
            assert sum(getattr(s, name) or 0 for s in parts) == (getattr(stage, name) or 0)
    reasons = Counter(stages[0].reasons) + Counter(stages[1].reasons)
    assert reasons == whole.reasons == {"empty": 1, "timeout": 1, "invalid_json": 1}


def test_a_kept_call_costs_nothing_and_an_unknown_price_is_no_zero(
    judged_cursor: Cursor, judged: ModuleType
) -> None:
    generate, asked = (
        next(s for s in endpoints.spent(judged_cursor, facts(judged_cursor)) if s.stage == stage)
        for stage in ("generate", "judge")
    )
    assert (generate.cost, generate.unpriced) == (None, 11)
    assert asked.cached == 4 * 2 + 4 + 5
    # All but the kept ones and the one that timed out.
    assert asked.cost == pytest.approx((asked.n - asked.cached - 1) * judged.JUDGE_COST)
    assert asked.unpriced == 0
    assert (asked.p50_seconds, asked.p95_seconds) == (0.75, 1.0)


def test_replies_that_could_not_be_read_are_counted_over_those_that_came(
    judged_cursor: Cursor,
) -> None:
    found = endpoints.readable(judged_cursor, facts(judged_cursor))
    whole = next(
        s
        for s in endpoints.spent(judged_cursor, facts(judged_cursor))
        if s.stage == "judge" and s.purpose is None
    )
    assert (found.unreadable, found.replied) == (1, whole.n - 1)
    assert found.misnumbered == 7


@pytest.fixture
def older(judged_file: Path, tmp_path: Path) -> Cursor:
    """The same run as a file of schema version 2, which has no calls."""
    path = shutil.copy(judged_file, tmp_path / "older.duckdb")
    with closing(duckdb.connect(path)) as run:
        run.execute("DROP TABLE calls")
        run.execute("UPDATE meta SET schema_version = 2, environment = '{}'")
    opened: Cursor = attach(path)
    return opened


def test_a_file_without_calls_still_says_what_the_judge_said(older: Cursor) -> None:
    told = facts(older)
    assert endpoints.spent(older, told) == []
    assert endpoints.readable(older, told) == endpoints.Readable(0, 0, 0)
    _, asked = endpoints.asked(older, told)
    assert (asked.model, asked.host, asked.level) == ("judge-large", "judge.example", None)
    assert len(judge.signals(older, MODES, "dense")) == 3


@pytest.mark.parametrize(
    "environment",
    [
        '{"endpoints": []}',
        '{"endpoints": {"judge": 3}}',
        '{"endpoints": {"judge": {"probe": "x"}}}',
    ],
)
def test_an_environment_of_another_shape_is_read_as_one_without_a_probe(
    judged_file: Path, tmp_path: Path, environment: str
) -> None:
    path = shutil.copy(judged_file, tmp_path / "other.duckdb")
    with closing(duckdb.connect(path)) as run:
        run.execute("UPDATE meta SET environment = ?", [environment])
    cursor: Cursor = attach(path)
    assert [a.level for a in endpoints.asked(cursor, facts(cursor))] == [None, None]


def test_a_metric_that_nobody_was_asked_for_is_left_out_even_where_answers_are_missing(
    build: ModuleType, tmp_path: Path
) -> None:
    answer = replace(build.make_answer(), text="", status=AnswerStatus.ERROR, reason="timeout")
    results = [
        build.make_result("q1", scores=(undefined("faithfulness", "not_judged"), scored("mrr", 1))),
        build.make_result("q2", answer=answer, scores=(failed("faithfulness", "timeout"),)),
    ]
    info = build.make_info(modes=(Mode.DENSE,), n_questions=2)
    with Journal.create(tmp_path, info, ["q1", "q2"]) as journal:
        for result in results:
            journal.append(result)
        cursor: Cursor = attach(publish(tmp_path, journal, "2026-11-30T11:00:00Z"))
    assert judge.signals(cursor, ("dense",), "dense") == []
    assert judge.failures(cursor) == judge.Failures(0, 0)
    assert [row.name for row in compare.metric_rows(cursor, ("dense",), "dense", NOBODY)] == ["mrr"]


def test_compare_has_the_noise_of_the_judge_and_the_bounds_of_the_judge_page(
    judged_cursor: Cursor,
) -> None:
    row = next(
        r
        for r in compare.metric_rows(judged_cursor, MODES, "dense", NOBODY)
        if r.name == "faithfulness"
    )
    of_page = faithfulness(judged_cursor)
    for cell, found in zip(row.cells, of_page, strict=True):
        assert cell.value == pytest.approx(found.noise.mean)
        assert found.bounds
        assert (cell.low, cell.high) == (
            pytest.approx(found.bounds.low),
            pytest.approx(found.bounds.high),
        )
        assert cell.noise == found.between
    gate = next(
        r for r in compare.metric_rows(judged_cursor, MODES, "dense", NOBODY) if r.name == "hit@1"
    )
    assert [cell.noise for cell in gate.cells] == [None, None]
