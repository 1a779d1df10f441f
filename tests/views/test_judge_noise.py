"""What is grouped in the database, against the definitions of compare/noise.py in Python."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import pytest

from ragdash.compare.agreement import agreement as agree
from ragdash.compare.noise import mode_noise, noise_between, spread
from ragdash.core.retrieval import Mode
from ragdash.core.score import Score, failed, not_applicable, scored, undefined
from ragdash.store.attach import attach
from ragdash.store.effective import NOBODY
from ragdash.store.journal import Journal
from ragdash.store.runfile import publish
from ragdash.views import judge, triage
from ragdash.views.judge_crossed import crossed
from ragdash.views.judge_facts import BINS
from ragdash.views.judge_spread import WIDEST_SHOWN, spreads

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.views.query import Cursor

MODES = (Mode.DENSE, Mode.HYBRID, Mode.RERANK)
METRICS = ("faithfulness", "answer_relevancy", "context_relevance")
REASONS = ("timeout", "invalid_json", "verdict_mismatch")

Values = dict[str, list[float | None]]


def random_scores(draw: random.Random) -> list[Score]:
    found = [scored("numeric_accuracy", draw.random() < 0.6)] if draw.random() < 0.9 else []
    for metric in METRICS:
        kind = draw.choice(["apply"] * 6 + ["refused", "empty"])
        for repeat in range(3):
            if kind == "refused":
                one = not_applicable(metric, "refused")
            elif kind == "empty":
                one = undefined(metric, "no_claims")
            elif draw.random() < 0.15:
                one = failed(metric, draw.choice(REASONS))
            else:
                graded = metric == "context_relevance" and draw.random() < 0.9
                evidence = {"average_precision": draw.random()} if graded else {}
                value = draw.choice([0.0, 0.25, 0.5, 0.5, 1.0, 1 / 3])
                one = scored(metric, value, **evidence)
            found.append(Score(**{**_fields(one), "repeat": repeat, "judge": "m"}))
    return found


def _fields(one: Score) -> dict[str, Any]:
    names = ("metric", "value", "status", "reason", "evidence")
    return {name: getattr(one, name) for name in names}


class Run:
    """A random judged run, as values by metric, mode and question, and as a cursor."""

    def __init__(self, build: ModuleType, folder: Path, seed: int) -> None:
        draw = random.Random(seed)
        ids = [f"q{i:02}" for i in range(40)]
        self.scores = {(m.value, q): random_scores(draw) for m in MODES for q in ids}
        info = build.make_info("20261130-1800-noise-1", modes=MODES, n_questions=len(ids))
        journal = Journal.create(folder, info, ids)
        for mode in MODES:
            for q in ids:
                scores = tuple(self.scores[mode.value, q])
                journal.append(build.make_result(q, mode, scores=scores))
        self.cursor: Cursor = attach(publish(folder, journal, "2026-11-30T18:01:00Z"))

    def values(self, metric: str, mode: str) -> Values:
        found: Values = defaultdict(list)
        for (of, q), scores in self.scores.items():
            for one in scores:
                if of == mode and one.metric == metric:
                    found[q].append(one.value)
        return dict(found)


@pytest.fixture(scope="module", params=range(3))
def run(request: Any, build: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return Run(build, tmp_path_factory.mktemp("noise") / "store", request.param)


def test_the_noise_of_a_mode_is_that_of_its_definition(run: Run) -> None:
    for metric in judge.signals(run.cursor, [m.value for m in MODES], "dense"):
        for one in metric.modes:
            values = run.values(metric.name, one.mode)
            expected = mode_noise(values, judge.THRESHOLD)
            for name in ("mean", "sd", "se", "low", "high"):
                assert getattr(one.noise, name) == pytest.approx(getattr(expected, name))
            for name in ("n", "repeats", "missing"):
                assert getattr(one.noise, name) == getattr(expected, name)
            assert set(one.noise.flipped) == set(expected.flipped)
            sds = [s for v in values.values() if (s := spread(v, 0.5).sd) is not None]
            assert one.sd_mean == pytest.approx(fmean(sds))
            assert one.sd_max == pytest.approx(max(sds))
            whole = [v for v in values.values() if None not in v]
            assert one.means == pytest.approx(tuple(map(fmean, zip(*whole, strict=True))))


def test_the_noise_between_two_modes_is_that_of_its_definition(run: Run) -> None:
    for base in ("dense", "rerank"):
        for metric in judge.signals(run.cursor, [m.value for m in MODES], base):
            for one in metric.modes:
                if one.mode == base:
                    assert one.between is None
                    continue
                expected = noise_between(
                    run.values(metric.name, base), run.values(metric.name, one.mode)
                )
                assert one.between is not None
                assert one.between.n == expected.n
                assert one.between.difference == pytest.approx(expected.difference)
                assert one.between.se == pytest.approx(expected.se)
                assert one.between.within == expected.within
                assert one.between.unpaired == expected.unpaired


def test_statuses_and_failures_are_counted_and_bounds_take_each_as_0_and_1(run: Run) -> None:
    for metric in judge.signals(run.cursor, [m.value for m in MODES], "dense"):
        for one in metric.modes:
            own = [[s for s in scores if s.metric == metric.name]
                   for (mode, _), scores in run.scores.items() if mode == one.mode]  # fmt: skip
            errors = Counter(s.reason for part in own for s in part if s.status == "error")
            assert dict(one.errors) == dict(errors)
            assert list(one.errors.values()) == sorted(one.errors.values(), reverse=True)
            tried = [[s for s in part if s.status in ("scored", "error")] for part in own]
            assert one.tried == sum(map(len, tried))
            refused = sum(all(s.status == "not_applicable" for s in part) for part in own)
            empty = sum(all(s.status == "undefined" for s in part) for part in own)
            assert (one.not_applicable, one.undefined) == (refused, empty)
            for put, bound in ((0.0, "low"), (1.0, "high")):
                filled = [[put if s.value is None else s.value for s in part] for part in tried]
                assert getattr(one.bounds, bound) == pytest.approx(
                    fmean(fmean(part) for part in filled if part)
                )
            graded = [[s.evidence["average_precision"] for s in part
                       if "average_precision" in s.evidence] for part in own]  # fmt: skip
            known = [fmean(part) for part in graded if part]
            assert one.precision == (pytest.approx(fmean(known)) if known else None)


def test_a_flip_is_a_link_that_lists_as_many_questions_in_triage(run: Run) -> None:
    for metric in judge.signals(run.cursor, [m.value for m in MODES], "dense"):
        for one in metric.modes:
            filters = triage.Filters(one.mode, flips=(metric.name,))
            listed = triage.ids(run.cursor, filters, NOBODY)
            assert set(listed) == set(one.noise.flipped)


def test_spreads_are_counted_in_bins_and_the_widest_are_named(run: Run) -> None:
    for metric, found in spreads(run.cursor).items():
        every: dict[tuple[str, str], float] = {}
        for mode in MODES:
            for q, values in run.values(metric, mode.value).items():
                kept = [v for v in values if v is not None]
                if len(kept) > 1:
                    every[mode.value, q] = stdev(kept)
            sds = [sd for (of, _), sd in every.items() if of == mode.value]
            edges = [0.0, *BINS[1:]]
            expected = [sum(sd == 0 for sd in sds)]
            for low, high in zip(edges, [*edges[1:], 9.0], strict=True):
                expected.append(sum(low < sd <= high for sd in sds))
            assert found.counts[mode.value] == tuple(expected)
        widest = sorted(every.values(), reverse=True)[:WIDEST_SHOWN]
        assert [one.sd for one in found.widest] == pytest.approx(widest)
        for one in found.widest:
            assert every[one.mode, one.question_id] == pytest.approx(one.sd)
            assert list(one.repeats) == run.values(metric, one.mode)[one.question_id]


def test_judge_against_gate_is_four_counts_agreement_and_kappa(run: Run) -> None:
    found = {(one.metric, one.mode): one for one in crossed(run.cursor, [m.value for m in MODES])}
    assert set(found) == {(metric, mode.value) for metric in METRICS for mode in MODES}
    for (metric, mode), one in found.items():
        pairs = []
        for q, values in run.values(metric, mode).items():
            kept = [v for v in values if v is not None]
            gate = [s.value for s in run.scores[mode, q] if s.metric == "numeric_accuracy"]
            if kept and gate:
                pairs.append((fmean(kept) >= judge.THRESHOLD, gate[0] == 1))
        counts = Counter(pairs)
        assert (one.high_right, one.high_wrong) == (counts[True, True], counts[True, False])
        assert (one.low_right, one.low_wrong) == (counts[False, True], counts[False, False])
        assert one.n == len(pairs)
        assert one.agreed == agree(pairs)


def test_a_run_without_a_judge_has_no_spread_and_nothing_to_cross(cursor: Cursor) -> None:
    assert spreads(cursor) == {}
    assert crossed(cursor, ["dense"]) == []
