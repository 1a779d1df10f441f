"""RunConfig, RunInfo and QuestionResult: one invocation, and what it found."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ragdash.core.call import Endpoint

if TYPE_CHECKING:
    from ragdash.core.answer import Answer
    from ragdash.core.call import Budget, Call
    from ragdash.core.chunk import Chunk
    from ragdash.core.diagnosis import Diagnosis
    from ragdash.core.question import Question
    from ragdash.core.retrieval import GoldRanks, Mode, Retrieval
    from ragdash.core.score import Score


class Outcome(StrEnum):
    """What became of a question, one of six (metrics.md section 1)."""

    CORRECT = "correct"
    WRONG = "wrong"
    ABSTAINED_RIGHT = "abstained_right"
    ABSTAINED_WRONG = "abstained_wrong"
    ERROR = "error"
    UNSCORED = "unscored"


@dataclass(frozen=True, slots=True)
class RetrievalConfig:
    """How chunks are found; counts are candidates, `weights` are (dense, bm25) in the fusion.

    `filter` says what the company and period of a question do to documents of others: none, boost
    or strict. `query` is the text that is searched: as asked, or resolved (core.retrieval.Subject).
    """

    top_k: int = 5
    candidates_dense: int = 20
    candidates_bm25: int = 20
    bm25: str = "lucene"
    rrf_k: int = 60
    weights: tuple[float, float] = (1.0, 1.0)
    candidates_rerank: int = 20
    filter: str = "none"
    query: str = "resolved"


@dataclass(frozen=True, slots=True)
class CorpusConfig:
    """How the pages of the corpus were cut into chunks: a name of ragdash.ingest.chunking."""

    chunking: str = "blocks"


@dataclass(frozen=True, slots=True)
class ModelsConfig:
    """Model specs: `embedded:NAME`, `path:DIR` or `hub:ORG/NAME@REVISION`."""

    dense: str = "embedded:e5-small"
    reranker: str = "embedded:e5-joint"


@dataclass(frozen=True, slots=True)
class GeneratorConfig:
    """Who answers: `extractive` (no LLM) or `endpoint`, which is named then."""

    kind: str = "extractive"
    endpoint: Endpoint | None = None


@dataclass(frozen=True, slots=True)
class JudgeConfig:
    """Who gives the signals: `none`, `similarity` (the run's embedder) or `endpoint`.

    `repeats` is how often each judge metric is asked independently.
    """

    kind: str = "similarity"
    endpoint: Endpoint | None = None
    repeats: int = 1


@dataclass(frozen=True, slots=True)
class Imported:
    """Where results of another system came from, and what it declares of itself.

    `identity` is a digest over the file, its name in the store and the facts, so that a second
    import of it is recognised. `facts` are text by name; what is not among them is not known.
    """

    identity: str
    file: str
    digest: str
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Every declared factor of a run but its corpus, its questions and its modes.

    Where results were `imported` only that says how they were made, and nothing else here does.
    """

    retrieval: RetrievalConfig = field(default_factory=RetrievalConfig)
    models: ModelsConfig = field(default_factory=ModelsConfig)
    generator: GeneratorConfig = field(default_factory=GeneratorConfig)
    judge: JudgeConfig = field(default_factory=JudgeConfig)
    corpus: CorpusConfig = field(default_factory=CorpusConfig)
    budget: Budget | None = None
    imported: Imported | None = None


def factors(config: RunConfig) -> RunConfig:
    """Return a config without what bears on no answer: budget, pace and prices of endpoints.

    Two runs with equal factors may be one run that went on.
    """
    return replace(
        config,
        generator=replace(config.generator, endpoint=_asked(config.generator.endpoint)),
        judge=replace(config.judge, endpoint=_asked(config.judge.endpoint)),
        budget=None,
    )


def _asked(endpoint: Endpoint | None) -> Endpoint | None:
    if endpoint is None:
        return None
    return Endpoint(
        endpoint.base_url,
        endpoint.model,
        temperature=endpoint.temperature,
        seed=endpoint.seed,
        max_tokens=endpoint.max_tokens,
        level=endpoint.level,
    )


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What identifies a run: its configuration, the digests of its inputs and its environment.

    `started_at` is ISO 8601 in UTC; `environment` holds library versions, git commit and the
    identity of each model (spec, path, digest, dimension).
    """

    run_id: str
    started_at: str
    modes: tuple[Mode, ...]
    config: RunConfig
    corpus_name: str
    corpus_digest: str
    questions_name: str
    questions_digest: str
    n_questions: int
    environment: dict[str, Any]


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """Everything one mode did with one question; the row that the journal keeps.

    `caliber_reviewed` is False where a right figure's caliber could not be read by rule.
    `evidence_chunks` tell where the gold stands in the corpus, candidates or not: the gold chunks
    and, where the evidence page does not print the gold, what the diagnosis found instead. `calls`
    are those to endpoints, in the order they were asked.
    """

    question: Question
    mode: Mode
    retrieval: Retrieval
    gold_ranks: GoldRanks | None
    answer: Answer
    scores: tuple[Score, ...]
    outcome: Outcome
    caliber_reviewed: bool
    diagnosis: Diagnosis | None
    evidence_chunks: tuple[Chunk, ...] = ()
    calls: tuple[Call, ...] = ()
