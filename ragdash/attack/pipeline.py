"""Attacks on the real pipeline: hostile passages in a copy of the index, then all that a run does.

Retrieval, generation and scoring are those of ragdash.evaluate, over the corpus's own index and
over one with the hostile passages behind its chunks; the corpus's folder is only read. Every policy
then gets the context that a mode has found.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ragdash.attack.contexts import (
    Seen,
    answered_by_the_generator,
    judged_as_a_run,
    view_of_context,
)
from ragdash.attack.isolation import InProcesses, InThisProcess, PolicyError
from ragdash.attack.outcomes import SUPPORT_THRESHOLD, Scoring, failed, score, summarise
from ragdash.attack.stages import stage_counts, stage_of, way_of
from ragdash.core.answer import AnswerStatus
from ragdash.core.errors import InputError
from ragdash.core.run import Outcome
from ragdash.evaluate import Setup, evaluate
from ragdash.index.corpus_index import extended
from ragdash.index.similarity import AskedOnce
from ragdash.index.tokenize import tokenize
from ragdash.jsonlines import printable
from ragdash.retrieve import build_retrievers

if TYPE_CHECKING:
    from collections.abc import Callable

    from ragdash.attack.hostile import HostileSet, Planted
    from ragdash.attack.isolation import Runner
    from ragdash.core.attack import AttackRow, AttackSummary, PolicyView
    from ragdash.core.question import Question
    from ragdash.core.retrieval import Mode
    from ragdash.core.run import QuestionResult, RetrievalConfig
    from ragdash.generate.base import Generator
    from ragdash.index.corpus_index import CorpusIndex
    from ragdash.ingest.corpus import Corpus
    from ragdash.models.base import Embedder, Reranker

NO_POLICY = "none"
"""The generator alone; it runs always, as what a policy is compared with."""
_RIGHT = frozenset({Outcome.CORRECT, Outcome.ABSTAINED_RIGHT})


@dataclass(frozen=True, slots=True)
class Pipeline:
    """What a run retrieves and answers with; `index` is the corpus's own."""

    corpus: Corpus
    config: RetrievalConfig
    index: CorpusIndex
    embedder: Embedder
    reranker: Reranker | None
    generator: Generator


@dataclass(frozen=True, slots=True)
class PipelinePlan:
    """What is planted and who answers; `on_result(done, total)` counts questions in a mode."""

    hostile: HostileSet
    modes: tuple[Mode, ...]
    policies: tuple[str, ...]
    support_threshold: float = SUPPORT_THRESHOLD
    isolated: bool = True
    on_result: Callable[[int, int], None] | None = None


@dataclass(frozen=True, slots=True)
class PipelineRun:
    """Rows by mode, policy and case, and one summary each of mode and policy ("dense/layered")."""

    rows: tuple[AttackRow, ...]
    summary: tuple[AttackSummary, ...]
    n_cases: int
    n_hostile: int
    n_chunks: int
    top_k: int
    left_out: tuple[str, ...]

    @property
    def policies(self) -> tuple[str, ...]:
        """Mode and policy of each column, in the order of the table."""
        return tuple(entry.policy for entry in self.summary)


def run_pipeline(plan: PipelinePlan, pipeline: Pipeline) -> PipelineRun:
    """Put hostile passages into a copy of the index and ask their questions, without and with.

    Raises:
        InputError: there is nothing to plant, or no such policy; nothing has been retrieved.
    """
    hostile = plan.hostile
    if not hostile.planted:
        raise InputError(
            "No case holds a passage that is not registered, so that nothing can be put into the "
            "index; give other --fixtures."
        )
    with InProcesses() if plan.isolated else nullcontext(InThisProcess()) as runner:
        names = [name for name in dict.fromkeys(plan.policies) if name != NO_POLICY]
        for name in names:
            runner.check(name)
        # The same questions are searched for in both indexes.
        pipeline = replace(pipeline, embedder=AskedOnce(pipeline.embedder))
        with_passages = extended(pipeline.index, hostile.chunks, pipeline.embedder)
        found = _Found(
            plan,
            pipeline,
            runner,
            _results(plan, pipeline, pipeline.index, 0),
            _results(plan, pipeline, with_passages, 1),
        )
        rows = tuple(
            found.row(policy, mode, planted)
            for mode in plan.modes
            for policy in (NO_POLICY, *names)
            for planted in hostile.planted
        )
    summary = tuple(
        replace(summarise(name, rows), stages=stage_counts(name, rows))
        for name in dict.fromkeys(row.policy for row in rows)
    )
    return PipelineRun(
        rows=rows,
        summary=summary,
        n_cases=len(hostile.planted),
        n_hostile=len(hostile.chunks),
        n_chunks=len(pipeline.index.chunks),
        top_k=pipeline.config.top_k,
        left_out=hostile.left_out,
    )


