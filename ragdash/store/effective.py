"""What holds of a question: what its run file says, unless a person has said otherwise since.

The one place where reviews and results meet. Pages, gates, comparisons and exports select from the
relation below in place of `results`, and so does the registry when it sums a run up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import duckdb

    from ragdash.core.review import Review, Verdict

# A verdict on the layer moves a question between layers and leaves its outcome as it is.
_RELATION = """
    SELECT r.mode, r.question_id, r.outcome, r.layer AS rule_layer, p.verdict, p.reviewer,
           CASE WHEN p.verdict IS NULL THEN r.layer
                WHEN p.verdict <> 'no_fault' THEN p.verdict END AS layer,
           coalesce(p.flag, false) AS flag
    FROM {alias}.results r LEFT JOIN (
        SELECT unnest($review_modes::VARCHAR[]) AS mode,
               unnest($review_questions::VARCHAR[]) AS question_id,
               unnest($review_verdicts::VARCHAR[]) AS verdict,
               unnest($review_reviewers::VARCHAR[]) AS reviewer,
               unnest($review_flags::BOOLEAN[]) AS flag
    ) p USING (mode, question_id)
"""
RUN = _RELATION.replace("{alias}", "run")
_COUNT = "SELECT mode, outcome, count(*) FROM ({run}) GROUP BY ALL".replace("{run}", RUN)


@dataclass(frozen=True, slots=True)
class Finding:
    """What people say of one question in one mode, taken together."""

    verdict: Verdict | None
    reviewer: str | None
    flag: bool


def valid(reviews: Iterable[Review]) -> list[Review]:
    """Return the reviews that their authors still hold to, the oldest first."""
    kept = sorted(reviews, key=lambda review: review.number)
    gone = {review.supersedes for review in kept}
    return [review for review in kept if review.number not in gone]


def joint_findings(reviews: Iterable[Review]) -> dict[tuple[str, str], Finding]:
    """Return what stands by (mode, question id), for the reviews of one version of a run.

    The newest valid verdict decides; a question is flagged while any valid review flags it.
    """
    found: dict[tuple[str, str], Finding] = {}
    for review in valid(reviews):
        key = (review.key.mode, review.key.question_id)
        before = found.get(key, Finding(None, None, flag=False))
        said = review.opinion
        found[key] = Finding(
            said.verdict or before.verdict,
            review.reviewer if said.verdict else before.reviewer,
            said.flag or before.flag,
        )
    return found


def disputed(reviews: Iterable[Review]) -> tuple[int, frozenset[tuple[str, str]]]:
    """Return how many (mode, question id) two people or more judged, and those they differ on.

    Each person counts with the newest verdict that she holds to.
    """
    held: dict[tuple[str, str], dict[str, Verdict]] = {}
    for review in valid(reviews):
        if review.opinion.verdict is not None:
            by = held.setdefault((review.key.mode, review.key.question_id), {})
            by[review.reviewer] = review.opinion.verdict
    shared = {key: set(by.values()) for key, by in held.items() if len(by) > 1}
    return len(shared), frozenset(key for key, said in shared.items() if len(said) > 1)


def bound(findings: Mapping[tuple[str, str], Finding]) -> dict[str, Any]:
    """Return the values that `RUN` binds."""
    return {
        "review_modes": [mode for mode, _ in findings],
        "review_questions": [question_id for _, question_id in findings],
        "review_verdicts": [one.verdict and one.verdict.value for one in findings.values()],
        "review_reviewers": [one.reviewer for one in findings.values()],
        "review_flags": [one.flag for one in findings.values()],
    }


def count_outcomes(
    connection: duckdb.DuckDBPyConnection, reviews: Iterable[Review]
) -> dict[tuple[str, str], int]:
    """Return how many questions of an attached run have each outcome, by (mode, outcome)."""
    rows = connection.execute(_COUNT, bound(joint_findings(reviews))).fetchall()
    return {(mode, outcome): n for mode, outcome, n in rows}
