"""How a corpus lies on disk: rows as JSON lines, checked on load."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragdash.core.chunk import Channel, Chunk, ChunkKind, DocType, Page, Source
from ragdash.core.errors import InputError, StoreError
from ragdash.core.fingerprint import canonical_json, digest
from ragdash.ingest.manifest import HTML, TEXT
from ragdash.ingest.problems import ProblemKind
from ragdash.ingest.reading import hidden_of, problem_of
from ragdash.ingest.staging import HEAD, recover

if TYPE_CHECKING:
    from ragdash.ingest.hidden import HiddenSpan
    from ragdash.ingest.problems import IngestProblem

SCHEMA = 1
_ENDINGS = {".pdf": (".pdf",), ".html": HTML, ".txt": TEXT}


@dataclass(frozen=True, slots=True)
class Corpus:
    """A loaded corpus; `digest` is over its sources and chunks, in order.

    `chunking` is the named way its pages were cut, "" where it does not say; `reader` is the
    version of what read the files, None where it does not say.
    """

    folder: Path
    name: str
    digest: str
    sources: tuple[Source, ...]
    chunks: tuple[Chunk, ...]
    problems: tuple[IngestProblem, ...]
    chunking: str = ""
    reader: int | None = None

    def page(self, doc_id: str, page: int) -> Page | None:
        """Return one page (from 1), or None where it holds no text or is not there."""
        return _pages(self.folder, self.digest).get((doc_id, page))

    def pages(self) -> tuple[Page, ...]:
        """Return all pages with text, by document and number."""
        return tuple(_pages(self.folder, self.digest).values())

    def source(self, doc_id: str) -> Source | None:
        """Return one document's source, or None."""
        return next((s for s in self.sources if s.doc_id == doc_id), None)

    def hidden(self) -> tuple[HiddenSpan, ...]:
        """Return all text of the documents that no reader of their pages sees.

        Raises:
            StoreError: the corpus is of before this was recorded, or its file is damaged.
        """
        try:
            return tuple(map(hidden_of, _rows(self.folder, "hidden")))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(
                f"{self.folder / 'hidden.jsonl'}: {error}; ingest it again."
            ) from error

    def file_of(self, source: Source) -> Path:
        """Return where the original file of a source lies, for page images."""
        return self.folder / "files" / stored_name(source)


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """What the folder already holds of one document; no chunks where they were cut otherwise."""

    source: Source
    pages: tuple[Page, ...]
    chunks: tuple[Chunk, ...] | None
    problems: tuple[IngestProblem, ...]
    hidden: tuple[HiddenSpan, ...]


@dataclass(frozen=True, slots=True)
class StoredCorpus:
    """The documents of a folder by doc_id, where the reader is still the same."""

    documents: dict[str, StoredDocument]


def is_corpus(folder: Path) -> bool:
    """Whether a folder holds a corpus (of any version)."""
    return (folder / HEAD).is_file()


def stored_name(source: Source) -> str:
    """The name of the original's copy: its digest and one of our own endings, nothing else."""
    suffix = Path(source.file).suffix.lower()
    ending = next((own for own, theirs in _ENDINGS.items() if suffix in theirs), ".jsonl")
    return source.sha256.removeprefix("sha256:") + ending


