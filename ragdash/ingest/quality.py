"""What a corpus's documents are worth to a retriever: counts with examples, beside the chunks.

`quality.jsonl` in the corpus folder holds a line a document: doc_id, company, label, lang, pages,
tables, and findings, each with kind, count and examples of page (from 1), text and note.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ragdash.core.errors import InputError, StoreError

if TYPE_CHECKING:
    from pathlib import Path

QUALITY = "quality"
"""The name of the rows in the corpus folder, without its ending."""
MOST_EXAMPLES = 5
LONGEST_EXAMPLE = 160
"""Characters."""


class FindingKind(StrEnum):
    """What can be wrong with, or worth knowing of, a document; in the order they are shown."""

    NO_TEXT = "pages_without_text"
    NO_HEADER = "tables_without_header"
    NO_UNIT = "tables_without_unit"
    BROKEN_NUMBERS = "broken_numbers"
    RUNNING = "running_lines"
    DUPLICATES = "duplicate_pages"
    HIDDEN = "hidden_text"
    OCR_LAYER = "ocr_layer"
    SUMMARY_AND_FULL = "summary_and_full_report"


@dataclass(frozen=True, slots=True)
class Example:
    """One case of a finding: the page (from 1; 0 for the whole document), its text, and a note."""

    page: int
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """How often something was found, and the first few cases of it."""

    kind: FindingKind
    count: int
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class DocumentQuality:
    """The findings of one document, one for each kind that occurs, in the order of the kinds.

    `pages` counts the physical pages, `tables` the tables with at least two rows of amounts.
    """

    doc_id: str
    company: str
    label: str
    lang: str
    pages: int
    tables: int
    findings: tuple[Finding, ...]

    def count(self, kind: FindingKind) -> int:
        """How often something was found in it."""
        return next((f.count for f in self.findings if f.kind is kind), 0)


def finding(kind: FindingKind, count: int, examples: list[Example]) -> Finding:
    """Return a finding with its first examples, cut to size."""
    kept = [Example(e.page, shortened(e.text), shortened(e.note)) for e in examples[:MOST_EXAMPLES]]
    return Finding(kind, count, tuple(kept))


def shortened(text: str) -> str:
    """Return text on one line and no longer than an example may be."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_EXAMPLE else text[: LONGEST_EXAMPLE - 1] + "…"


def quality_row(quality: DocumentQuality) -> dict[str, Any]:
    """One document as a row of quality.jsonl."""
    return asdict(quality)


def load_quality(corpus: Path) -> tuple[DocumentQuality, ...]:
    """Return what the last ingest found in each document of a corpus folder, in its order.

    Raises:
        InputError: the folder holds none; a corpus of before this was recorded is ingested again.
        StoreError: the file is damaged.
    """
    path = corpus / f"{QUALITY}.jsonl"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise InputError(
            f"{corpus} holds no quality report; make it with: ragdash ingest MANIFEST --corpus DIR"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path} cannot be read ({error}); ingest the corpus again.") from error
    try:
        return tuple(_quality(json.loads(line)) for line in text.split("\n") if line)
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{path} is damaged ({error}); ingest the corpus again.") from error


def _quality(row: dict[str, Any]) -> DocumentQuality:
    findings = tuple(
        Finding(FindingKind(f["kind"]), f["count"], tuple(Example(**e) for e in f["examples"]))
        for f in row["findings"]
    )
    return DocumentQuality(**{**row, "findings": findings})
