"""One answer on the desk of a reviewer: its documents, what holds of it, and how a form begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.caliber import asked_metric, find_scopes, find_terms, metric_key, siblings, term
from ragdash.core.spot_check import Caliber, CheckDraft, Confidence, Fit
from ragdash.store.effective import RESULTS, bound
from ragdash.views.query import Cursor, one, rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.store.effective import People
    from ragdash.views.query import Row
    from ragdash.views.question import Detail

# The sibling that the diagnosis found, as it names it (扣非净利润).
_ALL = """
    SELECT e.*, CASE WHEN e.rule_layer = 'business'
                     THEN r.diagnosis_facts ->> '$.found' END AS told_found
    FROM ({run}) e JOIN run.results r USING (mode, question_id) WHERE mode = $mode
""".replace("{run}", RESULTS)
_HOLDS = f"{_ALL} AND question_id = $question"
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
# No code of ours names 少数股东: whoever checks has to.
_BY_ATTRIBUTION = {
    "归母": Caliber.ATTRIBUTABLE,
    "扣非": Caliber.WITHOUT_ONE_OFF,
    "合并": Caliber.CONSOLIDATED,
    "少数股东": None,
}
_BY_SCOPE = {
    "parent": Caliber.PARENT_COMPANY,
    "segment": Caliber.SEGMENT,
    "product": Caliber.PRODUCT,
    "region": Caliber.REGION,
}
# Characters of a question that are read for its metric.
_READ = 2_000


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
    found = rows(cursor, _ALL, {**bound(people), "mode": mode})
    return {row["question_id"]: row for row in found}


def texts(cursor: Cursor) -> dict[str, str]:
    """Return every question of the run in full, by its id."""
    found = rows(cursor, "SELECT question_id, text FROM run.questions")
    return {row["question_id"]: row["text"] for row in found}


def begun(found: Detail, known: Sequence[Document]) -> CheckDraft:
    """Return how a form begins: the calibers that set and question state, and the cited page."""
    text = found.question["text"][:_READ]
    asked, gold = asked_for(found.golds, text), stated(found.golds, text)
    doc_id, page = _cited(found, known)
    return CheckDraft(
        confidence=Confidence.MEDIUM, asked=asked, gold=gold, doc_id=doc_id, page=page
    )


def stated(golds: Sequence[Mapping[str, str | None]], text: str = "") -> Caliber | None:
    """Return the one caliber of the gold figures, None where it is not known or they differ.

    Without a gold figure none is stated.
    """
    found = {_of_gold(gold, text) for gold in golds}
    if not found:
        return Caliber.NOT_STATED
    return found.pop() if len(found) == 1 else None


def asked_for(golds: Sequence[Mapping[str, str | None]], text: str) -> Caliber | None:
    """Return the caliber that is asked for: the one that the question names, else the gold's.

    None where it is not known: the question names several, or one without a code of ours.
    """
    said = _in_words(text)
    named, gold = {_BY_ATTRIBUTION[one] for one in said - {"合并"}}, stated(golds, text)
    if len(named) == 1:
        return named.pop()
    if named or golds:
        return gold if not named or gold in named else None
    scopes = any(scope in _BY_SCOPE for scope, _ in find_scopes(text))
    return None if said or scopes else Caliber.NOT_STATED


def _of_gold(gold: Mapping[str, str | None], text: str) -> Caliber | None:
    """Return the caliber of a gold figure: by attribution, its metric's, the question's, or scope.

    That a figure is the group's does not tell whose profit it is: where its metric has siblings by
    attribution (净利润, 归母, 扣非), a plain consolidated scope is no caliber.
    """
    metric = gold.get("metric") or ""
    key = metric_key(metric) or asked_metric(metric, gold.get("attribution")).key
    known = term(key) if key else None
    scope = gold.get("scope") or ""
    own = gold.get("attribution") or (known.attribution if known else None)
    if own and own != "合并":
        return _BY_ATTRIBUTION.get(own)
    if scope in _BY_SCOPE:
        return _BY_SCOPE[scope]
    if own:
        return Caliber.CONSOLIDATED
    said = _in_words(text) if not key else set()
    if len(said) == 1:
        return _BY_ATTRIBUTION[said.pop()]
    divided = key is None or any(
        (known := term(one)) is not None and known.attribution for one in siblings(key)
    )
    # Without a scope a figure is that of the group, as the rule takes it too.
    other = any(named in _BY_SCOPE for named, _ in find_scopes(text))
    return None if divided or other else Caliber.CONSOLIDATED


def _in_words(text: str) -> set[str]:
    """Return whose figure the metric words of a question name: 归母, 扣非, 少数股东, 合并."""
    return {hit.attribution for hit in find_terms(text) if hit.attribution in _BY_ATTRIBUTION}


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
    gold = draft.gold or start.gold
    if draft.fit is Fit.UNCLEAR:
        asked, gold = asked or Caliber.NOT_STATED, gold or Caliber.NOT_STATED
    follows = {Fit.FITS: asked, Fit.UNCLEAR: Caliber.NOT_STATED}
    return CheckDraft(
        fit=draft.fit,
        confidence=draft.confidence or start.confidence,
        asked=asked,
        gold=gold,
        answered=draft.answered or (follows.get(draft.fit) if draft.fit else None),
        doc_id=doc_id,
        page=draft.page or (start.page if doc_id == start.doc_id else None),
        note=draft.note,
    )
