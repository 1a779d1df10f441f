"""Every row of a selection whole: question, answer, why it was lost, scores, what people said.

A record is plain JSON: exact numbers are text, times ISO 8601. Means are over the repeats of a
metric; a metric without any value keeps the status and reason of its first repeat. Pages of rows
are read one after the other, so that an export is never in memory as a whole.
"""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean
from typing import TYPE_CHECKING, Any

from ragdash.export.opinions import check_record, gone, review_record
from ragdash.metrics import METRICS
from ragdash.store.effective import RESULTS, SCORES, bound
from ragdash.views.query import parsed, rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ragdash.export.asking import Key, Selection
    from ragdash.views.query import Row

Record = dict[str, Any]
PAGE_SIZE = 500
STAGES = ("dense", "bm25", "fused", "rerank", "final")

_ASKED = """
    (mode, question_id) IN (SELECT unnest($modes::VARCHAR[]), unnest($questions::VARCHAR[]))
"""
_RESULTS = f"""
    SELECT r.*, q.*, e.* EXCLUDE (mode, question_id)
    FROM (FROM run.results WHERE {_ASKED}) r JOIN run.questions q USING (question_id)
    JOIN ({RESULTS}) e ON e.mode = r.mode AND e.question_id = r.question_id
"""  # noqa: S608 - relations of ours
_SCORES = f"""
    FROM ({SCORES}) WHERE {_ASKED} ORDER BY mode, question_id, metric, repeat
"""
_GOLDS = """
    SELECT question_id, value_text, unit, metric, scope, attribution, period, tolerance, decimals
    FROM run.golds WHERE list_contains($questions::VARCHAR[], question_id)
    ORDER BY question_id, position
"""
_CITATIONS = f"""
    FROM run.citations WHERE {_ASKED} ORDER BY mode, question_id, position
"""
_CONTEXTS = f"""
    SELECT c.*, k.* EXCLUDE (chunk_id), s.doc_type
    FROM (FROM run.candidates WHERE {_ASKED}) c JOIN run.chunks k USING (chunk_id)
    LEFT JOIN run.sources s USING (doc_id)
    ORDER BY c.mode, c.question_id, c.final_rank, c.chunk_id
"""  # noqa: S608 - a condition of ours
_SEEN = f"""
    SELECT mode, question_id, chunk_id FROM run.candidates WHERE in_context AND {_ASKED}
    ORDER BY mode, question_id, final_rank, chunk_id
"""  # noqa: S608 - a condition of ours


def metrics_of(chosen: Selection) -> tuple[str, ...]:
    """Return the metrics that the run has, ours in display order before those of others."""
    found = {row["metric"] for row in rows(chosen.cursor, "SELECT DISTINCT metric FROM run.scores")}
    ours = [metric.name for metric in METRICS if metric.name in found]
    return (*ours, *sorted(found - set(ours)))


def records(chosen: Selection, *, contexts: bool = False) -> Iterator[Record]:
    """Yield the record of every row of a selection, in its order.

    Args:
        chosen: what is exported.
        contexts: with every candidate and its text, and the evidence of every score.
    """
    reviews, checks = defaultdict(list), defaultdict(list)
    superseded = gone(chosen.reviews), gone(chosen.checks)
    for review in chosen.reviews:
        key = review.key.mode, review.key.question_id
        reviews[key].append(review_record(review, superseded[0]))
    for check in chosen.checks:
        key = check.key.mode, check.key.question_id
        checks[key].append(check_record(check, superseded[1]))
    for at in range(0, len(chosen.keys), PAGE_SIZE):
        keys = chosen.keys[at : at + PAGE_SIZE]
        read = _page(chosen, keys, contexts=contexts)
        for key in keys:
            yield {**read[key], "reviews": reviews.get(key, []), "checks": checks.get(key, [])}


def _page(chosen: Selection, keys: Sequence[Key], *, contexts: bool) -> dict[Key, Record]:
    asked = {"modes": [mode for mode, _ in keys], "questions": [name for _, name in keys]}
    people = bound(chosen.said)
    cursor = chosen.cursor
    scores = _by_key(rows(cursor, _SCORES, {**asked, **people}))
    citations = _by_key(rows(cursor, _CITATIONS, asked))
    seen = _by_key(rows(cursor, _SEEN, asked))
    found = _by_key(rows(cursor, _CONTEXTS, asked)) if contexts else {}
    golds = defaultdict(list)
    for row in rows(cursor, _GOLDS, {"questions": asked["questions"]}):
        golds[row.pop("question_id")].append(row)
    read = {}
    for row in rows(cursor, _RESULTS, {**asked, **people}):
        key = row["mode"], row["question_id"]
        read[key] = {
            **_told(chosen, row),
            "golds": [_gold(gold) for gold in golds.get(row["question_id"], [])],
            "metrics": _metrics(scores.get(key, []), whole=contexts),
            "citations": [_citation(one) for one in citations.get(key, [])],
            "context_chunk_ids": [one["chunk_id"] for one in seen.get(key, [])],
            **({"contexts": [_context(one) for one in found.get(key, [])]} if contexts else {}),
        }
    return read


