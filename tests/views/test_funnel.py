from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from ragdash.core.answer import AnswerStatus, Citation
from ragdash.core.diagnosis import Layer
from ragdash.core.question import Evidence, QuestionKind
from ragdash.core.retrieval import GoldRanks, Mode
from ragdash.core.review import Verdict
from ragdash.core.run import Outcome
from ragdash.core.score import scored
from ragdash.store.attach import attach
from ragdash.store.effective import NOBODY, Finding, People
from ragdash.store.journal import Journal
from ragdash.store.runfile import publish
from ragdash.views import triage
from ragdash.views.funnel import STEPS, Funnel, funnels
from ragdash.views.passage import ANYWAY, KEPT, LOST, NO_QRELS, OPEN, STAGES

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.core.question import Question
    from ragdash.core.run import QuestionResult
    from ragdash.views.query import Cursor

MODES = (Mode.DENSE, Mode.HYBRID, Mode.RERANK)
DOC = "600519-2023"
LOSABLE = (Outcome.WRONG, Outcome.ABSTAINED_WRONG, Outcome.ERROR)
REASONS = ("document_not_indexed", "page_beyond_document", "page_not_indexed", "below_top_k")


def random_question(build: ModuleType, draw: random.Random, name: str) -> Question:
    kind = draw.choice(list(QuestionKind))
    places = [Evidence(DOC, 45), Evidence(DOC, 500), Evidence("absent", 1), Evidence(DOC, 46)]
    evidence = tuple(draw.sample(places, draw.choice([0, 1, 1, 1, 2])))
    question: Question = build.make_question(name, kind=kind, evidence=evidence)
    if draw.random() < 0.15:
        return replace(question, answerable=False, gold=(), gold_text="", evidence=())
    return question


def random_ranks(draw: random.Random, mode: Mode) -> GoldRanks:
    def rank() -> int | None:
        return draw.choice([None, 1, 3, 9])

    ids = draw.choice([(), ("600519-2023/p45/1",), ("600519-2023/p45/1", "600519-2023/p45/2")])
    legs = (rank(), rank() if mode is not Mode.DENSE else None)
    fused = min((r for r in legs if r), default=None) if mode is not Mode.DENSE else None
    reranked = rank() if mode is Mode.RERANK and fused else None
    final = reranked or fused or legs[0]
    return GoldRanks(
        ids, *legs, fused, reranked, final, bool(ids and final and draw.random() < 0.7)
    )


def random_result(
    build: ModuleType, draw: random.Random, mode: Mode, question: Question
) -> QuestionResult:
    outcome = draw.choice([Outcome.CORRECT, *Outcome])
    answer = build.make_answer(draw.choice(["营业收入为5元（贵州茅台·2023年报·P45）。", "5元"]))
    if draw.random() < 0.4:
        label = draw.choice(["2023年报", "2022年报"])
        wide = Citation("x", (0, 1), draw.choice(["贵州 茅台", "别家"]), label, (44, 45), True)
        answer = replace(answer, citations=(wide,))
    status = draw.choice([AnswerStatus.ANSWERED, AnswerStatus.ANSWERED, *AnswerStatus])
    figure = draw.choice(["1,000.00元", "1,000.0", "1"])
    said = {"verdict": "mismatch", "candidate": draw.choice([None, {"text": figure}])}
    number = scored("numeric_accuracy", draw.random() < 0.5, verdicts=[said])
    lost = outcome in LOSABLE or (outcome is Outcome.UNSCORED and draw.random() < 0.5)
    layer = Layer.UNDETERMINED if outcome is Outcome.UNSCORED else draw.choice(list(Layer))
    diagnosis = replace(build.make_diagnosis(layer), reason=draw.choice(REASONS))
    result: QuestionResult = build.make_result(
        question=question,
        mode=mode,
        outcome=outcome,
        answer=replace(answer, status=status),
        gold_ranks=random_ranks(draw, mode) if question.evidence else None,
        scores=(number,),
        diagnosis=diagnosis if lost else None,
    )
    return result


