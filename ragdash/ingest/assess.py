"""Documents to their quality: what was lost on the way into the corpus, counted and shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from ragdash.core.chunk import DocType
from ragdash.ingest.broken import broken_numbers
from ragdash.ingest.hidden import HiddenKind
from ragdash.ingest.margins import margins
from ragdash.ingest.quality import DocumentQuality, Example, Finding, FindingKind, finding
from ragdash.ingest.tables import cells_of, has_amount, read_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ragdash.core.chunk import Page, Source
    from ragdash.ingest.hidden import HiddenSpan
    from ragdash.ingest.margins import Margins
    from ragdash.ingest.tables import Block, Carried

LEAST_DUPLICATE = 60
"""Characters, without blanks; shorter pages ("this page is left blank") are alike by nature."""
_FULL = {
    DocType.ANNUAL_SUMMARY: DocType.ANNUAL,
    DocType.SEMIANNUAL_SUMMARY: DocType.SEMIANNUAL,
}
_NAMES = re.compile(r"[^\W\d_]|(?:19|20)\d\d")
"""What a header cell holds, and an amount does not."""
_UNIT_SAID = re.compile(
    r"[$¥￥€£%％]|[元股吨人倍户台件支瓶]|单位|数量|比例|RMB|USD|HKD|CNY|EUR"
    r"|\b(?:shares?|in\s+(?:thou|mill|bill)|thousands?|millions?|billions?|percent|number|square|"
    r"units?|employees|years?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """What is known of one document once it is read; `bare` are pages (from 1) without text."""

    source: Source
    pages: tuple[Page, ...]
    bare: tuple[int, ...]
    hidden: tuple[HiddenSpan, ...]


def assess(documents: Sequence[ReadDocument]) -> tuple[DocumentQuality, ...]:
    """Return the quality of each document; duplicates are looked for over all of them."""
    ends = [margins(d.pages) for d in documents]
    bodies = [_bodies(d, m) for d, m in zip(documents, ends, strict=True)]
    copies = _copies(documents, bodies)
    twins = _summary_and_full([d.source for d in documents])
    found = []
    for document, margin, body in zip(documents, ends, bodies, strict=True):
        tables, lost = _tables(document.pages, body, margin)
        findings = [
            _counted(FindingKind.NO_TEXT, [Example(page, "") for page in document.bare]),
            *lost,
            _counted(FindingKind.BROKEN_NUMBERS, list(_broken(document.pages))),
            _counted(FindingKind.RUNNING, _running(document.pages, margin)),
            _counted(FindingKind.DUPLICATES, copies.get(document.source.doc_id, [])),
            *_hidden(document.hidden),
            _counted(FindingKind.SUMMARY_AND_FULL, twins.get(document.source.doc_id, [])),
        ]
        source = document.source
        found.append(
            DocumentQuality(
                doc_id=source.doc_id,
                company=source.company,
                label=source.label,
                lang=source.lang,
                pages=source.n_pages or len(document.pages),
                tables=tables,
                findings=tuple(f for f in findings if f.count),
            )
        )
    return tuple(found)


def _counted(kind: FindingKind, examples: list[Example]) -> Finding:
    return finding(kind, len(examples), examples)


def _bodies(document: ReadDocument, margin: Margins) -> list[list[str]]:
    return [margin.body(page) for page in document.pages]


def _tables(
    pages: Sequence[Page], bodies: list[list[str]], margin: Margins
) -> tuple[int, list[Finding]]:
    """How many tables have amounts, and which of them say neither what nor in what unit."""
    carried: Carried | None = None
    before, total = 0, 0
    bare: list[Example] = []
    unitless: list[Example] = []
    for page, lines in zip(pages, bodies, strict=True):
        carried = carried if page.page == before + 1 else None
        before = page.page
        blocks, carried = read_blocks(lines, margin.running, carried)
        for block in blocks:
            rows = [line for line in block.lines if has_amount(line)] if block.is_table else []
            if len(rows) < 2:
                continue
            total += 1
            if not _has_header(block):
                bare.append(Example(page.page, rows[0]))
            if not _has_unit(block, rows):
                unitless.append(Example(page.page, " / ".join((*block.header, rows[0]))))
    return total, [
        _counted(FindingKind.NO_HEADER, bare),
        _counted(FindingKind.NO_UNIT, unitless),
    ]


def _has_header(block: Block) -> bool:
    """Whether some row at the top names the columns; label and value need no names."""
    if block.repeated or max(len(cells_of(line)) for line in block.lines) < 3:
        return True
    return any(_names_columns(line) for line in (*block.header, *block.lines[:3]))


def _names_columns(line: str) -> bool:
    cells = [cell for cell in cells_of(line) if cell]
    named = sum(bool(_NAMES.search(cell)) for cell in cells)
    return not has_amount(line) and (named >= 2 or (named == 1 and "|" not in line))


def _has_unit(block: Block, rows: list[str]) -> bool:
    """Whether a table with grouped figures says in what they are, above it or inside."""
    if block.unit or not any(re.search(r"\d,\d{3}", row) for row in rows):
        return True
    return any(_UNIT_SAID.search(line) for line in (*block.header, *block.lines))


def _broken(pages: Iterable[Page]) -> Iterator[Example]:
    for page in pages:
        for line in page.text.split("\n"):
            for number in broken_numbers(line):
                yield Example(page.page, number.text, number.kind.value)


def _running(pages: Sequence[Page], margin: Margins) -> list[Example]:
    """Each running line with the first page it stands on, and on how many."""
    examples = []
    for line in sorted(margin.running):
        on = [p.page for p in pages if line in map(str.strip, p.text.split("\n"))]
        examples.append(Example(on[0], line, f"{len(on)} pages"))
    for line, offset in sorted(margin.numbered):
        first = pages[0].page
        shown = line.replace("#", str(first + offset))
        examples.append(Example(first, shown, f"with the page's number, {offset:+} off"))
    return examples


def _copies(
    documents: Sequence[ReadDocument], bodies: list[list[list[str]]]
) -> dict[str, list[Example]]:
    """Pages whose text, without running lines and blanks, stood before; by document."""
    first: dict[bytes, tuple[str, int]] = {}
    found: dict[str, list[Example]] = {}
    for document, body in zip(documents, bodies, strict=True):
        for page, lines in zip(document.pages, body, strict=True):
            tight = "".join("".join(lines).split())
            if len(tight) < LEAST_DUPLICATE:
                continue
            key = sha256(tight.encode("utf-8", "surrogatepass")).digest()
            doc_id, at = first.setdefault(key, (page.doc_id, page.page))
            if (doc_id, at) != (page.doc_id, page.page):
                note = f"as page {at}" if doc_id == page.doc_id else f"as page {at} of {doc_id}"
                found.setdefault(page.doc_id, []).append(Example(page.page, lines[0], note))
    return found


def _hidden(spans: Iterable[HiddenSpan]) -> list[Finding]:
    hidden: list[Example] = []
    layers: list[Example] = []
    for span in spans:
        kept = layers if span.kind is HiddenKind.OCR_LAYER else hidden
        kept.append(Example(span.page, span.text, span.kind.value))
    return [
        _counted(FindingKind.HIDDEN, hidden),
        _counted(FindingKind.OCR_LAYER, layers),
    ]


def _summary_and_full(sources: Sequence[Source]) -> dict[str, list[Example]]:
    """Summaries whose full report is in the corpus too, and those full reports."""
    held = {(s.company, s.period, s.doc_type): s for s in sources}
    found: dict[str, list[Example]] = {}
    for source in sources:
        full = _FULL.get(source.doc_type)
        other = held.get((source.company, source.period, full)) if full else None
        if other is not None:
            note = "the full report is here too"
            found.setdefault(source.doc_id, []).append(Example(0, other.doc_id, note))
            note = "its summary is here too"
            found.setdefault(other.doc_id, []).append(Example(0, source.doc_id, note))
    return found
