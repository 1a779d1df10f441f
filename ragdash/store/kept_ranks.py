"""The stored ranks of a run file, as an ablation needs them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ragdash.core.ablation import KeptRank, KeptRanks
from ragdash.core.errors import InputError
from ragdash.core.run import RetrievalConfig
from ragdash.store.attach import opened

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.core.retrieval import Mode

_CANDIDATES = """
    SELECT question_id, chunk_id, dense_rank, bm25_rank, fused_rank, rerank_score
    FROM run.candidates WHERE mode = ? ORDER BY question_id, final_rank
"""
_QUESTIONS = """
    SELECT r.question_id, r.gold_chunk_ids
    FROM run.results r JOIN run.questions q USING (question_id)
    WHERE r.mode = ? ORDER BY q.position
"""


def kept_ranks(path: Path, mode: Mode) -> tuple[RetrievalConfig, list[KeptRanks], int]:
    """Return a run's retrieval config, the ranks of its questions with qrels, how many have none.

    Raises:
        InputError: the run is of another system.
        StoreError: the run file is missing or damaged.
    """
    with opened(path) as cursor:
        config = cursor.execute("SELECT config FROM run.meta").fetchall()[0][0]
        candidates: dict[str, list[KeptRank]] = {}
        for question_id, chunk_id, dense, bm25, fused, score in cursor.execute(
            _CANDIDATES, [mode.value]
        ).fetchall():
            kept = KeptRank(chunk_id, dense, bm25, fused or 0, score)
            candidates.setdefault(question_id, []).append(kept)
        results = cursor.execute(_QUESTIONS, [mode.value]).fetchall()
    found = [
        KeptRanks(question_id, frozenset(json.loads(gold)), tuple(candidates.get(question_id, ())))
        for question_id, gold in results
        if gold is not None
    ]
    stored = json.loads(config)
    if stored.get("imported") is not None:
        raise InputError(
            "the run is of another system, whose fusion is not known: ranks can be recomputed for "
            "runs of ragdash only"
        )
    retrieval = stored["retrieval"]
    known = RetrievalConfig(**{**retrieval, "weights": tuple(retrieval["weights"])})
    return known, found, len(results) - len(found)
