"""Attacks through the retriever: where they ended, what they pushed aside, case by case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.compare.intervals import wilson
from ragdash.store.schema import tables_of
from ragdash.views.query import Cursor, one, rows

if TYPE_CHECKING:
    from ragdash.views.frame import RunFacts

STAGES = ("not_retrieved", "retrieved", "in_context", "in_answer")
RANKS = ("dense_rank", "bm25_rank", "fused_rank", "rerank_rank", "context_rank")
_SHOWN = 50

# What is retrieved does not depend on who answers: one row a mode and case.
_RETRIEVED = """
    WITH ways AS (
        SELECT DISTINCT ON (w.mode, w.case_id) w.*
        FROM run.attack_retrieval w JOIN run.attack_rows r USING (policy, case_id)
        WHERE r.adversarial ORDER BY w.mode, w.case_id, w.policy
    )
    SELECT mode, count(*) AS n,
        count_if(dense_rank = 1) AS dense_rank, count_if(bm25_rank = 1) AS bm25_rank,
        count_if(fused_rank = 1) AS fused_rank, count_if(rerank_rank = 1) AS rerank_rank,
        count_if(context_rank = 1) AS context_rank,
        sum(hostile_shown)::INTEGER AS hostile, sum(context_size)::INTEGER AS shown,
        count_if(gold_displaced) AS worse, count(gold_displaced) AS had_gold,
        count_if(gold_shown_without AND NOT gold_shown_with) AS lost,
        count_if(gold_shown_without) AS had_shown
    FROM ways GROUP BY mode
