"""What people said, a record each: reviews of layers and spot checks of calibers.

Superseded ones too, and those of runs that are no longer in the store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.store.said import every_check, every_review

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ragdash.core.review import Review
    from ragdash.core.spot_check import SpotCheck

Record = dict[str, Any]


def gone(said: Iterable[Review] | Iterable[SpotCheck]) -> frozenset[int]:
    """Return the numbers of those that their author has superseded."""
    return frozenset(one.supersedes for one in said if one.supersedes is not None)


def review_record(review: Review, superseded: frozenset[int]) -> Record:
    """Return one review as plain JSON."""
    said = review.opinion
    return {
        "number": review.number,
        "reviewer": review.reviewer,
        "at": review.at,
        "version": review.key.version,
        "verdict": said.verdict.value if said.verdict else None,
        "flag": said.flag,
        "note": said.note,
        "rule_layer": review.rule_layer,
        "supersedes": review.supersedes,
        "superseded": review.number in superseded,
    }


def check_record(check: SpotCheck, superseded: frozenset[int]) -> Record:
    """Return one spot check as plain JSON."""
    said = check.judgement
    return {
        "number": check.number,
        "reviewer": check.reviewer,
        "at": check.at,
        "version": check.version,
        "fit": said.fit.value,
        "confidence": said.confidence.value,
        "asked": said.asked.value,
        "gold": said.gold.value,
        "answered": said.answered.value,
        "doc_id": said.doc_id,
        "page": said.page,
        "note": said.note,
        "blind": check.blind,
        "rule": check.rule.value,
        "outcome": check.outcome.value,
        "answer_digest": check.answer_digest,
        "supersedes": check.supersedes,
        "superseded": check.number in superseded,
    }


def opinions(store: Path) -> Iterator[Record]:
    """Yield every review of a store, then every spot check, each by number.

    Raises:
        StoreError: the registry cannot be read.
    """
    reviews, checks = every_review(store), every_check(store)
    superseded = gone(reviews), gone(checks)
    for review in reviews:
        key = review.key
        yield {
            "kind": "review",
            "run": key.run_id,
            "mode": key.mode,
            "question_id": key.question_id,
            **review_record(review, superseded[0]),
        }
    for check in checks:
        yield {
            "kind": "spot_check",
            "run": check.key.run_id,
            "mode": check.key.mode,
            "question_id": check.key.question_id,
            **check_record(check, superseded[1]),
        }
