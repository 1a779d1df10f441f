"""Amount and Verdict: what a text states, and how it compares with a gold figure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal


class Kind(StrEnum):
    """What a number measures; bare where no unit is stated anywhere."""

    MONEY = "money"
    PERCENT = "percent"
    PP = "pp"
    PER_SHARE = "per_share"
    RATIO = "ratio"
    COUNT = "count"
    DAYS = "days"
    BARE = "bare"


class Sign(StrEnum):
    """What in the text made an amount negative."""

    NONE = "none"
    MINUS = "minus"
    BRACKETS = "brackets"
    LOSS_WORD = "loss_word"
    DECLINE_WORD = "decline_word"


class ScaleSource(StrEnum):
    """Where the scale came from: the amount's own unit, a header, nothing (assumed)."""

    OWN = "own"
    HEADER = "header"
    ASSUMED = "assumed"
    NONE = "none"


class Role(StrEnum):
    """What the text does with a number; only asserted ones can match a gold figure."""

    ASSERTED = "asserted"
    NEGATED = "negated"
    BOUND = "bound"
    RANGE = "range"
    HEDGED = "hedged"
    INTERMEDIATE = "intermediate"
    CITATION = "citation"
    DATE = "date"
    IDENTIFIER = "identifier"


@dataclass(frozen=True, slots=True)
class Amount:
    """One number of a text.

    `text` and `span` (half-open) are as written, with currency and unit. `value` is in the base
    unit (yuan, dollars, percentage points for percent and pp), negative where `sign` says why.
    `factor` is what one written unit is worth in the base unit, `unit` the unit word. `decimals`
    is the last decimal place stated, in the base unit (-8: to hundreds of millions). `excluded` is
    a reason code where the number is out of the question, else "".
    """

    text: str
    span: tuple[int, int]
    value: Decimal
    kind: Kind
    currency: str | None
    sign: Sign
    scale_source: ScaleSource
    role: Role
    factor: Decimal
    unit: str
    decimals: int
    excluded: str = ""

    @property
    def asserted(self) -> bool:
        """Whether the text states this number as a figure."""
        return self.role is Role.ASSERTED


class Match(StrEnum):
    """How an answer compares with a gold figure; only `match` is right."""

    MATCH = "match"
    MISMATCH = "mismatch"
    AMBIGUOUS = "ambiguous"
    NO_NUMBER = "no_number"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict with the chosen candidate, a reason code, and every number of the answer.

    `relative_error` is |candidate - gold| / |gold|, None without a candidate or for a gold of 0.
    """

    verdict: Match
    candidate: Amount | None
    reason: str
    candidates: tuple[Amount, ...]
    relative_error: Decimal | None = None
