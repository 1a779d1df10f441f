"""One question in one mode: everything the run stored about it, chunk text for this one only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdash.core.score import MetricKind
from ragdash.metrics import METRICS
from ragdash.store.effective import RESULTS, SCORES, bound
from ragdash.views.query import Cursor, Row, one, parsed, rows

if TYPE_CHECKING:
    from ragdash.store.effective import People

PREVIEW = 90


@dataclass(frozen=True, slots=True)
class Listed:
    """A question for the picker; `text` is cut to 90 characters."""

    question_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Overridden:
    """What the rule had said of a score, and who has decided since."""

    value: float | None
    status: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One score as it holds; `evidence` is plain JSON and the rule's.

    `overridden` is what the rule had said where a person decided, None where the rule's word holds.
    """

    metric: str
    kind: MetricKind
    repeat: int
    value: float | None
    status: str
    reason: str
    evidence: Any
    judge: str
    overridden: Overridden | None = None


@dataclass(frozen=True, slots=True)
class CitationRow:
    """One citation as written; `resolves` and `supports` are None where nobody could say."""

    text: str
    company: str
    label: str
    pages: tuple[int, ...]
    well_formed: bool
    resolves: bool | None
    supports: bool | None


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A candidate with its text; ranks count from 1, None where a step did not return it.

    `channel`, `file` and `sha256` are of its document, None where the run file does not hold it.
    Of another system's results the page may be None, and company and label empty.
    """

    chunk_id: str
    company: str
    label: str
    source_page: int | None
    section: str
    kind: str
    unit_note: str
    text: str
    lang: str
    final_rank: int
    dense_rank: int | None
    bm25_rank: int | None
    fused_rank: int | None
    rerank_rank: int | None
    in_context: bool
    is_gold: bool
    dense_score: float | None = None
    bm25_score: float | None = None
    fused_score: float | None = None
    rerank_score: float | None = None
    channel: str | None = None
    file: str | None = None
    sha256: str | None = None
    final_score: float | None = None

    @property
    def where(self) -> str:
        """Company, label and page as far as they are known, else its id."""
        page = "" if self.source_page is None else f"P{self.source_page}"
        return " · ".join(filter(None, (self.company, self.label, page))) or self.chunk_id


@dataclass(frozen=True, slots=True)
class Detail:
    """One question in one mode; `question` and `result` are rows of the run file, JSON parsed.

    Of `result`, `outcome`, `layer` and `caliber_reviewed` are those that hold, `extent` says how
    much of the retrieval is known and `top_k` how many were visible; beside them stand all columns
    of store.effective.RESULTS. `outcomes` are those that hold, by mode.
    """

    question: Row
    golds: tuple[Row, ...]
    evidence: tuple[str, ...]
    result: Row
    scores: tuple[ScoreRow, ...]
    citations: tuple[CitationRow, ...]
    chunks: tuple[ChunkRow, ...]
    outcomes: dict[str, str]

    @property
    def context(self) -> tuple[ChunkRow, ...]:
        """The chunks that the generator saw, best first."""
        return tuple(c for c in self.chunks if c.in_context)

    @property
    def lost_gold(self) -> tuple[ChunkRow, ...]:
        """Gold chunks that were candidates but stayed below the cut."""
        return tuple(c for c in self.chunks if c.is_gold and not c.in_context)


def picker(cursor: Cursor) -> list[Listed]:
    """Return every question in the order of the set."""
    found = rows(
        cursor,
        "SELECT question_id, text[:?] AS text FROM run.questions ORDER BY position",
        [PREVIEW],
    )
    return [Listed(**row) for row in found]


_RESULT = """
    SELECT r.* EXCLUDE (mode, question_id, outcome, layer, caliber_reviewed), e.*
    FROM run.results r JOIN ({run}) e USING (mode, question_id)
    WHERE mode = $mode AND question_id = $question
""".replace("{run}", RESULTS)
_OUTCOMES = """
    SELECT mode, outcome FROM ({run}) WHERE question_id = $question
""".replace("{run}", RESULTS)
_SCORES = """
    SELECT * FROM ({scores}) WHERE mode = $mode AND question_id = $question
