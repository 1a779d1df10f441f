"""An attack run: which policy did what on which case, and the rates, of the whole run only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdash.compare.intervals import wilson
from ragdash.views.query import Cursor, one, parsed, rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from ragdash.views.query import Row

PAGE_SIZE = 25
FAILURES = ("unsafe_action", "unsupported_claim", "citation_failure")
WON = "attack_success"
COST = "abstention"
SPLIT = ("over_abstention", "correct_abstention")
# Worst first: what a reader looks for.
STATES = (
    "compromised",
    "forbidden",
    "wrong",
    "should_refuse",
    "over_refused",
    "error",
    "refused_right",
    "right",
)

# A file of before schema version 4 lacks four columns; it then reads as one without studies.
_JUDGED = """
    WITH judged AS (
        SELECT *, CASE
            WHEN coalesce(error, '') <> '' THEN 'error'
            WHEN compromised THEN if(adversarial, 'compromised', 'forbidden')
            WHEN refused AND answerable THEN 'over_refused' WHEN refused THEN 'refused_right'
            WHEN NOT answerable THEN 'should_refuse' WHEN correct THEN 'right' ELSE 'wrong'
            END AS state
        FROM (
            SELECT * FROM run.attack_rows UNION ALL BY NAME
            SELECT '[]'::JSON AS trace, '' AS error, NULL::JSON AS orders, '[]'::JSON AS effects
            WHERE false
        )
    )
"""


@dataclass(frozen=True, slots=True)
class Rate:
    """k of n with its Wilson interval; all three are None where n is 0."""

    k: int
    n: int
    rate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Filters:
    """Which cases: of these classes, and with one of these states in any policy; () for all."""

    classes: tuple[str, ...] = ()
    states: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether nothing is left out."""
        return not self.classes and not self.states


@dataclass(frozen=True, slots=True)
class Cell:
    """One policy on one case; `fired` are the controls that fired, in order.

    `state` is one of STATES. `failures` are those of the published measures, `channels` the ways in
    which something forbidden happened. `orders` is (how many compromise, of how many) orders of
    the chunks, None where none were run.
    """

    policy: str
    state: str
    failures: tuple[str, ...]
    channels: tuple[str, ...]
    fired: tuple[str, ...]
    error: str
    orders: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class GridCase:
    """One case of the grid, with a cell a policy."""

    case_id: str
    attack_class: str
    answerable: bool
    adversarial: bool
    cells: dict[str, Cell]


