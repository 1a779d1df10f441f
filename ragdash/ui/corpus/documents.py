"""The documents of a run: pages, gaps and what ingest found, from the corpus folder if here."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from ragdash.ui import address, chips, formats, frame, safe
from ragdash.ui.corpus import leaves
from ragdash.ui.corpus.shelf import Shelf, shelf
from ragdash.ui.i18n import labelled, t, term
from ragdash.views import documents as view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.ingest.problems import IngestProblem
    from ragdash.ingest.survey import SurveyedDocument
    from ragdash.views.documents import Document

_PAGES_NAMED = 12
Row = TypeVar("Row")


def documents(shown: frame.View) -> None:
    """Show the documents, those with gaps first, then a page of one beside its chunks."""
    found = shelf(shown)
    _standing(found)
    seen = {one.doc_id: one for one in view.documents(shown.cursor)}
    if isinstance(found, Shelf):
        _surveyed(shown, found, seen)
        _left_out(found.survey.left_out)
    else:
        _seen(shown, list(seen.values()))
    leaves.leaf(shown, found if isinstance(found, Shelf) else None, seen)


def _standing(found: Shelf | str | None) -> None:
    if found is None:
        st.info(t("data.docs.no_folder"))
    elif isinstance(found, str):
        st.warning(t("data.docs.damaged"))
        safe.text(found, key="data.docs.damaged")
    else:
        st.text(t("data.docs.lead"))
        if not found.is_same:
            st.warning(t("data.docs.other"))


def _surveyed(shown: frame.View, found: Shelf, seen: Mapping[str, Document]) -> None:
    known = sorted(found.survey.documents.values(), key=lambda one: -_gaps(one))
    part = _part(known)
    asked = view.evidence_counts(shown.cursor)
    names = ("document", "source", "pages", "gaps", "chunks", "found", "questions")
    head = [t(f"data.docs.{name}") for name in names]
    body = [
        [
            _name(shown, one.source.doc_id, one.source.title, one.source.file),
            _source(one.source.company, one.source.label, one.source.lang, one.source.channel,
                    one.source.doc_type),
            _pages(one),
            _gap_list(one),
            _chunks(sum(one.chunks.values()), seen.get(one.source.doc_id)),
            _findings(one),
            str(asked.get(one.source.doc_id, 0)),
        ]
        for one in part
    ]  # fmt: skip
    safe.render(safe.table(head, body, caption=t("data.docs.table"), numeric=frozenset((2, 4, 6))))
    address.page_number(_count(known))


def _seen(shown: frame.View, known: Sequence[Document]) -> None:
    """Show what the run file alone knows: the documents that candidates came from."""
    if not known:
        st.text(t("data.docs.none"))
        return
    part = _part(known)
    names = ("document", "source", "pages", "gaps", "chunks", "questions")
    head = [t(f"data.docs.{name}") for name in names]
    body = [
        [
            _name(shown, one.doc_id, one.title, one.file),
            _source(one.company, one.label, one.lang, one.channel, one.doc_type),
            formats.count(one.n_pages),
            chips.muted(t("data.docs.gaps.unknown")),
            _chunks(None, one),
            str(one.questions),
        ]
        for one in part
    ]
    safe.render(safe.table(head, body, caption=t("data.docs.table"), numeric=frozenset((2, 4, 5))))
    address.page_number(_count(known))


def _count(known: Sequence[object]) -> int:
    return max(1, -(-len(known) // view.PAGE_SIZE))


def _part(known: Sequence[Row]) -> Sequence[Row]:
    pages = _count(known)
    address.page_note(pages)
    page = min(address.page_asked(), pages)
    return known[(page - 1) * view.PAGE_SIZE : page * view.PAGE_SIZE]


def _name(shown: frame.View, doc_id: str, title: str, file: str) -> safe.Markup:
    where = {"run": shown.ref, "tab": "documents", "doc": doc_id}
    return chips.lines(
        chips.link(title or doc_id or t("data.docs.unnamed"), "data", **where),
        chips.muted(leaves.joined(doc_id, file)),
    )


def _source(company: str, label: str, lang: str, channel: str | None, doc_type: str) -> safe.Markup:
    told = [term("language", lang), term("provenance", channel) if channel else ""]
    told.append(term("doctype", doc_type))
    return chips.lines(
        leaves.joined(company, label),
        chips.muted(leaves.joined(*told)),
    )


def _pages(one: SurveyedDocument) -> safe.Markup:
    text = t("data.docs.with_text", n=len(one.with_text))
    scanned = t("data.docs.scanned", n=len(one.scanned)) if one.scanned else ""
    n = formats.count(one.source.n_pages)
    return chips.lines(n, chips.muted(text), chips.muted(scanned) if scanned else "")


def _gaps(one: SurveyedDocument) -> int:
    return len(one.without_text) + len(one.unchunked)


def _gap_list(one: SurveyedDocument) -> str:
    if not _gaps(one):
        return chips.muted(t("data.docs.gaps.none"))
    parts = []
    for name, pages in (("no_text", one.without_text), ("unchunked", one.unchunked)):
        if pages:
            words = t(f"data.docs.gaps.{name}", n=len(pages), pages=_named(pages))
            parts.append(
                safe.Markup(f'<span style="color:{chips.BAD}">{safe.escape(words)}</span>')
            )
    return chips.lines(*parts)


def _named(pages: Sequence[int]) -> str:
    shown = ", ".join(f"P{page}" for page in pages[:_PAGES_NAMED])
    more = len(pages) - _PAGES_NAMED
    return f"{shown} +{more}" if more > 0 else shown


def _chunks(n: int | None, seen: Document | None) -> safe.Markup:
    used = t("data.docs.chunks.seen", n=seen.chunks if seen else 0)
    return chips.lines(formats.count(n) if n is not None else "", chips.muted(used))


def _findings(one: SurveyedDocument) -> str:
    if one.quality is None:
        return chips.muted(t("data.docs.not_assessed"))
    found = [
        f"{term('finding', finding.kind.value)} {finding.count:,}"
        for finding in one.quality.findings
    ]
    problems = [
        safe.plain(labelled(term("problem", p.kind.value), p.message)) for p in one.problems
    ]
    return chips.lines(*found, *map(chips.muted, problems)) or chips.muted(t("data.docs.clean"))


def _left_out(problems: Sequence[IngestProblem]) -> None:
    if not problems:
        return
    st.header(t("data.docs.left_out"))
    body = [
        [safe.plain(p.file), term("problem", p.kind.value), safe.plain(p.message)] for p in problems
    ]
    head = [t(f"data.docs.left_out.{name}") for name in ("file", "kind", "message")]
    safe.render(safe.table(head, body, caption=t("data.docs.left_out")))
