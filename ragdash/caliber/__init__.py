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
from ragdash.caliber.nearest import nearest_period, nearest_term, sentence_around
from ragdash.caliber.periods import PeriodHit, find_periods, read_period
from ragdash.caliber.terms import Term, TermHit, find_scopes, find_terms, metric_key, siblings, term

__all__ = [
    "AskedMetric",
    "CaliberStatus",
    "CaliberVerdict",
    "PeriodHit",
    "Term",
    "TermHit",
    "asked_metric",
    "caliber_check",
    "find_periods",
    "find_scopes",
    "find_terms",
    "metric_key",
    "nearest_period",
    "nearest_term",
    "read_period",
    "sentence_around",
    "siblings",
    "term",
]
