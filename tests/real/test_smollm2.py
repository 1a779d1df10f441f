"""A real language model end to end: probed, asked about the demo's reports, judged by the gates.

Nothing here depends on what the model says. It answers badly, which is the point: whatever comes,
every question ends in an outcome, a lost one has its layer, and everything said is kept.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ragdash.core.answer import AnswerStatus
from ragdash.core.call import Budget, CallReason, Level
from ragdash.core.retrieval import Mode, RankedChunk, RankTrace, Retrieval
from ragdash.core.run import Outcome, RetrievalConfig
from ragdash.core.score import MetricKind, ScoreStatus
from ragdash.diagnose.redo import LOST
from ragdash.evaluate import Setup, evaluate
from ragdash.generate import EndpointGenerator
from ragdash.index.bm25 import Postings, bm25
from ragdash.ingest.corpus import ingest, load_corpus
from ragdash.llm.client import EndpointClient
from ragdash.llm.probe import probe
from ragdash.llm.spending import Spending
from ragdash.metrics import BY_NAME
from ragdash.questions import load_questions
from ragdash.retrieve.subject import SubjectFilter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.call import Endpoint
    from ragdash.core.chunk import Chunk
    from ragdash.core.run import QuestionResult

pytestmark = pytest.mark.slow

# A figure, one of several sections, a percentage, a comparison, and one that no report answers.
ASKED = ("en-look-01", "en-look-03", "en-look-07", "en-cmp-02", "en-none-02")
TOP_K = 2


class Words:
    """The BM25 leg of mode hybrid alone: embedding the reports would take longer than the model."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        config = RetrievalConfig()
        self._chunks = chunks
        self._config = config
        self._subject = SubjectFilter(config, chunks)
        self._bm25 = bm25(Postings.build(chunk.indexed_text for chunk in chunks), config.bm25)

    def retrieve(self, question_id: str, query: str) -> Retrieval:
        started = time.perf_counter()
        subject, within = self._subject.read(query)
        found = self._bm25.search(subject.words, self._config.candidates_bm25, within)
        candidates = tuple(
            RankedChunk(
                self._chunks[position],
                RankTrace(None, rank, rank, None, rank, rank <= TOP_K, bm25_score=score),
            )
            for rank, (position, score) in enumerate(
                zip(found.positions, found.scores, strict=True), 1
            )
        )
        seconds = time.perf_counter() - started
        return Retrieval(Mode.HYBRID, question_id, candidates, TOP_K, seconds, subject)


@pytest.fixture(scope="module")
def spending() -> Spending:
    return Spending(Budget())


@pytest.fixture(scope="module")
def results(
    smollm2: Endpoint, spending: Spending, tmp_path_factory: pytest.TempPathFactory
) -> list[QuestionResult]:
    data = Path(__file__).parents[2] / "data"
    corpus_dir = tmp_path_factory.mktemp("real") / "corpus"
    ingest(data / "reports" / "manifest.jsonl", corpus_dir)
    chunks = load_corpus(corpus_dir).chunks
    of_demo = {q.id: q for q in load_questions(data / "questions" / "demo.jsonl").questions}
    with EndpointClient(smollm2, level=Level.TEXT, spending=spending) as client:
        setup = Setup(
            {Mode.HYBRID: Words(chunks)},
            EndpointGenerator(client, Level.TEXT),
            chunks,
            TOP_K,
            None,
            in_flight=smollm2.concurrency,
        )
        return list(evaluate([of_demo[i] for i in ASKED], setup))


def test_json_schema_that_is_accepted_and_ignored_is_found_out(smollm2: Endpoint) -> None:
    found = probe(smollm2)
    assert found.level is Level.TEXT
    assert [why.partition(":")[0] for why in found.why] == ["json_schema", "json_object"]
    assert all("accepted and not kept to" in why for why in found.why)
    assert not found.logprobs


def test_every_question_has_one_outcome_and_the_gates_decide_it(
    results: list[QuestionResult],
) -> None:
    assert sorted(r.question.id for r in results) == sorted(ASKED)
    for result in results:
        value = {s.metric: s.value for s in result.scores}
        right = result.outcome is Outcome.CORRECT
        if result.question.answerable:
            assert right == (value["answer_accuracy"] == 1.0)
        declined = result.outcome in (Outcome.ABSTAINED_RIGHT, Outcome.ABSTAINED_WRONG)
        assert declined == (result.answer.status is AnswerStatus.REFUSED)
        assert (result.outcome is Outcome.ERROR) == (result.answer.status is AnswerStatus.ERROR)


def test_every_lost_question_has_a_layer_and_its_evidence_in_both_languages(
    results: list[QuestionResult],
) -> None:
    for result in results:
        assert (result.diagnosis is not None) == (result.outcome in LOST)
        if result.diagnosis is not None:
            assert result.diagnosis.evidence.en
            assert result.diagnosis.evidence.zh
            assert result.diagnosis.try_next.en


def test_no_metric_fails_over_what_a_real_model_writes(results: list[QuestionResult]) -> None:
    for result in results:
        assert {s.metric for s in result.scores} == set(BY_NAME)
        failed = [s for s in result.scores if s.status is ScoreStatus.ERROR]
        assert "measurement_failed" not in {s.reason for s in failed}
        if result.answer.status is not AnswerStatus.ERROR:
            assert not [s for s in failed if BY_NAME[s.metric].kind is MetricKind.GATE]


def test_prompt_raw_reply_and_call_are_kept_as_they_went_over_the_wire(
    results: list[QuestionResult], smollm2: Endpoint
) -> None:
    for result in results:
        (call,) = result.calls
        assert (call.stage, call.purpose, call.model) == ("generate", "answer.text", smollm2.model)
        assert call.host == smollm2.base_url.removeprefix("http://").removesuffix("/v1")
        assert call.reason in (CallReason.NONE, CallReason.TRUNCATED)
        assert result.answer.raw == call.reply
        assert result.answer.raw.strip()
        assert result.answer.finish_reason == call.finish_reason
        assert call.finish_reason in ("stop", "length")
        assert result.answer.prompt == call.sent
        assert result.question.text in call.sent
        assert len(result.retrieval.context) == TOP_K
        assert all(chunk.text in call.sent for chunk in result.retrieval.context)


def test_usage_is_what_the_server_counted(
    results: list[QuestionResult], spending: Spending
) -> None:
    calls = [result.calls[0] for result in results]
    # a prompt of two chunks and three rules; a reply, or a cut one and a longer second one
    assert all((call.prompt_tokens or 0) > 300 for call in calls)
    assert all(0 < (call.completion_tokens or 0) <= 96 + 4 * 96 for call in calls)
    assert all(call.seconds > 0 and call.cost is None for call in calls)
    spent = spending.spent()
    assert spent.calls == sum(call.tries for call in calls)
    assert spent.tokens == sum(
        (call.prompt_tokens or 0) + (call.completion_tokens or 0) for call in calls
    )
