"""A page of a filing beside its chunks, and the strip of all pages that shows the gaps."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.errors import StoreError
from ragdash.ui import address, chips, frame, safe
from ragdash.ui.corpus import findings
from ragdash.ui.i18n import t, term
from ragdash.ui.question import filing
from ragdash.views import documents as view
from ragdash.views.documents import PageChunk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.chunk import Source
    from ragdash.ingest.survey import SurveyedDocument
    from ragdash.ui.corpus.shelf import Shelf
    from ragdash.views.documents import Document

_LIMIT = 4_000
_STRIP = 600
"""Pages; of a longer document those with a gap or evidence, and those around the one on view."""
_AROUND = 10


def leaf(shown: frame.View, shelf: Shelf | None, seen: Mapping[str, Document]) -> None:
    """Show a page of the document in `?doc=`, the page being in `?leaf=`."""
    surveyed = {} if shelf is None else shelf.survey.documents
    # An import may hold chunks of no document: they come last.
    options = sorted(dict.fromkeys((*surveyed, *seen)), key=lambda doc_id: not doc_id)
    if not options:
        return
    st.header(t("data.leaf"))
    words = {doc_id: _option(doc_id, surveyed, seen) for doc_id in options}
    left, right = st.columns([3, 1], gap="medium")
    with left:
        doc_id = address.one("doc", t("data.leaf.doc"), options, words.__getitem__, "doc")
    document, known = surveyed.get(doc_id), seen.get(doc_id)
    numbers = _numbers(document, known)
    if not numbers:
        st.text(t("data.leaf.no_pages"))
        return
    asked = view.evidence_pages(shown.cursor, doc_id)
    with right:
        page = int(_page(numbers, asked))
    if document is not None:
        safe.render(_strip(shown, document, asked, page))
        findings.examples(shown, document)
    labels = ("data.leaf.previous", "data.leaf.next")
    address.step("leaf", numbers, str(page), "data.leaf.at", labels)
    if document is None:
        shelf = None
    source = document.source if document else known
    if source is not None:
        _beside(shown, shelf, source, page)


def _option(
    doc_id: str, surveyed: Mapping[str, SurveyedDocument], seen: Mapping[str, Document]
) -> str:
    source = surveyed[doc_id].source if doc_id in surveyed else seen[doc_id]
    return joined(source.company, source.label, doc_id) or t("data.docs.unnamed")


def joined(*parts: str) -> str:
    """Return what is known of a document on one line; an import may leave anything out."""
    return safe.plain(" · ".join(part for part in parts if part))


def _numbers(document: SurveyedDocument | None, known: Document | None) -> list[str]:
    """Return the pages that can be looked at; of an import those that its chunks came from."""
    n = document.source.n_pages if document else known.n_pages if known else None
    if n:
        return [str(page) for page in range(1, n + 1)]
    return [str(page) for page in (known.pages_seen if known else ())]


def _page(numbers: Sequence[str], asked: Mapping[int, Sequence[str]]) -> str:
    """Return the page in `?leaf=`; without one the first with evidence, else the first."""
    first = next((str(page) for page in sorted(asked) if str(page) in numbers), numbers[0])
    options = sorted(numbers, key=lambda number: number != first)
    words = {number: t("data.leaf.page", page=number) for number in numbers}
    return address.one("leaf", t("data.leaf.number"), options, words.__getitem__, "leaf")


def _strip(
    shown: frame.View, document: SurveyedDocument, asked: Mapping[int, Sequence[str]], page: int
) -> safe.Markup:
    """Return every page as a small mark that opens it: how it was read, and whether it is asked."""
    gaps = {*document.without_text, *document.unchunked}
    near = range(page - _AROUND, page + _AROUND + 1)
    told = [
        number
        for number in document.pages
        if len(document.pages) <= _STRIP or number in gaps or number in asked or number in near
    ]
    marks = [_mark(shown, document, number, number in asked, number == page) for number in told]
    legend = [
        chips.muted(t(f"data.leaf.mark.{name}"))
        for name in ("chunk", "unchunked", "no_text", "scanned", "gold")
    ]
    strip = safe.Markup(
        f'<nav aria-label="{html.escape(t("data.leaf.strip"))}" style="display:flex;'
        f'flex-wrap:wrap;gap:3px;margin:.2rem 0">{"".join(marks)}</nav>'
    )
    return safe.join([strip, chips.spaced(*legend)])


def _mark(
    shown: frame.View, document: SurveyedDocument, page: int, is_gold: bool, is_open: bool
) -> str:
    state = _state(document, page)
    letter = {"chunk": "", "unchunked": "!", "no_text": "∅", "scanned": "s"}[state]
    words = t("data.leaf.page", page=page) + ", " + t(f"data.leaf.state.{state}")
    if is_gold:
        words += ", " + t("data.leaf.state.gold")
    doc_id = document.source.doc_id
    url = chips.url("data", run=shown.ref, tab="documents", doc=doc_id, leaf=str(page))
    ink = chips.BAD if state in ("unchunked", "no_text") else "inherit"
    edge = f"2px solid {chips.LINK}" if is_open else f"1px solid {safe.LINE}"
    ground = "light-dark(#FFE9B0,#5A4500)" if is_gold else safe.SOFT
    now = ' aria-current="page"' if is_open else ""
    return (
        f'<a href="{html.escape(url)}" aria-label="{html.escape(words)}"{now} '
        f'title="{html.escape(words)}" style="min-width:2.1em;text-align:center;border:{edge};'
        f"border-radius:4px;background:{ground};color:{ink};font-size:.78rem;line-height:1.6;"
        f'text-decoration:none;font-variant-numeric:tabular-nums;padding:0 .2em">{page}{letter}</a>'
    )


def _state(document: SurveyedDocument, page: int) -> str:
    if page not in document.with_text:
        return "no_text"
    if page not in document.chunks:
        return "unchunked"
    return "scanned" if page in document.scanned else "chunk"


def _beside(shown: frame.View, shelf: Shelf | None, of: Source | Document, page: int) -> None:
    chunks = _chunks(shown, shelf, of.doc_id, page)
    left, right = st.columns(2, gap="medium")
    with left:
        marked = _marked(chunks)
        filing.page(shown.facts, filing.Leaf(of.file, of.sha256, page), marked)
    with right:
        if shelf is None:
            safe.render(chips.muted(t("data.leaf.seen_only")))
        if not chunks:
            st.info(t("data.leaf.no_chunk"))
        for at, chunk in enumerate(chunks):
            with st.container(border=True):
                safe.render(_head(shown, chunk))
                safe.text(chunk.text, key=f"leaf.{page}.{at}", lang=of.lang, limit=_LIMIT)
        if shelf is not None:
            _as_read(shelf, of.doc_id, page, of.lang)


def _chunks(shown: frame.View, shelf: Shelf | None, doc_id: str, page: int) -> list[PageChunk]:
    found = view.chunks_of(shown.cursor, doc_id, page)
    if shelf is not None:
        try:
            rows = shelf.rows("chunks", doc_id, page)
        except StoreError as error:
            safe.text(str(error), key="leaf.damaged")
            rows = []
        names = ("chunk_id", "section", "kind", "unit_note", "text")
        found = [PageChunk(*(row[name] for name in names)) for row in rows]
    gold = view.gold_of(shown.cursor, [chunk.chunk_id for chunk in found])
    return [
        PageChunk(c.chunk_id, c.section, c.kind, c.unit_note, c.text, gold.get(c.chunk_id, ()))
        for c in found
    ]


def _marked(chunks: Sequence[PageChunk]) -> str:
    """Offer the chunks to be marked on the page, the choice in `?mark=`, and return its text."""
    if not chunks:
        return ""
    texts = {"": "", **{chunk.chunk_id: chunk.text for chunk in chunks}}
    words = {"": t("data.leaf.mark.none"), **{c.chunk_id: safe.plain(c.chunk_id) for c in chunks}}
    if st.query_params.get("mark") not in texts:
        # Another page was opened since: its chunks are others, and nothing is wrong.
        st.query_params.pop("mark", None)
    chosen = address.one("mark", t("data.leaf.mark"), list(texts), words.__getitem__, "filter")
    return texts[chosen]


def _head(shown: frame.View, chunk: PageChunk) -> safe.Markup:
    parts = [chips.strong(safe.plain(chunk.chunk_id)), term("chunkkind", chunk.kind)]
    if chunk.unit_note:
        parts.append(chips.badge(safe.plain(chunk.unit_note)))
    lines: list[str] = [chips.spaced(*parts)]
    if chunk.section:
        lines.append(chips.muted(safe.plain(chunk.section)))
    if chunk.gold_of:
        gold = chips.badge(t("data.leaf.gold_of"), "light-dark(#8A5A00,#FFD58A)")
        lines.append(safe.join([gold, " ", chips.questions(shown.ref, chunk.gold_of)]))
    return chips.lines(*lines)


def _as_read(shelf: Shelf, doc_id: str, page: int, lang: str | None) -> None:
    try:
        texts, hidden = (shelf.rows(name, doc_id, page) for name in ("pages", "hidden"))
    except StoreError as error:
        safe.text(str(error), key="leaf.damaged.page")
        return
    with st.expander(t("data.leaf.as_read")):
        safe.text(texts[0]["text"] if texts else "", key="leaf.as_read", lang=lang)
    unseen = [row for row in hidden if row["kind"] != "ocr_layer"]
    if unseen:
        with st.expander(t("data.leaf.hidden", n=len(unseen))):
            for at, row in enumerate(unseen):
                safe.render(chips.badge(term("hiddenkind", row["kind"]), chips.BAD))
                safe.text(row["text"], key=f"leaf.hidden.{at}", lang=lang)
