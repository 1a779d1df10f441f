"""The list of questions behind a filter: filtered, ordered and paged in the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.views.query import Cursor, rows

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE_SIZE = 50
PREVIEW = 160


@dataclass(frozen=True, slots=True)
class Filters:
    """What is asked for; an empty tuple or None asks for everything."""

    mode: str | None = None
    outcomes: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModeResult:
    """What became of it in one mode; layer and evidence are None where nothing was lost."""

    mode: str
    outcome: str
    layer: str | None
    evidence_en: str | None
    evidence_zh: str | None


@dataclass(frozen=True, slots=True)
class Listed:
    """One question of the list; `text` is cut to 160 characters, `length` is that of the whole."""

    question_id: str
    text: str
    length: int
    lang: str
    company: str | None
    period: str | None
    kind: str
    answerable: bool
    results: tuple[ModeResult, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the list and how many questions the filter holds in all."""

    questions: tuple[Listed, ...]
    matching: int
    total: int


_MATCH = """
    WITH hit AS (
        SELECT question_id,
               min(CASE outcome WHEN 'error' THEN 0 WHEN 'wrong' THEN 1
                   WHEN 'abstained_wrong' THEN 2 WHEN 'unscored' THEN 3 ELSE 4 END) AS severity
        FROM run.results
        WHERE ($mode IS NULL OR mode = $mode)
          AND (len($outcomes::VARCHAR[]) = 0 OR list_contains($outcomes::VARCHAR[], outcome))
          AND (len($layers::VARCHAR[]) = 0 OR list_contains($layers::VARCHAR[], layer))
        GROUP BY question_id
    )
    SELECT q.question_id, q.position, q.text[:$preview] AS text, length(q.text) AS length, q.lang,
           q.company, q.period, q.kind, q.answerable, hit.severity, count(*) OVER () AS matching
    FROM hit JOIN run.questions q USING (question_id)
    ORDER BY hit.severity, q.position
    LIMIT $size OFFSET $skip
"""


def listing(cursor: Cursor, filters: Filters, page: int = 1) -> Listing:
    """Return one page (from 1) of the questions that a filter holds, failed ones first."""
    cursor.execute(
        _MATCH,
        {
            "mode": filters.mode,
            "outcomes": list(filters.outcomes),
            "layers": list(filters.layers),
            "preview": PREVIEW,
            "size": PAGE_SIZE,
            "skip": (max(page, 1) - 1) * PAGE_SIZE,
        },
    )
    names = [column[0] for column in cursor.description]
    found = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    total = rows(cursor, "SELECT count(*) AS n FROM run.questions")[0]["n"]
    results = _results(cursor, [row["question_id"] for row in found])
    listed = tuple(
        Listed(
            **{name: row[name] for name in Listed.__slots__ if name != "results"},
            results=tuple(results.get(row["question_id"], ())),
        )
        for row in found
    )
    return Listing(listed, found[0]["matching"] if found else 0, total)


def _results(cursor: Cursor, ids: Sequence[str]) -> dict[str, list[ModeResult]]:
    by_question: dict[str, list[ModeResult]] = {}
    for row in rows(
        cursor,
        "SELECT question_id, mode, outcome, layer, evidence_en, evidence_zh FROM run.results"
        " WHERE list_contains(?::VARCHAR[], question_id)",
        [list(ids)],
    ):
        by_question.setdefault(row.pop("question_id"), []).append(ModeResult(**row))
    return by_question
