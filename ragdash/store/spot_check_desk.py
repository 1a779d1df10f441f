"""What lies on a reviewer's desk: locks, so that two do not do the same work, and drafts.

Times are passed in, ISO 8601 in UTC. A lock is a courtesy with an end: nobody has to give it back.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from ragdash.core.errors import InputError, LockHeld, StaleReview
from ragdash.core.review import checked_name, checked_note
from ragdash.core.spot_check import Caliber, CheckDraft, CheckKey, CheckLock, Confidence, Fit
from ragdash.store.turns import reading, writing

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

_DAY = 86_400
_PLACE = "run_id = ? AND mode = ? AND question_id = ?"
_DROP_DRAFT = f"DELETE FROM spot_check_drafts WHERE reviewer = ? AND {_PLACE}"  # noqa: S608 - ours
_DROP_LOCK = f"DELETE FROM spot_check_locks WHERE reviewer = ? AND {_PLACE}"  # noqa: S608 - ours


def instant(at: str) -> datetime:
    """Return a time from its text.

    Raises:
        InputError: it is no ISO 8601 time, or does not say its offset from UTC.
    """
    try:
        found = datetime.fromisoformat(at)
    except ValueError as error:
        raise InputError(f"{at!r} is no time in ISO 8601") from error
    if found.tzinfo is None:
        raise InputError(f"the time {at!r} does not say its offset from UTC: end it with Z")
    return found.astimezone(UTC)


def _place(key: CheckKey, *before: str) -> tuple[str, ...]:
    return (*before, key.run_id, key.mode, key.question_id)


def take_lock(store: Path, key: CheckKey, reviewer: str, now: str, seconds: int) -> CheckLock:
    """Take the lock of a question in one mode of a run, or renew one's own; ended ones are void.

    Args:
        store: the store's folder.
        key: what is to be checked.
        reviewer: who checks.
        now: ISO 8601 in UTC.
        seconds: how long it holds, up to a day.

    Raises:
        LockHeld: it is somebody else's, who is named, until when.
        StaleReview: the run is gone.
        InputError: the name, the time or the seconds are not what they have to be.
        StoreError: the registry cannot be written.
    """
    reviewer, begun = checked_name(reviewer), instant(now)
    if not 1 <= seconds <= _DAY:
        raise InputError(f"a lock of {seconds} seconds cannot be taken: 1 to {_DAY} can")
    until = (begun + timedelta(seconds=seconds)).isoformat()
    with writing(store) as db:
        query = "SELECT count(*) FROM runs WHERE run_id = ?"
        if not db.execute(query, (key.run_id,)).fetchone()[0]:
            raise StaleReview(f"run {key.run_id} is not in this store any more")
        held = _lock_in(db, key)
        holds = held is not None and instant(held.until) > begun
        if held is not None and holds and held.reviewer != reviewer:
            raise LockHeld(
                f"{held.reviewer} is checking {key.question_id} until {held.until}: "
                "take another question meanwhile",
                reviewer=held.reviewer,
                until=held.until,
            )
        since = held.since if held is not None and holds else begun.isoformat()
        db.execute(
            "INSERT OR REPLACE INTO spot_check_locks VALUES (?, ?, ?, ?, ?, ?)",
            (*_place(key), reviewer, since, until),
        )
    return CheckLock(key, reviewer, since, until)


def release_lock(store: Path, key: CheckKey, reviewer: str) -> None:
    """Give one's own lock back; another's stays.

    Raises:
        StoreError: the registry cannot be written.
    """
    with writing(store) as db:
        db.execute(_DROP_LOCK, _place(key, reviewer))


def locks_of(store: Path, run_id: str, now: str) -> list[CheckLock]:
    """Return the locks of a run that hold at a time, by mode and question.

    Raises:
        StoreError: the registry cannot be read.
    """
    at = instant(now)
    with reading(store, "spot_check_locks") as db:
        found = [] if db is None else _locks(db, "run_id = ?", (run_id,))
    return [lock for lock in found if instant(lock.until) > at]


def held_by_another(
    db: sqlite3.Connection, key: CheckKey, reviewer: str, now: str
) -> CheckLock | None:
    """Return the lock that keeps a reviewer from a question; None where nothing does."""
    lock = _lock_in(db, key)
    if lock is None or lock.reviewer == reviewer or instant(lock.until) <= instant(now):
        return None
    return lock


def _lock_in(db: sqlite3.Connection, key: CheckKey) -> CheckLock | None:
    return next(iter(_locks(db, _PLACE, _place(key))), None)


def _locks(db: sqlite3.Connection, where: str, values: tuple[str, ...]) -> list[CheckLock]:
    rows = db.execute(
        "SELECT run_id, mode, question_id, reviewer, since, until FROM spot_check_locks "  # noqa: S608 - ours
        f"WHERE {where} ORDER BY mode, question_id",
        values,
    ).fetchall()
    return [CheckLock(CheckKey(*row[:3]), *row[3:]) for row in rows]


def keep_draft(store: Path, key: CheckKey, reviewer: str, draft: CheckDraft, at: str) -> None:
    """Keep what a reviewer has begun to say; a draft with nothing in it is dropped.

    Raises:
        InputError: the name or the note cannot be kept.
        StoreError: the registry cannot be written.
    """
    reviewer, note = checked_name(reviewer), checked_note(draft.note)
    said = (draft.fit, draft.confidence, draft.asked, draft.gold, draft.answered)
    row = (*_place(key, reviewer), at, *said, draft.doc_id, draft.page, note)
    with writing(store) as db:
        if draft == CheckDraft():
            db.execute(_DROP_DRAFT, _place(key, reviewer))
            return
        db.execute(
            "INSERT OR REPLACE INTO spot_check_drafts "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            row,
        )


def draft_of(store: Path, key: CheckKey, reviewer: str) -> CheckDraft | None:
    """Return what a reviewer has begun to say of an answer.

    Raises:
        StoreError: the registry cannot be read.
    """
    with reading(store, "spot_check_drafts") as db:
        if db is None:
            return None
        row = db.execute(
            "SELECT fit, confidence, asked, gold, answered, doc_id, page, note "  # noqa: S608 - ours
            f"FROM spot_check_drafts WHERE reviewer = ? AND {_PLACE}",
            _place(key, reviewer),
        ).fetchone()
    if row is None:
        return None
    asked, gold, answered = (Caliber(one) if one else None for one in row[2:5])
    return CheckDraft(
        Fit(row[0]) if row[0] else None,
        Confidence(row[1]) if row[1] else None,
        asked,
        gold,
        answered,
        *row[5:],
    )


def drop_draft(store: Path, key: CheckKey, reviewer: str) -> None:
    """Forget what a reviewer has begun to say of an answer.

    Raises:
        StoreError: the registry cannot be written.
    """
    with writing(store) as db:
        db.execute(_DROP_DRAFT, _place(key, reviewer))


def drop(db: sqlite3.Connection, key: CheckKey, reviewer: str) -> None:
    """Clear the desk of what has been saved: the reviewer's draft and her lock."""
    db.execute(_DROP_DRAFT, _place(key, reviewer))
    db.execute(_DROP_LOCK, _place(key, reviewer))
