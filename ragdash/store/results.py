"""A run file back as QuestionResults: what was published, to be scored or diagnosed again.

All is as it was but three things: scores of the rank trace come in 32 bits, as the file keeps them,
the scores of a question by metric, and a lone surrogate of a broken reply as U+FFFD.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from ragdash.core.answer import Answer, AnswerStatus, Citation
from ragdash.core.call import Call
from ragdash.core.chunk import Chunk, Source
from ragdash.core.diagnosis import Diagnosis, Layer, Sentence
from ragdash.core.question import Question
from ragdash.core.retrieval import (
    Extent,
    GoldRanks,
    Mode,
    RankedChunk,
    RankTrace,
    Retrieval,
    Subject,
)
from ragdash.core.run import Outcome, QuestionResult
from ragdash.core.score import Score
from ragdash.store.attach import opened
from ragdash.store.codec import decode
from ragdash.store.packing import unpack_chunk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import duckdb

T = TypeVar("T")
Row = dict[str, Any]

_FIRST_WITH_EVIDENCE_CHUNKS = 2
_FIRST_WITH_CALLS = 3
_STAGES = ("dense", "bm25", "fused", "rerank", "final")
_RESULTS = """
    SELECT r.* FROM run.results r JOIN run.questions q USING (question_id)
    WHERE list_contains(?, r.mode) ORDER BY list_position(?, r.mode), q.position
"""


def read_results(path: Path, modes: Sequence[Mode] = ()) -> list[QuestionResult]:
    """Return the results of a run file, mode by mode in its order, questions in the set's order.

    A file of schema version 1 kept the candidates' chunks only: there `evidence_chunks` are those
    gold chunks that were a candidate of any question, and may be fewer than the gold ranks name.

    Args:
        path: a run file of an evaluation.
        modes: only these; empty for all.

    Raises:
        StoreError: the file is missing, damaged or of a newer schema version.
    """
    with opened(path) as cursor:
        run = _RunFile(cursor)
        wanted = [mode.value for mode in modes] or run.modes
        return [run.result(row) for row in _rows(cursor, _RESULTS, [wanted, wanted])]


class _RunFile:
    """The tables of one file, each row with the question or the result it belongs to."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        (meta,) = _rows(cursor, "SELECT modes, schema_version FROM run.meta")
        self.modes: list[str] = json.loads(meta["modes"])
        sources = {r["doc_id"]: decode(Source, r) for r in _rows(cursor, "FROM run.sources")}
        self._chunks = {r["chunk_id"]: _chunk(r, sources) for r in _rows(cursor, "FROM run.chunks")}
        self._questions = {
            r["question_id"]: _question(r) for r in _rows(cursor, "FROM run.questions")
        }
        self._candidates = _by_result(cursor, "candidates", "final_rank, chunk_id")
        self._citations = _by_result(cursor, "citations", "position")
        self._scores = _by_result(cursor, "scores", "metric, repeat")
        self._calls = (
            _by_result(cursor, "calls", "position")
            if meta["schema_version"] >= _FIRST_WITH_CALLS
            else {}
        )
        self._evidence = (
            _by_result(cursor, "evidence_chunks", "position")
            if meta["schema_version"] >= _FIRST_WITH_EVIDENCE_CHUNKS
            else None
        )

    def result(self, row: Row) -> QuestionResult:
        """Return one row of `results` with all that belongs to it."""
        key = (row["mode"], row["question_id"])
        mode = Mode(row["mode"])
        candidates = tuple(
            RankedChunk(self._chunks[r["chunk_id"]], _picked(RankTrace, r))
            for r in self._candidates[key]
        )
        ranks = _gold_ranks(row)
        return QuestionResult(
            question=self._questions[row["question_id"]],
            mode=mode,
            retrieval=Retrieval(
                mode,
                row["question_id"],
                candidates,
                row["top_k"],
                row["retrieve_seconds"],
                # a file that was written before these columns has no such keys
                decode(Subject, json.loads(found)) if (found := row.get("subject")) else None,
                Extent(row.get("extent", Extent.WHOLE)),
            ),
            gold_ranks=ranks,
            answer=_answer(row, self._citations[key]),
            scores=tuple(_with_json(Score, r, "evidence") for r in self._scores[key]),
            outcome=Outcome(row["outcome"]),
            caliber_reviewed=row["caliber_reviewed"],
            diagnosis=_diagnosis(row),
            evidence_chunks=self._evidence_chunks(key, ranks),
            calls=tuple(_picked(Call, r) for r in self._calls.get(key, ())),
        )

    def _evidence_chunks(self, key: tuple[str, str], ranks: GoldRanks | None) -> tuple[Chunk, ...]:
        if self._evidence is not None:
            return tuple(self._chunks[r["chunk_id"]] for r in self._evidence[key])
        ids = ranks.chunk_ids if ranks else ()
        return tuple(self._chunks[i] for i in ids if i in self._chunks)


def _rows(cursor: duckdb.DuckDBPyConnection, query: str, values: Sequence[Any] = ()) -> list[Row]:
    found = cursor.execute(query, values)
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _by_result(
    cursor: duckdb.DuckDBPyConnection, table: str, order: str
) -> Mapping[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in _rows(cursor, f"FROM run.{table} ORDER BY mode, question_id, {order}"):
        found[row["mode"], row["question_id"]].append(row)
    return found


def _picked(noun: type[T], row: Row) -> T:
    """Return the noun whose fields are columns of a row."""
    names = [f.name for f in fields(noun)]  # type: ignore[arg-type]
    return decode(noun, {name: row[name] for name in names if name in row})


def _with_json(noun: type[T], row: Row, *columns: str) -> T:
    return _picked(noun, {**row, **{name: json.loads(row[name]) for name in columns}})


def _chunk(row: Row, sources: Mapping[str, Source]) -> Chunk:
    names = [f.name for f in fields(Chunk)]
    plain = {name: row[name] for name in names if name in row}
    return unpack_chunk({**plain, "source": row["doc_id"]}, sources)


def _question(row: Row) -> Question:
    return _with_json(Question, {**row, "id": row["question_id"]}, "gold", "evidence")


def _answer(row: Row, citations: Sequence[Row]) -> Answer:
    return Answer(
        text=row["answer"],
        status=AnswerStatus(row["answer_status"]),
        citations=tuple(
            _with_json(Citation, {**c, "span": [c["start_at"], c["end_at"]]}, "pages")
            for c in citations
        ),
        generator=row["generator"],
        prompt=row["prompt"],
        raw=row["raw"],
        finish_reason=row["finish_reason"],
        reason=row["answer_reason"],
        seconds=row["generate_seconds"],
    )


def _gold_ranks(row: Row) -> GoldRanks | None:
    if row["gold_chunk_ids"] is None:
        return None
    ids = tuple(json.loads(row["gold_chunk_ids"]))
    best = {stage: row[f"gold_{stage}_rank"] for stage in _STAGES}
    return GoldRanks(ids, **best, evidence_visible=row["evidence_visible"])


def _diagnosis(row: Row) -> Diagnosis | None:
    if row["layer"] is None:
        return None
    said = {n: Sentence(row[f"{n}_en"], row[f"{n}_zh"]) for n in ("evidence", "try", "no_help")}
    return Diagnosis(
        layer=Layer(row["layer"]),
        reason=row["diagnosis_reason"],
        evidence=said["evidence"],
        try_next=said["try"],
        no_help=said["no_help"],
        facts=json.loads(row["diagnosis_facts"]),
    )