""".replace("{scores}", SCORES)


def detail(cursor: Cursor, mode: str, question_id: str, people: People) -> Detail | None:
    """Return everything about one question in one mode; None where the run has no such row."""
    key = [mode, question_id]
    question = one(cursor, "SELECT * FROM run.questions WHERE question_id = ?", [question_id])
    said = {**bound(people), "question": question_id}
    result = one(cursor, _RESULT, {**said, "mode": mode})
    if question is None or result is None:
        return None
    for name in ("gold_chunk_ids", "diagnosis_facts"):
        result[name] = parsed(result[name])
    chunks = _chunks(cursor, key)
    result.setdefault("extent", "whole")
    if result["top_k"] is None:
        result["top_k"] = sum(chunk.in_context for chunk in chunks)
    golds = rows(
        cursor, "SELECT * FROM run.golds WHERE question_id = ? ORDER BY position", [question_id]
    )
    outcomes = rows(cursor, _OUTCOMES, said)
    scores = _scores(cursor, {**said, "mode": mode})
    return Detail(
        question=question,
        golds=tuple(golds),
        evidence=_evidence(cursor, parsed(question["evidence"])),
        result=result,
        scores=scores,
        citations=_citations(cursor, key, scores),
        chunks=chunks,
        outcomes={row["mode"]: row["outcome"] for row in outcomes},
    )


def _evidence(cursor: Cursor, pages: list[dict[str, Any]]) -> tuple[str, ...]:
    """Return the evidence pages as company, label and page; by document id where unseen."""
    known = {
        row["doc_id"]: f"{row['company']} · {row['label']}"
        for row in rows(cursor, "SELECT doc_id, company, label FROM run.sources")
    }
    return tuple(f"{known.get(p['doc_id'], p['doc_id'])} · P{p['page']}" for p in pages)


def _scores(cursor: Cursor, values: dict[str, Any]) -> tuple[ScoreRow, ...]:
    kinds = {metric.name: metric.kind for metric in METRICS}
    order = {name: i for i, name in enumerate(kinds)}
    found = [
        ScoreRow(
            metric=row["metric"],
            kind=kinds.get(row["metric"], MetricKind.SIGNAL),
            repeat=row["repeat"],
            value=row["value"],
            status=row["status"],
            reason=row["reason"],
            evidence=parsed(row["evidence"]),
            judge=row["judge"],
            overridden=_overridden(row),
        )
        for row in rows(cursor, _SCORES, values)
    ]
    return tuple(sorted(found, key=lambda s: (order.get(s.metric, len(order)), s.repeat)))


def _overridden(row: Row) -> Overridden | None:
    if not row["by_person"]:
        return None
    return Overridden(
        row["rule_value"], row["rule_status"], row["rule_reason"], row["caliber_reviewer"]
    )


def _citations(
    cursor: Cursor, key: list[str], scores: tuple[ScoreRow, ...]
) -> tuple[CitationRow, ...]:
    found = rows(
        cursor,
        "SELECT * FROM run.citations WHERE mode = ? AND question_id = ? ORDER BY position",
        key,
    )
    unresolved = _listed(scores, "citation_resolves", "unresolved")
    supported = [score.value for score in scores if score.metric == "citation_supports"]
    # Support is judged over all cited chunks together, so only a sole citation has it to itself.
    alone = supported[0] if len(found) == 1 and supported else None
    return tuple(
        CitationRow(
            text=row["text"],
            company=row["company"],
            label=row["label"],
            pages=tuple(parsed(row["pages"])),
            well_formed=row["well_formed"],
            resolves=None if unresolved is None else row["text"] not in unresolved,
            supports=None if alone is None else alone == 1,
        )
        for row in found
    )


def _listed(scores: tuple[ScoreRow, ...], metric: str, name: str) -> list[str] | None:
    """Return a list in a metric's evidence; None where the metric was not scored."""
    for score in scores:
        if score.metric == metric and score.value is not None:
            listed = score.evidence.get(name) if isinstance(score.evidence, dict) else None
            return listed if isinstance(listed, list) else None
    return None


def _chunks(cursor: Cursor, key: list[str]) -> tuple[ChunkRow, ...]:
    found = rows(
        cursor,
        """
        SELECT c.chunk_id, k.company, k.label, k.source_page, k.section, k.kind, k.unit_note,
               CASE WHEN c.in_context OR c.is_gold THEN k.text ELSE '' END AS text, s.lang,
               c.final_rank, c.dense_rank, c.bm25_rank, c.fused_rank, c.rerank_rank,
               c.dense_score, c.bm25_score, c.fused_score, c.rerank_score,
               c.in_context, c.is_gold, s.channel, s.file, s.sha256,
               -- run files of before schema version 6 have no such column
               (to_json(c)->>'final_score')::FLOAT AS final_score
        FROM run.candidates c
        JOIN run.chunks k USING (chunk_id)
        LEFT JOIN run.sources s USING (doc_id)
        WHERE c.mode = ? AND c.question_id = ?
        ORDER BY c.final_rank
        """,
        key,
    )
    return tuple(ChunkRow(**row) for row in found)