def load_corpus(corpus: Path) -> Corpus:
    """Load a corpus folder.

    Raises:
        InputError: the folder holds no corpus.
        StoreError: it is of another schema, or its rows are not those that were written.
    """
    recover(corpus)
    if not is_corpus(corpus):
        raise InputError(
            f"{corpus} holds no corpus; make one with: ragdash ingest MANIFEST --corpus DIR"
        )
    head = _head(corpus)
    if head.get("schema") != SCHEMA:
        raise StoreError(
            f"{corpus} is of schema {head.get('schema')} and this is {SCHEMA}; ingest it again."
        )
    try:
        source_rows, chunk_rows = _rows(corpus, "sources"), _rows(corpus, "chunks")
        found = digest({"sources": source_rows, "chunks": chunk_rows})
        if found != head["digest"]:
            raise StoreError(f"{corpus} has been changed since it was written; ingest it again.")
        sources = {row["doc_id"]: _source(row) for row in source_rows}
        chunks = tuple(_chunk(row, sources) for row in chunk_rows)
        problems = tuple(problem_of(row) for row in _rows(corpus, "problems"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{corpus} is damaged ({error}); ingest it again.") from error
    name = corpus.resolve().name
    cut = str(dict(head.get("chunking") or {}).get("name", ""))
    read_by = head.get("reader")
    return Corpus(corpus, name, found, tuple(sources.values()), chunks, problems, cut, read_by)


def read_corpus(corpus: Path, versions: dict[str, object]) -> StoredCorpus | None:
    """Read what can be reused: nothing where reader or schema differ or rows are bad.

    Where another chunking cut them, the pages are reused and the chunks are not.
    """
    try:
        loaded = load_corpus(corpus)
        head = _head(corpus)
        if head.get("reader") != versions["reader"]:
            return None
        cut_alike = all(head.get(key) == value for key, value in versions.items())
        hidden: dict[str, list[HiddenSpan]] = {}
        for span in loaded.hidden():
            hidden.setdefault(span.doc_id, []).append(span)
        pages: dict[str, list[Page]] = {}
        for page in loaded.pages():
            pages.setdefault(page.doc_id, []).append(page)
    except (StoreError, InputError):
        return None
    chunks: dict[str, list[Chunk]] = {}
    for chunk in loaded.chunks:
        chunks.setdefault(chunk.source.doc_id, []).append(chunk)
    return StoredCorpus(
        {
            s.doc_id: StoredDocument(
                s,
                tuple(pages.get(s.doc_id, ())),
                tuple(chunks.get(s.doc_id, ())) if cut_alike else None,
                tuple(
                    p
                    for p in loaded.problems
                    if p.doc_id == s.doc_id and p.kind is not ProblemKind.AMBIGUOUS
                ),
                tuple(hidden.get(s.doc_id, ())),
            )
            for s in loaded.sources
        }
    )


def write_rows(
    folder: Path, tables: dict[str, list[dict[str, Any]]], head: dict[str, object]
) -> None:
    """Write sources, pages, chunks and problems of a corpus, and its head last."""
    for name, rows in tables.items():
        text = "".join(canonical_json(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8", newline="\n")
    whole = digest({"sources": tables["sources"], "chunks": tables["chunks"]})
    head = {"schema": SCHEMA, "digest": whole, "chunks": len(tables["chunks"]), **head}
    (folder / HEAD).write_text(json.dumps(head, indent=1) + "\n", encoding="utf-8")


def chunk_row(chunk: Chunk) -> dict[str, Any]:
    """One chunk as a row; its source is named, not repeated."""
    return {
        "chunk_id": chunk.chunk_id,
        "doc_id": chunk.source.doc_id,
        "page": chunk.source_page,
        "section": chunk.section,
        "kind": chunk.kind.value,
        "unit_note": chunk.unit_note,
        "text": chunk.text,
    }


def _head(corpus: Path) -> dict[str, Any]:
    try:
        head = json.loads((corpus / HEAD).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(f"{corpus / HEAD} is damaged ({error}); ingest it again.") from error
    return head if isinstance(head, dict) else {}


def _rows(corpus: Path, name: str) -> list[dict[str, Any]]:
    text = (corpus / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


@lru_cache(maxsize=4)
def _pages(corpus: Path, corpus_digest: str) -> dict[tuple[str, int], Page]:
    # The digest is a key only: another corpus under the same path is read anew.
    del corpus_digest
    try:
        return {(row["doc_id"], row["page"]): Page(**row) for row in _rows(corpus, "pages")}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{corpus / 'pages.jsonl'} is damaged; ingest it again.") from error


def _source(row: dict[str, Any]) -> Source:
    kinds = {"doc_type": DocType(row["doc_type"]), "channel": Channel(row["channel"])}
    return Source(**{**row, **kinds})


def _chunk(row: dict[str, Any], sources: dict[str, Source]) -> Chunk:
    return Chunk(
        chunk_id=row["chunk_id"],
        source=sources[row["doc_id"]],
        source_page=row["page"],
        section=row["section"],
        kind=ChunkKind(row["kind"]),
        unit_note=row["unit_note"],
        text=row["text"],
    )
