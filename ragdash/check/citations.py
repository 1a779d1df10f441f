"""Is each citation well formed, does it name a page seen, does that page hold the figures."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints, ValidationError

from ragdash.amounts import read_amounts, read_chunk, read_unit_note, restates
from ragdash.caliber import sentence_around
from ragdash.check.fields import judged_text, optional_text, shown
from ragdash.contract import canonical_label, label_for, parse_citations, resolve
from ragdash.core.chunk import Channel, Chunk, ChunkKind, DocType, Source
from ragdash.core.errors import InputError
from ragdash.jsonlines import explained

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ragdash.amounts import Amount
    from ragdash.core.answer import Citation

LAST_PAGE = 9_999


@dataclass(frozen=True, slots=True)
class CitationRow:
    """One citation or attempt at one.

    `resolves` and `supports` are None where no chunks were given, `supports` also where the claim
    states no figure. `pages` is what it resolved to, as (company, label, page); `missing` the
    figures of its claim that stand in no chunk cited for it.
    """

    citation: Citation
    resolves: bool | None
    supports: bool | None
    pages: tuple[tuple[str, str, int], ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitationCheck:
    """Every citation of a text in order, and whether there is one and all are well formed."""

    citations: tuple[CitationRow, ...]
    well_formed: bool


def check_citations(
    text: str,
    chunks: Sequence[Chunk | Mapping[str, Any]] | None = None,
    answer: str | None = None,
) -> CitationCheck:
    """Return how good each citation of a text is: its form, its page, and what stands there.

        >>> check_citations("营业收入为1,476.94亿元（贵州茅台·2023年报·P4）。").well_formed
        True

    A citation resolves where company, label and each of its pages are one page among the chunks.
    It supports where its pages hold a figure of its claim, and every figure of the claim stands in
    a chunk that is cited for it, as the claim rounds it. Its claim is what was said since the
    citation before (citations side by side share one), what follows up to the end of the sentence
    where nothing was, and for the last one all that is left. With `answer`, that is every one's
    claim.
    Source: the project's contract, section 3, and metric definitions, section 2 (citation).

    Args:
        text: an answer with its citations, or citations alone.
        chunks: what the answer was written from, each a Chunk or a mapping with company, period
            ("2023", "2024Q2", "2024-05-20"), doc_type (annual, 10k, ...), page (from 1) and text.
            An empty list is no page at all, so that nothing resolves; None: not known.
        answer: the answer, where `text` is not it.

    Raises:
        InputError: the text is empty; a chunk lacks a key or holds a bad value.
    """
    text = judged_text(text, "text")
    said = optional_text(answer, "answer")
    found = parse_citations(text)
    well_formed = bool(found) and all(c.well_formed for c in found)
    if chunks is None:
        return CitationCheck(tuple(CitationRow(c, None, None) for c in found), well_formed)
    pages = _Pages(_read_chunks(chunks))
    if said is not None and said.strip() and said != text:
        stated = _stated(said, found, pages)
        rows = list(_judge(found, stated, pages))
    else:
        stated = _stated(text, found, pages)
        rows = [r for c, figures in _claims(text, found, stated) for r in _judge(c, figures, pages)]
    return CitationCheck(tuple(rows), well_formed)


def judge_line(row: Mapping[str, Any], *, evidence: bool = False) -> dict[str, Any]:
    """Return what `check citations` prints for one line, its id left out."""
    check = check_citations(row.get("text"), row.get("chunks"), row.get("answer"))  # type: ignore[arg-type]
    return {
        "citations": [_as_json(r, evidence=evidence) for r in check.citations],
        "well_formed": check.well_formed,
    }


def _as_json(row: CitationRow, *, evidence: bool) -> dict[str, Any]:
    out: dict[str, Any] = {
        "text": row.citation.text,
        "well_formed": row.citation.well_formed,
        "resolves": row.resolves,
        "supports": row.supports,
    }
    if evidence:
        out["span"] = list(row.citation.span)
        out["pages"] = [
            {"company": company, "label": label, "page": page} for company, label, page in row.pages
        ]
        out["missing"] = list(row.missing)
    return out


class _Pages:
    """The chunks by what a citation can name, each read once and only when it is cited."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._by_place: dict[tuple[str, int | None], list[Chunk]] = {}
        for chunk in chunks:
            label = canonical_label(chunk.source.label) or chunk.source.label
            self._by_place.setdefault((label, chunk.source_page), []).append(chunk)
        self._read: dict[int, tuple[Amount, ...]] = {}

    def cited(self, citation: Citation) -> tuple[Chunk, ...]:
        """Return the chunks on the pages that a citation resolves to, none where it does not."""
        near = [c for p in citation.pages for c in self._by_place.get((citation.label, p), ())]
        named = set(resolve(citation, near))
        return tuple(c for c in near if (c.source.doc_id, c.source_page) in named)

    def amounts(self, chunk: Chunk) -> tuple[Amount, ...]:
        if id(chunk) not in self._read:
            self._read[id(chunk)] = read_chunk(chunk.text, chunk.unit_note)
        return self._read[id(chunk)]


