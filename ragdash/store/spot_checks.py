"""Spot checks in the registry: append-only, and outcome and caliber follow the newest at once.

Whether a form may be saved that has not seen another person's check depends on what it was for. One
that showed the others' checks answers to them: one that came in since has to be read first. A blind
one is meant to know of none: it is saved whatever the others have said, and no check of another
person is ever superseded by it. A check of somebody who had one here already is never taken for
blind: her first one has shown her the rule's verdict and what others said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ragdash.core.errors import InputError, LockHeld, RagdashError, StaleReview
from ragdash.core.review import checked_name
from ragdash.core.run import Outcome
from ragdash.core.spot_check import RuleVerdict, SpotCheck, checked_judgement
from ragdash.store.attach import attach
from ragdash.store.effective import NOBODY, RESULTS, bound
from ragdash.store.layout import run_file
from ragdash.store.renewal import renew
from ragdash.store.said import checks_in
from ragdash.store.spot_check_desk import drop, held_by_another, instant
from ragdash.store.turns import reading, writing

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from pathlib import Path

    import duckdb

    from ragdash.core.spot_check import CheckKey, CheckProposal, Judgement

_RULED = """
    SELECT e.caliber_rule, e.rule_outcome, sha256(r.answer)
    FROM ({run}) e JOIN run.results r USING (mode, question_id)
    WHERE mode = $mode AND question_id = $question
""".replace("{run}", RESULTS)
# A document that only the question names holds no candidate: its length is not known.
_PAGES = """
    SELECT max(n_pages) AS pages FROM (
        SELECT n_pages FROM run.sources WHERE doc_id = $doc
        UNION ALL
        SELECT NULL FROM (
            SELECT unnest(from_json(evidence, '[{"doc_id": "VARCHAR"}]'), recursive := true)
            FROM run.questions WHERE question_id = $question
        ) WHERE doc_id = $doc
    ) HAVING count(*) > 0
