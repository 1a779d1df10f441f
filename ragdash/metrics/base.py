"""What a metric is, and what it is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ragdash.core.answer import AnswerStatus
from ragdash.core.retrieval import Extent
from ragdash.core.score import Score, failed, not_applicable, undefined

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from ragdash.core.answer import Answer
    from ragdash.core.chunk import Chunk
    from ragdash.core.diagnosis import Sentence
    from ragdash.core.question import Question
    from ragdash.core.retrieval import GoldRanks, Retrieval
    from ragdash.core.score import MetricKind
    from ragdash.llm.base import ChatClient


class Similarity(Protocol):
    """The run's own embedder, as far as the similarity signals need it."""

    name: str

    def queries(self, texts: Sequence[str]) -> np.ndarray:
        """Return float32 (n, dim), unit length, for questions."""

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Return float32 (n, dim), unit length, for sentences."""

    def chunks(self, chunks: Sequence[Chunk]) -> np.ndarray:
        """Return the indexed vectors of chunks, float32 (n, dim), unit length."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything a metric may read about one question in one mode.

    `gold_ranks` is None for a question without evidence pages. `similarity` and `judge` are None
    where the run's judge is another; `repeat` is which of its repeats is asked for, from 0.
    """

    question: Question
    retrieval: Retrieval
    answer: Answer
    gold_ranks: GoldRanks | None
    similarity: Similarity | None
    judge: ChatClient | None = None
    repeat: int = 0

    @property
    def context(self) -> tuple[Chunk, ...]:
        """The chunks that the generator saw, best first."""
        return self.retrieval.context


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: its name, its kind, what it reads, and how it is computed.

    `measure` is called only where the metric has a meaning: `of_answers` metrics skip refusals
    (not applicable) and missing answers (error), `of_answerable` ones skip no-answer questions, and
    `of_contexts` ones what an import holds without its contexts (undefined).
    Values lie in 0..1; `higher_is_better` is False for a cost. `inputs` names what it needs beside
    the answer: gold, qrels, embedder, judge.
    """

    name: str
    kind: MetricKind
    definition: Sentence
    measure: Callable[[Observation], Score]
    inputs: tuple[str, ...] = ()
    of_answers: bool = True
    of_answerable: bool = True
    of_contexts: bool = False
    higher_is_better: bool = True

    def score(self, seen: Observation) -> Score:
        """Return the stored row of this metric; never raises."""
        if self.of_answerable and not seen.question.answerable:
            return not_applicable(self.name, "unanswerable")
        if self.of_answers and seen.answer.status is AnswerStatus.REFUSED:
            return not_applicable(self.name, "refused")
        if self.of_answers and seen.answer.status is AnswerStatus.ERROR:
            return failed(self.name, seen.answer.reason or "no_output")
        not_given = self.of_contexts and seen.retrieval.extent is Extent.NOT_GIVEN
        if not_given and not self._is_unasked(seen):
            return undefined(self.name, "contexts_not_given")
        try:
            return self.measure(seen)
        except Exception as error:  # noqa: BLE001 - one failing metric must not lose the question
            return failed(self.name, "measurement_failed", error=f"{type(error).__name__}: {error}")

    def _is_unasked(self, seen: Observation) -> bool:
        """Whether it needs a model that the run has not, which says more than what is missing."""
        return ("judge" in self.inputs and seen.judge is None) or (
            "embedder" in self.inputs and seen.similarity is None
        )
