"""Partial traces: another system's questions, each with ranks of some steps only."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from ragdash.core.diagnosis import Layer
from ragdash.core.retrieval import Extent, GoldRanks, Mode, RankedChunk, RankTrace
from ragdash.core.review import Verdict
from ragdash.core.run import Outcome
from ragdash.filter import asked, parse
from ragdash.store.attach import attach
from ragdash.store.effective import Finding, People
from ragdash.store.journal import Journal
from ragdash.store.runfile import publish
from ragdash.views import triage
from ragdash.views.filtered import query_of
from ragdash.views.funnel import funnels
from ragdash.views.passage import KEPT, LOST, STAGES
from ragdash.views.query import rows

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.core.run import QuestionResult
    from ragdash.views.query import Cursor

PARTIAL = (Mode.DENSE, Mode("theirs"))
TRACED = ("dense", "bm25", "reranked")


def partial_result(build: ModuleType, draw: random.Random, mode: Mode, name: str) -> QuestionResult:
    """A question of another system with as much of a trace as it happened to give."""
    extent = draw.choice([Extent.LISTED, Extent.CUT, Extent.CUT, Extent.NOT_GIVEN])
    told = draw.sample(TRACED, draw.randint(0, 3))

    def rank(name: str) -> int | None:
        return draw.choice([None, 1, 4]) if name in told else None

    candidates = tuple(
        RankedChunk(
            build.make_chunk(f"c{at}"),
            RankTrace(rank("dense"), rank("bm25"), None, rank("reranked"), at, at <= 2),
        )
        for at in range(1, draw.randint(1, 5))
    )
    if extent is Extent.NOT_GIVEN:
        candidates = ()
    gold = draw.choice([None, *candidates])
    trace = gold.trace if gold else RankTrace(None, None, None, None, 0, in_context=False)
    ranks = GoldRanks(
        ("gold",) if gold else (), trace.dense_rank, trace.bm25_rank, None, trace.rerank_rank,
        trace.final_rank or None, trace.in_context,
    )  # fmt: skip
    layer = draw.choice([Layer.UNDETERMINED, Layer.GENERATION, Layer.RANKING])
    if layer is Layer.GENERATION and not ranks.evidence_visible:
        layer = Layer.UNDETERMINED
    outcome = draw.choice([Outcome.CORRECT, Outcome.WRONG])
    result: QuestionResult = build.make_result(
        name,
        mode,
        retrieval=replace(
            build.make_result().retrieval, mode=mode, candidates=candidates, extent=extent
        ),
        gold_ranks=None if extent is Extent.NOT_GIVEN else ranks,
        outcome=outcome,
        diagnosis=build.make_diagnosis(layer) if outcome is Outcome.WRONG else None,
    )
    return result


class Partial:
    """An import of which each question tells of other steps."""

    def __init__(self, build: ModuleType, folder: Path, seed: int) -> None:
        draw = random.Random(seed)
        names = [f"q{i:02}" for i in range(60)]
        self.results = [partial_result(build, draw, m, n) for m in PARTIAL for n in names]
        info = build.make_info(f"20261130-13{seed:02}-p-1", modes=PARTIAL, n_questions=len(names))
        journal = Journal.create(folder, info, names)
        for result in self.results:
            journal.append(result)
        self.cursor: Cursor = attach(publish(folder, journal, "2026-11-30T13:00:00Z"))
        told = draw.sample(self.results, 15)
        self.people = People(
            {
                (r.mode.value, r.question.id): Finding(draw.choice(list(Verdict)), "r", flag=False)
                for r in told
            },
            {},
        )

    def listed(self, mode: Mode, **where: tuple[str, ...]) -> set[str]:
        filters = triage.Filters(mode.value, **where)  # type: ignore[arg-type]
        return set(triage.ids(self.cursor, filters, self.people))

    def filtered(self, mode: Mode, text: str) -> set[str]:
        query, values = query_of(parse(text))
        found = rows(self.cursor, query, {**values, **asked(self.people)})
        return {row["question_id"] for row in found if row["mode"] == mode.value}


@pytest.fixture(scope="module", params=range(3))
def partial(request: Any, build: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Partial:
    return Partial(build, tmp_path_factory.mktemp("partial") / "store", request.param)


def traced_steps(result: QuestionResult) -> set[str]:
    """The steps that the trace of a question alone tells of, from the nouns."""
    traces = [c.trace for c in result.retrieval.candidates]
    steps = {"context", "used", "right"} if result.gold_ranks else set()
    if result.retrieval.extent is Extent.LISTED:
        steps.add("candidates")
    ranks = {
        "dense": [t.dense_rank for t in traces],
        "bm25": [t.bm25_rank for t in traces],
        "reranked": [t.rerank_rank for t in traces],
    }
    return steps | {step for step, of in ranks.items() if any(of)}


def test_a_partial_trace_loses_and_keeps_nothing_at_a_step_that_it_does_not_tell_of(
    partial: Partial,
) -> None:
    for mode in PARTIAL:
        own = {r.question.id: r for r in partial.results if r.mode is mode}
        for code in KEPT:
            told = {q for q, r in own.items() if code in traced_steps(r)}
            by_person = {q for m, q in partial.people.findings if m == mode.value}
            assert partial.listed(mode, kept=(code,)) <= told
            assert partial.listed(mode, lost=(code,)) <= told | by_person


def test_what_a_partial_trace_kept_it_had_kept_at_every_earlier_step_it_tells_of(
    partial: Partial,
) -> None:
    for mode in PARTIAL:
        kept = {code: partial.listed(mode, kept=(code,)) for code in STAGES}
        lost = {code: partial.listed(mode, lost=(code,)) for code in STAGES}
        for early, late in itertools.combinations(STAGES, 2):
            assert not kept[late] & lost[early]
        for result in (r for r in partial.results if r.mode is mode):
            name, ranks = result.question.id, result.gold_ranks
            if (
                ranks is None
                or ranks.final is None
                or (mode.value, name) in partial.people.findings
            ):
                continue
            read = ranks.rerank is not None or ranks.evidence_visible
            assert (name in kept["reranked"]) == (read and "reranked" in traced_steps(result))
            assert (name in kept["candidates"]) == ("candidates" in traced_steps(result))


def test_every_number_of_partial_traces_is_what_triage_and_the_filter_list(
    partial: Partial,
) -> None:
    for one in funnels(partial.cursor, [m.value for m in PARTIAL], partial.people):
        mode = Mode(one.mode)
        assert {"corpus", "indexed"} & {*one.steps} <= {
            name for name, step in one.steps.items() if step.lost
        }
        for step in one.steps.values():
            assert len(partial.listed(mode, lost=(step.code,))) == step.lost
            assert len(partial.listed(mode, kept=(step.code,))) == step.kept
            assert step.kept <= step.n
            held = one.open if step.code == "right" else 0
            assert step.n + step.untold + held == one.n
        for code in LOST:
            assert partial.filtered(mode, f"lost:{code}") == partial.listed(mode, lost=(code,))
        for code in KEPT:
            assert partial.filtered(mode, f"kept:{code}") == partial.listed(mode, kept=(code,))
