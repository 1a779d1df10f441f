"""Documents of a run as its file knows them, and whether each gold passage is in a chunk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdash.compare.intervals import Interval, wilson
from ragdash.core.diagnosis import Sentence
from ragdash.store.effective import RESULTS, bound
from ragdash.views.passage import EXTENTS
from ragdash.views.query import Cursor, parsed, rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.store.effective import People

PAGE_SIZE = 20
PREVIEW = 120
# What became of a gold passage, the worst first.
STATES = ("none", "unreadable", "unknown", "held")


@dataclass(frozen=True, slots=True)
class Document:
    """A document that a candidate came from; `chunks` are those of it that the run file holds.

    `n_pages` is None where nobody counted, `channel` where an import does not say. `questions` have
    an evidence page in it.
    """

    doc_id: str
    file: str
    company: str
    period: str | None
    doc_type: str
    lang: str
    channel: str | None
    title: str
    label: str
    sha256: str
    n_pages: int | None
    chunks: int
    pages_seen: tuple[int, ...]
    questions: int


@dataclass(frozen=True, slots=True)
class PageChunk:
    """A chunk of one page, and the questions whose gold passage it holds."""

    chunk_id: str
    section: str
    kind: str
    unit_note: str
    text: str
    gold_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldPassage:
    """Whether any chunk holds the gold passage of one question with evidence pages.

    `state`: none (no chunk is of its page), unreadable (a chunk is, and the diagnosis says that the
    figure cannot be read from it: `why`), unknown (the index was not told), held. `pages` are
    (doc_id, company and label where known, page).
    """

    question_id: str
    text: str
    state: str
    why: Sentence
    chunks: int
    pages: tuple[tuple[str, str, int], ...]
    visible: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoldPassages:
    """One page of the questions with evidence, those without a chunk first, and the counts."""

    counts: Mapping[str, int]
    shown: tuple[GoldPassage, ...]
    page: int

    @property
    def n(self) -> int:
        """How many questions of the index are known to have their passage in a chunk or not."""
        return sum(self.counts.values()) - self.counts["unknown"]

    @property
    def interval(self) -> Interval | None:
        """The 95% interval of the share that is held."""
        return wilson(self.counts["held"], self.n)

    @property
    def pages(self) -> int:
        """How many pages the questions fill."""
        return max(1, -(-sum(self.counts.values()) // PAGE_SIZE))


_DOCUMENTS = """
    SELECT s.doc_id, s.file, s.company, s.period, s.doc_type, s.lang, s.channel, s.title, s.label,
           s.sha256, s.n_pages, coalesce(k.chunks, 0) AS chunks,
           coalesce(k.pages_seen, []) AS pages_seen, coalesce(e.questions, 0) AS questions
    FROM run.sources s
    LEFT JOIN (
        SELECT doc_id, count(*) AS chunks,
               list_sort(list(DISTINCT source_page) FILTER (source_page IS NOT NULL))
               AS pages_seen
        FROM run.chunks GROUP BY doc_id
    ) k USING (doc_id)
    LEFT JOIN ({evidence}) e USING (doc_id)
    ORDER BY s.doc_id
"""
_EVIDENCE = """
    SELECT e.doc_id, count(DISTINCT question_id) AS questions
    FROM run.questions q,
         unnest(from_json(q.evidence, '[{"doc_id":"VARCHAR","page":"INTEGER"}]')) AS t(e)
    GROUP BY e.doc_id
