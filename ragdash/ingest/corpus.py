"""The corpus folder: sources, pages and chunks of a manifest, written whole or not at all.

corpus/files/<sha>.<ext>   the original files       corpus/sources.jsonl  pages.jsonl
corpus/corpus.json         schema, digest, counts   chunks.jsonl  problems.jsonl
corpus/hidden.jsonl        what no reader sees      quality.jsonl (ragdash.ingest.quality)
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
from ragdash.ingest.assess import ReadDocument, assess
from ragdash.ingest.chunking import DEFAULT, ChunkingConfig, chunk_document, chunking
from ragdash.ingest.folder import (
    Corpus,
    StoredCorpus,
    StoredDocument,
    chunk_row,
    is_corpus,
    load_corpus,
    read_corpus,
    stored_name,
    write_rows,
)
from ragdash.ingest.manifest import ManifestEntry, load_manifest
from ragdash.ingest.problems import IngestProblem, ProblemKind
from ragdash.ingest.quality import QUALITY, DocumentQuality, quality_row
from ragdash.ingest.reading import READER_VERSION, KeptReads
from ragdash.ingest.staging import put_in_place, recover, unfinished

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from ragdash.ingest.hidden import HiddenSpan

    Index = Callable[[Path, Sequence[Chunk]], object]
    OnRead = Callable[[int, int], None]

__all__ = ["Corpus", "IngestReport", "ingest", "load_corpus"]


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What went in: counts, the pages that hold no text, what was refused, and wall time.

    `seconds` is all of it, `index_seconds` the part that was spent in `index`: embedding, mostly.
    """

    documents: int
    pages: int
    chunks: int
    pages_without_text: int
    problems: tuple[IngestProblem, ...]
    seconds: float
    reused: int = 0
    quality: tuple[DocumentQuality, ...] = ()
    index_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class _Document:
    source: Source
    pages: tuple[Page, ...]
    chunks: tuple[Chunk, ...]
    problems: tuple[IngestProblem, ...]
    hidden: tuple[HiddenSpan, ...]
    path: Path
    reused: bool


def ingest(
    manifest: Path,
    corpus: Path,
    index: Index | None = None,
    on_read: OnRead | None = None,
    cut: str = DEFAULT,
) -> IngestReport:
    """Read a manifest's files into a corpus folder, and index it before it takes its place.

    A document whose file, name and doc_id are as they were is not read again, nor is one that a
    stopped call has read. A file that cannot be read is a problem in the report and the rest goes
    in. Where anything fails or is stopped, the corpus before stays whole.

    Args:
        manifest: JSON lines, one document each.
        corpus: the folder; a link is followed.
        index: called with the folder and its chunks once they are written; None leaves them
            without an index.
        on_read: called with how many documents have been read, and of how many.
        cut: the named way to cut pages into chunks (ragdash.ingest.chunking).

    Raises:
        ConfigError: there is no such way to cut pages.
        InputError: the manifest or a pages file has bad lines, a file is not there, no file could
            be read, or the folder holds something that is no corpus. Nothing is written then.
    """
    started = time.monotonic()
    config = chunking(cut)
    entries = load_manifest(manifest)
    corpus = corpus.resolve()
    recover(corpus)
    _refuse_foreign(corpus)
    before = read_corpus(corpus, _versions(config)) if is_corpus(corpus) else None
    kept = KeptReads(corpus)
    # Pages files first: they alone can be refused, and that should not cost what others took.
    by_ending = sorted(entries, key=lambda e: e.path.suffix.lower() != ".jsonl")
    read_in_turn: dict[str, _Document] = {}
    for entry in by_ending:
        read_in_turn[entry.doc_id] = _document(entry, config, before, kept)
        if on_read is not None:
            on_read(len(read_in_turn), len(entries))
    documents = [read_in_turn[entry.doc_id] for entry in entries]
    read = [d for d in documents if d.pages]
    problems = (*(p for d in documents for p in d.problems), *_ambiguous(read))
    if not read:
        kept.drop()
        raise InputError(
            f"{manifest}: no file could be read: {'; '.join(p.message for p in problems)}."
        )
    quality = assess([_assessed(d) for d in read])
    try:
        index_seconds = _write(corpus, (read, problems, quality), config, index)
    except Exception as error:
        if not unfinished(corpus):
            kept.drop()
        if not isinstance(error, OSError):
            raise
        raise StoreError(
            f"the corpus {corpus} cannot be written ({error.strerror}): name a folder that can, "
            "with room for the files"
        ) from error
    kept.drop()
    return IngestReport(
        documents=len(read),
        pages=sum(len(d.pages) for d in read),
        chunks=sum(len(d.chunks) for d in read),
        pages_without_text=sum(len(p.pages) for p in problems if p.kind in _BARE),
        problems=problems,
        seconds=time.monotonic() - started,
        reused=sum(d.reused for d in read),
        quality=quality,
        index_seconds=index_seconds,
    )


_BARE = (ProblemKind.NO_TEXT, ProblemKind.IMAGE_ONLY)


def _assessed(document: _Document) -> ReadDocument:
    bare = (n for p in document.problems if p.kind in _BARE for n in p.pages)
    return ReadDocument(document.source, document.pages, tuple(sorted(bare)), document.hidden)


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
    entry: ManifestEntry, config: ChunkingConfig, before: StoredCorpus | None, kept: KeptReads
) -> _Document:
    source = _source(entry, digest_file(entry.path), 0)
    old = before.documents.get(entry.doc_id) if before else None
    if old is not None and not _same_file(old.source, source):
        old = None
    read = old or kept.read(entry, source.sha256)
    n_pages = read.source.n_pages if isinstance(read, StoredDocument) else read.n_pages
    source = replace(source, n_pages=n_pages)
    if old is not None and old.chunks is not None:
        chunks = tuple(replace(c, source=source) for c in old.chunks)
    else:
        chunks = chunk_document(source, read.pages, config)
    return _Document(
        source, read.pages, chunks, read.problems, read.hidden, entry.path, old is not None
    )


def _same_file(before: Source, now: Source) -> bool:
    """Whether the same bytes would be read in the same way; PDFs are whatever their language."""
    alike = (before.sha256, before.file) == (now.sha256, now.file)
    return alike and (before.lang == now.lang or now.file.lower().endswith((".pdf", ".jsonl")))


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
    found: tuple[list[_Document], tuple[IngestProblem, ...], tuple[DocumentQuality, ...]],
    config: ChunkingConfig,
    index: Index | None,
) -> float:
    """Write the folder and return the seconds that its index took."""
    documents, problems, quality = found
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
                "hidden": [asdict(h) for d in documents for h in d.hidden],
                QUALITY: [quality_row(q) for q in quality],
            },
            {
                **_versions(config),
                "documents": len(documents),
                "pages": sum(len(d.pages) for d in documents),
                "table_chunks": sum(c.kind is ChunkKind.TABLE for c in chunks),
            },
        )
        started = time.monotonic()
        if index is not None:
            index(staging, chunks)
        return time.monotonic() - started
