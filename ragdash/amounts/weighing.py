"""Each number of an answer against a gold figure: how far off, and why it is or is not the gold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.amounts.binding import misbound
from ragdash.amounts.figures import (
    comparable,
    gold_kind,
    relative_error,
    rounded_as_written,
    same_figure,
    why_not,
)

if TYPE_CHECKING:
    from decimal import Decimal

    from ragdash.amounts.amount import Amount
    from ragdash.core.question import Gold


@dataclass(frozen=True, slots=True)
class Weighed:
    """One amount against one gold: `same` is whether it is that figure, under what was asked.

    `reason` is a code of REASONS, or why the number is no figure at all (`Amount.excluded`).
    `relative_error` is |amount - gold| / |gold|, None for a gold of 0 or another kind.
    """

    same: bool
    reason: str
    relative_error: Decimal | None


def weigh(answer: str, amount: Amount, gold: Gold, question: str = "") -> Weighed:
    """Return how one amount of an answer compares with one gold figure, on its own.

    The verdict on the answer weighs its amounts together (`match_all`); this says of each what a
    person asks about it.
    """
    if amount.excluded:
        return Weighed(False, amount.excluded, None)
    error = relative_error(amount, gold)
    if not comparable(amount, gold):
        same_kind = amount.kind is gold_kind(gold.unit)[0]
        return Weighed(False, "other_currency" if same_kind else "other_kind", error)
    if not same_figure(amount, gold) and not rounded_as_written(amount, gold):
        return Weighed(False, why_not(amount, gold), error)
    if reason := misbound(answer, amount, gold, question):
        return Weighed(False, reason, error)
    return Weighed(True, "equal" if same_figure(amount, gold) else "equal_as_rounded", error)