def _stated(text: str, found: Iterable[Citation], pages: _Pages) -> list[Amount]:
    """The figures of a text; those without a unit are in that of the first cited chunk with one."""
    note = next((c.unit_note for f in found for c in pages.cited(f) if c.unit_note), "")
    return [a for a in read_amounts(text, unit_note=note) if not a.excluded]


def _claims(
    text: str, found: Sequence[Citation], stated: Sequence[Amount]
) -> Iterator[tuple[Sequence[Citation], list[Amount]]]:
    """Yield citations that stand side by side with the figures that they are there for."""
    groups = _side_by_side(text, found)
    floor = 0
    for at, cited in enumerate(groups):
        start, end = cited[0].span[0], cited[-1].span[1]
        reach = end
        if at + 1 == len(groups):
            reach = len(text)
        elif not any(floor <= a.span[0] < start for a in stated):
            sentence = sentence_around(text, (start, end))[1]
            reach = min(max(end, sentence), groups[at + 1][0].span[0])
        yield cited, [a for a in stated if floor <= a.span[0] < reach]
        floor = reach


def _side_by_side(text: str, found: Iterable[Citation]) -> list[list[Citation]]:
    groups: list[list[Citation]] = []
    for citation in found:
        if groups and not re.search(r"\w", text[groups[-1][-1].span[1] : citation.span[0]]):
            groups[-1].append(citation)
        else:
            groups.append([citation])
    return groups


def _judge(
    cited: Iterable[Citation], figures: Sequence[Amount], pages: _Pages
) -> Iterator[CitationRow]:
    """Judge citations that share a claim: together they hold all its figures, each of them some."""
    held = [(c, pages.cited(c)) for c in cited]
    holds = [
        [any(restates(f, h) for k in chunks for h in pages.amounts(k)) for f in figures]
        for _, chunks in held
    ]
    missing = tuple(f.text for i, f in enumerate(figures) if not any(row[i] for row in holds))
    for (citation, chunks), row in zip(held, holds, strict=True):
        supports = bool(chunks) and any(row) and not missing
        places = {
            (c.source.company, c.source.label, c.source_page): None
            for c in chunks
            if c.source_page is not None
        }
        yield CitationRow(
            citation=citation,
            resolves=bool(chunks),
            supports=supports if figures or not chunks else None,
            pages=tuple(places),
            missing=missing,
        )


def _year(value: object) -> object:
    """A year as a number says the same as one in quotes."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


_Word = Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1)]


class _Given(BaseModel):
    company: _Word
    period: Annotated[_Word | None, BeforeValidator(_year)]
    doc_type: DocType
    page: Annotated[int, Field(strict=True, ge=1, le=LAST_PAGE)]
    text: Annotated[str, StringConstraints(strict=True)]


def _read_chunks(given: object) -> Iterator[Chunk]:
    if not isinstance(given, list | tuple):
        raise InputError(f"'chunks' is {shown(given)}: a list is wanted")
    for at, one in enumerate(given):
        if isinstance(one, Chunk):
            yield one
            continue
        if not isinstance(one, Mapping):
            raise InputError(f"'chunks.{at}' is {shown(one)}: an object is wanted")
        try:
            chunk = _Given.model_validate(dict(one))
            yield _chunk(chunk, at, label_for(chunk.doc_type, chunk.period))
        except ValidationError as error:
            raise InputError(f"chunk {at + 1}: {explained(error)}") from error
        except InputError as error:
            raise InputError(f"chunk {at + 1}: {error}") from error


def _chunk(given: _Given, at: int, label: str) -> Chunk:
    """A chunk of the document that company and label name: here they are all that tells it."""
    company = "".join(unicodedata.normalize("NFKC", given.company).casefold().split())
    note = read_unit_note(given.text)
    source = Source(
        doc_id=f"{company} {label}",
        file="",
        company=given.company,
        period=given.period,
        doc_type=given.doc_type,
        lang="",
        channel=Channel.FILING,
        title="",
        licence="",
        label=label,
        sha256="",
        n_pages=LAST_PAGE,
    )
    return Chunk(
        chunk_id=str(at),
        source=source,
        source_page=given.page,
        section="",
        kind=ChunkKind.TEXT,
        unit_note=given.text[slice(*note.span)] if note else "",
        text=given.text,
    )
