"""A result apart from its chunks: a hundred questions share them, and each is kept once."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from ragdash.core.chunk import Chunk, Source
from ragdash.core.errors import StoreError
from ragdash.core.retrieval import RankedChunk, RankTrace
from ragdash.core.run import QuestionResult
from ragdash.store.codec import decode, encode

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")

_LARGEST_FLOAT32 = float.fromhex("0x1.fffffep+127")
_TRACE_COLUMNS = tuple(f.name for f in fields(RankTrace))


@dataclass(frozen=True, slots=True)
class PackedResult:
    """A result as plain JSON, apart from the chunks and documents it shares with others, by id."""

    payload: dict[str, Any]
    chunks: dict[str, Chunk]
    sources: dict[str, Source]


def pack(result: QuestionResult) -> PackedResult:
    """Return a result with its chunks and sources apart, by id, each once.

    Raises:
        ValueError: a number is NaN or infinite, or one chunk or document id has two contents.
    """
    candidates = result.retrieval.candidates
    bare = replace(result.retrieval, candidates=())
    payload = encode(replace(result, retrieval=bare, evidence_chunks=()))
    payload["evidence_chunks"] = [chunk.chunk_id for chunk in result.evidence_chunks]
    payload["retrieval"]["candidates"] = {
        "columns": ["chunk_id", *_TRACE_COLUMNS],
        "rows": [[c.chunk.chunk_id, *_in_float32(encode(c.trace)).values()] for c in candidates],
    }
    chunks: dict[str, Chunk] = {}
    sources: dict[str, Source] = {}
    for chunk in (*(c.chunk for c in candidates), *result.evidence_chunks):
        keep_one(chunks, chunk.chunk_id, chunk)
        keep_one(sources, chunk.source.doc_id, chunk.source)
    return PackedResult(payload, chunks, sources)


def unpack(payload: Mapping[str, Any], chunks: Mapping[str, Chunk]) -> QuestionResult:
    """Return the result that was packed, its candidates pointing to the given chunks.

    Raises:
        StoreError: it cannot be read, or a chunk is not among `chunks`.
    """
    retrieved = dict(payload["retrieval"])
    table = retrieved["candidates"]
    retrieved["candidates"] = []
    result = decode(QuestionResult, {**payload, "retrieval": retrieved, "evidence_chunks": []})

    def chunk(chunk_id: str) -> Chunk:
        if chunk_id not in chunks:
            raise StoreError(f"chunk {chunk_id!r} of question {result.question.id!r} is missing")
        return chunks[chunk_id]

    candidates = []
    for row in table["rows"]:
        trace = dict(zip(table["columns"], row, strict=True))
        candidates.append(RankedChunk(chunk(trace.pop("chunk_id")), decode(RankTrace, trace)))
    return replace(
        result,
        retrieval=replace(result.retrieval, candidates=tuple(candidates)),
        # Journals of before 2026-12 hold none.
        evidence_chunks=tuple(chunk(key) for key in payload.get("evidence_chunks", ())),
    )


def pack_chunk(value: Chunk) -> dict[str, Any]:
    """Return a chunk as plain JSON that names its source by id."""
    return {**encode(value), "source": value.source.doc_id}


def unpack_chunk(plain: Mapping[str, Any], sources: Mapping[str, Source]) -> Chunk:
    """Return a chunk, pointing to one of the given sources.

    Raises:
        StoreError: it cannot be read, or its source is not among `sources`.
    """
    doc_id = plain["source"]
    if doc_id not in sources:
        raise StoreError(f"document {doc_id!r} of chunk {plain.get('chunk_id')!r} is missing")
    return decode(Chunk, {**plain, "source": encode(sources[doc_id])})


def _in_float32(trace: dict[str, Any]) -> dict[str, Any]:
    # The run file keeps scores as FLOAT, where a larger one would become infinite at publishing.
    for name, value in trace.items():
        if isinstance(value, float) and abs(value) > _LARGEST_FLOAT32:
            raise ValueError(f"RankTrace.{name}: {value} is not a finite number in 32 bits")
    return trace


def keep_one(seen: dict[str, T], key: str, value: T) -> None:
    """Keep what an id stands for.

    Raises:
        ValueError: it stands for something else already.
    """
    known = seen.setdefault(key, value)
    if known is not value and known != value:
        raise ValueError(f"id {key!r} stands for two different contents in one run")
