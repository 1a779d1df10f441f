"""One answer on the desk of a reviewer: its documents, what holds of it, and how a form begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.core.spot_check import Caliber, CheckDraft, Confidence, Fit
from ragdash.store.effective import RESULTS, bound
from ragdash.views.query import Cursor, one, rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.store.effective import People
    from ragdash.views.query import Row
    from ragdash.views.question import Detail

_HOLDS = "SELECT * FROM ({run}) WHERE mode = $mode AND question_id = $question".replace(
    "{run}", RESULTS
)
# Evidence of a question may lie in a document that no candidate came from.
_DOCUMENTS = """
    SELECT doc_id, company, label, n_pages, file, sha256 FROM run.sources
    UNION ALL
    SELECT DISTINCT doc_id, '', '', NULL, NULL, NULL FROM (
        SELECT unnest(from_json(evidence, '[{"doc_id": "VARCHAR"}]'), recursive := true)
        FROM run.questions WHERE question_id = $question
    ) WHERE doc_id NOT IN (SELECT doc_id FROM run.sources)
    ORDER BY company, label, doc_id
"""
_BY_ATTRIBUTION = {"归母": Caliber.ATTRIBUTABLE, "扣非": Caliber.WITHOUT_ONE_OFF}
_BY_SCOPE = {
    "parent": Caliber.PARENT_COMPANY,
    "segment": Caliber.SEGMENT,
    "product": Caliber.PRODUCT,
}


@dataclass(frozen=True, slots=True)
class Document:
    """A document that an answer may be checked against; its length may not be known."""

    doc_id: str
    company: str
    label: str
    n_pages: int | None
    file: str | None
    sha256: str | None


def documents(cursor: Cursor, question_id: str) -> tuple[Document, ...]:
    """Return the documents of the run, and those that the question names as evidence."""
    found = rows(cursor, _DOCUMENTS, {"question": question_id})
    return tuple(Document(**row) for row in found)


def holds(cursor: Cursor, people: People, mode: str, question_id: str) -> Row | None:
    """Return what holds of an answer, people's say taken in (`store.effective.RESULTS`)."""
    return one(cursor, _HOLDS, {**bound(people), "mode": mode, "question": question_id})


def all_hold(cursor: Cursor, people: People, mode: str) -> dict[str, Row]:
    """Return the same of every question of a mode, by its id."""
    query = "SELECT * FROM ({run}) WHERE mode = $mode".replace("{run}", RESULTS)
    found = rows(cursor, query, {**bound(people), "mode": mode})
    return {row["question_id"]: row for row in found}


def texts(cursor: Cursor) -> dict[str, str]:
    """Return every question of the run in full, by its id."""
    found = rows(cursor, "SELECT question_id, text FROM run.questions")
    return {row["question_id"]: row["text"] for row in found}


def begun(found: Detail, known: Sequence[Document]) -> CheckDraft:
    """Return how a form begins: the calibers that the question set states, and the cited page."""
    gold = stated(found.golds)
    doc_id, page = _cited(found, known)
    return CheckDraft(confidence=Confidence.MEDIUM, asked=gold, gold=gold, doc_id=doc_id, page=page)


def stated(golds: Sequence[Mapping[str, str | None]]) -> Caliber:
    """Return the caliber of the first gold figure, as its set states it.

    Without a scope a figure is that of the group, as the rule takes it too.
    """
    if not golds:
        return Caliber.NOT_STATED
    first = golds[0]
    by_attribution = _BY_ATTRIBUTION.get(first["attribution"] or "")
    return by_attribution or _BY_SCOPE.get(first["scope"] or "", Caliber.CONSOLIDATED)


def _cited(found: Detail, known: Sequence[Document]) -> tuple[str | None, int | None]:
    """Return the first cited page that is one of a known document, else the best visible one."""
    by_label = {(one.company, one.label): one for one in reversed(known) if one.label}
    places: list[tuple[str, str, int | None]] = [
        (c.company, c.label, page) for c in found.citations for page in c.pages
    ]
    # Of another system's passages the page may not be known.
    places += [(c.company, c.label, c.source_page) for c in found.context]
    for company, label, page in places:
        one = by_label.get((company, label))
        if one is not None and page is not None and 1 <= page <= (one.n_pages or page):
            return one.doc_id, page
    return None, None


def completed(draft: CheckDraft, start: CheckDraft) -> CheckDraft:
    """Return a draft with what is not chosen yet as the form shows it.

    The caliber of the answer follows from the verdict where it can: what fits is what was asked
    for, and of what is unclear nothing is stated. A conflict has to be named.
    """
    doc_id = draft.doc_id or start.doc_id
    asked = draft.asked or start.asked
    follows = {Fit.FITS: asked, Fit.UNCLEAR: Caliber.NOT_STATED}
    return CheckDraft(
        fit=draft.fit,
        confidence=draft.confidence or start.confidence,
        asked=asked,
        gold=draft.gold or start.gold,
        answered=draft.answered or (follows.get(draft.fit) if draft.fit else None),
        doc_id=doc_id,
        page=draft.page or (start.page if doc_id == start.doc_id else None),
        note=draft.note,
    )
