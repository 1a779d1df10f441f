"""The numeric gate: does the answer state the gold figures, read exactly (metrics.md section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.amounts import (
    Match,
    ScaleSource,
    all_match,
    asked_unit,
    match_all,
    read_chunk,
    weigh,
)
from ragdash.contract import resolve
from ragdash.core.diagnosis import Sentence
from ragdash.core.score import MetricKind, Score, scored, undefined
from ragdash.metrics.base import Metric

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from ragdash.amounts import Amount, Verdict
    from ragdash.core.chunk import Chunk
    from ragdash.metrics.base import Observation


def cited_chunks(seen: Observation) -> tuple[Chunk, ...]:
    """Return the visible chunks on the pages that the answer's citations resolve to."""
    pages = {page for c in seen.answer.citations for page in resolve(c, seen.context)}
    return tuple(c for c in seen.context if (c.source.doc_id, c.source_page) in pages)


def verdicts(seen: Observation) -> tuple[Verdict, ...]:
    """Return the verdict on each gold figure, bare numbers read in the answer's unit."""
    return match_all(
        seen.answer.text,
        seen.question.gold,
        unit_note=answer_unit(seen),
        question=seen.question.text,
    )


def answer_unit(seen: Observation) -> str:
    """Return the unit line that holds for the answer's bare numbers, "" where none does.

    It is the unit that the question asks for, else that of the first cited chunk with a unit line.
    """
    header = next((c.unit_note for c in cited_chunks(seen) if c.unit_note), "")
    return asked_unit(seen.question.text) or header


def shown(amount: Amount) -> dict[str, Any]:
    """Return an amount as plain JSON for the evidence of a score."""
    return {
        "text": amount.text,
        "span": list(amount.span),
        "value": str(amount.value),
        "kind": amount.kind.value,
        "currency": amount.currency,
        "unit": amount.unit,
        "factor": str(amount.factor),
        "sign": amount.sign.value,
        "role": amount.role.value,
        "scale_source": amount.scale_source.value,
        "excluded": amount.excluded,
    }


def weighed(amounts: Sequence[Amount], seen: Observation) -> list[dict[str, Any]]:
    """Return each amount as plain JSON with how it compares with each gold figure, in order.

    `scale_source` tells the answer's own header from a unit line that came with it: that of the
    cited chunk (cited_header) or the unit that the question asks for (asked).
    """
    text, question = seen.answer.text, seen.question
    own = {a.span: a.scale_source for a in read_chunk(text, "")}
    lent = "asked" if asked_unit(question.text) else "cited_header"
    out = []
    for amount in amounts:
        told = shown(amount)
        by_header = amount.scale_source is ScaleSource.HEADER
        if by_header and own.get(amount.span) is not ScaleSource.HEADER:
            told["scale_source"] = lent
        each = (weigh(text, amount, gold, question.text) for gold in question.gold)
        told["against"] = [
            {"same": w.same, "reason": w.reason, "relative_error": _plain(w.relative_error)}
            for w in each
        ]
        out.append(told)
    return out


def _plain(number: Decimal | None) -> str | None:
    return None if number is None else str(number)


def numeric_accuracy(seen: Observation) -> Score:
    """Return 1 where every gold figure is matched by an amount of its own, else 0."""
    if not seen.question.gold:
        return undefined("numeric_accuracy", "no_gold_amount")
    found = verdicts(seen)
    missed = next((v for v in found if v.verdict is not Match.MATCH), None)
    some = any(v.verdict is Match.MATCH for v in found)
    reason = "match" if missed is None else "some_figures_missing" if some else missed.reason
    return scored(
        "numeric_accuracy",
        all_match(found),
        reason,
        verdicts=[
            {
                "gold": str(gold.value),
                "unit": gold.unit,
                "verdict": verdict.verdict.value,
                "reason": verdict.reason,
                "candidate": shown(verdict.candidate) if verdict.candidate else None,
                "relative_error": _plain(verdict.relative_error),
            }
            for gold, verdict in zip(seen.question.gold, found, strict=True)
        ],
        amounts=weighed(found[0].candidates, seen),
    )


METRIC = Metric(
    "numeric_accuracy",
    MetricKind.GATE,
    Sentence(
        "answers that state every gold figure / answered questions with a gold figure",
        "给出全部金标数字的回答 / 有金标数字且作答的问题",
    ),
    numeric_accuracy,
    inputs=("gold",),
)
