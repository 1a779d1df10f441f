"""Layer and Diagnosis: where a failed question was lost, and what would help."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Layer(StrEnum):
    """The layers a question can be lost at, in the order they are passed."""

    INGEST = "ingest"
    RECALL = "recall"
    RANKING = "ranking"
    GENERATION = "generation"
    BUSINESS = "business"
    UNDETERMINED = "undetermined"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One of our own sentences in both languages; never holds untrusted text unescaped."""

    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The first failing layer of one wrong, wrongly refused or failed question.

    `reason` is a code; `evidence` the sentence that a person can check against the stored ranks;
    `try_next` and `no_help` say what to do and what will not help; `facts` the numbers behind it.
    """

    layer: Layer
    reason: str
    evidence: Sentence
    try_next: Sentence
    no_help: Sentence
    facts: dict[str, Any] = field(default_factory=dict)
