"""How many of an answer's figures stand in what the generator saw (metrics.md section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.amounts import Role, read_amounts, read_chunk, restates
from ragdash.core.diagnosis import Sentence
from ragdash.core.score import MetricKind, Score, scored, undefined
from ragdash.metrics.base import Metric
from ragdash.metrics.numeric import answer_unit

if TYPE_CHECKING:
    from ragdash.metrics.base import Observation

_NO_FIGURE = (Role.CITATION, Role.DATE, Role.IDENTIFIER)


def number_grounding(seen: Observation) -> Score:
    """Return the share of the answer's amounts that occur in a visible chunk.

    Both sides are read by the same normaliser: a table cell is in the unit of its table's header, a
    per-share row is not, and an amount may be rounded as the answer writes it. Every amount counts,
    denied and intermediate ones too; dates, citations and codes do not. The right result of a
    calculation stands in no chunk and lowers the share.
    """
    said = [
        a
        for a in read_amounts(seen.answer.text, unit_note=answer_unit(seen))
        if a.role not in _NO_FIGURE
    ]
    if not said:
        return undefined("number_grounding", "no_amount")
    held = [a for c in seen.context for a in read_chunk(c.text, c.unit_note)]
    missing = [a.text for a in said if not any(restates(a, h) for h in held)]
    return scored(
        "number_grounding",
        (len(said) - len(missing)) / len(said),
        "amount_not_in_context" if missing else "",
        amounts=len(said),
        missing=missing,
    )


METRIC = Metric(
    "number_grounding",
    MetricKind.GATE,
    Sentence(
        "amounts of the answer that occur in a visible chunk / its amounts",
        "回答中的数字出现在可见片段中的比例",
    ),
    number_grounding,
    of_answerable=False,
    of_contexts=True,
)
