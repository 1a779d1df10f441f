"""The rank trace of one question in one mode: every candidate through the stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.views.query import Cursor, rows

if TYPE_CHECKING:
    import pandas as pd

STEPS = ("dense", "bm25", "fused", "rerank")


def trace(cursor: Cursor, mode: str, question_id: str) -> pd.DataFrame:
    """Return the rank trace of all candidates: ranks from 1, missing where not returned."""
    import pandas as pd

    found = rows(
        cursor,
        """
        SELECT c.final_rank, c.is_gold, c.in_context, c.chunk_id,
               coalesce(nullif(concat_ws(' · ', nullif(k.company, ''), nullif(k.label, ''),
                                         'P' || k.source_page), ''), c.chunk_id) AS source,
               c.dense_rank, c.bm25_rank, c.fused_rank, c.rerank_rank,
               c.dense_score, c.bm25_score, c.fused_score, c.rerank_score
        FROM run.candidates c JOIN run.chunks k USING (chunk_id)
        WHERE c.mode = ? AND c.question_id = ?
        ORDER BY c.final_rank
        """,
        [mode, question_id],
    )
    frame = pd.DataFrame(found)
    for step in STEPS:
        if len(frame):
            frame[f"{step}_rank"] = frame[f"{step}_rank"].astype("Int64")
            frame[f"{step}_score"] = frame[f"{step}_score"].astype("Float64")
    return frame
