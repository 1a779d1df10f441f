"""Questions in, QuestionResults out, and stored results scored again: no files, no database."""

from __future__ import annotations

from ragdash.evaluate.rescore import rescore
from ragdash.evaluate.run import evaluate
from ragdash.evaluate.setup import Setup

__all__ = ["Setup", "evaluate", "rescore"]
