"""The corpus folder: sources, pages and chunks of a manifest, written whole or not at all.

corpus/files/<sha>.<ext>   the original files       corpus/sources.jsonl  pages.jsonl
corpus/corpus.json         schema, digest, counts   chunks.jsonl  problems.jsonl
corpus/index/              belongs to ragdash.index and is carried over unread
"""

from __future__ import annotations

import shutil
import time
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from ragdash.core.chunk import Chunk, ChunkKind, Page, Source
from ragdash.core.errors import InputError, StoreError
from ragdash.core.fingerprint import digest_file
from ragdash.ingest.chunking import ChunkingConfig, chunk_document
from ragdash.ingest.folder import (
    Corpus,
    StoredCorpus,
    chunk_row,
    is_corpus,
    load_corpus,
    put_in_place,
    read_corpus,
    recover,
    stored_name,
    write_rows,
)
from ragdash.ingest.manifest import ManifestEntry, load_manifest
from ragdash.ingest.pages import read_pages_file
from ragdash.ingest.pdf import read_pdf
from ragdash.ingest.problems import IngestProblem, ProblemKind, ReadFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    Index = Callable[[Path, Sequence[Chunk]], object]

__all__ = ["Corpus", "IngestReport", "ingest", "load_corpus"]

READER_VERSION = 1
"""Counted up whenever the same file would give other pages, so that none are reused."""


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What went in: counts, the pages that hold no text, what was refused, and wall time."""

    documents: int
    pages: int
    chunks: int
    pages_without_text: int
    problems: tuple[IngestProblem, ...]
    seconds: float
    reused: int = 0


@dataclass(frozen=True, slots=True)
class _Document:
    source: Source
    pages: tuple[Page, ...]
    chunks: tuple[Chunk, ...]
    problems: tuple[IngestProblem, ...]
    path: Path
    reused: bool


def ingest(manifest: Path, corpus: Path, index: Index | None = None) -> IngestReport:
    """Read a manifest's files into a corpus folder, and index it before it takes its place.

    A document whose file, name and doc_id are as they were is not parsed again. A file that
    cannot be read is a problem in the report and the rest goes in. Where anything fails or is
    stopped, the corpus before stays whole.

    Args:
        manifest: JSON lines, one document each.
        corpus: the folder; a link is followed.
        index: called with the folder and its chunks once they are written; None leaves them
            without an index.

    Raises:
        InputError: the manifest or a pages file has bad lines, a file is not there, no file could
            be read, or the folder holds something that is no corpus. Nothing is written then.
    """
    started = time.monotonic()
    entries = load_manifest(manifest)
    corpus = corpus.resolve()
    recover(corpus)
    _refuse_foreign(corpus)
    config = ChunkingConfig()
    before = read_corpus(corpus, _versions(config)) if is_corpus(corpus) else None
    documents = [_document(entry, config, before) for entry in entries]
    read = [d for d in documents if d.pages]
    problems = (*(p for d in documents for p in d.problems), *_ambiguous(read))
    if not read:
        raise InputError(
            f"{manifest}: no file could be read: {'; '.join(p.message for p in problems)}."
        )
    try:
        _write(corpus, read, problems, config, index)
    except OSError as error:
        raise StoreError(
            f"the corpus {corpus} cannot be written ({error.strerror}): name a folder that can, "
            "with room for the files"
        ) from error
    bare = (ProblemKind.NO_TEXT, ProblemKind.IMAGE_ONLY)
    return IngestReport(
        documents=len(read),
        pages=sum(len(d.pages) for d in read),
        chunks=sum(len(d.chunks) for d in read),
        pages_without_text=sum(len(p.pages) for p in problems if p.kind in bare),
        problems=problems,
        seconds=time.monotonic() - started,
        reused=sum(d.reused for d in read),
    )


def _ambiguous(documents: list[_Document]) -> Iterator[IngestProblem]:
    """Name documents that share company and label: a citation of either resolves to neither."""
    named: dict[tuple[str, str], Source] = {}
    for document in documents:
        source = document.source
        first = named.setdefault((source.company, source.label), source)
        if first is not source:
            yield IngestProblem(
                source.doc_id,
                source.file,
                ProblemKind.AMBIGUOUS,
                (),
                f"{source.file} is cited as {source.company}·{source.label}, like {first.file}: "
                "citations of either do not resolve; tell them apart by doc_type or period",
            )


def _versions(config: ChunkingConfig) -> dict[str, object]:
    return {"reader": READER_VERSION, "chunking": asdict(config)}


def _refuse_foreign(corpus: Path) -> None:
    if corpus.exists() and not corpus.is_dir():
        raise InputError(f"{corpus} is a file; name a folder for the corpus.")
    if corpus.is_dir() and not is_corpus(corpus) and any(corpus.iterdir()):
        raise InputError(f"{corpus} holds files that are no corpus; name a new or empty folder.")


def _document(
    entry: ManifestEntry, config: ChunkingConfig, before: StoredCorpus | None
) -> _Document:
    source = _source(entry, digest_file(entry.path), 0)
    old = before.documents.get(entry.doc_id) if before else None
    if old and (old.source.sha256, old.source.file) == (source.sha256, entry.file):
        source = replace(source, n_pages=old.source.n_pages)
        chunks = tuple(replace(c, source=source) for c in old.chunks)
        return _Document(source, old.pages, chunks, old.problems, entry.path, True)
    read = _read(entry)
    source = replace(source, n_pages=read.n_pages)
    chunks = chunk_document(source, read.pages, config)
    return _Document(source, read.pages, chunks, read.problems, entry.path, False)


def _read(entry: ManifestEntry) -> ReadFile:
    if entry.path.suffix.lower() == ".pdf":
        return read_pdf(entry.path, entry.doc_id, entry.file)
    return read_pages_file(entry.path, entry.doc_id, entry.file)


def _source(entry: ManifestEntry, sha256: str, n_pages: int) -> Source:
    return Source(
        doc_id=entry.doc_id,
        file=entry.file,
        company=entry.company,
        period=entry.period,
        doc_type=entry.doc_type,
        lang=entry.lang,
        channel=entry.channel,
        title=entry.title,
        licence=entry.licence,
        label=entry.label,
        sha256=sha256,
        n_pages=n_pages,
    )


def _write(
    corpus: Path,
    documents: list[_Document],
    problems: tuple[IngestProblem, ...],
    config: ChunkingConfig,
    index: Index | None,
) -> None:
    corpus.parent.mkdir(parents=True, exist_ok=True)
    with put_in_place(corpus) as staging:
        (staging / "files").mkdir()
        for document in documents:
            target = staging / "files" / stored_name(document.source)
            if not target.exists():
                shutil.copyfile(document.path, target)
        chunks = [c for d in documents for c in d.chunks]
        write_rows(
            staging,
            {
                "sources": [asdict(d.source) for d in documents],
                "pages": [asdict(p) for d in documents for p in d.pages],
                "chunks": [chunk_row(c) for c in chunks],
                "problems": [asdict(p) for p in problems],
            },
            {
                **_versions(config),
                "documents": len(documents),
                "pages": sum(len(d.pages) for d in documents),
                "table_chunks": sum(c.kind is ChunkKind.TABLE for c in chunks),
            },
        )
        if index is not None:
            index(staging, chunks)
