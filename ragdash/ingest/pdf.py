"""PDF files to pages whose table rows are lines, with every page that failed named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.core.chunk import Page
from ragdash.ingest.glyphs import baselines_at, read_glyphs
from ragdash.ingest.hidden import HiddenKind
from ragdash.ingest.lines import page_lines
from ragdash.ingest.objects import read_objects
from ragdash.ingest.problems import IngestProblem, ProblemKind, ReadFile, counted, listed
from ragdash.ingest.rules import read_rules
from ragdash.ingest.spans import read_spans
from ragdash.ingest.unseen import KINDS, SEEN, hidden_spans, unseen

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.ingest.hidden import HiddenSpan


def read_pdf(path: Path, doc_id: str, name: str) -> ReadFile:
    """Read one PDF.

    Args:
        path: the file.
        doc_id: goes into each page.
        name: how the manifest names the file, for messages.

    Returns:
        Pages with text, counted from 1; a file that cannot be read has none and one problem.
    """
    import pypdfium2

    def refused(kind: ProblemKind, why: str) -> ReadFile:
        return ReadFile((), 0, (IngestProblem(doc_id, name, kind, (), f"{name} {why}"),))

    if path.stat().st_size == 0:
        return refused(ProblemKind.EMPTY, "has no bytes; get the file again")
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower() or "security" in str(error).lower():
            return refused(ProblemKind.ENCRYPTED, "needs a password; save it without one")
        return refused(ProblemKind.DAMAGED, f"is no readable PDF ({error}); get the file again")
    try:
        if not len(document):
            return refused(ProblemKind.EMPTY, "has no pages")
        return _read_pages(document, doc_id, name)
    finally:
        document.close()


def page_text(page: Any, doc_id: str, number: int) -> tuple[str, list[HiddenSpan]]:
    """Return the text of one open pypdfium2 page, a table row on one line, and what it hides.

    Raises:
        pypdfium2.PdfiumError: PDFium cannot read the page's text.
    """
    textpage = page.get_textpage()
    try:
        glyphs = read_glyphs(textpage)
        turns = glyphs.quarter_turns
        objects = read_objects(page)
        kinds = unseen(page, textpage, glyphs, objects)
        hidden = hidden_spans(glyphs, kinds, doc_id, number)
        # A glyph without height is none: only the text layer of a scan stays.
        glyphs.size[(kinds != SEEN) & (kinds != KINDS.index(HiddenKind.OCR_LAYER))] = 0.0
        rules = read_rules(objects, turns)
        spans = read_spans(glyphs, rules, lambda at: baselines_at(textpage, at, turns))
    finally:
        textpage.close()
    return "\n".join(page_lines(spans, rules)), hidden


def _read_pages(document: Any, doc_id: str, name: str) -> ReadFile:
    import pypdfium2

    pages, bare, broken = [], [], []
    hidden: list[HiddenSpan] = []
    for index in range(len(document)):
        try:
            page = document[index]
            text, unseen_here = page_text(page, doc_id, index + 1)
            page.close()
        except pypdfium2.PdfiumError:
            broken.append(index + 1)
            continue
        hidden.extend(unseen_here)
        if text.strip():
            pages.append(Page(doc_id, index + 1, text))
        else:
            bare.append(index + 1)
    problems = []
    n = len(document)
    if broken:
        why = f"{name}: {len(broken)} of {n} pages cannot be read: {listed(broken)}"
        kind = ProblemKind.DAMAGED
        problems.append(IngestProblem(doc_id, name, kind, tuple(broken), why))
    if bare and not pages:
        why = f"{name} holds images and no text on its {n} pages; run OCR over it first"
        kind = ProblemKind.IMAGE_ONLY
        problems.append(IngestProblem(doc_id, name, kind, tuple(bare), why))
    elif bare:
        why = f"{name}: {counted(len(bare), n)} no text: {listed(bare)}"
        problems.append(IngestProblem(doc_id, name, ProblemKind.NO_TEXT, tuple(bare), why))
    return ReadFile(tuple(pages), n, tuple(problems), tuple(hidden))
