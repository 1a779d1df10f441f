"""A selection as JSON lines in the open form of ragdash/receive/form.py, which reads it again.

The first line is the header. Keys of the form say what a system gave; what ragdash made of it
stands beside them under the names of `form.TOLD`, and is told again on import.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ragdash.receive import form
from ragdash.views.frame import named
from ragdash.views.query import rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ragdash.export.asking import Selection
    from ragdash.export.records import Record

# Of ours every candidate is kept, and of others what they declared to be all.
_ALL = ("whole", "listed")
_HALF = re.compile("[\ud800-\udfff]")


def written(chosen: Selection, records: Iterable[Record]) -> Iterator[bytes]:
    """Yield the header, then a line a row; records come with their contexts."""
    yield _line(header(chosen))
    for record in records:
        yield _line(line(record))


def header(chosen: Selection) -> Record:
    """Return the first line: what the run was made with."""
    run = chosen.run
    said = f"exported by ragdash from {chosen.ref}"
    note = f"{said}, filter: {chosen.where}" if chosen.where else said
    return _stated(
        {
            form.MARK: form.FORM_VERSION,
            "modes": list(chosen.modes),
            "questions": run.questions_name,
            "started_at": run.started_at,
            "note": note,
            **_facts(chosen),
        }
    )


def _facts(chosen: Selection) -> Record:
    config = chosen.run.config
    imported = config.get("imported")
    if imported is not None:
        extents = {r["extent"] for r in rows(chosen.cursor, "SELECT extent FROM run.results")}
        facts = dict(imported["facts"])
        if str(facts.get("top_k", "")).isdigit():
            facts["top_k"] = int(facts["top_k"])
        lists = extents - {"not_given"}
        return {"whole_lists": bool(lists) and lists <= set(_ALL), **facts}
    retrieval, models = config.get("retrieval") or {}, config.get("models") or {}
    fused = ("candidates_dense", "candidates_bm25", "bm25", "rrf_k", "weights", "candidates_rerank")
    return {
        "whole_lists": True,
        "system": "ragdash",
        "system_version": chosen.run.environment.get("ragdash"),
        "corpus": chosen.run.corpus_name,
        "corpus_digest": chosen.run.corpus_digest,
        "chunking": (config.get("corpus") or {}).get("chunking"),
        "embedding": models.get("dense"),
        "fusion": ", ".join(f"{name}={retrieval[name]}" for name in fused if name in retrieval),
        "filter": retrieval.get("filter"),
        "query": retrieval.get("query"),
        "reranker": models.get("reranker"),
        "top_k": retrieval.get("top_k"),
        "generator": named(config.get("generator")),
    }


def line(record: Record) -> Record:
    """Return the line of one row, keys without a value left out."""
    status, reason = record["answer_status"], record["answer_reason"]
    question = {name: record[name] for name in ("lang", "kind", "company", "period", "answerable")}
    return _stated(
        {
            "id": record["question_id"],
            "question": record["question"],
            **question,
            "gold": [_stated(gold) for gold in record["golds"]],
            "gold_text": record["gold_text"],
            "evidence": record["evidence"],
            "note": record["note"],
            "mode": record["mode"],
            "answer": record["answer"],
            "refused": True if status == "refused" else None,
            "error": (reason or "no_output") if status == "error" else None,
            **{name: record[name] for name in ("generator", "prompt", "raw", "finish_reason")},
            **{name: record[name] for name in ("retrieve_seconds", "generate_seconds")},
            "contexts": None if record["extent"] == "not_given" else _contexts(record),
            "scores": _given(record),
            **_told(record),
        }
    )


def _contexts(record: Record) -> list[Record]:
    renamed = {"final_rank": "rank", "final_score": "score"}
    return [
        _stated({renamed.get(k, k): v for k, v in one.items() if renamed.get(k, k) in form.CONTEXT})
        for one in record["contexts"]
    ]


def _given(record: Record) -> Record | None:
    """Return the scores that another system gave, under its own names."""
    found = {
        name.removeprefix(form.GIVEN): metric["value"]
        for name, metric in record["metrics"].items()
        if name.startswith(form.GIVEN)
    }
    return found or None


_DIAGNOSED = ("evidence_en", "evidence_zh", "try_en", "try_zh", "no_help_en", "no_help_zh")
_RANKED = ("gold_dense_rank", "gold_bm25_rank", "gold_fused_rank", "gold_rerank_rank")
_CALIBER = ("caliber", "caliber_rule", "caliber_verdict", "caliber_reviewer", "caliber_disputed")


def _told(record: Record) -> Record:
    plain = (
        *("run", "version", "outcome", "rule_outcome", "outcome_by", "layer", "rule_layer"),
        "layer_by",
        *("verdict", "reviewer", "flag", "citations", "reviews", "checks"),
    )
    ours = {n: _stated(m) for n, m in record["metrics"].items() if not n.startswith(form.GIVEN)}
    diagnosis = {"reason": record["diagnosis_reason"]} | {n: record[n] for n in _DIAGNOSED}
    ranks = {name: record[name] for name in (*_RANKED, "gold_final_rank")}
    ranks |= {name: record[name] for name in ("evidence_visible", "gold_chunk_ids")}
    return {name: record[name] for name in plain} | {
        "caliber": {name: record[name] for name in _CALIBER},
        "diagnosis": _stated(diagnosis) or None,
        "ranks": _stated(ranks) or None,
        "metrics": ours,
    }


def _stated(row: Record) -> Record:
    return {name: value for name, value in row.items() if value is not None}


def _line(row: Record) -> bytes:
    text = json.dumps(row, ensure_ascii=False, allow_nan=False)
    # Half of a surrogate pair has no UTF-8 form, and an escape in JSON.
    return (_HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text) + "\n").encode("utf-8")
