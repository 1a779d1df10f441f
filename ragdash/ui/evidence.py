"""What to mark in a text: the amounts behind the numeric verdict."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ragdash.views.question import Detail, ScoreRow

# A short figure ("5") occurs everywhere; marking it says nothing.
_SHORTEST = 4


def _verdicts(scores: Iterable[ScoreRow]) -> list[dict[str, Any]]:
    for score in scores:
        if score.metric == "numeric_accuracy" and isinstance(score.evidence, dict):
            found = score.evidence.get("verdicts")
            if isinstance(found, list):
                return [v for v in found if isinstance(v, dict)]
    return []


def _candidates(scores: Iterable[ScoreRow]) -> list[dict[str, Any]]:
    found = (verdict.get("candidate") for verdict in _verdicts(scores))
    return [c for c in found if isinstance(c, dict)]


def amount_spans(scores: Iterable[ScoreRow]) -> list[tuple[int, int]]:
    """Return the ranges of the answer that the numeric gate chose."""
    spans = (c.get("span") for c in _candidates(scores))
    return [(s[0], s[1]) for s in spans if isinstance(s, list) and len(s) == 2]


def needles(found: Detail) -> tuple[str, ...]:
    """Return the figures to mark in chunks: those the answer gives, and the gold as printed."""
    texts = [str(c.get("text", "")) for c in _candidates(found.scores)]
    digits = [m.group() for text in texts for m in re.finditer(r"\d[\d,.]*\d", text)]
    for row in found.golds:
        try:
            value = Decimal(row["value_text"])
        except InvalidOperation:
            continue
        if value.is_finite():
            digits += [f"{value:,f}", f"{abs(value):,f}"]
    kept = {d for d in digits if len(d) >= _SHORTEST}
    return tuple(sorted(kept, key=lambda d: (-len(d), d)))


def spans_of(text: str, marks: Iterable[str]) -> list[tuple[int, int]]:
    """Return where the figures stand in a text, whole figures only."""
    spans = []
    for mark in marks:
        pattern = rf"(?<![\d,.]){re.escape(mark)}(?![\d]|[,.]\d)"
        spans += [m.span() for m in re.finditer(pattern, text)]
    return spans
