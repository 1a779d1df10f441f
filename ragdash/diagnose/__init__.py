"""The first failing layer of a lost question, from the stored ranks (metrics.md section 4)."""

from __future__ import annotations

from ragdash.diagnose.kept import evidence_chunks
from ragdash.diagnose.layers import diagnose
from ragdash.diagnose.redo import Redone, redo

__all__ = ["Redone", "diagnose", "evidence_chunks", "redo"]
