"""What ingest found in each document, as a table for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.cli.mode_table import aligned
from ragdash.ingest.quality import FindingKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.ingest.quality import DocumentQuality

MOST_ROWS = 40
"""Documents shown; those with most findings first where there are more."""
_COLUMNS = {
    FindingKind.NO_TEXT: "no text",
    FindingKind.NO_HEADER: "no header",
    FindingKind.NO_UNIT: "no unit",
    FindingKind.BROKEN_NUMBERS: "broken",
    FindingKind.RUNNING: "running",
    FindingKind.DUPLICATES: "twice",
    FindingKind.HIDDEN: "hidden",
    FindingKind.OCR_LAYER: "ocr",
    FindingKind.SUMMARY_AND_FULL: "twin",
}


def quality_table(documents: Sequence[DocumentQuality]) -> str:
    """Return a row a document: its counts, "-" for none, and the sums in the last row."""
    shown = list(documents)
    if len(shown) > MOST_ROWS:
        shown.sort(key=lambda d: (-sum(f.count for f in d.findings), d.doc_id))
    rows = [["document", "pages", "tables", *_COLUMNS.values()]]
    rows += [
        [d.doc_id, str(d.pages), str(d.tables), *(_count(d.count(kind)) for kind in _COLUMNS)]
        for d in shown[:MOST_ROWS]
    ]
    sums = [sum(d.count(kind) for d in documents) for kind in _COLUMNS]
    pages, tables = sum(d.pages for d in documents), sum(d.tables for d in documents)
    title = f"all {len(documents)}"
    if len(documents) > MOST_ROWS:
        title += f" ({len(documents) - MOST_ROWS} not shown)"
    rows.append([title, str(pages), str(tables), *map(_count, sums)])
    return aligned(rows)


def _count(count: int) -> str:
    return str(count) if count else "-"


LEGEND = (
    "no header, no unit: tables that say neither their columns nor in what their figures are; "
    "broken: numbers with blanks, letters or separators where none belong; running: headers and "
    "footers, kept out of the chunks; twice: pages that stand elsewhere too; hidden: text that no "
    "reader sees, kept out of the chunks; ocr: scanned pages read from their text layer; twin: "
    "summary and full report of one year are both here"
)
