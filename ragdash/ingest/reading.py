"""Which reader reads which file, and what has been read of a manifest that was stopped."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ragdash.core.chunk import Page
from ragdash.core.fingerprint import canonical_json, digest
from ragdash.ingest.hidden import HiddenKind, HiddenSpan
from ragdash.ingest.html import read_html
from ragdash.ingest.manifest import HTML, TEXT
from ragdash.ingest.pages import read_pages_file
from ragdash.ingest.pdf import read_pdf
from ragdash.ingest.problems import IngestProblem, ProblemKind, ReadFile
from ragdash.ingest.text import read_text

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.ingest.manifest import ManifestEntry

READER_VERSION = 2
"""Counted up whenever the same file would give other pages, so that none are reused."""


def read_file(entry: ManifestEntry) -> ReadFile:
    """Read a manifest's file by its ending.

    Raises:
        InputError: it is a pages file with bad lines.
    """
    suffix = entry.path.suffix.lower()
    if suffix == ".pdf":
        return read_pdf(entry.path, entry.doc_id, entry.file)
    if suffix in HTML:
        return read_html(entry.path, entry.doc_id, entry.file, entry.lang)
    if suffix in TEXT:
        return read_text(entry.path, entry.doc_id, entry.file, entry.lang)
    return read_pages_file(entry.path, entry.doc_id, entry.file)


class KeptReads:
    """Files that were read by an ingest which has not ended, beside the corpus that it makes.

    A manifest of hundreds of filings takes its time to read; what a stopped call has read is not
    read again. `drop` removes them once the corpus holds their pages.
    """

    def __init__(self, corpus: Path) -> None:
        self._folder = corpus.parent / f".{corpus.name}.read"

    def read(self, entry: ManifestEntry, sha256: str) -> ReadFile:
        """Return what a file holds, read now or before."""
        if entry.path.suffix.lower() == ".jsonl":
            # Its pages are text already: keeping them would cost what reading them does.
            return read_file(entry)
        path = self._folder / self._name(entry, sha256)
        if path.is_file():
            kept = _kept(path)
            if kept is not None:
                return kept
        found = read_file(entry)
        self._folder.mkdir(parents=True, exist_ok=True)
        staged = path.with_suffix(f".{os.getpid()}")
        staged.write_text(canonical_json(asdict(found)), encoding="utf-8")
        staged.replace(path)
        return found

    def drop(self) -> None:
        """Remove all of them."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _name(self, entry: ManifestEntry, sha256: str) -> str:
        says = [READER_VERSION, sha256, entry.doc_id, entry.file, entry.lang]
        return digest(says).removeprefix("sha256:")[:32] + ".json"


def problem_of(row: dict[str, Any]) -> IngestProblem:
    """Return a problem from its row."""
    return IngestProblem(**{**row, "kind": ProblemKind(row["kind"]), "pages": tuple(row["pages"])})


def hidden_of(row: dict[str, Any]) -> HiddenSpan:
    """Return a hidden span from its row."""
    return HiddenSpan(**{**row, "kind": HiddenKind(row["kind"])})


def _kept(path: Path) -> ReadFile | None:
    """What a file of ours holds; None where a kill has left it damaged, so that it is read anew."""
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
        return ReadFile(
            pages=tuple(Page(**page) for page in row["pages"]),
            n_pages=row["n_pages"],
            problems=tuple(map(problem_of, row["problems"])),
            hidden=tuple(map(hidden_of, row["hidden"])),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
