"""Answer and Citation: what a generator said under the contract."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AnswerStatus(StrEnum):
    """Whether there is an answer at all, and of which kind."""

    ANSWERED = "answered"
    REFUSED = "refused"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation as written, with what it names; `pages` is empty where it is not well formed.

    `span` is the half-open range of characters in the text it was read from.
    """

    text: str
    span: tuple[int, int]
    company: str
    label: str
    pages: tuple[int, ...]
    well_formed: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What the generator returned for one question.

    `raw` is the reply before any parsing, `prompt` what was sent (empty for the extractive
    generator, which reads the chunks themselves), `reason` a code where status is error, or
    refusal_with_answer where an answer was declared or worded as a refusal, `seconds` wall time,
    None where another system gave none.
    """

    text: str
    status: AnswerStatus
    citations: tuple[Citation, ...]
    generator: str
    prompt: str = ""
    raw: str = ""
    finish_reason: str = ""
    reason: str = ""
    seconds: float | None = 0.0
