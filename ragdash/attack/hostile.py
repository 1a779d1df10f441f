"""Hostile passages as documents of a corpus's copy: cut by the corpus's chunker, never registered.

A fixture's untrusted and poisoned passages become documents of one page each, and a manifest's
files documents as they are. Their ids say nothing of where they come from, as a policy reads ids.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from ragdash.attack.cases import load_cases, load_registry
from ragdash.attack.view import derived_trust
from ragdash.contract import label_for
from ragdash.core.attack import AttackCase, AttackChunk, ChunkMeta, Expectation, Forbidden
from ragdash.core.chunk import Channel, DocType, Page, Source
from ragdash.core.errors import InputError
from ragdash.core.fingerprint import digest, digest_bytes, digest_file
from ragdash.core.question import Question, QuestionKind
from ragdash.ingest.chunking import DEFAULT, chunk_document, chunking
from ragdash.jsonlines import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ragdash.core.chunk import Chunk
    from ragdash.ingest.corpus import Corpus

MOST_BYTES = 4_000_000
MOST_CASES = 500
MOST_CHARACTERS = 20_000
"""Longest passage; a chunk of ours has about 1,300 characters."""
_MOST_OF_A_DOCUMENT = 6
_CHINESE = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Planted:
    """A case whose chunks and key go by ids of the index, and the question that is asked for it."""

    case: AttackCase
    question: Question

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        """The case's hostile passages in the index; none where the chunker left nothing of them."""
        return tuple(chunk.id for chunk in self.case.chunks)


@dataclass(frozen=True, slots=True)
class HostileSet:
    """Cases with the chunks that go into the index for them.

    `declared` is what came with a passage beside its text, by chunk id. `left_out` are the cases
    without a hostile passage, which have nothing to plant.
    """

    planted: tuple[Planted, ...]
    chunks: tuple[Chunk, ...]
    declared: dict[str, ChunkMeta]
    left_out: tuple[str, ...]

    @property
    def questions(self) -> tuple[Question, ...]:
        """Every question that is asked, once."""
        return tuple({p.question.id: p.question for p in self.planted}.values())


def hostile_cases(fixtures: Path, registry: Path | None) -> tuple[AttackCase, ...]:
    """Return the cases of a file, each with its hostile passages only.

    Hostile is what the case's key calls poison and what no registered document holds: by the
    fixture's own flag, or by a registry where one is given.

    Raises:
        InputError: the file cannot be read, is too large, or has bad lines; each is named.
    """
    _refuse_large(fixtures)
    cases = load_cases(fixtures)
    if len(cases) > MOST_CASES:
        raise InputError(
            f"Fixtures {fixtures} hold {len(cases):,} cases; at most {MOST_CASES} go through a "
            "retriever at once, split the file."
        )
    registered = load_registry(registry) if registry is not None else None
    kept = tuple(
        replace(case, chunks=tuple(c for c in case.chunks if _is_hostile(case, c, registered)))
        for case in cases
    )
    for case in kept:
        _refuse_long(case, fixtures)
    return kept


def plant(
    cases: Iterable[AttackCase],
    documents: Sequence[Chunk],
    corpus: Corpus,
    questions: Iterable[Question],
) -> HostileSet:
    """Return what goes into the copy of a corpus's index, and the questions to ask.

    Args:
        cases: with their hostile passages only.
        documents: chunks of whole documents that are not registered.
        corpus: the corpus that is copied.
        questions: its question set; a case whose query is one of them has its gold.

    Raises:
        InputError: an id of a document is taken by the corpus.
    """
    by_text = {question.text.strip(): question for question in questions}
    taken = {source.doc_id for source in corpus.sources}
    planted, chunks, left_out = [], list(documents), []
    declared: dict[str, ChunkMeta] = {}
    for case in cases:
        if not case.chunks:
            left_out.append(case.id)
            continue
        ids: dict[str, tuple[str, ...]] = {}
        for chunk in case.chunks:
            cut = _cut(case, chunk, corpus)
            ids[chunk.id] = tuple(c.chunk_id for c in cut)
            declared |= {c.chunk_id: _declared(chunk, c) for c in cut}
            chunks += cut
        question = by_text.get(case.query.strip()) or _without_gold(case)
        planted.append(Planted(_renamed(case, ids, question), question))
    for group in _by_document(documents).values():
        planted += _asked_of(group, by_text.values())
    if clash := sorted(taken & {c.source.doc_id for c in chunks}):
        raise InputError(
            f"Hostile document {printable(clash[0])} has the doc_id of a document of corpus "
            f"{corpus.folder}; give it another."
        )
    return HostileSet(tuple(planted), tuple(chunks), declared, tuple(left_out))


def unregistered(manifest: Path, corpus: Corpus) -> tuple[Chunk, ...]:
    """Return the chunks of a manifest's files, read and cut as ingest does.

    Raises:
        InputError: the manifest has bad lines, or a file holds no text or is one of the corpus's.
    """
    from ragdash.ingest.manifest import load_manifest
    from ragdash.ingest.reading import read_file

    registered = {source.sha256 for source in corpus.sources}
    chunks: list[Chunk] = []
    for entry in load_manifest(manifest):
        sha256 = digest_file(entry.path)
        if sha256 in registered:
            raise InputError(
                f"{entry.path} is a document of corpus {corpus.folder}, and so it is registered; "
                "name another file."
            )
        found = read_file(entry)
        source = Source(
            doc_id=entry.doc_id, file=entry.file, company=entry.company, period=entry.period,
            doc_type=entry.doc_type, lang=entry.lang, channel=entry.channel, title=entry.title,
            licence=entry.licence, label=entry.label, sha256=sha256, n_pages=found.n_pages,
        )  # fmt: skip
        cut = chunk_document(source, found.pages, chunking(corpus.chunking or DEFAULT))
        if not cut:
            raise InputError(f"{entry.path} holds no text that could be indexed; name another.")
        chunks += cut
    return tuple(chunks)


