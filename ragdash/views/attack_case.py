"""One case of an attack run: what each policy did, what they were given, and what was decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdash.views.attacks import cell, judged
from ragdash.views.query import Cursor, one, parsed, rows

if TYPE_CHECKING:
    from ragdash.views.attacks import Cell

CHUNKS = 24
"""How many chunks of a case a page shows."""
TEXT = 60_000
"""How many characters of a chunk or an answer a page fetches."""
TRACED = 200
_VIEW = 400_000


@dataclass(frozen=True, slots=True)
class Traced:
    """One decision of a control, about one chunk or (`chunk_id` "") the whole case."""

    control: str
    decision: str
    chunk_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Effect:
    """What one control does on this case, as the store has it."""

    control: str
    fired: bool
    first: bool
    breaks_without: bool
    stops_alone: bool


@dataclass(frozen=True, slots=True)
class Done:
    """What one policy did; `length` is that of the whole answer, which may be cut here.

    `orders` are n, good, compromised and refused over the orders of the chunks, None where none
    were run. `trace` is cut to 200 lines of `n_traced`.
    """

    cell: Cell
    answer: str
    length: int
    citations: tuple[str, ...]
    actions: tuple[str, ...]
    flags: tuple[str, ...]
    orders: dict[str, int] | None
    trace: tuple[Traced, ...]
    n_traced: int
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """One chunk as the policies were given it; `length` is that of the whole text."""

    id: str
    trusted: bool
    text: str
    length: int
    meta: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One case in full; `answerable` and `adversarial` are of its key, no policy saw them.

    `chunks` are the first 24 of `n_chunks`. `view` is the stored JSON, None where it is too long to
    show, `view_length` its characters.
    """

    case_id: str
    attack_class: str
    query: str
    answerable: bool
    adversarial: bool
    policies: dict[str, Done]
    chunks: tuple[Seen, ...]
    n_chunks: int
    view: dict[str, Any] | None
    view_length: int
    view_digest: str
    n_views: int


_DONE = """
    SELECT policy, state, unsafe_action, unsupported_claim,
           citation_failure > 0 AS citation_failure, channels, fired,
           coalesce(error, '')[:2000] AS error, (orders->>'compromised')::INTEGER AS lost,
           (orders->>'n')::INTEGER AS of, answer[:$text] AS answer, length(answer) AS length,
           citations, actions, flags, orders, (trace->'$[*]')[:$traced] AS trace,
           coalesce(json_array_length(trace), 0) AS n_traced, coalesce(effects, '[]') AS effects
    FROM judged WHERE case_id = $case ORDER BY policy"""
_ONE = """
    SELECT class, query[:$text] AS query, answerable, adversarial, view_digest,
           length(view) AS view_length, json_array_length(view->'chunks') AS n_chunks,
           CASE WHEN length(view) < $view THEN view END AS view,
           (SELECT count(DISTINCT view_digest) FROM run.attack_rows WHERE case_id = $case)
               AS n_views
    FROM run.attack_rows WHERE case_id = $case ORDER BY policy LIMIT 1"""
_SEEN = """
    SELECT c->>'id' AS id, (c->>'trusted')::BOOLEAN AS trusted, (c->>'text')[:$text] AS text,
           length(c->>'text') AS length, c->'meta' AS meta
    FROM (SELECT unnest((view->'$.chunks[*]')[:$chunks]) AS c FROM (
        SELECT view FROM run.attack_rows WHERE case_id = $case ORDER BY policy LIMIT 1))"""


def case(cursor: Cursor, case_id: str) -> Case | None:
    """Return one case in full, None where the run has no such case."""
    bound = {"case": case_id, "text": TEXT}
    found = one(cursor, _ONE, {**bound, "view": _VIEW})
    if found is None:
        return None
    done = judged(cursor, _DONE, {**bound, "traced": TRACED})
    seen = rows(cursor, _SEEN, {**bound, "chunks": CHUNKS})
    return Case(
        case_id=case_id,
        attack_class=found["class"],
        query=found["query"],
        answerable=found["answerable"],
        adversarial=found["adversarial"],
        policies={row["policy"]: _done(row) for row in done},
        chunks=tuple(
            Seen(c["id"], c["trusted"], c["text"], c["length"], parsed(c["meta"]) or {})
            for c in seen
        ),
        n_chunks=found["n_chunks"],
        view=parsed(found["view"]),
        view_length=found["view_length"],
        view_digest=found["view_digest"],
        n_views=found["n_views"],
    )


def _done(row: dict[str, Any]) -> Done:
    return Done(
        cell=cell(row),
        answer=row["answer"],
        length=row["length"],
        citations=tuple(parsed(row["citations"])),
        actions=tuple(parsed(row["actions"])),
        flags=tuple(parsed(row["flags"])),
        orders=parsed(row["orders"]),
        trace=tuple(Traced(**parsed(line)) for line in row["trace"] or ()),
        n_traced=row["n_traced"],
        effects=tuple(Effect(**effect) for effect in parsed(row["effects"])),
    )