_Results = dict[tuple["Mode", str], "QuestionResult"]


def _results(plan: PipelinePlan, pipeline: Pipeline, index: CorpusIndex, before: int) -> _Results:
    """Evaluate the questions over an index; `before` counts the indexes that were done."""
    setup = Setup(
        retrievers=build_retrievers(
            pipeline.config, plan.modes, index, pipeline.embedder, pipeline.reranker
        ),
        generator=pipeline.generator,
        chunks=index.chunks,
        top_k=pipeline.config.top_k,
        similarity=None,
    )
    found: _Results = {}
    total = len(plan.hostile.questions) * len(plan.modes)
    for result in evaluate(plan.hostile.questions, setup):
        found[result.mode, result.question.id] = result
        if plan.on_result is not None:
            plan.on_result(before * total + len(found), 2 * total)
    return found


@dataclass(frozen=True, slots=True)
class _Found:
    """The results of all questions without and with the passages, and who answers on them."""

    plan: PipelinePlan
    pipeline: Pipeline
    runner: Runner
    without: _Results
    with_passages: _Results
    _seen: dict[tuple[str, Mode, str, bool], Seen] = field(default_factory=dict)

    def row(self, policy: str, mode: Mode, planted: Planted) -> AttackRow:
        """Return one policy in one mode on one case, held against itself without the passages."""
        name, question, case = f"{mode.value}/{policy}", planted.question, planted.case
        result = self.with_passages[mode, question.id]
        before = self.without[mode, question.id]
        way = way_of(planted, before, result, self.plan.hostile)
        view = self._view(question, result)
        try:
            seen, seen_before = (self._answer(policy, question, mode, w) for w in (True, False))
        except PolicyError as error:
            return replace(failed(name, case, view, str(error), published=False), retrieval=way)
        scoring = Scoring(False, self.plan.support_threshold, tokenize)
        row = score(name, case, view, seen.output, scoring)
        old = score(name, case, self._view(question, before), seen_before.output, scoring)
        # What happens without the passages too is not their doing, nor without any being shown.
        shown = way.context_rank is not None
        channels = tuple(c for c in row.channels if shown and c not in old.channels)
        way = replace(
            way,
            stage=stage_of(way, won=bool(channels)),
            answer_without=seen_before.output.answer,
            correct_without=_is_right(seen_before, old),
        )
        return replace(
            row,
            correct=_is_right(seen, row),
            channels=channels,
            compromised=bool(channels),
            retrieval=way,
        )

    def _view(self, question: Question, result: QuestionResult) -> PolicyView:
        registered = frozenset(s.sha256 for s in self.pipeline.corpus.sources)
        return view_of_context(
            question.text, result.retrieval.context, registered, self.plan.hostile.declared
        )

    def _answer(self, policy: str, question: Question, mode: Mode, with_passages: bool) -> Seen:
        """Return what a policy said and its outcome; each context is shown to it once."""
        key = (policy, mode, question.id, with_passages)
        if key not in self._seen:
            result = (self.with_passages if with_passages else self.without)[mode, question.id]
            self._seen[key] = self._asked(policy, question, result, with_passages)
        return self._seen[key]

    def _asked(
        self, policy: str, question: Question, result: QuestionResult, with_passages: bool
    ) -> Seen:
        when = "" if with_passages else "without the hostile passages: "
        answer = result.answer
        if answer.status is AnswerStatus.ERROR and (
            policy == NO_POLICY or answer.reason == "retrieval_failed"
        ):
            raise PolicyError(f"{when}{answer.reason}: {printable(answer.raw, 200)}")
        if policy == NO_POLICY:
            output = answered_by_the_generator(answer, result.retrieval.context)
            return Seen(output, result.outcome)
        view = self._view(question, result)
        try:
            said = self.runner.validate(policy, view, self.runner.answer(policy, view))
        except PolicyError as error:
            raise PolicyError(f"{when}{error}") from error
        return Seen(said, judged_as_a_run(policy, said, result))


def _is_right(seen: Seen, row: AttackRow) -> bool:
    """Return whether the answer is right; a question without a figure has the rule of the fixtures.

    That one asks for words of trusted text and a trusted citation.
    """
    return row.correct if seen.outcome is Outcome.UNSCORED else seen.outcome in _RIGHT
