"""Results as rows of the run file's tables: flat, typed, JSON only where a list is meant."""

from __future__ import annotations

import json
from collections import defaultdict
from decimal import Decimal, localcontext
from typing import TYPE_CHECKING, Any

from ragdash.core.fingerprint import digest, digest_bytes
from ragdash.core.retrieval import GoldRanks
from ragdash.store.codec import encode
from ragdash.store.packing import keep_one

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ragdash.core.attack import AttackRow, AttackSummary
    from ragdash.core.chunk import Chunk, Source
    from ragdash.core.question import Question
    from ragdash.core.run import QuestionResult

Row = dict[str, Any]
Tables = dict[str, list[Row]]

_CENT_OF_A_CENT = Decimal("0.0001")
_WHOLE_DIGITS = 34

MEASURES = (
    "unsafe_action",
    "unsupported_claim",
    "citation_failure",
    "abstention",
    "attack_success",
    "utility",
    "utility_under_attack",
    "over_abstention",
    "correct_abstention",
    "other_failure",
    "selective_accuracy",
    "coverage",
    "errors",
)
PROVENANCE_OFF = "_provenance_off"


def evaluation_rows(results: Iterable[QuestionResult], question_ids: Sequence[str]) -> Tables:
    """Return the rows of every table but meta.

    Raises:
        ValueError: one id stands for two questions, chunks or documents.
    """
    tables: Tables = defaultdict(list)
    position = {question_id: at for at, question_id in enumerate(question_ids)}
    questions: dict[str, Question] = {}
    chunks: dict[str, Chunk] = {}
    sources: dict[str, Source] = {}
    for result in results:
        keep_one(questions, result.question.id, result.question)
        candidates = (c.chunk for c in result.retrieval.candidates)
        for chunk in (*candidates, *result.evidence_chunks):
            keep_one(chunks, chunk.chunk_id, chunk)
            keep_one(sources, chunk.source.doc_id, chunk.source)
        tables["results"].append(_result_row(result))
        tables["candidates"] += _candidate_rows(result)
        tables["evidence_chunks"] += _evidence_chunk_rows(result)
        tables["citations"] += _citation_rows(result)
        tables["scores"] += _score_rows(result)
        tables["calls"] += _call_rows(result)
    for question in questions.values():
        tables["questions"].append(_question_row(question, position[question.id]))
        tables["golds"] += _gold_rows(question)
    tables["chunks"] = [_chunk_row(chunk) for chunk in chunks.values()]
    tables["sources"] = [encode(source) for source in sources.values()]
    return tables


def attack_tables(rows: Iterable[AttackRow], summaries: Iterable[AttackSummary]) -> Tables:
    """Return the rows of the attack tables; `position` counts the cases of each policy."""
    tables: Tables = defaultdict(list)
    seen: dict[str, int] = defaultdict(int)
    for row in rows:
        plain = encode(row)
        way = plain.pop("retrieval")
        if way is not None:
            tables["attack_retrieval"].append(_way_row(row, way, seen[row.policy]))
        view = plain["view"]
        plain["class"] = plain.pop("attack_class")
        plain |= {"position": seen[row.policy], "query": row.view.query}
        plain |= {"view": view, "view_digest": digest(view)}
        tables["attack_rows"].append(
            {k: as_json(v) if isinstance(v, list | dict) else v for k, v in plain.items()}
        )
        seen[row.policy] += 1
    for summary in summaries:
        for measure in MEASURES:
            rate = encode(getattr(summary, measure))
            tables["attack_summary"].append({"policy": summary.policy, "measure": measure, **rate})
            if summary.provenance_off is not None:
                off = encode(getattr(summary.provenance_off, measure))
                named = {"policy": summary.policy, "measure": measure + PROVENANCE_OFF}
                tables["attack_summary"].append({**named, **off})
        for entry in summary.stages:
            measure = f"stage_{entry.stage}" + (f":{entry.attack_class}" * bool(entry.attack_class))
            key = {"policy": summary.policy, "measure": measure}
            tables["attack_summary"].append({**key, **encode(entry.counted)})
    return tables


def _way_row(row: AttackRow, way: Row, position: int) -> Row:
    """Return the way of a case's hostile passages through one retrieval mode, flat."""
    key = {"policy": row.policy, "case_id": row.case_id, "position": position}
    return {**key, "class": row.attack_class, **way, "chunk_ids": as_json(way["chunk_ids"])}


def exact_decimal(value: Decimal) -> Decimal | None:
    """Return the value where DECIMAL(38, 4) holds it exactly, else None."""
    if not value.is_finite() or (value and value.adjusted() >= _WHOLE_DIGITS):
        return None
    with localcontext() as context:
        context.prec = 60
        rounded = value.quantize(_CENT_OF_A_CENT)
        return rounded if rounded == value else None


