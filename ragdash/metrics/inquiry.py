"""How a judge is asked: fenced data, numbers that are exactly 1..n, and the row that comes of it.

A judge never hands over a value. It gives a verdict per item, and the metric counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ragdash.contract import shown_chunk
from ragdash.core.call import CallReason
from ragdash.core.score import Score, ScoreStatus, undefined
from ragdash.llm.base import ChatRequest
from ragdash.llm.messages import messages, prompt_language
from ragdash.llm.reply import Reply
from ragdash.metrics.prompts import AGAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ragdash.llm.base import ChatClient, Prompt
    from ragdash.metrics.base import Observation

# Asked again after numbers that are not 1..n: metrics.md section 5.
RETRIES = 2
_SHOWN = 50


class Numbered(Protocol):
    """An item of a reply that names what it is about by its number."""

    @property
    def id(self) -> int:
        """The number, from 1 where the judge keeps to it."""


class Unmeasured(Exception):  # noqa: N818 - a state that is stored, not a fault
    """The judge gave nothing that could be counted; caught by `judged` and stored as an error."""

    def __init__(self, reason: str, **evidence: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.evidence = evidence


AnyReply = TypeVar("AnyReply", bound=Reply)
AnyItem = TypeVar("AnyItem", bound=Numbered)


@dataclass(slots=True)
class Inquiry:
    """One metric's questions to the judge about one observation."""

    metric: str
    seen: Observation
    judge: ChatClient
    seconds: float = 0.0
    mismatches: list[list[int]] = field(default_factory=list)

    def ask(
        self,
        prompt: Prompt,
        schema: type[AnyReply],
        data: Mapping[str, str | Sequence[str]],
        part: int = 0,
        **words: str,
    ) -> AnyReply:
        """Return the parsed reply to one prompt.

        Raises:
            Unmeasured: the call has a reason, or no reply of the schema.
        """
        reply = self.judge.ask(
            ChatRequest(
                stage="judge",
                purpose=prompt.name,
                messages=messages(prompt, self.seen.question.lang, data, **words),
                prompt_digest=prompt.digest,
                schema=schema,
                repeat=self.seen.repeat,
                part=part,
            )
        )
        self.seconds += reply.call.seconds
        if reply.call.reason:
            raise Unmeasured(reply.call.reason.value, step=prompt.name, detail=reply.call.detail)
        if not isinstance(reply.parsed, schema):
            raise Unmeasured(CallReason.BAD_RESPONSE.value, step=prompt.name)
        return reply.parsed

    def ask_each(
        self,
        prompt: Prompt,
        schema: type[AnyReply],
        data: Mapping[str, str | Sequence[str]],
        n: int,
        items: Callable[[AnyReply], Sequence[AnyItem]],
    ) -> list[AnyItem]:
        """Return one item for each of the numbers 1 to n, in this order.

        A reply whose numbers are not exactly these, each once, is asked for twice more; the request
        then says what was wrong, since the same one would get the same reply.

        Raises:
            Unmeasured: as `ask`, or verdict_mismatch.
        """
        note = ""
        lang = prompt_language(self.seen.question.lang)
        for part in range(RETRIES + 1):
            found = items(self.ask(prompt, schema, data, part, n=str(n), note=note))
            numbers = sorted(item.id for item in found)
            if numbers == list(range(1, n + 1)):
                return sorted(found, key=lambda item: item.id)
            self.mismatches.append(numbers[:_SHOWN])
            earlier = ", ".join(str(numbers) for numbers in self.mismatches)
            note = AGAIN.user[lang].format(found=earlier, n=n)
        raise Unmeasured(CallReason.VERDICT_MISMATCH.value, step=prompt.name, wanted=n)

    def scored(self, value: float, reason: str = "", **evidence: Any) -> Score:
        """Return the row of a value that the metric has counted."""
        return self._row(value, ScoreStatus.SCORED, reason, evidence)

    def undefined(self, reason: str, **evidence: Any) -> Score:
        """Return the row of an answer with nothing to judge."""
        return self._row(None, ScoreStatus.UNDEFINED, reason, evidence)

    def failed(self, reason: str, **evidence: Any) -> Score:
        """Return the row of a measurement that failed; nothing is imputed."""
        return self._row(None, ScoreStatus.ERROR, reason, evidence)

    def _row(
        self, value: float | None, status: ScoreStatus, reason: str, evidence: dict[str, Any]
    ) -> Score:
        tried = {"mismatches": self.mismatches} if self.mismatches else {}
        return Score(
            metric=self.metric,
            value=value,
            status=status,
            reason=reason,
            evidence={**evidence, **tried},
            judge=self.judge.name,
            repeat=self.seen.repeat,
            seconds=self.seconds,
        )


def judged(metric: str, measure: Callable[[Inquiry], Score]) -> Callable[[Observation], Score]:
    """Return how a metric is measured: not without a judge, and a failed call is a stored error."""

    def measured(seen: Observation) -> Score:
        if seen.judge is None:
            return undefined(metric, "not_judged")
        inquiry = Inquiry(metric, seen, seen.judge)
        try:
            return measure(inquiry)
        except Unmeasured as none:
            return inquiry.failed(none.reason, **none.evidence)

    return measured


def shown_chunks(seen: Observation) -> list[str]:
    """Return the visible chunks as the generator saw them: the contract's head, then the text."""
    lang = prompt_language(seen.question.lang)
    return [shown_chunk(n, chunk, lang) for n, chunk in enumerate(seen.context, 1)]


def nothing_visible(seen: Observation) -> bool:
    """Whether no chunk, or none with a character in it, was in front of the generator."""
    return not any(chunk.text.strip() for chunk in seen.context)