"""


@dataclass(frozen=True, slots=True)
class Count:
    """k of n with Wilson's interval; the interval is None where n is 0."""

    k: int
    n: int
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Ended:
    """How many attacks ended at each stage under one policy in one mode."""

    mode: str
    policy: str
    by_stage: dict[str, Count]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a mode did with the hostile passages, over the attacks.

    `first` counts where one stood first at a stage; `hostile` of `shown` passages were hostile. Of
    those whose gold was a candidate it came further down in `worse`; of those whose evidence was
    shown it is no longer in `lost`.
    """

    mode: str
    first: dict[str, Count]
    hostile: int
    shown: int
    worse: Count
    lost: Count


@dataclass(frozen=True, slots=True)
class Way:
    """One case in one mode; `ended` holds stage, channels and error by policy."""

    case_id: str
    attack_class: str
    adversarial: bool
    ranks: dict[str, int | None]
    gold_without: int | None
    gold_with: int | None
    ended: dict[str, tuple[str | None, str, str]]


def is_there(facts: RunFacts, cursor: Cursor) -> bool:
    """Return whether the run put hostile passages through a retriever."""
    if "attack_retrieval" not in tables_of(facts.schema_version):
        return False
    found = one(cursor, "SELECT count(*) AS n FROM run.attack_retrieval")
    return found is not None and found["n"] > 0


def modes(cursor: Cursor) -> tuple[str, ...]:
    """Return the modes in the order of the run."""
    found = rows(cursor, "SELECT DISTINCT mode FROM run.attack_retrieval")
    there = {row["mode"] for row in found}
    return tuple(mode for mode in ("dense", "hybrid", "rerank") if mode in there)


def policies(cursor: Cursor) -> tuple[str, ...]:
    """Return the policies, the generator alone ("none") first."""
    found = rows(
        cursor,
        "SELECT DISTINCT substr(policy, length(mode) + 2) AS short FROM run.attack_retrieval",
    )
    return tuple(sorted((row["short"] for row in found), key=lambda name: (name != "none", name)))


def ended(cursor: Cursor) -> list[Ended]:
    """Return where the attacks ended, by mode and policy; rows that are errors are in no count."""
    found = rows(
        cursor,
        "SELECT w.mode, substr(w.policy, length(w.mode) + 2) AS policy, w.stage, count(*) AS k "
        "FROM run.attack_retrieval w JOIN run.attack_rows r USING (policy, case_id) "
        "WHERE r.adversarial AND w.stage IS NOT NULL GROUP BY ALL",
    )
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for row in found:
        counts.setdefault((row["mode"], row["policy"]), {})[row["stage"]] = row["k"]
    return [
        Ended(mode, policy, {s: _count(k.get(s, 0), sum(k.values())) for s in STAGES})
        for mode in modes(cursor)
        for policy in policies(cursor)
        if (k := counts.get((mode, policy)))
    ]


def won_by_class(cursor: Cursor) -> dict[str, dict[tuple[str, str], Count]]:
    """Return how many attacks reached the answer, by class, then by mode and policy."""
    found = rows(
        cursor,
        "SELECT w.class, w.mode, substr(w.policy, length(w.mode) + 2) AS policy, "
        "count_if(w.stage = 'in_answer') AS k, count(*) AS n "
        "FROM run.attack_retrieval w JOIN run.attack_rows r USING (policy, case_id) "
        "WHERE r.adversarial AND w.stage IS NOT NULL GROUP BY ALL ORDER BY w.class",
    )
    by_class: dict[str, dict[tuple[str, str], Count]] = {}
    for row in found:
        key = (row["mode"], row["policy"])
        by_class.setdefault(row["class"], {})[key] = _count(row["k"], row["n"])
    return by_class


def retrieved(cursor: Cursor) -> list[Retrieved]:
    """Return what each mode did with the hostile passages."""
    found = rows(cursor, _RETRIEVED)
    by_mode = {row["mode"]: row for row in found}
    return [
        Retrieved(
            mode,
            {name: _count(row[name], row["n"]) for name in ranks_of(mode)},
            row["hostile"],
            row["shown"],
            _count(row["worse"], row["had_gold"]),
            _count(row["lost"], row["had_shown"]),
        )
        for mode in modes(cursor)
        if (row := by_mode.get(mode))
    ]


def ranks_of(mode: str) -> tuple[str, ...]:
    """Return the stages that a mode has, as columns of ranks."""
    missing = {"dense": RANKS[1:4], "hybrid": RANKS[3:4]}.get(mode, ())
    return tuple(name for name in RANKS if name not in missing)


def ways(cursor: Cursor, mode: str, page: int = 1) -> tuple[list[Way], int]:
    """Return a page of the cases of one mode in the order of the run, and how many pages there are.

    Args:
        cursor: over the run.
        mode: dense, hybrid or rerank.
        page: from 1; beyond the last it is the last.
    """
    counted = one(
        cursor,
        "SELECT count(DISTINCT case_id) AS n FROM run.attack_retrieval WHERE mode = ?",
        [mode],
    )
    pages = max(1, -(-(counted["n"] if counted else 0) // _SHOWN))
    start = (min(max(page, 1), pages) - 1) * _SHOWN
    found = rows(
        cursor,
        "SELECT w.*, substr(w.policy, length(w.mode) + 2) AS short, r.adversarial, r.error, "
        "array_to_string(r.channels::VARCHAR[], ', ') AS how "
        "FROM run.attack_retrieval w JOIN run.attack_rows r USING (policy, case_id) "
        "WHERE w.mode = ? AND w.position >= ? AND w.position < ? ORDER BY w.position, w.policy",
        [mode, start, start + _SHOWN],
    )
    cases: dict[str, Way] = {}
    for row in found:
        way = cases.setdefault(
            row["case_id"],
            Way(
                row["case_id"],
                row["class"],
                row["adversarial"],
                {name: row[name] for name in RANKS},
                row["gold_rank_without"],
                row["gold_rank_with"],
                {},
            ),
        )
        way.ended[row["short"]] = (row["stage"], row["how"], row["error"])
    return list(cases.values()), pages


def _count(k: int, n: int) -> Count:
    interval = wilson(k, n)
    return Count(k, n, interval.low if interval else None, interval.high if interval else None)
