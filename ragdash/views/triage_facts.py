"""The queries behind Triage: a row a (mode, question) with all that can be filtered for."""

from __future__ import annotations

from ragdash.store.effective import RESULTS as EFFECTIVE
from ragdash.store.effective import SCORES, scores_of
from ragdash.views.passage import MATCHING

# NULL on one side is not comparable; a gate whose more is worse is not the headline.
MOVED = """
    SELECT question_id, CASE
        WHEN now IS NULL OR before IS NULL THEN 'not_comparable'
        WHEN now > before THEN 'improved' WHEN now < before THEN 'regressed' ELSE 'same' END
        AS change
    FROM (
        SELECT question_id, avg(value) AS now FROM ({scores})
        WHERE metric = $headline AND mode = $mode GROUP BY ALL
    ) FULL JOIN (
        SELECT question_id, avg(value) AS before FROM ({base_scores})
        WHERE metric = $headline AND mode = $base GROUP BY ALL
    ) USING (question_id)
""".replace("{scores}", SCORES).replace("{base_scores}", scores_of("base"))
PASSED = f"(e.mode, e.question_id) IN ({MATCHING})"
UNMOVED = "SELECT NULL::VARCHAR AS question_id, NULL::VARCHAR AS change WHERE false"
_FLAKY = """
    SELECT DISTINCT mode, question_id, true AS flaky FROM (
        SELECT mode, question_id FROM run.scores
        WHERE value IS NOT NULL AND metric IN (SELECT metric FROM run.scores WHERE repeat > 0)
        GROUP BY mode, question_id, metric
        HAVING min(value) < $threshold AND max(value) >= $threshold
    )
"""
_FACTS = (
    """
    WITH moved AS ({moved}), flaky AS ({flaky}), fact AS (
        SELECT e.*, m.change, coalesce(f.flaky, false) AS flaky,
               e.verdict IS NULL AND NOT e.by_person
               AND e.outcome NOT IN ('correct', 'abstained_right') AS unreviewed,
               len($outcomes::VARCHAR[]) = 0 OR list_contains($outcomes::VARCHAR[], e.outcome)
               AS outcome_ok,
               len($layers::VARCHAR[]) = 0
               OR coalesce(list_contains($layers::VARCHAR[], e.layer), false) AS layer_ok,
               len($changes::VARCHAR[]) = 0
               OR coalesce(list_contains($changes::VARCHAR[], m.change), false) AS change_ok,
               NOT $flaky OR coalesce(f.flaky, false) AS flaky_ok,
               NOT $unreviewed OR unreviewed AS unreviewed_ok,
               NOT $flagged OR e.flag AS flagged_ok
        FROM ({run}) e LEFT JOIN flaky f USING (mode, question_id)
        LEFT JOIN moved m USING (question_id)
        WHERE ($mode IS NULL OR e.mode = $mode)
          AND ($only::VARCHAR[] IS NULL OR list_contains($only::VARCHAR[], e.question_id))
          AND (len($short_of) + len($more_of) = 0 OR (e.mode, e.question_id) IN (
              SELECT mode, question_id FROM ({scores})
              WHERE (list_contains($short_of::VARCHAR[], metric) AND value < 1)
                 OR (list_contains($more_of::VARCHAR[], metric) AND value > 0)))
          AND (len($flips) = 0 OR (e.mode, e.question_id) IN (
              SELECT mode, question_id FROM run.scores
              WHERE list_contains($flips::VARCHAR[], metric) AND value IS NOT NULL
              GROUP BY mode, question_id, metric
              HAVING min(value) < $threshold AND max(value) >= $threshold))
          AND {passed} AND {where}
    ), hits AS (
        FROM fact WHERE outcome_ok AND layer_ok AND change_ok
        AND flaky_ok AND unreviewed_ok AND flagged_ok
    )
""".replace("{flaky}", _FLAKY)
    .replace("{run}", EFFECTIVE)
    .replace("{scores}", SCORES)
)
_HIT = """, hit AS (
        SELECT question_id, any_value(change) AS change,
               min(CASE WHEN change = 'regressed' THEN 0 ELSE 1 END) AS moved_first,
               min(CASE outcome WHEN 'error' THEN 0 WHEN 'wrong' THEN 1
                   WHEN 'abstained_wrong' THEN 2 WHEN 'unscored' THEN 3 ELSE 4 END) AS severity,
               min(CASE layer WHEN 'ingest' THEN 0 WHEN 'recall' THEN 1 WHEN 'ranking' THEN 2
                   WHEN 'generation' THEN 3 WHEN 'business' THEN 4
                   WHEN 'undetermined' THEN 5 ELSE 6 END) AS depth
        FROM hits GROUP BY question_id
    )
"""
ORDERS = {
    "worst": "hit.moved_first, hit.severity, q.position",
    "set": "q.position",
    "layer": "hit.depth, hit.severity, q.position",
}
_ORDER = " FROM hit JOIN run.questions q USING (question_id) ORDER BY {order}"
IDS = _FACTS + _HIT + " SELECT q.question_id" + _ORDER
_PAGE = """
    SELECT q.question_id, q.text[:$preview] AS text, length(q.text) AS length, q.lang,
           q.company, q.period, q.kind, q.answerable, hit.change
"""
PAGE = _FACTS + _HIT + _PAGE + _ORDER
_RESULTS = """
    SELECT e.question_id, e.mode, e.outcome, e.rule_outcome, e.layer, e.rule_layer, e.verdict,
           e.reviewer, e.flag, e.by_person, e.caliber_verdict, e.caliber_reviewer,
           e.caliber_disputed, hits.mode IS NOT NULL AS hit
    FROM ({run}) e LEFT JOIN hits ON hits.mode = e.mode AND hits.question_id = e.question_id
    WHERE list_contains($only::VARCHAR[], e.question_id)
"""
RESULTS = _FACTS + _RESULTS.replace("{run}", EFFECTIVE)
_HELD = " SELECT mode, question_id FROM fact"
HELD = _FACTS + _HELD
ROWS_HELD = """(e.mode, e.question_id) IN (
    SELECT unnest($held_modes::VARCHAR[]), unnest($held_questions::VARCHAR[]))"""
