"""What the registry holds: versions of runs, what a REF names of them, and tags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragdash.store.summary import ModeRow


@dataclass(frozen=True, slots=True)
class Ref:
    """What a REF names: a version of a run, and one of its modes or all of them (None)."""

    run_id: str
    version: int
    mode: str | None

    def __str__(self) -> str:
        number = "" if self.version == 1 else f".{self.version}"
        return f"{self.run_id}{number}" + (f":{self.mode}" if self.mode else "")


@dataclass(frozen=True, slots=True)
class RunRow:
    """A registered version of a run; digests and times as in its file."""

    run_id: str
    version: int
    kind: str
    status: str
    started_at: str
    finished_at: str
    config: dict[str, Any]
    config_digest: str
    corpus_name: str | None
    corpus_digest: str | None
    questions_name: str
    questions_digest: str
    n_questions: int
    environment: dict[str, Any]
    modes: tuple[ModeRow, ...]


@dataclass(frozen=True, slots=True)
class Tag:
    """One act of tagging: what a name stands for, why, by whom and when (ISO 8601, UTC)."""

    name: str
    ref: Ref
    reason: str
    author: str
    at: str
