"""A generator behind an OpenAI-compatible endpoint, under the contract.

Where the endpoint holds replies to a schema, status, answer, cited chunks and amounts come as
fields; else the answer is the text. Both go through the same parsers of the contract, and neither
is repaired: what the gates read is what the model wrote, with the citations that it gave by number
written out behind it.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from ragdash.contract import (
    parse_citations,
    read_refusal,
    resolve,
    shown_chunk,
    status_of,
    write_citation,
)
from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.call import CallReason, Level
from ragdash.generate.prompts import STRUCTURED, TEXT
from ragdash.llm.base import ChatRequest
from ragdash.llm.messages import messages, prompt_language
from ragdash.llm.parsing import without_thought
from ragdash.llm.reply import Reply, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.llm.base import ChatClient

_REFUSED_WITH_ANSWER = "refusal_with_answer"

ChunkNumber = Annotated[int, Field(ge=0, le=999)]


class Figure(Reply):
    """A figure of the answer, its unit, and the chunk that it is said to stand in."""

    value: Text
    unit: Text
    chunk: ChunkNumber


class Written(Reply):
    """A structured answer."""

    status: Literal["answered", "refused"]
    answer: Text
    citations: Annotated[list[ChunkNumber], Field(max_length=50)]
    amounts: Annotated[list[Figure], Field(max_length=50)]


class EndpointGenerator:
    """Asks an endpoint for an answer from the visible chunks; `level` says in which form."""

    def __init__(self, client: ChatClient, level: Level) -> None:
        self.client = client
        self.level = level
        self.name = client.name

    def generate(self, question: str, lang: str, context: Sequence[Chunk]) -> Answer:
        """Return the answer of the endpoint, or an error with the reason of its call."""
        started = time.perf_counter()
        lang = prompt_language(lang)
        structured = self.level is not Level.TEXT
        prompt = STRUCTURED if structured else TEXT
        chunks = [shown_chunk(n, chunk, lang) for n, chunk in enumerate(context, 1)]
        reply = self.client.ask(
            ChatRequest(
                stage="generate",
                purpose=prompt.name,
                messages=messages(prompt, lang, {"chunks": chunks, "question": question}),
                prompt_digest=prompt.digest,
                schema=Written if structured else None,
            )
        )
        call = reply.call
        if call.reason:
            answer = self._nothing(call.reason.value)
        elif not structured:
            answer = self._answer(without_thought(call.reply).strip(), None)
        elif isinstance(reply.parsed, Written):
            answer = self._structured(reply.parsed, lang, context)
        else:
            answer = self._nothing(CallReason.BAD_RESPONSE.value)
        return replace(
            answer,
            prompt=call.sent,
            raw=call.reply,
            finish_reason=call.finish_reason,
            seconds=time.perf_counter() - started,
        )

    def _structured(self, written: Written, lang: str, context: Sequence[Chunk]) -> Answer:
        declared = AnswerStatus(written.status)
        answer = self._answer(written.answer.strip(), declared)
        if answer.status is not AnswerStatus.ANSWERED:
            return answer
        text = with_numbered(answer.text, written.citations, context, lang)
        return replace(answer, text=text, citations=parse_citations(text))

    def _answer(self, text: str, declared: AnswerStatus | None) -> Answer:
        status = status_of(text, declared)
        if status is AnswerStatus.ERROR:
            return self._nothing("no_output")
        both = status is AnswerStatus.ANSWERED and (
            declared is AnswerStatus.REFUSED or read_refusal(text).refusal_with_answer
        )
        return Answer(
            text=text,
            status=status,
            citations=parse_citations(text),
            generator=self.name,
            reason=_REFUSED_WITH_ANSWER if both else "",
        )

    def _nothing(self, reason: str) -> Answer:
        return Answer("", AnswerStatus.ERROR, (), self.name, reason=reason)


def with_numbered(text: str, numbers: Sequence[int], context: Sequence[Chunk], lang: str) -> str:
    """Return an answer with the chunks it cites by number as citations behind it.

    A page that the text cites already is not cited twice. A number that no visible chunk has is
    written as `(片段9)` or `(Chunk 9)`, which is read as a citation that resolves to nothing: an
    invented citation must not vanish.
    """
    cited: set[tuple[str, int | None]] = {
        page for c in parse_citations(text) for page in resolve(c, context)
    }
    behind: list[str] = []
    for number in dict.fromkeys(numbers):
        if not 1 <= number <= len(context):
            behind.append(f"(片段{number})" if lang == "zh" else f"(Chunk {number})")
            continue
        chunk = context[number - 1]
        page = (chunk.source.doc_id, chunk.source_page)
        if page not in cited:
            cited.add(page)
            behind.append(write_citation(chunk.source, chunk.source_page))
    between = "" if lang == "zh" or not behind else " "
    return text + between + "".join(behind)
