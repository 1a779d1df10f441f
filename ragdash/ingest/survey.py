"""What a corpus folder holds, counted page by page without keeping its texts.

A corpus may be many times larger than what a page can show, so its rows are read one by one.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ragdash.core.chunk import Channel, DocType, Source
from ragdash.core.errors import InputError, StoreError
from ragdash.core.fingerprint import canonical_json
from ragdash.ingest.hidden import HiddenKind
from ragdash.ingest.quality import load_quality
from ragdash.ingest.reading import problem_of
from ragdash.ingest.staging import HEAD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from ragdash.ingest.problems import IngestProblem
    from ragdash.ingest.quality import DocumentQuality


@dataclass(frozen=True, slots=True)
class SurveyedDocument:
    """One document: how many chunks each page (from 1) is in, and what ingest recorded of it.

    `with_text` are the pages that hold text; `scanned` those whose text is a scan's layer; `hidden`
    counts the spans that no reader sees, by page, without such layers. `quality` is None in a
    corpus of before it was recorded.
    """

    source: Source
    with_text: frozenset[int]
    chunks: Mapping[int, int]
    scanned: frozenset[int]
    hidden: Mapping[int, int]
    quality: DocumentQuality | None
    problems: tuple[IngestProblem, ...]

    @property
    def pages(self) -> range:
        """The numbers of its pages."""
        return range(1, (self.source.n_pages or 0) + 1)

    @property
    def without_text(self) -> tuple[int, ...]:
        """Pages that hold no text."""
        return tuple(page for page in self.pages if page not in self.with_text)

    @property
    def unchunked(self) -> tuple[int, ...]:
        """Pages that hold text and are in no chunk."""
        return tuple(p for p in self.pages if p in self.with_text and p not in self.chunks)


@dataclass(frozen=True, slots=True)
class Survey:
    """A corpus folder by doc_id, in its own order; `left_out` are files that did not go in."""

    digest: str
    chunking: str
    documents: Mapping[str, SurveyedDocument]
    left_out: tuple[IngestProblem, ...]


@dataclass(slots=True)
class _Counts:
    with_text: set[int] = field(default_factory=set)
    chunks: Counter[int] = field(default_factory=Counter)
    scanned: set[int] = field(default_factory=set)
    hidden: Counter[int] = field(default_factory=Counter)


def survey(corpus: Path) -> Survey:
    """Count what a corpus folder holds.

    Raises:
        StoreError: a file of it is missing or damaged.
    """
    try:
        head = json.loads((corpus / HEAD).read_text(encoding="utf-8"))
        counts = _counts(corpus)
        problems: dict[str, list[IngestProblem]] = defaultdict(list)
        for row in _rows(corpus, "problems"):
            problems[row["doc_id"]].append(problem_of(row))
        quality = {one.doc_id: one for one in _quality(corpus)}
        documents = {}
        for row in _rows(corpus, "sources"):
            source = _source(row)
            of = counts[source.doc_id]
            documents[source.doc_id] = SurveyedDocument(
                source,
                frozenset(of.with_text),
                dict(of.chunks),
                frozenset(of.scanned),
                dict(of.hidden),
                quality.get(source.doc_id),
                tuple(problems.pop(source.doc_id, ())),
            )
        left = tuple(one for found in problems.values() for one in found)
        chunking = str((head.get("chunking") or {}).get("name", ""))
        return Survey(str(head["digest"]), chunking, documents, left)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"{corpus} is damaged ({error}); ingest it again.") from error


def _counts(corpus: Path) -> dict[str, _Counts]:
    counts: dict[str, _Counts] = defaultdict(_Counts)
    for row in _rows(corpus, "pages"):
        if row["text"].strip():
            counts[row["doc_id"]].with_text.add(row["page"])
    for row in _rows(corpus, "chunks"):
        counts[row["doc_id"]].chunks[row["page"]] += 1
    if (corpus / "hidden.jsonl").is_file():
        for row in _rows(corpus, "hidden"):
            of = counts[row["doc_id"]]
            if row["kind"] == HiddenKind.OCR_LAYER.value:
                of.scanned.add(row["page"])
            else:
                of.hidden[row["page"]] += 1
    return counts


def _quality(corpus: Path) -> tuple[DocumentQuality, ...]:
    try:
        return load_quality(corpus)
    except InputError:
        return ()  # a corpus of before it was recorded


def page_rows(corpus: Path, name: str, doc_id: str, page: int) -> list[dict[str, Any]]:
    """Return the rows of one page in a file of a corpus: `chunks`, `pages` or `hidden`.

    Raises:
        StoreError: the file is missing or damaged.
    """
    # Only lines that hold the id are parsed: a corpus has very many others.
    needle = canonical_json(doc_id)
    try:
        return [
            row
            for row in _rows(corpus, name, needle)
            if row["doc_id"] == doc_id and row["page"] == page
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{corpus} is damaged ({error}); ingest it again.") from error


def _rows(corpus: Path, name: str, needle: str = "") -> Iterator[dict[str, Any]]:
    with (corpus / f"{name}.jsonl").open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            if needle in line and line.strip():
                yield json.loads(line)


def _source(row: dict[str, Any]) -> Source:
    kinds = {"doc_type": DocType(row["doc_type"]), "channel": Channel(row["channel"])}
    return Source(**{**row, **kinds})
