"""Text to exact amounts, and amounts against a gold figure: the numeric gate, all in Decimal."""

from __future__ import annotations

from ragdash.amounts.amount import Amount, Kind, Match, Role, ScaleSource, Sign, Verdict
from ragdash.amounts.columns import column_of, header_cells, read_chunk
from ragdash.amounts.headers import UnitNote, read_unit_note
from ragdash.amounts.match import (
    all_match,
    comparable,
    gold_kind,
    match_all,
    match_amount,
    printed,
    relative_error,
    restates,
    same_figure,
)
from ragdash.amounts.parse import read_amounts

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
    "column_of",
    "comparable",
    "gold_kind",
    "header_cells",
    "match_all",
    "match_amount",
    "printed",
    "read_amounts",
    "read_chunk",
    "read_unit_note",
    "relative_error",
    "restates",
    "same_figure",
]
