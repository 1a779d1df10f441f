"""What a generator is: question and visible chunks in, an answer under the contract out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.answer import Answer
    from ragdash.core.chunk import Chunk


class Generator(Protocol):
    """Answers from the visible chunks only."""

    @property
    def name(self) -> str:
        """Who answers, as stored with each answer."""

    def generate(self, question: str, lang: str, context: Sequence[Chunk]) -> Answer:
        """Return an answer, or a refusal in the contract's words, for a question.

        Args:
            question: the question's text; gold, company and period of the set are not given.
            lang: "zh" or "en", the language of the answer.
            context: the visible chunks, best first.
        """
