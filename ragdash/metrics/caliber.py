"""The caliber gate: does the matched figure stand under the asked metric, scope and period."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.amounts import Match, read_amounts, same_figure
from ragdash.caliber import CaliberStatus, caliber_check
from ragdash.caliber.rows import row_around
from ragdash.core.diagnosis import Sentence
from ragdash.core.score import MetricKind, Score, scored, undefined
from ragdash.metrics.base import Metric
from ragdash.metrics.numeric import cited_chunks, verdicts

if TYPE_CHECKING:
    from ragdash.caliber import CaliberVerdict
    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Gold
    from ragdash.metrics.base import Observation


def row_of(chunk: Chunk, gold: Gold) -> tuple[str, str] | None:
    """Return the row or sentence of a chunk that states a gold figure, and what stands above it."""
    for amount in read_amounts(chunk.text, unit_note=chunk.unit_note):
        if same_figure(amount, gold):
            start, end = row_around(chunk.text, amount.span)
            above = chunk.text[:start].splitlines()[:3]
            return chunk.text[start:end], "\n".join([chunk.section, chunk.unit_note, *above])
    return None


def check(seen: Observation) -> list[CaliberVerdict]:
    """Return the rule's verdict for each gold figure that the answer matches."""
    chunks = cited_chunks(seen)
    found = []
    for gold, verdict in zip(seen.question.gold, verdicts(seen), strict=True):
        if verdict.verdict is Match.MATCH and verdict.candidate is not None:
            rows = (place for chunk in chunks if (place := row_of(chunk, gold)))
            row, above = next(rows, ("", ""))
            found.append(caliber_check(gold, seen.answer.text, verdict.candidate.span, row, above))
    return found


def caliber(seen: Observation) -> Score:
    """Return 1 where every label fits, 0 on a conflict; without a label a person must look."""
    if not seen.question.gold:
        return undefined("caliber", "no_gold_amount")
    found = check(seen)
    if len(found) < len(seen.question.gold):
        return undefined("caliber", "no_matched_amount")
    evidence = [
        {"verdict": v.verdict.value, "reason": v.reason, "label": v.label_found} for v in found
    ]
    conflict = next((v for v in found if v.verdict is CaliberStatus.FAIL), None)
    if conflict:
        return scored("caliber", 0, conflict.reason, verdicts=evidence)
    open_ = next((v for v in found if v.verdict is CaliberStatus.NEEDS_REVIEW), None)
    if open_:
        return undefined("caliber", "needs_review", why=open_.reason, verdicts=evidence)
    return scored("caliber", 1, "label_fits", verdicts=evidence)


METRIC = Metric(
    "caliber",
    MetricKind.GATE,
    Sentence(
        "matched figures that stand under the asked caliber / matched figures with a label (rule)",
        "口径相符的命中数字 / 带标签的命中数字（规则）",
    ),
    caliber,
    inputs=("gold",),
)
