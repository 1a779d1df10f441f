"""Answers of any system, scored one at a time: figures, citations, refusals. No model runs.

The three functions are what `ragdash check numbers`, `check citations` and `check refusals` call
for each line of a file.
"""

from __future__ import annotations

from ragdash.check.citations import CitationCheck, CitationRow, check_citations
from ragdash.check.numbers import NumberCheck, NumberVerdict, check_numbers
from ragdash.check.refusals import check_refusals

__all__ = [
    "CitationCheck",
    "CitationRow",
    "NumberCheck",
    "NumberVerdict",
    "check_citations",
    "check_numbers",
    "check_refusals",
]
