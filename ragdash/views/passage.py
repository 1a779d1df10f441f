"""How far the gold passage of each question came: one row a (mode, question), from stored ranks.

The relation behind the Funnel page and Triage's `lost=` and `kept=`. The layer that holds (a
person's where there is one) decides at which stage a failed question was lost, so that the funnel
adds up to the layers; the ranks say which stage of that layer it was, and alone decide where
nothing failed. Results carry the ranks of the gold; candidates are read of imported results only,
where they tell which searches a question has ranks of. A step that its trace does not tell of is
neither kept nor lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.store.effective import RESULTS

if TYPE_CHECKING:
    from collections.abc import Sequence

# What a passage goes through, in order. `used` is cited, or the answer's figure stands in it.
STAGES = ("corpus", "indexed", "candidates", "reranked", "context", "used", "right")
# The searches side by side: `candidates` is what either of them returned.
LEGS = ("dense", "bm25")
# Reached every stage up to `used`, and nobody can say whether the answer is right.
OPEN = "open"
# Answerable, and no passage to follow: no evidence pages, or nothing known of the retrieval.
NO_QRELS = "no_qrels"
# Right although the passage was lost on the way, or was not seen to be used.
ANYWAY = "anyway"
LOST = (*STAGES, *LEGS, OPEN, NO_QRELS, ANYWAY)
KEPT = (*STAGES, *LEGS)

# As the citations' parser compares companies; those of citations are in one width already.
_SAME_COMPANY = "lower(replace(c.company, ' ', '')) = p.company"
# How much of a retrieval is known; run files of before schema version 6 do not have the column and
# hold it whole, and the name is then that of the outer query.
EXTENTS = """
    SELECT known.mode, known.question_id, known.extent FROM (SELECT 'whole' AS extent) old,
    LATERAL (SELECT r.mode, r.question_id, extent FROM run.results r) known
