"""Reviews in the registry: append-only, and what a question is taken for follows the newest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.errors import InputError, StaleReview
from ragdash.core.review import (
    Opinion,
    Proposal,
    Review,
    ReviewKey,
    checked_name,
    checked_note,
)
from ragdash.store.attach import attach
from ragdash.store.layout import run_file
from ragdash.store.renewal import renew
from ragdash.store.said import opinion as _opinion
from ragdash.store.said import reviews_in
from ragdash.store.turns import reading, writing

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from pathlib import Path

    import duckdb

_DROP_DRAFT = (
    "DELETE FROM review_drafts WHERE reviewer = ? AND run_id = ? AND mode = ? AND question_id = ?"
)


def _place(key: ReviewKey, reviewer: str) -> tuple[str, str, str, str]:
    return reviewer, key.run_id, key.mode, key.question_id


def save_review(store: Path, proposal: Proposal) -> Review:
    """Save a review, renew the run's summary rows and drop its draft, all in one transaction.

    The rule's layer is read from the run file. What the reviewer said before of the same question
    is superseded and stays on record.

    Raises:
        InputError: the name, the note or the question is not what it has to be, or nothing is said.
        StaleReview: the run has a newer version, or is gone, or somebody else has reviewed the
            question since the form was opened; nothing has been written.
        StoreError: the run file or the registry cannot be used.
    """
    reviewer, opinion = checked_name(proposal.reviewer), checked_opinion(proposal.opinion)
    if opinion == Opinion():
        raise InputError("the review says nothing: choose a verdict, set the flag or write a note")
    key = proposal.key
    path = run_file(store, key.run_id, key.version)
    if not path.is_file():
        raise _gone(key)
    cursor = attach(path)
    layer = _rule_layer(cursor, key)
    with writing(store) as db:
        _refuse_other_version(db, key)
        before = reviews_in(db, key.run_id, key.version, key.question_id)
        before = [review for review in before if review.key.mode == key.mode]
        _refuse_unseen(before, proposal, reviewer)
        own = [review.number for review in before if review.reviewer == reviewer]
        review = _insert(db, proposal, (reviewer, opinion), (layer, max(own, default=None)))
        db.execute(_DROP_DRAFT, _place(key, reviewer))
        renew(db, cursor, key.run_id, key.version)
    return review


def _rule_layer(cursor: duckdb.DuckDBPyConnection, key: ReviewKey) -> str | None:
    found = cursor.execute(
        "SELECT layer FROM run.results WHERE mode = ? AND question_id = ?",
        [key.mode, key.question_id],
    ).fetchone()
    if found is None:
        raise InputError(
            f"run {key.run_id} has no question {key.question_id!r} in mode {key.mode!r}: "
            "open it from the list again"
        )
    return None if found[0] is None else str(found[0])


def _refuse_unseen(before: Sequence[Review], proposal: Proposal, reviewer: str) -> None:
    newest = before[-1] if before else None
    if newest is not None and newest.number != proposal.seen and newest.reviewer != reviewer:
        raise StaleReview(
            f"{newest.reviewer} has reviewed {proposal.key.question_id} since this form was "
            "opened: look at it, and save again to add yours"
        )


def checked_opinion(opinion: Opinion) -> Opinion:
    """Return an opinion whose note can be kept.

    Raises:
        InputError: the note is too long or holds a character that no file can keep.
    """
    return Opinion(opinion.verdict, opinion.flag, checked_note(opinion.note))


def _gone(key: ReviewKey) -> StaleReview:
    return StaleReview(
        f"run {key.run_id} is not in this store any more: what you wrote is kept as a draft"
    )


def _refuse_other_version(db: sqlite3.Connection, key: ReviewKey) -> None:
    query = "SELECT max(version) FROM runs WHERE run_id = ?"
    newest = db.execute(query, (key.run_id,)).fetchone()[0]
    if newest is None:
        raise _gone(key)
    if newest != key.version:
        raise StaleReview(
            f"run {key.run_id} has been scored again (version {newest}, you saw version "
            f"{key.version}): reload the page; what you wrote is kept as a draft"
        )


def _insert(
    db: sqlite3.Connection,
    proposal: Proposal,
    said: tuple[str, Opinion],
    context: tuple[str | None, int | None],
) -> Review:
    key, (reviewer, opinion), (rule_layer, supersedes) = proposal.key, said, context
    row = (
        *(key.run_id, key.version, key.mode, key.question_id, reviewer, proposal.at),
        *(opinion.verdict, int(opinion.flag), opinion.note, rule_layer, supersedes),
    )
    number = db.execute(
        "INSERT INTO reviews (run_id, version, mode, question_id, reviewer, at, verdict, flag, "
        "note, rule_layer, supersedes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        row,
    ).lastrowid
    if number is None:
        raise AssertionError("SQLite gives every inserted row a number")
    return Review(number, key, reviewer, proposal.at, opinion, rule_layer, supersedes)


def reviews_of(
    store: Path, run_id: str, version: int | None = None, question_id: str | None = None
) -> list[Review]:
    """Return the reviews of a run, the oldest first; superseded ones too.

    Args:
        store: the store's folder.
        run_id: the run; it may be gone, its reviews stay.
        version: one version of it, or None for all of them.
        question_id: one question, or None for all of them.

    Raises:
        StoreError: the registry cannot be read.
    """
    with reading(store, "reviews") as db:
        return [] if db is None else reviews_in(db, run_id, version, question_id)


def keep_draft(store: Path, proposal: Proposal) -> None:
    """Keep what a reviewer has begun to say; an opinion without anything in it drops the draft.

    Raises:
        InputError: the name or the note cannot be kept.
        StoreError: the registry cannot be written.
    """
    reviewer, opinion = checked_name(proposal.reviewer), checked_opinion(proposal.opinion)
    place = _place(proposal.key, reviewer)
    with writing(store) as db:
        db.execute(
            "INSERT OR REPLACE INTO review_drafts VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*place, proposal.at, opinion.verdict, int(opinion.flag), opinion.note),
        )


def drop_draft(store: Path, key: ReviewKey, reviewer: str) -> None:
    """Forget what a reviewer has begun to say of a question.

    Raises:
        StoreError: the registry cannot be written.
    """
    with writing(store) as db:
        db.execute(_DROP_DRAFT, _place(key, reviewer))


def draft_of(store: Path, key: ReviewKey, reviewer: str) -> Opinion | None:
    """Return what a reviewer has begun to say of a question in any version of its run.

    Raises:
        StoreError: the registry cannot be read.
    """
    with reading(store, "reviews") as db:
        if db is None:
            return None
        row = db.execute(
            "SELECT verdict, flag, note FROM review_drafts WHERE reviewer = ? AND run_id = ? "
            "AND mode = ? AND question_id = ?",
            _place(key, reviewer),
        ).fetchone()
    return _opinion(row) if row else None
