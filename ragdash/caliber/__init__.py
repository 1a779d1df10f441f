"""业务口径: accounting terms, scopes and periods in text, and whether a figure's caliber fits.

The terms are data (data/caliber/terms.toml, both languages); an analyst adds one without code.
"""

from __future__ import annotations

from ragdash.caliber.check import (
    AskedMetric,
    CaliberStatus,
    CaliberVerdict,
    asked_metric,
    caliber_check,
)
from ragdash.caliber.listed import find_listed, listed_in
from ragdash.caliber.names import NameHit, asked_names, find_names
from ragdash.caliber.nearest import nearest_name, nearest_period, nearest_term, sentence_around
from ragdash.caliber.parts import asked_part, part_at, says_total
from ragdash.caliber.periods import PeriodHit, find_periods, read_period, same_part
from ragdash.caliber.samename import same_name
from ragdash.caliber.terms import Term, TermHit, find_scopes, find_terms, metric_key, siblings, term

__all__ = [
    "AskedMetric",
    "CaliberStatus",
    "CaliberVerdict",
    "NameHit",
    "PeriodHit",
    "Term",
    "TermHit",
    "asked_metric",
    "asked_names",
    "asked_part",
    "caliber_check",
    "find_listed",
    "find_names",
    "find_periods",
    "find_scopes",
    "find_terms",
    "listed_in",
    "metric_key",
    "nearest_name",
    "nearest_period",
    "nearest_term",
    "part_at",
    "read_period",
    "same_name",
    "same_part",
    "says_total",
    "sentence_around",
    "siblings",
    "term",
]
