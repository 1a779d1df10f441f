"""Mode, RankTrace, RankedChunk and Retrieval: what came back, and by which way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragdash.core.chunk import Chunk


MODE_NAME = r"[^\W_][\w.-]{0,59}"
"""Letters of any script, digits, - _ and ., at most 60, a letter or digit first."""


class Mode(StrEnum):
    """The way an answer came about; everything else in a run is shared by its modes.

    The members are the retrievers of ragdash. What another system calls its own ways are modes too:
    `Mode("my-rag-v2")` is one, equal to any other of that name, and no member.

    Raises:
        ValueError: a name that MODE_NAME does not allow.
    """

    DENSE = "dense"
    HYBRID = "hybrid"
    RERANK = "rerank"

    @classmethod
    def _missing_(cls, value: object) -> Mode | None:
        if not isinstance(value, str) or not re.fullmatch(MODE_NAME, value):
            return None
        other = str.__new__(cls, value)
        other._name_ = other._value_ = str(value)
        return other

    @property
    def is_ours(self) -> bool:
        """Whether ragdash itself retrieves so."""
        return self._name_ in type(self).__members__


class Extent(StrEnum):
    """How much of what a retriever did is known; less than all of it in imported results only.

    whole: every candidate, and the index that they were searched in. listed: every candidate, and
    nothing of the index. cut: the first of them. not_given: nothing at all.
    """

    WHOLE = "whole"
    LISTED = "listed"
    CUT = "cut"
    NOT_GIVEN = "not_given"


@dataclass(frozen=True, slots=True)
class RankTrace:
    """Where one candidate stood at each stage.

    Ranks count from 1; None where that stage did not return the chunk. Scores: cosine, BM25,
    reciprocal rank fusion, reranker logit. `final_rank` orders the mode's candidates, `final_score`
    is what another system ordered them by.
    """

    dense_rank: int | None
    bm25_rank: int | None
    fused_rank: int | None
    rerank_rank: int | None
    final_rank: int
    in_context: bool
    dense_score: float | None = None
    bm25_score: float | None = None
    fused_score: float | None = None
    rerank_score: float | None = None
    final_score: float | None = None


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A candidate: a chunk that some stage returned, with its trace."""

    chunk: Chunk
    trace: RankTrace


class SubjectState(StrEnum):
    """How far the documents of a corpus answer to the company and period of a question.

    unrecognised: it names none that is known. matched: documents of that company and period.
    later: none of the period, but a later report that prints its figures beside its own.
    other_part: documents of that year, but of another part of it. no_period: none of these, so
    that all documents of the company are meant. no_company: the corpus has no document of it.
    """

    UNRECOGNISED = "unrecognised"
    MATCHED = "matched"
    LATER = "later"
    OTHER_PART = "other_part"
    NO_PERIOD = "no_period"
    NO_COMPANY = "no_company"


@dataclass(frozen=True, slots=True)
class Subject:
    """The companies and periods that a question names, and the documents on them.

    `companies` are named as the corpus names them; `absent` are those that it has no document of.
    `periods` are written "2023" or "2023H1". `query` is what is embedded and reranked with: the
    question with its company named as in the corpus and without the words that only ask, after the
    names of company and reports where all documents are searched.
    `words` is what BM25 searches: the same, in English with other names of the terms asked for.
    """

    companies: tuple[str, ...]
    absent: tuple[str, ...]
    periods: tuple[str, ...]
    doc_ids: tuple[str, ...]
    state: SubjectState
    query: str
    words: str


@dataclass(frozen=True, slots=True)
class Retrieval:
    """All candidates of one question in one mode, by final rank; `seconds` is wall time.

    `subject` is what was recognised in the question; None where nothing looked for it. `extent`
    says how much of it is known; `top_k` and `seconds` are None where another system gave none.
    """

    mode: Mode
    question_id: str
    candidates: tuple[RankedChunk, ...]
    top_k: int | None
    seconds: float | None
    subject: Subject | None = None
    extent: Extent = Extent.WHOLE

    @property
    def context(self) -> tuple[Chunk, ...]:
        """The chunks that the generator sees, best first."""
        return tuple(c.chunk for c in self.candidates if c.trace.in_context)


@dataclass(frozen=True, slots=True)
class GoldRanks:
    """The best rank of any gold chunk at each stage; None where no gold chunk was returned.

    `chunk_ids` are the gold chunks in the index: chunks on an evidence page that hold the gold
    amount, or all chunks of the page where none does. `evidence_visible` is whether enough
    evidence is in the context (any page for lookup and text, every page for compare and computed).
    """

    chunk_ids: tuple[str, ...]
    dense: int | None
    bm25: int | None
    fused: int | None
    rerank: int | None
    final: int | None
    evidence_visible: bool
