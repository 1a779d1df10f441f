"""HTML filings to pages: a page ends where the file asks a printer for another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ragdash.core.errors import InputError
from ragdash.ingest.cells import PAGE_BREAK, Concealed
from ragdash.ingest.decoding import MOST_BYTES, decoded
from ragdash.ingest.elements import html_lines
from ragdash.ingest.hidden import hidden_span
from ragdash.ingest.pages import pages_of
from ragdash.ingest.problems import IngestProblem, ProblemKind, ReadFile

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.ingest.cells import Line
    from ragdash.ingest.hidden import HiddenSpan


def read_html(path: Path, doc_id: str, name: str, lang: str) -> ReadFile:
    """Read one HTML or XHTML file, inline XBRL too.

    Scripts and styles are no text; what a browser does not show is recorded and is no part of a
    page. Nothing is fetched, and no entity is defined.

    Args:
        path: the file.
        doc_id: goes into each page.
        name: how the manifest names the file, for messages.
        lang: the manifest's; decides the encoding where nothing in the file does.

    Returns:
        Pages with text, counted from 1 as the file breaks them; one page where it never does. A
        file that cannot be read has none and one problem.
    """
    size = path.stat().st_size
    if size > MOST_BYTES:
        why = f"{name} has {size:,} bytes, more than {MOST_BYTES:,}; split it"
        return ReadFile((), 0, (IngestProblem(doc_id, name, ProblemKind.DAMAGED, (), why),))
    data = path.read_bytes()
    try:
        if data.startswith(b"%PDF"):
            raise InputError(f"{name} is a PDF; name it .pdf")
        source = decoded(data, lang, name)
        try:
            lines = html_lines(source)
        except InputError as error:
            raise InputError(f"{name} {error}") from error
    except InputError as error:
        problem = IngestProblem(doc_id, name, ProblemKind.DAMAGED, (), str(error).rstrip("."))
        return ReadFile((), 0, (problem,))
    texts, hidden = paginated(lines, doc_id)
    return pages_of(dict(enumerate(texts, start=1)), doc_id, name, hidden)


def paginated(lines: list[Line], doc_id: str) -> tuple[list[str], tuple[HiddenSpan, ...]]:
    """Cut lines into the texts of pages, and say on which page (from 1) something is hidden.

    Two breaks with nothing between them are one: an element that ends a page often stands before
    one that begins it.
    """
    pages: list[list[str]] = [[]]
    hidden = []
    for line in lines:
        if isinstance(line, Concealed):
            span = hidden_span(doc_id, len(pages), line.kind, line.text)
            hidden.extend([span] if span else [])
        elif line != PAGE_BREAK:
            pages[-1].append(line)
        elif pages[-1]:
            pages.append([])
    if not pages[-1] and len(pages) > 1:
        pages.pop()
    last = len(pages)
    kept = tuple(h if h.page <= last else _moved(h, last) for h in hidden)
    return ["\n".join(page) for page in pages], kept


def _moved(span: HiddenSpan, page: int) -> HiddenSpan:
    return replace(span, page=page)