def _refuse_large(path: Path) -> None:
    size = path.stat().st_size if path.is_file() else 0
    if size > MOST_BYTES:
        raise InputError(
            f"Fixtures {path} have {size:,} bytes; at most {MOST_BYTES:,} go through a retriever "
            "at once, split the file."
        )


def _refuse_long(case: AttackCase, path: Path) -> None:
    for chunk in case.chunks:
        if len(chunk.text) > MOST_CHARACTERS:
            raise InputError(
                f"Fixtures {path}: passage {printable(chunk.id)} of case {printable(case.id)} has "
                f"{len(chunk.text):,} characters; at most {MOST_CHARACTERS:,} go into an index."
            )


def _is_hostile(case: AttackCase, chunk: AttackChunk, registry: frozenset[str] | None) -> bool:
    poison = case.expect.poison_ids if case.expect else ()
    meta = chunk.meta
    trusted = (
        chunk.trusted
        if registry is None
        else derived_trust(meta.get("doc_id"), meta.get("channel"), registry)
    )
    return chunk.id in poison or not trusted


def _cut(case: AttackCase, chunk: AttackChunk, corpus: Corpus) -> tuple[Chunk, ...]:
    """Cut a passage as a document of one page that says of itself what its meta says."""
    meta = chunk.meta
    lang = "zh" if _CHINESE.search(chunk.text) else "en"
    period = str(meta["period"]) if meta.get("period") is not None else None
    doc_type, label = _label(bool(meta.get("declared_source")), lang, period)
    doc_id = "d" + digest([case.id, chunk.id, chunk.text]).removeprefix("sha256:")[:12]
    page = meta.get("page") or 1
    source = Source(
        doc_id=doc_id, file=f"{doc_id}.txt", company=meta.get("company") or "", period=period,
        doc_type=doc_type, lang=lang, channel=Channel(meta.get("channel") or "upload"),
        title=meta.get("declared_source") or "", licence="", label=label,
        sha256=digest_bytes(chunk.text.encode("utf-8", "surrogatepass")), n_pages=page,
    )  # fmt: skip
    config = chunking(corpus.chunking or DEFAULT)
    return chunk_document(source, [Page(doc_id, page, chunk.text)], config)


def _label(declares: bool, lang: str, period: str | None) -> tuple[DocType, str]:
    """Return the type and label of a passage: one that declares a source poses as the annual."""
    posed = DocType.ANNUAL if lang == "zh" else DocType.FORM_10K
    doc_type = posed if declares and period else DocType.OTHER
    try:
        return doc_type, label_for(doc_type, period)
    except InputError:
        return DocType.OTHER, label_for(DocType.OTHER, None)


def _declared(chunk: AttackChunk, cut: Chunk) -> ChunkMeta:
    """Return what a passage declares, its hidden spans moved to where the chunk has them."""
    spans = []
    for start, end, why in chunk.meta.get("hidden_spans") or ():
        at = cut.text.find(chunk.text[start:end])
        if at >= 0:
            spans.append((at, at + end - start, why))
    return ChunkMeta(
        declared_source=chunk.meta.get("declared_source") or "",
        declared_trust=chunk.meta.get("declared_trust"),
        hidden_spans=tuple(spans),
    )


def _renamed(case: AttackCase, ids: dict[str, tuple[str, ...]], question: Question) -> AttackCase:
    """Return a case by the ids of the index, its gold left to the question set.

    Every hostile passage is one that must not be cited.
    """
    every = tuple(i for found in ids.values() for i in found)
    expect = case.expect or Expectation(None, Decimal(0), (), (), (), (), Forbidden())
    alone = tuple(i for named in expect.forbid.cites_alone for i in ids.get(named, ()))
    forbid = replace(expect.forbid, cites=every, cites_alone=alone)
    return replace(
        case,
        chunks=tuple(AttackChunk(i, "", trusted=False) for i in every),
        answerable=question.answerable,
        fault={},
        expect=replace(
            expect, gold_amount=None, gold_text_any=(), cite_any=(), flag_any=(),
            poison_ids=every, forbid=forbid,
        ),
    )  # fmt: skip


def _without_gold(case: AttackCase) -> Question:
    """Return the question of a query that the set does not have: the corpus cannot answer it."""
    lang = "zh" if _CHINESE.search(case.query) else "en"
    return Question(
        id=f"case {case.id}", text=case.query, lang=lang, kind=QuestionKind.LOOKUP, company=None,
        period=None, gold=(), gold_text="", evidence=(), answerable=False,
    )  # fmt: skip


def _by_document(chunks: Iterable[Chunk]) -> dict[str, list[Chunk]]:
    found: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        found.setdefault(chunk.source.doc_id, []).append(chunk)
    return found


def _asked_of(chunks: Sequence[Chunk], questions: Iterable[Question]) -> list[Planted]:
    """Return a case for each of the first questions about a document's company and period."""
    source = chunks[0].source
    ids = {source.doc_id: tuple(c.chunk_id for c in chunks)}
    about = [
        q
        for q in questions
        if q.company == source.company and q.period == source.period and q.gold and q.answerable
    ]
    return [
        Planted(
            _renamed(
                AttackCase(f"{source.doc_id}/{q.id}", "benign_untrusted", q.text, (), True, {}),
                ids,
                q,
            ),
            q,
        )
        for q in about[:_MOST_OF_A_DOCUMENT]
    ]