def _by_key(found: list[Row]) -> dict[Key, list[Row]]:
    grouped: dict[Key, list[Row]] = defaultdict(list)
    for row in found:
        grouped[row["mode"], row["question_id"]].append(row)
    return grouped


def _told(chosen: Selection, row: Row) -> Record:
    run = chosen.run
    lost = row["diagnosis_reason"] is not None
    return {
        "run": run.run_id,
        "version": run.version,
        "mode": row["mode"],
        "question_id": row["question_id"],
        "question": row["text"],
        **{name: row[name] for name in ("lang", "kind", "company", "period", "answerable")},
        "gold_text": row["gold_text"],
        "evidence": parsed(row["evidence"]),
        "note": row["note"],
        "outcome": row["outcome"],
        "rule_outcome": row["rule_outcome"],
        "outcome_by": row["outcome_by"],
        "layer": row["layer"],
        "rule_layer": row["rule_layer"],
        "layer_by": row["layer_by"],
        "verdict": row["verdict"],
        "reviewer": row["reviewer"],
        "flag": row["flag"],
        "caliber": row["caliber_verdict"] if row["by_person"] else row["caliber_rule"],
        "caliber_rule": row["caliber_rule"],
        "caliber_verdict": row["caliber_verdict"],
        "caliber_reviewer": row["caliber_reviewer"],
        "caliber_disputed": row["caliber_disputed"],
        "diagnosis_reason": row["diagnosis_reason"],
        **{name: row[name] if lost else None for name in _SENTENCES},
        **{name: row[name] for name in _ANSWER},
        **{f"gold_{stage}_rank": row[f"gold_{stage}_rank"] for stage in STAGES},
        "evidence_visible": row["evidence_visible"],
        "gold_chunk_ids": parsed(row["gold_chunk_ids"]),
        # Run files of before schema version 6 hold every retrieval whole.
        "extent": row.get("extent", "whole"),
    }


_SENTENCES = ("evidence_en", "evidence_zh", "try_en", "try_zh", "no_help_en", "no_help_zh")
_ANSWER = (
    *("answer", "answer_status", "answer_reason", "generator", "prompt", "raw", "finish_reason"),
    *("top_k", "n_candidates", "retrieve_seconds", "generate_seconds"),
)


def _gold(row: Row) -> Record:
    return {"value": row["value_text"], **{k: row[k] for k in row if k != "value_text"}}


def _citation(row: Row) -> Record:
    names = ("text", "start_at", "end_at", "company", "label")
    return {name: row[name] for name in names} | {
        "pages": parsed(row["pages"]),
        "well_formed": row["well_formed"],
    }


_CHUNK = ("doc_id", "company", "period", "doc_type", "label", "section", "unit_note", "text")


def _context(row: Row) -> Record:
    ranks = {f"{stage}_rank": row[f"{stage}_rank"] for stage in STAGES}
    scores = {f"{stage}_score": row.get(f"{stage}_score") for stage in STAGES}
    return {
        "chunk_id": row["chunk_id"],
        **{name: row[name] for name in _CHUNK},
        "page": row["source_page"],
        "chunk_kind": row["kind"],
        "in_context": row["in_context"],
        "is_gold": row["is_gold"],
        **ranks,
        **scores,
    }


def _metrics(scores: list[Row], *, whole: bool) -> dict[str, Record]:
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in scores:
        grouped[row["metric"]].append(row)
    return {name: _metric(repeats, whole=whole) for name, repeats in grouped.items()}


def _metric(repeats: list[Row], *, whole: bool) -> Record:
    first = next((row for row in repeats if row["value"] is not None), repeats[0])
    return {
        "value": _mean(row["value"] for row in repeats),
        "status": first["status"],
        "reason": first["reason"],
        "rule_value": _mean(row["rule_value"] for row in repeats),
        "rule_status": first["rule_status"],
        "rule_reason": first["rule_reason"],
        "by": first["caliber_reviewer"],
        "judge": first["judge"],
        "repeats": [
            {name: row[name] for name in ("value", "status", "reason")}
            | ({"evidence": parsed(row["evidence"])} if whole else {})
            for row in repeats
        ],
    }


def _mean(values: Any) -> float | None:
    # Not in the database: the order in which threads add would show in the last digit.
    found = [value for value in values if value is not None]
    return fmean(found) if found else None