class Made:
    """A random run with what people say of it, and a cursor over its file."""

    def __init__(self, build: ModuleType, folder: Path, seed: int) -> None:
        draw = random.Random(seed)
        questions = [random_question(build, draw, f"q{i:02}") for i in range(40)]
        self.results = [random_result(build, draw, m, q) for m in MODES for q in questions]
        info = build.make_info(f"20261130-12{seed:02}-r-1", n_questions=len(questions))
        journal = Journal.create(folder, info, [q.id for q in questions])
        for result in self.results:
            journal.append(result)
        self.cursor: Cursor = attach(publish(folder, journal, "2026-11-30T13:00:00Z"))
        told = [r for r in self.results if draw.random() < 0.2]
        self.people = People(
            {
                (r.mode.value, r.question.id): Finding(draw.choice(list(Verdict)), "r", flag=False)
                for r in told
            },
            {},
        )

    def verdict(self, result: QuestionResult) -> Verdict | None:
        found = self.people.findings.get((result.mode.value, result.question.id))
        return found.verdict if found else None


@pytest.fixture(scope="module", params=range(3))
def made(request: Any, build: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(build, tmp_path_factory.mktemp("funnel") / "store", request.param)


def stage_of(result: QuestionResult, verdict: Verdict | None, reranks: bool) -> str | None:
    """The oracle: where the passage of one question was lost, from the nouns alone."""
    ranks = result.gold_ranks
    if ranks is None:
        return NO_QRELS
    rule = result.diagnosis.layer.value if result.diagnosis else None
    layer = rule if verdict is None else verdict.value
    right = result.outcome is Outcome.CORRECT
    if verdict is Verdict.NO_FAULT:
        if not right:
            return OPEN
        layer = None
    indexed, visible = bool(ranks.chunk_ids), ranks.evidence_visible
    read = visible or ranks.rerank is not None or not reranks
    absent = result.diagnosis is not None and result.diagnosis.reason in REASONS[:2]
    by_layer = {
        "ingest": "corpus" if absent and not indexed else "indexed",
        "recall": "candidates",
        "ranking": "context" if read else "reranked",
        "generation": "right" if is_used(result) else "used",
        "business": "right" if is_used(result) else "used",
    }
    if layer in by_layer:
        return by_layer[layer]
    if not indexed:
        return "indexed" if is_held(result.question) else "corpus"
    if not visible and not any((ranks.dense, ranks.bm25, ranks.fused, ranks.rerank, ranks.final)):
        return "candidates"
    if not visible:
        return "context" if read else "reranked"
    if result.outcome is Outcome.UNSCORED:
        return OPEN
    if not is_used(result):
        return "used"
    return None if right else "right"


def is_held(question: Question) -> bool:
    held = [e.doc_id == DOC and e.page <= 143 for e in question.evidence]
    return all(held) if question.needs_every_page else any(held)


def is_used(result: QuestionResult) -> bool:
    if result.answer.status is not AnswerStatus.ANSWERED or result.gold_ranks is None:
        return False
    pages = {e.page for e in result.question.evidence if e.doc_id == DOC}
    cited = any(
        (c.company.replace(" ", ""), c.label) == ("贵州茅台", "2023年报") and pages & set(c.pages)
        for c in result.answer.citations
    )
    number = result.scores[0]
    said = number.evidence["verdicts"][0]["candidate"]
    # The chunks of the builder print 1,000.00 and 2,000.00; "1" is too short to tell anything.
    shown = result.gold_ranks.evidence_visible and result.gold_ranks.chunk_ids
    printed = number.value == 0 and shown and said and said["text"] == "1,000.00元"
    stated = number.value == 1 and result.question.kind is not QuestionKind.COMPUTED
    return bool(cited or printed or stated)


def expected(made: Made, mode: Mode) -> dict[str, str | None]:
    own = [r for r in made.results if r.mode is mode]
    reranks = any(r.gold_ranks and r.gold_ranks.rerank for r in own)
    return {
        r.question.id: stage_of(r, made.verdict(r), reranks) for r in own if r.question.answerable
    }


def test_a_funnel_counts_what_a_loop_over_the_results_counts(made: Made) -> None:
    for one in funnels(made.cursor, [m.value for m in MODES], made.people):
        stages = expected(made, Mode(one.mode))
        counted = Counter(stages.values())
        assert one.no_qrels == counted.pop(NO_QRELS, 0)
        assert one.open == counted[OPEN]
        assert one.n == counted.total()
        assert one.unanswerable == 40 - len(stages)
        assert one.steps["right"].kept == counted[None]
        for step in one.steps.values():
            if not step.is_leg:
                assert (step.name, step.lost) == (step.name, counted[step.code])
        right = {r.question.id for r in made.results
                 if r.mode.value == one.mode and r.outcome is Outcome.CORRECT}  # fmt: skip
        assert one.anyway == sum(s not in (None, NO_QRELS) for q, s in stages.items() if q in right)


def test_a_later_step_never_keeps_more_than_an_earlier_one(made: Made) -> None:
    for one in funnels(made.cursor, [m.value for m in MODES], made.people):
        main = [step for step in one.steps.values() if not step.is_leg]
        assert [s.kept for s in main] == sorted((s.kept for s in main), reverse=True)
        for before, step in itertools.pairwise(main):
            held = one.open if step.code == "right" else 0
            assert before.kept - step.kept == step.lost + held
        for leg in (step for step in one.steps.values() if step.is_leg):
            assert leg.kept + leg.lost == one.steps["fused"].kept


def test_every_number_is_how_many_questions_triage_then_lists(made: Made) -> None:
    for one in funnels(made.cursor, [m.value for m in MODES], made.people):

        def listed(**where: tuple[str, ...]) -> int:
            filters = triage.Filters(one.mode, **where)  # type: ignore[arg-type] # noqa: B023
            return len(triage.ids(made.cursor, filters, made.people))

        for step in one.steps.values():
            assert (step.code, listed(lost=(step.code,))) == (step.code, step.lost)
            assert (step.code, listed(kept=(step.code,))) == (step.code, step.kept)
        apart = {OPEN: one.open, NO_QRELS: one.no_qrels, ANYWAY: one.anyway}
        assert {code: listed(lost=(code,)) for code in apart} == apart


def test_losses_add_up_to_the_layers_that_hold(made: Made) -> None:
    layers = {
        "ingest": ("corpus", "indexed"),
        "recall": ("candidates",),
        "ranking": ("reranked", "context"),
    }
    for mode in MODES:
        for layer, codes in layers.items():
            asked = triage.Filters(mode.value, layers=(layer,), lost=LOST)
            within = triage.Filters(mode.value, layers=(layer,), lost=codes)
            with_passage = set(triage.ids(made.cursor, asked, made.people)) - set(
                triage.ids(made.cursor, triage.Filters(mode.value, lost=(NO_QRELS,)), made.people)
            )
            found = set(triage.ids(made.cursor, within, made.people))
            no_fault = {
                q for (m, q), f in made.people.findings.items()
                if m == mode.value and f.verdict is Verdict.NO_FAULT
            }  # fmt: skip
            assert with_passage - no_fault == found - no_fault


def test_a_mode_has_only_the_steps_that_it_has(made: Made) -> None:
    dense, hybrid, rerank = funnels(made.cursor, [m.value for m in MODES], made.people)
    assert {*STEPS} - {*dense.steps} == {"bm25", "fused", "reranked"}
    assert {*STEPS} - {*hybrid.steps} == {"reranked"}
    assert [*rerank.steps] == [*STEPS]
    assert [one.unrecorded for one in (dense, hybrid, rerank)] == [frozenset()] * 3


def test_every_code_of_the_address_can_be_asked_for_in_every_mode(made: Made) -> None:
    total = 40
    for mode in (None, Mode.HYBRID.value):
        for code in LOST:
            found = triage.ids(made.cursor, triage.Filters(mode, lost=(code,)), NOBODY)
            assert len(found) <= total
        reached = [
            len(triage.ids(made.cursor, triage.Filters(mode, kept=(code,)), NOBODY))
            for code in KEPT
            if code in STAGES
        ]
        assert reached == sorted(reached, reverse=True)


def test_an_attack_run_and_a_run_without_results_have_empty_funnels(attack_cursor: Cursor) -> None:
    (found,) = funnels(attack_cursor, ["dense"])
    assert isinstance(found, Funnel)
    assert (found.n, found.no_qrels, found.unanswerable) == (0, 0, 0)
    assert all(step.interval is None for step in found.steps.values())
