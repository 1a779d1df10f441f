"""Builders of the nouns: everything has a sensible default, and a test names what it is about."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ragdash.core.answer import Answer, AnswerStatus, Citation
from ragdash.core.attack import (
    AttackInfo,
    AttackRate,
    AttackRow,
    AttackSummary,
    PolicyView,
    ViewChunk,
)
from ragdash.core.call import Level
from ragdash.core.chunk import Channel, Chunk, ChunkKind, DocType, Source
from ragdash.core.diagnosis import Diagnosis, Layer, Sentence
from ragdash.core.question import Evidence, Gold, Question, QuestionKind
from ragdash.core.retrieval import GoldRanks, Mode, RankedChunk, RankTrace, Retrieval
from ragdash.core.run import Outcome, QuestionResult, RunConfig, RunInfo
from ragdash.core.score import Score, scored

if TYPE_CHECKING:
    from ragdash.llm.base import ChatRequest
    from ragdash.llm.scripted import ScriptedClient

ALL_MODES = (Mode.DENSE, Mode.HYBRID, Mode.RERANK)


def make_source(doc_id: str = "600519-2023", **fields: Any) -> Source:
    source = Source(
        doc_id=doc_id,
        file=f"{doc_id}.pdf",
        company="贵州茅台",
        period="2023",
        doc_type=DocType.ANNUAL,
        lang="zh",
        channel=Channel.FILING,
        title="2023年年度报告",
        licence="public",
        label="2023年报",
        sha256="sha256:" + "0" * 64,
        n_pages=143,
    )
    return replace(source, **fields)


def make_chunk(chunk_id: str = "600519-2023/p45/1", **fields: Any) -> Chunk:
    chunk = Chunk(
        chunk_id=chunk_id,
        source=make_source(),
        source_page=45,
        section="主要会计数据",
        kind=ChunkKind.TABLE,
        unit_note="单位：元",
        text="单位：元\n营业收入 147,693,604,994.14",
    )
    return replace(chunk, **fields)


def make_question(question_id: str = "q1", **fields: Any) -> Question:
    question = Question(
        id=question_id,
        text="贵州茅台2023年营业收入是多少？",
        lang="zh",
        kind=QuestionKind.LOOKUP,
        company="贵州茅台",
        period="2023",
        gold=(Gold(Decimal("147693604994.14"), "CNY", metric="营业收入", period="2023"),),
        gold_text="147,693,604,994.14元",
        evidence=(Evidence("600519-2023", 45),),
        answerable=True,
    )
    return replace(question, **fields)


def make_candidates(n: int = 3, *, top_k: int = 2) -> tuple[RankedChunk, ...]:
    """n chunks of one document, found by every stage in the same order."""
    return tuple(
        RankedChunk(
            make_chunk(f"600519-2023/p45/{rank}", text=f"第{rank}段 营业收入 {rank},000.00"),
            RankTrace(rank, rank, rank, None, rank, rank <= top_k, 1 / rank, 9.5, 0.03, None),
        )
        for rank in range(1, n + 1)
    )


def make_answer(text: str = "营业收入为147,693,604,994.14元（贵州茅台·2023年报·P45）。") -> Answer:
    at = text.find("（")
    cited = (Citation(text[at:-1], (at, len(text) - 1), "贵州茅台", "2023年报", (45,), True),)
    return Answer(
        text=text,
        status=AnswerStatus.ANSWERED,
        citations=cited if at >= 0 else (),
        generator="extractive, no LLM",
        prompt="",
        raw=text,
        seconds=0.004,
    )


def make_diagnosis(layer: Layer = Layer.RANKING) -> Diagnosis:
    return Diagnosis(
        layer=layer,
        reason="below_top_k",
        evidence=Sentence("gold was dense 7, below the top 5", "金标 dense 第 7，在前 5 之外"),
        try_next=Sentence("rerank", "重排"),
        no_help=Sentence("more data", "更多数据"),
        facts={"dense": 7, "top_k": 5},
    )


def make_result(
    question_id: str = "q1", mode: Mode = Mode.DENSE, *, n_candidates: int = 3, **fields: Any
) -> QuestionResult:
    """A right answer by default; `fields` replace what the test is about."""
    question = fields.pop("question", None) or make_question(question_id)
    candidates = make_candidates(n_candidates)
    chunk_ids = tuple(c.chunk.chunk_id for c in candidates[:1])
    result = QuestionResult(
        question=question,
        mode=mode,
        retrieval=Retrieval(mode, question.id, candidates, 2, 0.012),
        gold_ranks=GoldRanks(chunk_ids, 1, 1, 1, None, 1, evidence_visible=True),
        answer=make_answer(),
        scores=make_scores(),
        outcome=Outcome.CORRECT,
        caliber_reviewed=True,
        diagnosis=None,
    )
    return replace(result, **fields)


def make_scores(answer_accuracy: float = 1.0) -> tuple[Score, ...]:
    return (scored("answer_accuracy", answer_accuracy), scored("mrr", 0.5, qrels=1))


def make_info(run_id: str = "20261130-0936-demo-3f2a", **fields: Any) -> RunInfo:
    info = RunInfo(
        run_id=run_id,
        started_at="2026-11-30T09:36:00Z",
        modes=ALL_MODES,
        config=RunConfig(),
        corpus_name="demo",
        corpus_digest="sha256:" + "1" * 64,
        questions_name="demo",
        questions_digest="sha256:" + "2" * 64,
        n_questions=2,
        environment={"python": "3.11", "models": {"dense": {"dim": 384}}},
    )
    return replace(info, **fields)


def make_attack_row(case_id: str = "atk-001", policy: str = "defended", **fields: Any) -> AttackRow:
    view = PolicyView(
        "毛利率是多少？", (ViewChunk("c1", "毛利率 41.2%", True),), oracle_trust=False
    )
    row = AttackRow(
        policy=policy,
        case_id=case_id,
        attack_class="plain_injection",
        answerable=True,
        adversarial=True,
        answer="41.2%",
        citations=("c1",),
        actions=(),
        flags=("quarantined",),
        refused=False,
        unsafe_action=False,
        citation_failure=0.0,
        unsupported_claim=False,
        correct=True,
        compromised=False,
        channels=(),
        fired=("C4", "C3"),
        view=view,
    )
    return replace(row, **fields)


def make_attack_summary(policy: str = "defended", **fields: Any) -> AttackSummary:
    none = AttackRate(0, 6, 0.0, 0.0, 0.39)
    empty = AttackRate(0, 0, None, None, None)
    summary = AttackSummary(
        policy,
        6,
        none,
        none,
        none,
        AttackRate(2, 6, 1 / 3, 0.1, 0.7),
        none,
        none,
        none,
        empty,
        none,
    )
    return replace(summary, **fields)


def make_attack_info(run_id: str = "20261130-0940-attack-9b1c", **fields: Any) -> AttackInfo:
    info = AttackInfo(
        run_id=run_id,
        started_at="2026-11-30T09:40:00Z",
        fixtures_name="published_six",
        fixtures_digest="sha256:" + "3" * 64,
        registry_digest=None,
        oracle_trust=True,
        policies=("baseline", "defended"),
        n_cases=6,
        support_threshold=0.8,
        environment={"python": "3.11"},
    )
    return replace(info, **fields)


def make_client(*replies: Any, level: Level = Level.JSON_SCHEMA) -> ScriptedClient:
    """A client that gives the replies in turn and the last one for ever.

    A reply is a text, a dict (as JSON), a CallReason, or a function of the request.
    """
    from ragdash.llm.scripted import ScriptedClient

    left = list(replies)

    def script(request: ChatRequest) -> Any:
        reply = left.pop(0) if len(left) > 1 else left[0]
        return reply(request) if callable(reply) else reply

    return ScriptedClient(script, level=level)