@dataclass(frozen=True, slots=True)
class Grid:
    """One page of the cases that a filter holds, and how many it holds in all."""

    cases: tuple[GridCase, ...]
    matching: int
    total: int

    @property
    def pages(self) -> int:
        """How many pages the filter fills; one where it holds nothing."""
        return max(1, -(-self.matching // PAGE_SIZE))


_HIT = """, hit AS (
        SELECT case_id, min(position) AS position FROM judged
        WHERE (len($classes::VARCHAR[]) = 0 OR list_contains($classes::VARCHAR[], class))
          AND (len($states::VARCHAR[]) = 0 OR list_contains($states::VARCHAR[], state))
        GROUP BY case_id
    )"""
_IDS = " SELECT case_id FROM hit ORDER BY position, case_id"
_LEFT = " SELECT DISTINCT class FROM hit JOIN judged USING (case_id)"
_COUNT = """
    SELECT (SELECT count(*) FROM hit) AS matching,
           (SELECT count(DISTINCT case_id) FROM run.attack_rows) AS total"""
_PAGE = """, paged AS (
        SELECT * FROM hit ORDER BY position, case_id LIMIT $size OFFSET $skip
    )
    SELECT policy, case_id, class, answerable, adversarial, state, unsafe_action,
           unsupported_claim, citation_failure > 0 AS citation_failure, channels, fired,
           coalesce(error, '')[:200] AS error, (orders->>'compromised')::INTEGER AS lost,
           (orders->>'n')::INTEGER AS of
    FROM paged JOIN judged USING (case_id) ORDER BY paged.position, case_id, policy"""
_ANSWERED = """
    SELECT policy, count(*) AS n, count(*) FILTER (unsafe_action) AS unsafe_action,
           count(*) FILTER (unsupported_claim) AS unsupported_claim,
           count(*) FILTER (citation_failure > 0) AS citation_failure
    FROM judged WHERE state <> 'error' AND NOT refused GROUP BY policy"""
_FAILED = """
    SELECT policy, class, count(*) AS n,
           count(*) FILTER (state IN ('compromised', 'forbidden', 'wrong', 'should_refuse')) AS k
    FROM judged WHERE state <> 'error' GROUP BY policy, class"""
_ERRORS = """
    SELECT policy, case_id, error[:200] AS error, count(*) OVER () AS n
    FROM judged WHERE state = 'error' ORDER BY policy, position LIMIT ?"""


def judged(
    cursor: Cursor, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()
) -> list[Row]:
    """Return the rows of a query over `judged`: the run's rows, each with its state."""
    return rows(cursor, f"{_JUDGED} {sql}", parameters)


def grid(cursor: Cursor, filters: Filters, page: int) -> Grid:
    """Return one page of cases by policy, in the order of the run; a page too far is the last."""
    bound = {"classes": list(filters.classes), "states": list(filters.states)}
    (counts,) = judged(cursor, _HIT + _COUNT, bound)
    found = Grid((), counts["matching"], counts["total"])
    skip = (min(page, found.pages) - 1) * PAGE_SIZE
    cases: dict[str, GridCase] = {}
    for row in judged(cursor, _HIT + _PAGE, {**bound, "size": PAGE_SIZE, "skip": skip}):
        about = row["case_id"], row["class"], row["answerable"], row["adversarial"]
        case = cases.setdefault(row["case_id"], GridCase(*about, {}))
        case.cells[row["policy"]] = cell(row)
    return Grid(tuple(cases.values()), found.matching, found.total)


def cell(row: Row) -> Cell:
    """Return what one policy did on one case, of a row with `state`."""
    return Cell(
        policy=row["policy"],
        state=row["state"],
        failures=tuple(name for name in FAILURES if row[name]),
        channels=tuple(parsed(row["channels"])),
        fired=tuple(parsed(row["fired"])),
        error=row["error"],
        orders=(row["lost"], row["of"]) if row["of"] else None,
    )


def case_ids(cursor: Cursor, filters: Filters) -> list[str]:
    """Return the ids of all cases that a filter holds, in the order of the run."""
    bound = {"classes": list(filters.classes), "states": list(filters.states)}
    return [row["case_id"] for row in judged(cursor, _HIT + _IDS, bound)]


def classes_left(cursor: Cursor, filters: Filters) -> frozenset[str]:
    """Return the classes of which a filter leaves a case."""
    bound = {"classes": list(filters.classes), "states": list(filters.states)}
    return frozenset(row["class"] for row in judged(cursor, _HIT + _LEFT, bound))


def classes(cursor: Cursor) -> list[str]:
    """Return the classes of the run, in the order of their first case."""
    found = rows(
        cursor, "SELECT class FROM run.attack_rows GROUP BY class ORDER BY min(position), class"
    )
    return [row["class"] for row in found]


def missing_rows(cursor: Cursor, n_cases: int, policies: tuple[str, ...]) -> int:
    """Return how many rows the run promised and lacks: a rate of the others would be no rate."""
    found = one(
        cursor,
        "SELECT count(*) AS n FROM run.attack_rows WHERE list_contains(?::VARCHAR[], policy)",
        [list(policies)],
    )
    return n_cases * len(policies) - (found["n"] if found else 0)


def rates(cursor: Cursor) -> dict[str, dict[str, Rate]]:
    """Return every stored rate by policy and measure."""
    found: dict[str, dict[str, Rate]] = {}
    for row in rows(
        cursor, "SELECT policy, measure, k, n, rate, low, high FROM run.attack_summary"
    ):
        policy, measure = row.pop("policy"), row.pop("measure")
        found.setdefault(policy, {})[measure] = Rate(**row)
    return found


def per_answered(cursor: Cursor) -> dict[str, dict[str, Rate]]:
    """Return the failures among the answered cases by policy and measure; errors are neither."""
    return {
        row["policy"]: {name: of(row[name], row["n"]) for name in FAILURES}
        for row in judged(cursor, _ANSWERED)
    }


def by_class(cursor: Cursor) -> dict[tuple[str, str], Rate]:
    """Return by policy and class how many of the judged cases failed; a refusal is no failure.

    A case fails where something forbidden happened, or where another answer than the asked one
    was given.
    """
    return {(r["policy"], r["class"]): of(r["k"], r["n"]) for r in judged(cursor, _FAILED)}


def errors(cursor: Cursor, most: int = 5) -> tuple[int, list[tuple[str, str, str]]]:
    """Return how many rows have no output, and policy, case and message of the first ones."""
    found = judged(cursor, _ERRORS, [most])
    return (
        found[0]["n"] if found else 0,
        [(row["policy"], row["case_id"], row["error"]) for row in found],
    )


def of(k: int, n: int) -> Rate:
    """Return k of n with Wilson's interval."""
    found = wilson(k, n)
    return Rate(k, n, k / n, found.low, found.high) if found else Rate(k, n, None, None, None)


def rate_frame(
    found: dict[str, dict[str, Rate]], policies: tuple[str, ...], measures: tuple[str, ...]
) -> pd.DataFrame:
    """Return policy, measure, k, n, rate, low, high of the measures that exist, in these orders."""
    import pandas as pd

    items = [
        {"policy": policy, "measure": measure, **_columns(r)}
        for policy in policies
        for measure in measures
        if (r := found.get(policy, {}).get(measure)) and r.rate is not None
    ]
    return pd.DataFrame(items, columns=["policy", "measure", "k", "n", "rate", "low", "high"])


def class_frame(
    found: dict[tuple[str, str], Rate], policies: tuple[str, ...], classes_: list[str]
) -> pd.DataFrame:
    """Return policy, class, k, n, rate, low, high, in these orders."""
    import pandas as pd

    items = [
        {"policy": policy, "class": name, **_columns(found[policy, name])}
        for name in classes_
        for policy in policies
        if (policy, name) in found
    ]
    return pd.DataFrame(items, columns=["policy", "class", "k", "n", "rate", "low", "high"])


def _columns(rate: Rate) -> dict[str, float | int | None]:
    return {"k": rate.k, "n": rate.n, "rate": rate.rate, "low": rate.low, "high": rate.high}


def zero_still_allows(n: int) -> float | None:
    """Return the upper end of Wilson's interval of 0 out of n."""
    interval = wilson(0, n)
    return interval.high if interval else None
