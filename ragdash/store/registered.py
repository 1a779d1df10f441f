"""What the registry holds: versions of runs, what a REF names of them, and tags."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragdash.store.summary import ModeRow


@dataclass(frozen=True, slots=True)
class Ref:
    """What a REF names: a version of a run, and one of its modes or all of them (None).

    As text it names the same again: with the number where there is, or was, another version.
    `superseded` says that a newer version is there.
    """

    run_id: str
    version: int
    mode: str | None
    superseded: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        number = f".{self.version}" if self.version > 1 or self.superseded else ""
        return f"{self.run_id}{number}" + (f":{self.mode}" if self.mode else "")

    def of_mode(self, mode: str | None) -> Ref:
        """Return the same version of the run in another mode."""
        return replace(self, mode=mode)


@dataclass(frozen=True, slots=True)
class RunRow:
    """A registered version of a run; digests and times as in its file.

    `superseded` says that a newer version is there.
    """

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
    superseded: bool = False

    def ref(self, mode: str | None = None) -> Ref:
        """Return what names this version, in one mode or all."""
        return Ref(self.run_id, self.version, mode, self.superseded)


@dataclass(frozen=True, slots=True)
class Tag:
    """One act of tagging: what a name stands for, why, by whom and when (ISO 8601, UTC)."""

    name: str
    ref: Ref
    reason: str
    author: str
    at: str