_HITS = " SELECT mode, question_id FROM hits"
HITS = _FACTS + _HITS
_COUNTED = " SELECT count(*) AS n FROM hits"
COUNTED = _FACTS + _COUNTED
# Each kind of choice is counted under all the other kinds, so that a count is what a click lists.
_FACETS = """
    SELECT 'outcome' AS kind, outcome AS code, false AS person, count(DISTINCT question_id) AS n
    FROM fact WHERE layer_ok AND change_ok AND flaky_ok AND unreviewed_ok AND flagged_ok
    GROUP BY ALL
    UNION ALL
    SELECT 'change', change, false, count(DISTINCT question_id)
    FROM fact WHERE outcome_ok AND layer_ok AND flaky_ok AND unreviewed_ok AND flagged_ok
    AND change IS NOT NULL GROUP BY ALL
    UNION ALL
    SELECT 'layer', layer, layer_by IS NOT NULL, count(DISTINCT question_id)
    FROM fact WHERE outcome_ok AND change_ok AND flaky_ok AND unreviewed_ok AND flagged_ok
    AND layer IS NOT NULL GROUP BY ALL
    UNION ALL
    SELECT 'mark', 'flaky', false, count(DISTINCT question_id)
    FROM fact WHERE flaky AND outcome_ok AND layer_ok AND change_ok AND unreviewed_ok AND flagged_ok
    UNION ALL
    SELECT 'mark', 'unreviewed', false, count(DISTINCT question_id)
    FROM fact WHERE unreviewed AND outcome_ok AND layer_ok AND change_ok AND flaky_ok AND flagged_ok
    UNION ALL
    SELECT 'mark', 'flagged', false, count(DISTINCT question_id)
    FROM fact WHERE flag AND outcome_ok AND layer_ok AND change_ok AND flaky_ok AND unreviewed_ok
"""
FACETS = _FACTS + _FACETS
