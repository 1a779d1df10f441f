"""Text to exact amounts, and amounts against a gold figure: the numeric gate, all in Decimal."""

from __future__ import annotations

from ragdash.amounts.amount import Amount, Kind, Match, Role, ScaleSource, Sign, Verdict
from ragdash.amounts.match import (
    all_match,
    comparable,
    gold_kind,
    match_all,
    match_amount,
    same_figure,
)
from ragdash.amounts.parse import read_amounts
from ragdash.amounts.units import UnitNote, read_unit_note

__all__ = [
    "Amount",
    "Kind",
    "Match",
    "Role",
    "ScaleSource",
    "Sign",
    "UnitNote",
    "Verdict",
    "all_match",
    "comparable",
    "gold_kind",
    "match_all",
    "match_amount",
    "read_amounts",
    "read_unit_note",
    "same_figure",
]