"""


class _Ruled(NamedTuple):
    """What the code had said, and the digest of the answer it said it of."""

    rule: RuleVerdict
    outcome: Outcome
    answer_digest: str


def save_check(store: Path, proposal: CheckProposal) -> SpotCheck:
    """Save a check, renew the run's summary rows, drop its draft and its lock, all in one.

    The summary rows of every version are renewed. What the reviewer said before of the same answer
    is superseded and stays on record.

    Raises:
        InputError: the name, the note, the question or the evidence is not what it has to be.
        LockHeld: somebody else is at work on it.
        StaleReview: the run is gone, or the form showed others' checks and a newer one has come in.
        StoreError: the run file or the registry cannot be used.
    """
    reviewer, judgement = checked_name(proposal.reviewer), checked_judgement(proposal.judgement)
    instant(proposal.at)
    key = proposal.key
    path = run_file(store, key.run_id, proposal.version)
    if not path.is_file():
        raise gone(key)
    cursor = attach(path)
    ruled = _ruled(cursor, key)
    _refuse_evidence(cursor, key, judgement)
    with writing(store) as db:
        _refuse_unregistered(db, key)
        _refuse_locked(db, proposal, reviewer)
        before = checks_in(db, key.run_id, key.mode, key.question_id)
        _refuse_unseen(before, proposal, reviewer)
        check = _insert(db, proposal, _Said(reviewer, judgement, ruled, before))
        drop(db, key, reviewer)
        _renew_all(db, store, key.run_id, proposal.version)
    return check


def gone(key: CheckKey) -> StaleReview:
    """Return the refusal for a run that has been taken away."""
    return StaleReview(
        f"run {key.run_id} is not in this store any more: what you wrote is kept as a draft"
    )


def _ruled(cursor: duckdb.DuckDBPyConnection, key: CheckKey) -> _Ruled:
    values = {**bound(NOBODY), "mode": key.mode, "question": key.question_id}
    found = cursor.execute(_RULED, values).fetchone()
    if found is None:
        raise InputError(
            f"run {key.run_id} has no question {key.question_id!r} in mode {key.mode!r}: "
            "open it from the list again"
        )
    return _Ruled(RuleVerdict(found[0]), Outcome(found[1]), found[2])


def _refuse_evidence(
    cursor: duckdb.DuckDBPyConnection, key: CheckKey, judgement: Judgement
) -> None:
    doc_id, page = judgement.doc_id, judgement.page
    if doc_id is None:
        return
    found = cursor.execute(_PAGES, {"doc": doc_id, "question": key.question_id}).fetchone()
    if found is None:
        raise InputError(
            f"run {key.run_id} holds no document {doc_id!r}: choose one of those listed"
        )
    last = found[0]
    if page is not None and last is not None and page > last:
        raise InputError(f"page {page} is beyond the last of {doc_id}, which is {last}")


def _refuse_unregistered(db: sqlite3.Connection, key: CheckKey) -> None:
    query = "SELECT count(*) FROM runs WHERE run_id = ?"
    if not db.execute(query, (key.run_id,)).fetchone()[0]:
        raise gone(key)


def _refuse_locked(db: sqlite3.Connection, proposal: CheckProposal, reviewer: str) -> None:
    lock = held_by_another(db, proposal.key, reviewer, proposal.at)
    if lock is not None:
        raise LockHeld(
            f"{lock.reviewer} is checking {proposal.key.question_id} until {lock.until}: "
            "what you wrote is kept as a draft",
            reviewer=lock.reviewer,
            until=lock.until,
        )


def _refuse_unseen(before: Sequence[SpotCheck], proposal: CheckProposal, reviewer: str) -> None:
    if proposal.blind:
        return
    newest = max((c.number for c in before if c.reviewer != reviewer), default=0)
    if newest > (proposal.seen or 0):
        author = next(c.reviewer for c in before if c.number == newest)
        raise StaleReview(
            f"{author} has checked {proposal.key.question_id} since this form was opened: "
            "look at it, and save again to add yours"
        )


class _Said(NamedTuple):
    reviewer: str
    judgement: Judgement
    ruled: _Ruled
    before: Sequence[SpotCheck]


def _insert(db: sqlite3.Connection, proposal: CheckProposal, said: _Said) -> SpotCheck:
    key, judgement = proposal.key, said.judgement
    own = [check.number for check in said.before if check.reviewer == said.reviewer]
    blind = proposal.blind and not own
    supersedes = max(own, default=None)
    row = (
        *(key.run_id, proposal.version, key.mode, key.question_id, said.reviewer, proposal.at),
        *(judgement.fit, judgement.confidence, judgement.asked, judgement.gold),
        *(judgement.answered, judgement.doc_id, judgement.page, judgement.note, int(blind)),
        *(*said.ruled, supersedes),
    )
    number = db.execute(
        "INSERT INTO spot_checks (run_id, version, mode, question_id, reviewer, at, fit, "
        "confidence, asked, gold, answered, doc_id, page, note, blind, rule, outcome, "
        "answer_digest, supersedes) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        row,
    ).lastrowid
    if number is None:
        raise AssertionError("SQLite gives every inserted row a number")
    return SpotCheck(
        number=number,
        key=key,
        version=proposal.version,
        reviewer=said.reviewer,
        at=proposal.at,
        judgement=judgement,
        blind=blind,
        rule=said.ruled.rule,
        outcome=said.ruled.outcome,
        answer_digest=said.ruled.answer_digest,
        supersedes=supersedes,
    )


def _renew_all(db: sqlite3.Connection, store: Path, run_id: str, shown: int) -> None:
    """Renew the rows of every version; they have the same answers."""
    query = "SELECT version FROM runs WHERE run_id = ? ORDER BY version"
    for (version,) in db.execute(query, (run_id,)).fetchall():
        try:
            renew(db, attach(run_file(store, run_id, version)), run_id, version)
        except RagdashError:
            # The file of another version is gone or damaged, which `db check` says and mends. The
            # check is of the answer on view, and must not be lost for it.
            if version == shown:
                raise


def checks_of(
    store: Path, run_id: str, mode: str | None = None, question_id: str | None = None
) -> list[SpotCheck]:
    """Return the spot checks of a run, the oldest first; superseded ones too.

    Args:
        store: the store's folder.
        run_id: the run; it may be gone, its checks stay.
        mode: one mode of it, or None for all of them.
        question_id: one question, or None for all of them.

    Raises:
        StoreError: the registry cannot be read.
    """
    with reading(store, "spot_checks") as db:
        return [] if db is None else checks_in(db, run_id, mode, question_id)