def as_json(value: Any) -> str:
    """Return compact JSON that keeps Chinese as itself, so that a search finds it."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _question_row(question: Question, position: int) -> Row:
    plain = encode(question)
    return {
        **{key: plain[key] for key in ("text", "lang", "kind", "company", "period")},
        **{key: plain[key] for key in ("gold_text", "answerable", "note")},
        "question_id": question.id,
        "position": position,
        "gold": as_json(plain["gold"]),
        "evidence": as_json(plain["evidence"]),
    }


def _gold_rows(question: Question) -> list[Row]:
    return [
        {
            **encode(gold),
            "question_id": question.id,
            "position": at,
            "value": exact_decimal(gold.value),
            "value_text": str(gold.value),
        }
        for at, gold in enumerate(question.gold)
    ]


def _chunk_row(chunk: Chunk) -> Row:
    source = chunk.source
    return {
        "chunk_id": chunk.chunk_id,
        "doc_id": source.doc_id,
        "company": source.company,
        "label": source.label,
        "period": source.period,
        "source_page": chunk.source_page,
        "section": chunk.section,
        "kind": chunk.kind.value,
        "unit_note": chunk.unit_note,
        "text": chunk.text,
        "digest": digest_bytes(chunk.text.encode("utf-8", "surrogatepass")),
    }


def _candidate_rows(result: QuestionResult) -> list[Row]:
    gold = set(result.gold_ranks.chunk_ids) if result.gold_ranks else set()
    return [
        {
            "mode": result.mode.value,
            "question_id": result.question.id,
            "chunk_id": candidate.chunk.chunk_id,
            **encode(candidate.trace),
            "is_gold": candidate.chunk.chunk_id in gold,
        }
        for candidate in result.retrieval.candidates
    ]


def _evidence_chunk_rows(result: QuestionResult) -> list[Row]:
    key = {"mode": result.mode.value, "question_id": result.question.id}
    return [
        {**key, "position": at, "chunk_id": chunk.chunk_id}
        for at, chunk in enumerate(result.evidence_chunks)
    ]


def _result_row(result: QuestionResult) -> Row:
    answer = result.answer
    return {
        "mode": result.mode.value,
        "question_id": result.question.id,
        "outcome": result.outcome.value,
        "caliber_reviewed": result.caliber_reviewed,
        "answer_status": answer.status.value,
        "answer": answer.text,
        "answer_reason": answer.reason,
        "generator": answer.generator,
        "prompt": answer.prompt,
        "raw": answer.raw,
        "finish_reason": answer.finish_reason,
        "top_k": result.retrieval.top_k,
        "n_candidates": len(result.retrieval.candidates),
        "extent": result.retrieval.extent.value,
        "retrieve_seconds": result.retrieval.seconds,
        "subject": as_json(encode(subject)) if (subject := result.retrieval.subject) else None,
        "generate_seconds": answer.seconds,
        **_gold_rank_columns(result.gold_ranks),
        **_diagnosis_columns(result),
    }


def _gold_rank_columns(ranks: GoldRanks | None) -> Row:
    known = ranks or GoldRanks((), None, None, None, None, None, evidence_visible=False)
    return {
        **{
            f"gold_{stage}_rank": getattr(known, stage)
            for stage in ("dense", "bm25", "fused", "rerank", "final")
        },
        "evidence_visible": ranks.evidence_visible if ranks else None,
        "gold_chunk_ids": as_json(ranks.chunk_ids) if ranks else None,
    }


def _diagnosis_columns(result: QuestionResult) -> Row:
    found = result.diagnosis
    columns: Row = {
        "layer": found.layer.value if found else None,
        "diagnosis_reason": found.reason if found else None,
        "diagnosis_facts": as_json(encode(found)["facts"]) if found else None,
    }
    for name, field in (("evidence", "evidence"), ("try", "try_next"), ("no_help", "no_help")):
        sentence = getattr(found, field) if found else None
        columns[f"{name}_en"] = sentence.en if sentence else None
        columns[f"{name}_zh"] = sentence.zh if sentence else None
    return columns


def _citation_rows(result: QuestionResult) -> list[Row]:
    return [
        {
            "mode": result.mode.value,
            "question_id": result.question.id,
            "position": at,
            "text": citation.text,
            "start_at": citation.span[0],
            "end_at": citation.span[1],
            "company": citation.company,
            "label": citation.label,
            "pages": as_json(citation.pages),
            "well_formed": citation.well_formed,
        }
        for at, citation in enumerate(result.answer.citations)
    ]


def _score_rows(result: QuestionResult) -> list[Row]:
    rows = []
    for score in result.scores:
        plain = encode(score)
        evidence = as_json(plain.pop("evidence"))
        key = {"mode": result.mode.value, "question_id": result.question.id}
        rows.append({**key, **plain, "evidence": evidence})
    return rows


def _call_rows(result: QuestionResult) -> list[Row]:
    key = {"mode": result.mode.value, "question_id": result.question.id}
    return [{**key, "position": at, **encode(call)} for at, call in enumerate(result.calls)]
