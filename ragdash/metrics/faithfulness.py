"""Faithfulness: the share of an answer's claims that the visible chunks support, by a judge.

Two steps, so that what is claimed is settled before anything is judged. The judge lists the claims,
each with a quote from the answer; a claim whose quote is not there is dropped and counted, and a
sentence that states something and was left out is a claim all the same. Then it gives a verdict for
each number, with a quote from a chunk for what is supported. The value is counted here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from ragdash.caliber import find_terms
from ragdash.contract import strip_citations
from ragdash.contract.statements import content_of, figures_in, is_neutral
from ragdash.core.diagnosis import Sentence
from ragdash.core.fingerprint import canonical_json
from ragdash.core.score import MetricKind
from ragdash.llm.reply import Reply, Text
from ragdash.metrics.base import Metric
from ragdash.metrics.inquiry import judged, nothing_visible, shown_chunks
from ragdash.metrics.prompts import CLAIMS, VERDICTS
from ragdash.metrics.quotes import occurs, plain
from ragdash.metrics.similarity import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.score import Score
    from ragdash.metrics.inquiry import Inquiry

# More than any answer of this contract makes; beyond it one reply could not hold the verdicts.
MOST_CLAIMS = 40
# A shorter quote of a chunk proves nothing: 的, of and 2023 stand everywhere.
_LEAST_QUOTE = 4
# 下降 beside a term is a statement; a term alone is a heading.
_LEAST_PREDICATE = 2
_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")


class Claim(Reply):
    """One thing that an answer states, and where it states it."""

    claim: Text
    quote: Text


class Claims(Reply):
    """The first reply."""

    claims: Annotated[list[Claim], Field(max_length=200)]


class Verdict(Reply):
    """What is said of the claim with this number."""

    id: Annotated[int, Field(ge=0, le=9999)]
    verdict: Literal["supported", "contradicted", "not_in_context"]
    quote: Text


class Verdicts(Reply):
    """The second reply."""

    verdicts: Annotated[list[Verdict], Field(max_length=200)]


@dataclass(frozen=True, slots=True)
class Listed:
    """The claims that are judged, and those of the judge's that are not.

    `added` marks a sentence that the judge left out. `dropped` are claims whose quote does not
    stand in the answer; `repeated` counts those that were listed before.
    """

    claims: tuple[tuple[Claim, bool], ...]
    dropped: tuple[Claim, ...]
    repeated: int

    @property
    def left_out(self) -> dict[str, Any]:
        """What of the judge's list is not judged, as evidence."""
        return {
            "dropped": [{"claim": c.claim, "quote": c.quote} for c in self.dropped],
            "n_dropped": len(self.dropped),
            "n_repeated": self.repeated,
        }


def listed(answer: str, reply: Claims) -> Listed:
    """Return the claims of an answer without citations, in the order in which they are numbered."""
    kept: dict[str, Claim] = {}
    dropped: list[Claim] = []
    for claim in reply.claims:
        if not plain(claim.claim) or not occurs(claim.quote, answer):
            dropped.append(claim)
        else:
            kept.setdefault(plain(claim.claim), claim)
    quotes = [claim.quote for claim in kept.values()]
    added = [Claim(claim=s, quote=s) for s in _unlisted(answer, quotes)]
    return Listed(
        claims=(*((c, False) for c in kept.values()), *((c, True) for c in added)),
        dropped=tuple(dropped),
        repeated=len(reply.claims) - len(dropped) - len(kept),
    )


def _unlisted(answer: str, quotes: Sequence[str]) -> Iterator[str]:
    """Yield the sentences that state something and of which a figure, or all, is in no quote."""
    quoted = [plain(quote) for quote in quotes]
    for sentence in sentences(answer):
        figures = [_digits(a.text) for a in figures_in(sentence)]
        if not figures and not _states(sentence):
            continue
        own = plain(sentence)
        touched = any(quote in own or own in quote for quote in quoted)
        if not touched or not all(any(occurs(f, quote) for quote in quotes) for f in figures):
            yield sentence


def _digits(figure: str) -> str:
    """Return the digits of a figure, as a quote may end before its unit; all of 十二亿."""
    found = _NUMBER.search(plain(figure))
    return found[0] if found else figure


def _states(sentence: str) -> bool:
    """Whether a sentence without a figure tells something of the company: 净利润下降."""
    if is_neutral(sentence) or sentence.rstrip().endswith((":", "：")):
        return False
    named = [h.span for h in find_terms(sentence) if h.key]
    beside = len(plain(sentence)) - sum(end - start for start, end in named)
    return content_of(sentence) > 0 or (bool(named) and beside >= _LEAST_PREDICATE)


def quoted_in(quote: str, context: Sequence[Chunk]) -> int | None:
    """Return the number of the first visible chunk whose text holds a quote, from 1."""
    found = (n for n, c in enumerate(context, 1) if occurs(quote, c.text, _LEAST_QUOTE))
    return next(found, None)


def faithfulness(inquiry: Inquiry) -> Score:
    """Return supported claims / claims; 0 without a call where nothing was visible."""
    seen = inquiry.seen
    if nothing_visible(seen):
        return inquiry.scored(0.0, "empty_context")
    answer = strip_citations(seen.answer.text).strip()
    if not any(c.isalnum() for c in answer):
        return inquiry.undefined("no_claims")
    data = {"question": seen.question.text, "answer": answer}
    found = listed(answer, inquiry.ask(CLAIMS, Claims, data))
    n = len(found.claims)
    if n == 0:
        return inquiry.undefined("no_claims", **found.left_out)
    if n > MOST_CLAIMS:
        return inquiry.failed("too_many_claims", n=n, most=MOST_CLAIMS)
    numbered = canonical_json(
        [{"id": i, "claim": c.claim} for i, (c, _) in enumerate(found.claims, 1)]
    )
    verdicts = inquiry.ask_each(
        VERDICTS,
        Verdicts,
        {"chunks": shown_chunks(seen), "claims": numbered},
        n,
        lambda reply: reply.verdicts,
    )
    rows = [
        _row(claim, added, verdict, seen.context)
        for (claim, added), verdict in zip(found.claims, verdicts, strict=True)
    ]
    supported = sum(row["counts"] for row in rows)
    return inquiry.scored(
        supported / n, _reason(rows), claims=rows, n=n, supported=supported, **found.left_out
    )


def _row(claim: Claim, added: bool, verdict: Verdict, context: Sequence[Chunk]) -> dict[str, Any]:
    """Return one claim with its verdict; only a quoted support counts."""
    chunk = quoted_in(verdict.quote, context)
    return {
        "id": verdict.id,
        "claim": claim.claim,
        "answer_quote": claim.quote,
        "added": added,
        "verdict": verdict.verdict,
        "quote": verdict.quote,
        "quote_found": chunk is not None,
        "chunk": chunk,
        "counts": verdict.verdict == "supported" and chunk is not None,
    }


def _reason(rows: Sequence[dict[str, Any]]) -> str:
    """Return the gravest thing found: contradicted, then not in the context, then no quote."""
    verdicts = {row["verdict"] for row in rows}
    for verdict in ("contradicted", "not_in_context"):
        if verdict in verdicts:
            return verdict
    return "" if all(row["counts"] for row in rows) else "no_quote"


METRIC = Metric(
    "faithfulness",
    MetricKind.SIGNAL,
    Sentence(
        "claims that a visible chunk supports, by a quote that is there / claims (judge)",
        "有可见片段原文支持的断言 / 断言（评判模型）",
    ),
    judged("faithfulness", faithfulness),
    inputs=("judge",),
    of_contexts=True,
)
