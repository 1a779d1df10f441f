"""What an auditor needs beside a check: answer, answered figures, golds and the row on its page."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from ragdash.amounts import read_chunk
from ragdash.views.query import parsed, rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.spot_check import SpotCheck
    from ragdash.views.query import Cursor

_WRITTEN = """
    SELECT q.question_id, q.gold, r.answer, n.evidence
    FROM run.results r JOIN run.questions q USING (question_id)
    LEFT JOIN run.scores n ON n.mode = r.mode AND n.question_id = r.question_id
         AND n.metric = 'numeric_accuracy' AND n.repeat = 0
    WHERE r.mode = $mode AND list_contains($questions, q.question_id)
"""
_PAGE = """
    SELECT k.text, k.unit_note
    FROM run.candidates c JOIN run.chunks k USING (chunk_id)
    WHERE c.mode = $mode AND c.question_id = $question AND k.doc_id = $doc
          AND k.source_page = $page
    ORDER BY c.in_context DESC, c.final_rank, k.chunk_id
"""
# As near as a figure has to be to be taken for the answered one (metrics.md section 3).
_SAME = Decimal("0.005")


@dataclass(frozen=True, slots=True)
class Record:
    """One answer as it was judged: `figures` as answered, `golds` with their calibers."""

    answer: str
    figures: tuple[str, ...]
    golds: tuple[str, ...]
    values: tuple[Decimal, ...]


def records(cursor: Cursor, mode: str, questions: Sequence[str]) -> dict[str, Record]:
    """Return what was answered to questions of a mode, by question id."""
    found = rows(cursor, _WRITTEN, {"mode": mode, "questions": list(questions)})
    return {row["question_id"]: _record(row) for row in found}


def _record(row: Mapping[str, Any]) -> Record:
    evidence = parsed(row["evidence"])
    verdicts = evidence.get("verdicts") if isinstance(evidence, dict) else None
    said = [one.get("candidate") for one in _dicts(verdicts)]
    kept = {str(one.get("text")): str(one.get("value")) for one in _dicts(said)}
    golds = tuple(_gold(gold) for gold in _dicts(parsed(row["gold"])))
    values = (_decimal(text) for text in kept.values())
    return Record(row["answer"], tuple(kept), golds, tuple(v for v in values if v is not None))


def _dicts(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _gold(gold: Mapping[str, Any]) -> str:
    """Return a gold figure with everything that its set says of its caliber."""
    names = ("unit", "metric", "scope", "attribution", "period")
    return " ".join(str(gold[name]) for name in ("value", *names) if gold.get(name) is not None)


def _decimal(text: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def row_of(cursor: Cursor, check: SpotCheck, record: Record) -> str | None:
    """Return the line on the page of a check that states an answered figure, None without one."""
    said = check.judgement
    if said.doc_id is None or said.page is None:
        return None
    key = check.key
    values = {"mode": key.mode, "question": key.question_id, "doc": said.doc_id, "page": said.page}
    for chunk in rows(cursor, _PAGE, values):
        text = chunk["text"]
        for amount in read_chunk(text, chunk["unit_note"]):
            if any(abs(amount.value - v) <= _SAME * abs(v) for v in record.values):
                start, end = amount.span
                after = text.find("\n", end)
                line = text[text.rfind("\n", 0, start) + 1 : after if after >= 0 else None]
                return str(line.strip())
    return None
