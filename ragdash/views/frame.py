"""What the frame says about the run on view: its inputs, its modes and its state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdash.views.query import Cursor, one, parsed

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class RunFacts:
    """One run file in the words of its own meta row; corpus and top k are None in an attack run."""

    run_id: str
    version: int
    kind: str
    started_at: str
    finished_at: str
    status: str
    modes: tuple[str, ...]
    corpus: str | None
    corpus_digest: str | None
    questions: str
    questions_digest: str
    n_questions: int
    generator: str | None
    judge: str | None
    top_k: int | None
    config: Mapping[str, Any]
    environment: Mapping[str, Any]
    schema_version: int


def facts(cursor: Cursor) -> RunFacts:
    """Return the meta row of the attached run.

    Raises:
        LookupError: the file holds no meta row.
    """
    row = one(cursor, "SELECT * FROM run.meta")
    if row is None:
        raise LookupError("the run file holds no meta row")
    config = parsed(row["config"])
    return RunFacts(
        run_id=row["run_id"],
        version=row["version"],
        kind=row["kind"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
        status=row["status"],
        modes=tuple(parsed(row["modes"])),
        corpus=row["corpus_name"],
        corpus_digest=row["corpus_digest"],
        questions=row["questions_name"],
        questions_digest=row["questions_digest"],
        n_questions=row["n_questions"],
        generator=named(config.get("generator")),
        judge=named(config.get("judge")),
        top_k=(config.get("retrieval") or {}).get("top_k"),
        config=config,
        environment=parsed(row["environment"]),
        schema_version=row["schema_version"],
    )


def named(part: Any) -> str | None:
    """Return who a stored config names as generator or judge: its kind, or model and address.

    Run files of before 2026-12 hold the kind alone.
    """
    if isinstance(part, dict):
        endpoint = part.get("endpoint")
        if isinstance(endpoint, dict):
            return f"{endpoint.get('model')} @ {endpoint.get('base_url')}"
        part = part.get("kind")
    return part if part is None or isinstance(part, str) else str(part)
