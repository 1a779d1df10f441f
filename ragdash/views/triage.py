"""The list of questions behind a filter: filtered, ordered and paged in the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdash.views.compare import HEADLINE
from ragdash.views.query import Cursor, rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.store.registry import Ref

PAGE_SIZE = 50
PREVIEW = 160
CHANGES = ("regressed", "improved", "same", "not_comparable")


@dataclass(frozen=True, slots=True)
class Filters:
    """What is asked for; an empty tuple or None asks for everything.

    `changes` are those of `mode` against `base` in the headline gate, and need both; the cursor
    then holds the base's file too.
    """

    mode: str | None = None
    outcomes: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    base: Ref | None = None
    changes: tuple[str, ...] = ()


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
    """One page of the list, its number, and how many questions the filter holds in all."""

    questions: tuple[Listed, ...]
    matching: int
    total: int
    page: int = 1

    @property
    def pages(self) -> int:
        """How many pages the filter fills; one where it holds nothing."""
        return max(1, -(-self.matching // PAGE_SIZE))


# NULL on one side is not comparable; a gate whose more is worse is not the headline.
_MOVED = """
    SELECT question_id FROM (
        SELECT question_id, avg(value) AS now FROM run.scores
        WHERE metric = $headline AND mode = $mode GROUP BY ALL
    ) FULL JOIN (
        SELECT question_id, avg(value) AS before FROM base.scores
        WHERE metric = $headline AND mode = $base GROUP BY ALL
    ) USING (question_id)
    WHERE list_contains($changes::VARCHAR[], CASE
        WHEN now IS NULL OR before IS NULL THEN 'not_comparable'
        WHEN now > before THEN 'improved' WHEN now < before THEN 'regressed' ELSE 'same' END)
"""
_HIT = """
    WITH hit AS (
        SELECT question_id,
               min(CASE outcome WHEN 'error' THEN 0 WHEN 'wrong' THEN 1
                   WHEN 'abstained_wrong' THEN 2 WHEN 'unscored' THEN 3 ELSE 4 END) AS severity
        FROM run.results
        WHERE ($mode IS NULL OR mode = $mode)
          AND (len($outcomes::VARCHAR[]) = 0 OR list_contains($outcomes::VARCHAR[], outcome))
          AND (len($layers::VARCHAR[]) = 0 OR list_contains($layers::VARCHAR[], layer))
          {moved}
        GROUP BY question_id
    )
"""
_ORDER = " FROM hit JOIN run.questions q USING (question_id) ORDER BY hit.severity, q.position"
_IDS = f"{_HIT} SELECT q.question_id {_ORDER}"
_PAGE = f"""{_HIT}
    SELECT q.question_id, q.text[:$preview] AS text, length(q.text) AS length, q.lang,
           q.company, q.period, q.kind, q.answerable
    {_ORDER} LIMIT $size OFFSET $skip
"""


def ids(cursor: Cursor, filters: Filters) -> list[str]:
    """Return every question that a filter holds, in the order of the list."""
    return [row["question_id"] for row in rows(cursor, _sql(_IDS, filters), _bound(filters))]


def listing(cursor: Cursor, filters: Filters, page: int = 1) -> Listing:
    """Return one page (from 1) of the questions that a filter holds, failed ones first.

    A page that does not exist is the nearest one; the count does not depend on the page.
    """
    matching = len(ids(cursor, filters))
    page = min(max(page, 1), max(1, -(-matching // PAGE_SIZE)))
    window = {"preview": PREVIEW, "size": PAGE_SIZE, "skip": (page - 1) * PAGE_SIZE}
    found = rows(cursor, _sql(_PAGE, filters), {**_bound(filters), **window})
    total = rows(cursor, "SELECT count(*) AS n FROM run.questions")[0]["n"]
    results = _results(cursor, [row["question_id"] for row in found])
    listed = tuple(
        Listed(
            **{name: row[name] for name in Listed.__slots__ if name != "results"},
            results=tuple(results.get(row["question_id"], ())),
        )
        for row in found
    )
    return Listing(listed, matching, total, page)


def _sql(query: str, filters: Filters) -> str:
    """Return a query with the pairing in it where changes are asked for; values stay bound."""
    return query.replace("{moved}", f"AND question_id IN ({_MOVED})" if filters.changes else "")


def _bound(filters: Filters) -> dict[str, Any]:
    paired = {
        "base": filters.base.mode if filters.base else None,
        "changes": list(filters.changes),
        "headline": HEADLINE,
    }
    return {
        **(paired if filters.changes else {}),
        "mode": filters.mode,
        "outcomes": list(filters.outcomes),
        "layers": list(filters.layers),
    }


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