"""


def documents(cursor: Cursor) -> list[Document]:
    """Return the documents of a run file by id."""
    found = rows(cursor, _DOCUMENTS.replace("{evidence}", _EVIDENCE))
    return [Document(**{**row, "pages_seen": tuple(row["pages_seen"])}) for row in found]


def evidence_counts(cursor: Cursor) -> dict[str, int]:
    """Return how many questions have an evidence page in each document, by id."""
    return {row["doc_id"]: row["questions"] for row in rows(cursor, _EVIDENCE)}


def evidence_pages(cursor: Cursor, doc_id: str) -> dict[int, tuple[str, ...]]:
    """Return the questions whose evidence is on each page (from 1) of a document."""
    found = rows(
        cursor,
        """
        SELECT e.page, list(q.question_id ORDER BY q.position) AS ids
        FROM run.questions q,
             unnest(from_json(q.evidence, '[{"doc_id":"VARCHAR","page":"INTEGER"}]')) AS t(e)
        WHERE e.doc_id = ? GROUP BY e.page
        """,
        [doc_id],
    )
    return {row["page"]: tuple(row["ids"]) for row in found}


def chunks_of(cursor: Cursor, doc_id: str, page: int) -> list[PageChunk]:
    """Return the chunks of a page in the run file: candidates, and where the gold stands."""
    found = rows(
        cursor,
        "SELECT chunk_id, section, kind, unit_note, text FROM run.chunks "
        "WHERE doc_id = ? AND source_page = ? ORDER BY chunk_id",
        [doc_id, page],
    )
    return [PageChunk(**row) for row in found]


def gold_of(cursor: Cursor, chunk_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the questions whose gold passage is in each of some chunks, by chunk id."""
    found = rows(
        cursor,
        """
        SELECT c.chunk_id, list(DISTINCT c.question_id ORDER BY c.question_id) AS ids
        FROM (SELECT question_id, unnest(from_json(gold_chunk_ids, '["VARCHAR"]')) AS chunk_id
              FROM run.results WHERE gold_chunk_ids IS NOT NULL) c
        WHERE list_contains(?::VARCHAR[], c.chunk_id) GROUP BY c.chunk_id
        """,
        [list(chunk_ids)],
    )
    return {row["chunk_id"]: tuple(row["ids"]) for row in found}


_GOLD = """
    WITH told AS (
        SELECT q.question_id, q.position, q.text, q.evidence,
               max(json_array_length(r.gold_chunk_ids)) AS chunks,
               bool_or(x.extent = 'whole' AND r.gold_chunk_ids IS NOT NULL) AS known,
               bool_or(f.layer = 'ingest') AS unread,
               max(r.evidence_en) FILTER (f.rule_layer = 'ingest') AS en,
               max(r.evidence_zh) FILTER (f.rule_layer = 'ingest') AS zh,
               list(r.mode ORDER BY r.mode) FILTER (r.evidence_visible) AS visible
        FROM run.questions q JOIN run.results r USING (question_id)
        JOIN ({run}) f ON f.mode = r.mode AND f.question_id = r.question_id
        JOIN ({extents}) x ON x.mode = r.mode AND x.question_id = r.question_id
        WHERE json_array_length(q.evidence) > 0
        GROUP BY ALL
    ), stated AS (
        SELECT *, CASE WHEN NOT known AND coalesce(chunks, 0) = 0 THEN 'unknown'
               WHEN coalesce(chunks, 0) = 0 THEN 'none'
               WHEN unread THEN 'unreadable' ELSE 'held' END AS state
        FROM told
    )
""".replace("{run}", RESULTS).replace("{extents}", EXTENTS)
_GOLD_COUNTS = "{gold} SELECT state, count(*) AS n FROM stated GROUP BY state".replace(
    "{gold}", _GOLD
)
_GOLD_PAGE = """{gold}
    SELECT question_id, text[:$preview] AS text, evidence, state, coalesce(en, '') AS en,
           coalesce(zh, '') AS zh, coalesce(chunks, 0) AS chunks, coalesce(visible, []) AS visible
    FROM stated ORDER BY list_position($states, state), position LIMIT $size OFFSET $skip
""".replace("{gold}", _GOLD)


def gold_passages(cursor: Cursor, people: People, page: int = 1) -> GoldPassages:
    """Return one page of whether the gold passages are in chunks.

    Args:
        cursor: over the run.
        people: what people say of this run version.
        page: from 1; one that does not exist is the nearest.
    """
    said = bound(people)
    counts = dict.fromkeys(STATES, 0)
    counts |= {row["state"]: row["n"] for row in rows(cursor, _GOLD_COUNTS, said)}
    pages = max(1, -(-sum(counts.values()) // PAGE_SIZE))
    page = min(max(page, 1), pages)
    values = {"states": list(STATES), "preview": PREVIEW, "size": PAGE_SIZE}
    values["skip"] = (page - 1) * PAGE_SIZE
    found = rows(cursor, _GOLD_PAGE, {**said, **values})
    names = {
        row["doc_id"]: f"{row['company']} · {row['label']}"
        for row in rows(cursor, "SELECT doc_id, company, label FROM run.sources")
    }
    return GoldPassages(counts, tuple(_passage(row, names) for row in found), page)


def _passage(row: dict[str, Any], names: Mapping[str, str]) -> GoldPassage:
    pages = [(e["doc_id"], names.get(e["doc_id"], e["doc_id"]), e["page"])
             for e in parsed(row.pop("evidence"))]  # fmt: skip
    row["visible"] = tuple(row["visible"])
    row["why"] = Sentence(row.pop("en"), row.pop("zh"))
    return GoldPassage(**row, pages=tuple(pages))
