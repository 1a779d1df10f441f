"""Text to exact amounts, and amounts against a gold figure: the numeric gate, all in Decimal."""

from __future__ import annotations

from ragdash.amounts.amount import Amount, Kind, Match, Role, ScaleSource, Sign, Verdict
from ragdash.amounts.asked import asked_places, asked_unit
from ragdash.amounts.cells import column_of, header_cells
from ragdash.amounts.columns import read_chunk
from ragdash.amounts.figures import (
    comparable,
    gold_kind,
    printed,
    relative_error,
    restates,
    rounded_as_written,
    same_figure,
)
from ragdash.amounts.headers import UnitNote, read_unit_note
from ragdash.amounts.match import all_match, match_all, match_amount
from ragdash.amounts.parse import read_amounts
from ragdash.amounts.weighing import Weighed, weigh

__all__ = [
    "Amount",
    "Kind",
    "Match",
    "Role",
    "ScaleSource",
    "Sign",
    "UnitNote",
    "Verdict",
    "Weighed",
    "all_match",
    "asked_places",
    "asked_unit",
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
    "rounded_as_written",
    "same_figure",
    "weigh",
]