"""
_NUMBER = r"'[0-9][0-9,]*(?:\.[0-9]+)?'"
PASSAGES = (
    r"""
    WITH source AS (
        SELECT doc_id, replace(folded(company), ' ', '') AS company, label, n_pages
        FROM run.sources
    ), place AS (
        SELECT q.question_id, q.kind, e.page AS page, s.company, s.label,
               coalesce(e.page <= s.n_pages, false) AS held
        FROM run.questions q,
             unnest(from_json(q.evidence, '[{"doc_id":"VARCHAR","page":"INTEGER"}]')) AS t(e)
        LEFT JOIN source s ON s.doc_id = e.doc_id
    ), held AS (
        SELECT question_id, CASE WHEN any_value(kind) IN ('compare', 'computed')
               THEN bool_and(held) ELSE bool_or(held) END AS held
        FROM place GROUP BY question_id
    ), cited AS (
        SELECT DISTINCT c.mode, c.question_id, true AS yes
        FROM run.citations c JOIN place p USING (question_id)
        WHERE c.well_formed AND c.label = p.label AND {same_company}
          AND list_contains(from_json(c.pages, '["INTEGER"]'), p.page)
    ), states AS (
        SELECT DISTINCT mode, question_id, true AS yes
        FROM run.scores JOIN run.questions q USING (question_id)
        WHERE metric = 'numeric_accuracy' AND value = 1 AND q.kind <> 'computed'
    ), written AS (
        SELECT s.mode, s.question_id, unnest(regexp_extract_all(array_to_string(
               from_json(s.evidence->'$.verdicts[*].candidate.text', '["VARCHAR"]'), ' '),
               {number})) AS figure
        FROM run.scores s WHERE s.metric = 'numeric_accuracy' AND s.value = 0
    ), gold AS (
        SELECT r.mode, r.question_id, unnest(from_json(r.gold_chunk_ids, '["VARCHAR"]')) AS chunk_id
        FROM run.results r WHERE r.evidence_visible AND r.answer_status = 'answered'
    ), printed AS (
        SELECT DISTINCT w.mode, w.question_id, true AS yes
        FROM written w JOIN gold g USING (mode, question_id) JOIN run.chunks k USING (chunk_id)
        WHERE length(w.figure) > 1
          AND list_contains(regexp_extract_all(k.text, {number}), w.figure)
    ), traced AS (
        SELECT c.mode, c.question_id, count(c.dense_rank) > 0 AS dense,
               count(c.bm25_rank) > 0 AS bm25, count(c.rerank_rank) > 0 AS reranked
        FROM run.candidates c JOIN ({extents}) x USING (mode, question_id)
        WHERE x.extent IN ('listed', 'cut') GROUP BY ALL
    ), fact AS (
        SELECT f.mode, f.question_id, f.outcome, f.layer, f.verdict, q.answerable,
               r.gold_chunk_ids IS NOT NULL AS qrels,
               coalesce(json_array_length(r.gold_chunk_ids), 0) > 0 AS indexed,
               coalesce(h.held, false) AS held,
               coalesce(r.diagnosis_reason IN ('document_not_indexed', 'page_beyond_document'),
                        false) AS absent,
               r.gold_dense_rank IS NOT NULL AS dense, r.gold_bm25_rank IS NOT NULL AS bm25,
               coalesce(r.gold_dense_rank, r.gold_bm25_rank, r.gold_fused_rank,
                        r.gold_rerank_rank, r.gold_final_rank) IS NOT NULL
               OR coalesce(r.evidence_visible, false) AS found,
               r.gold_rerank_rank IS NOT NULL OR coalesce(r.evidence_visible, false)
               OR CASE WHEN x.extent = 'whole'
                  THEN max(r.gold_rerank_rank) OVER (PARTITION BY r.mode) IS NULL
                  ELSE NOT coalesce(t.reranked, false) END AS reranked,
               x.extent, coalesce(t.dense, false) AS has_dense, coalesce(t.bm25, false) AS has_bm25,
               coalesce(t.reranked, false) AS has_rerank,
               coalesce(r.evidence_visible, false) AS visible,
               r.answer_status = 'answered' AND (coalesce(c.yes, false)
               OR coalesce(s.yes, false) OR coalesce(p.yes, false)) AS used
        FROM ({run}) f JOIN run.results r USING (mode, question_id)
        JOIN ({extents}) x USING (mode, question_id)
        JOIN run.questions q USING (question_id)
        LEFT JOIN traced t USING (mode, question_id)
        LEFT JOIN held h USING (question_id)
        LEFT JOIN cited c USING (mode, question_id)
        LEFT JOIN states s USING (mode, question_id)
        LEFT JOIN printed p USING (mode, question_id)
    ), staged AS (
        SELECT *, outcome = 'correct' AS correct, CASE
            WHEN NOT qrels THEN 'no_qrels'
            WHEN outcome <> 'correct' AND verdict = 'no_fault' THEN 'open'
            WHEN layer = 'ingest' AND absent AND NOT indexed THEN 'corpus'
            WHEN layer = 'ingest' THEN 'indexed'
            WHEN layer = 'recall' THEN 'candidates'
            WHEN layer = 'ranking' THEN CASE WHEN reranked THEN 'context' ELSE 'reranked' END
            WHEN layer IN ('generation', 'business')
            THEN CASE WHEN used THEN 'right' ELSE 'used' END
            WHEN NOT indexed AND extent = 'whole'
            THEN CASE WHEN held THEN 'indexed' ELSE 'corpus' END
            WHEN NOT found AND extent IN ('whole', 'listed') THEN 'candidates'
            WHEN found AND NOT reranked THEN 'reranked'
            WHEN NOT visible THEN 'context'
            WHEN outcome = 'unscored' THEN 'open'
            WHEN NOT used THEN 'used'
            WHEN outcome <> 'correct' THEN 'right'
        END AS stage
        FROM fact WHERE answerable
    ), reached AS (
        SELECT *, extent = 'whole' AS whole, extent IN ('whole', 'listed') AS complete,
               CASE WHEN stage = 'no_qrels' THEN 0 WHEN stage = 'open' THEN 6
               ELSE coalesce(list_position({stages}, stage) - 1, 7) END AS reach FROM staged
    ), told AS (
        SELECT *, CASE WHEN stage = 'no_qrels' THEN [] ELSE list_filter([
            CASE WHEN whole OR stage = 'corpus' THEN 'corpus' END,
            CASE WHEN whole OR stage = 'indexed' THEN 'indexed' END,
            CASE WHEN complete OR stage = 'candidates' THEN 'candidates' END,
            CASE WHEN whole OR stage = 'reranked' OR (has_rerank AND (found OR complete))
                 THEN 'reranked' END,
            'context', 'used', 'right',
            CASE WHEN whole OR (has_dense AND (dense OR bm25 OR (complete AND reach < 3)))
                 THEN 'dense' END,
            CASE WHEN whole OR (has_bm25 AND (dense OR bm25 OR (complete AND reach < 3)))
                 THEN 'bm25' END
        ], lambda code: code IS NOT NULL) END AS known FROM reached
    )
    SELECT mode, question_id, stage, correct, known,
           list_filter(known, lambda code: CASE code WHEN 'dense' THEN reach > 2 AND dense
               WHEN 'bm25' THEN reach > 2 AND bm25
               ELSE list_position({stages}, code) <= reach END) AS passed,
           list_filter(known, lambda code: CASE code WHEN 'dense' THEN reach > 2 AND NOT dense
               WHEN 'bm25' THEN reach > 2 AND NOT bm25 AND mode <> 'dense'
               ELSE false END) AS missed
    FROM told
""".replace("{same_company}", _SAME_COMPANY)
    .replace("{number}", _NUMBER)
    .replace("{stages}", "['" + "','".join(STAGES) + "']")
    .replace("{extents}", EXTENTS)
    .replace("{run}", RESULTS)
)
# `known` are the steps that a trace tells of, or that a loss was found at; `passed` those of them
# that kept the passage, and `missed` the searches that did not return it while another did. Of a
# list that was cut off, a passage that is not on it may have stood below.
MATCHING = """
    SELECT mode, question_id FROM ({passages}) WHERE
       list_contains($lost::VARCHAR[], stage)
    OR (list_contains($lost::VARCHAR[], 'anyway') AND correct
        AND stage IS NOT NULL AND stage <> 'no_qrels')
    OR list_has_any($lost::VARCHAR[], missed)
    OR list_has_any($kept::VARCHAR[], passed)
""".replace("{passages}", PASSAGES)


def chosen(lost: Sequence[str], kept: Sequence[str]) -> dict[str, object]:
    """Return the values that `MATCHING` binds: it holds where any of the codes does."""
    return {"lost": list(lost), "kept": list(kept)}
