"""Question, Gold and Evidence: what is asked, and what a right answer would state."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class QuestionKind(StrEnum):
    """What an answer needs: one figure, several, a calculation, or prose."""

    LOOKUP = "lookup"
    COMPARE = "compare"
    COMPUTED = "computed"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Gold:
    """One figure a right answer states.

    `unit`: an ISO 4217 code ("CNY"), "CNY/share", "percent", "pp", "ratio", "days" or a count noun.
    `value` is in that unit (yuan, not 万元). `tolerance` is relative. `decimals` says how precisely
    the figure is stated, without trailing zeros (-7: to ten million). `scope`: consolidated,
    parent, segment or product. `attribution`: 归母, 扣非 or None.
    """

    value: Decimal
    unit: str
    tolerance: Decimal = Decimal("0.005")
    decimals: int | None = None
    metric: str | None = None
    scope: str | None = None
    attribution: str | None = None
    period: str | None = None


@dataclass(frozen=True, slots=True, order=True)
class Evidence:
    """A page, counted from 1, that states the gold."""

    doc_id: str
    page: int


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a set; an unanswerable one has neither gold nor evidence."""

    id: str
    text: str
    lang: str
    kind: QuestionKind
    company: str | None
    period: str | None
    gold: tuple[Gold, ...]
    gold_text: str
    evidence: tuple[Evidence, ...]
    answerable: bool
    note: str = ""

    @property
    def is_open(self) -> bool:
        """Whether nothing at all is known of a right answer, which only an import can leave so."""
        known = self.gold or self.gold_text.strip() or self.evidence
        return self.answerable and not known

    @property
    def needs_every_page(self) -> bool:
        """Whether all evidence pages must be visible (compare, computed) or any one will do."""
        return self.kind in (QuestionKind.COMPARE, QuestionKind.COMPUTED)
