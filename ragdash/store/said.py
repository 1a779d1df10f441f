"""What people have said of a run, read from the registry: reviews, spot checks, and both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.core.review import Opinion, Review, ReviewKey, Verdict
from ragdash.core.run import Outcome
from ragdash.core.spot_check import (
    Caliber,
    CheckKey,
    Confidence,
    Fit,
    Judgement,
    RuleVerdict,
    SpotCheck,
)
from ragdash.store.effective import NOBODY, People, people
from ragdash.store.turns import has, reading

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

_EVERY_REVIEW = """
    SELECT number, run_id, version, mode, question_id, reviewer, at, verdict, flag, note,
           rule_layer, supersedes
    FROM reviews
"""
_REVIEWS = (
    _EVERY_REVIEW
    + """
    WHERE run_id = ? AND (? IS NULL OR version = ?) AND (? IS NULL OR question_id = ?)
    ORDER BY number
"""
)
_EVERY_CHECK = """
    SELECT number, run_id, mode, question_id, version, reviewer, at, fit, confidence, asked, gold,
           answered, doc_id, page, note, blind, rule, outcome, answer_digest, supersedes
    FROM spot_checks
"""
_CHECKS = (
    _EVERY_CHECK
    + """
    WHERE run_id = ? AND (? IS NULL OR mode = ?) AND (? IS NULL OR question_id = ?)
    ORDER BY number
"""
)
_BY_NUMBER = " ORDER BY number"


def every_review(store: Path) -> list[Review]:
    """Return the reviews of all runs, those that are gone too, the oldest first.

    Raises:
        StoreError: the registry cannot be read.
    """
    with reading(store, "reviews") as db:
        found = [] if db is None else db.execute(_EVERY_REVIEW + _BY_NUMBER).fetchall()
    return [_review(row) for row in found]


def every_check(store: Path) -> list[SpotCheck]:
    """Return the spot checks of all runs, those that are gone too, the oldest first.

    Raises:
        StoreError: the registry cannot be read.
    """
    with reading(store, "spot_checks") as db:
        found = [] if db is None else db.execute(_EVERY_CHECK + _BY_NUMBER).fetchall()
    return [_check(row) for row in found]


def people_of(store: Path, run_id: str, version: int) -> People:
    """Return what people say of one version of a run.

    Raises:
        StoreError: the registry cannot be read.
    """
    with reading(store, "reviews") as db:
        return NOBODY if db is None else people_in(db, run_id, version)


def people_in(db: sqlite3.Connection, run_id: str, version: int) -> People:
    """Return the same as `people_of`, over a connection to the registry."""
    checks = checks_in(db, run_id) if has(db, "spot_checks") else []
    return people(reviews_in(db, run_id, version), checks)


def reviews_in(
    db: sqlite3.Connection,
    run_id: str,
    version: int | None = None,
    question_id: str | None = None,
) -> list[Review]:
    """Return the reviews of a run, the oldest first; superseded ones too."""
    values = (run_id, version, version, question_id, question_id)
    return [_review(row) for row in db.execute(_REVIEWS, values).fetchall()]


def _review(row: tuple[Any, ...]) -> Review:
    return Review(
        number=row[0],
        key=ReviewKey(*row[1:5]),
        reviewer=row[5],
        at=row[6],
        opinion=opinion(row[7:10]),
        rule_layer=row[10],
        supersedes=row[11],
    )


def opinion(row: tuple[Any, ...]) -> Opinion:
    """Return an opinion from its three columns."""
    verdict, flag, note = row
    return Opinion(Verdict(verdict) if verdict else None, bool(flag), note)


def checks_in(
    db: sqlite3.Connection, run_id: str, mode: str | None = None, question_id: str | None = None
) -> list[SpotCheck]:
    """Return the spot checks of a run, the oldest first; superseded ones too."""
    values = (run_id, mode, mode, question_id, question_id)
    return [_check(row) for row in db.execute(_CHECKS, values).fetchall()]


def _check(row: tuple[Any, ...]) -> SpotCheck:
    return SpotCheck(
        number=row[0],
        key=CheckKey(*row[1:4]),
        version=row[4],
        reviewer=row[5],
        at=row[6],
        judgement=_judgement(row[7:15]),
        blind=bool(row[15]),
        rule=RuleVerdict(row[16]),
        outcome=Outcome(row[17]),
        answer_digest=row[18],
        supersedes=row[19],
    )


def _judgement(row: tuple[Any, ...]) -> Judgement:
    asked, gold, answered = (Caliber(one) for one in row[2:5])
    return Judgement(Fit(row[0]), Confidence(row[1]), asked, gold, answered, *row[5:])
