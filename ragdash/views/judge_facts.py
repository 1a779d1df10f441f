"""The queries behind the Judge page: a row a question, then a row a mode, nothing in between.

Ten thousand questions in three modes with three repeats of three metrics are 270,000 scores: what
is asked of them is grouped where they lie. The definitions are those of compare/noise.py.
"""

from __future__ import annotations

# A reason of the answer, not of the judge: there was nothing to be judged.
_NO_ANSWER = """
    CASE WHEN s.status = 'error' AND r.answer_status = 'error'
              AND (list_contains($of_answers::VARCHAR[], s.metric) OR s.reason = $not_retrieved)
         THEN $no_answer ELSE s.reason END
"""
# Read only where it stands: most scores have a long evidence without it.
_PRECISION = """
    CASE WHEN contains(s.evidence::VARCHAR, '"average_precision"')
         THEN TRY_CAST(s.evidence->>'$.average_precision' AS DOUBLE) END
"""
_QUESTIONS = """
    WITH told AS (
        SELECT s.metric, s.mode, s.question_id, s.repeat, s.value, s.status, {precision} AS raw
        FROM run.scores s WHERE list_contains($judged::VARCHAR[], s.metric)
    ), question AS (
        SELECT metric, mode, question_id, count(value) AS n, count(*) AS asked,
               avg(value) AS mean, stddev_samp(value) AS sd, min(value) AS low, max(value) AS high,
               count(*) FILTER (value >= $threshold) AS passed,
               count(*) FILTER (status IN ('scored', 'error')) AS tried,
               bool_and(status = 'not_applicable') AS not_applicable,
               bool_and(status = 'undefined') AS undefined,
               avg(coalesce(value, 0)) FILTER (status IN ('scored', 'error')) AS least,
               avg(coalesce(value, 1)) FILTER (status IN ('scored', 'error')) AS most,
               avg(raw) FILTER (isfinite(raw)) AS precision
        FROM told GROUP BY metric, mode, question_id
    )
""".replace("{precision}", _PRECISION)
# se: of the mean of question means; pooled over questions with two values or more.
MODES = """{questions}
    SELECT metric, mode, count(*) AS total, count(*) FILTER (n > 0) AS n, avg(mean) AS mean,
           sum((n - 1) * sd * sd) FILTER (n > 1) / sum(n - 1) FILTER (n > 1) AS variance,
           sum(1 / n) FILTER (n > 0) / count(*) FILTER (n > 0) ** 2 AS part,
           min(low) AS low, max(high) AS high,
           coalesce(list(question_id ORDER BY question_id) FILTER (passed > 0 AND passed < n), [])
               AS flipped,
           min(n) AS repeats, (sum(asked) - sum(n))::BIGINT AS missing,
           count(*) FILTER (not_applicable) AS not_applicable,
           count(*) FILTER (undefined) AS undefined, sum(tried)::BIGINT AS tried,
           avg(least) AS least, avg(most) AS most,
           avg(sd) FILTER (n > 1) AS sd_mean, max(sd) FILTER (n > 1) AS sd_max,
           avg(precision) AS precision
    FROM question GROUP BY metric, mode
""".replace("{questions}", _QUESTIONS)
ERRORS = """
    SELECT s.metric, s.mode, {reason} AS code, count(*) AS n
    FROM run.scores s JOIN run.results r USING (mode, question_id)
    WHERE list_contains($judged::VARCHAR[], s.metric) AND s.status = 'error'
    GROUP BY ALL ORDER BY n DESC, code
""".replace("{reason}", _NO_ANSWER)
# Of the questions that every repeat has a value for.
MEANS = """{questions}, whole AS (
        SELECT metric, mode, question_id FROM (
            SELECT *, max(asked) OVER (PARTITION BY metric, mode) AS every FROM question
        ) WHERE n = asked AND asked = every
    ), numbered AS (
        SELECT t.metric, t.mode, t.value,
               row_number() OVER (PARTITION BY t.metric, t.mode, t.question_id ORDER BY t.repeat)
               AS number
        FROM told t SEMI JOIN whole w USING (metric, mode, question_id)
    ), each AS (
        SELECT metric, mode, number, avg(value) AS mean FROM numbered GROUP BY ALL
    )
    SELECT metric, mode, list(mean ORDER BY number) AS means FROM each GROUP BY ALL
""".replace("{questions}", _QUESTIONS)
BETWEEN = """{questions}, paired AS (
        SELECT b.metric, o.mode, o.mean - b.mean AS moved,
               b.n AS n, b.sd AS sd, o.n AS other_n, o.sd AS other_sd
        FROM question b JOIN question o USING (metric, question_id)
        WHERE b.mode = $base AND o.mode <> $base AND b.n > 0 AND o.n > 0
    )
    SELECT metric, mode, count(*) AS n, avg(moved) AS difference,
           sum((n - 1) * sd * sd) FILTER (n > 1) / sum(n - 1) FILTER (n > 1)
               * sum(1 / n) / count(*) ** 2 AS noise,
           sum((other_n - 1) * other_sd * other_sd) FILTER (other_n > 1)
               / sum(other_n - 1) FILTER (other_n > 1)
               * sum(1 / other_n) / count(*) ** 2 AS other_noise
    FROM paired GROUP BY ALL
""".replace("{questions}", _QUESTIONS)
UNPAIRED = """{questions}
    SELECT metric, mode, list(question_id ORDER BY question_id) AS ids FROM (
        SELECT m.metric, m.mode, a.question_id
        FROM (SELECT DISTINCT metric, mode FROM question WHERE mode <> $base) m
        JOIN question a ON a.metric = m.metric AND a.mode IN (m.mode, $base)
        GROUP BY ALL HAVING count(*) FILTER (a.n > 0) < 2
    ) GROUP BY ALL
""".replace("{questions}", _QUESTIONS)
# The last bin has no end: a judge that says 0 and 1 in turn has a sd of about 0.58.
BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
SPREADS = """{questions}
    SELECT metric, mode, CASE WHEN sd = 0 THEN 0 ELSE
           1 + len(list_filter($edges::DOUBLE[], lambda edge: edge > 0 AND sd > edge)) END AS bin,
           count(*) AS n
    FROM question WHERE sd IS NOT NULL GROUP BY ALL
""".replace("{questions}", _QUESTIONS)
WIDEST = """{questions}
    SELECT metric, mode, question_id, sd, mean, n,
           (SELECT list(t.value ORDER BY t.repeat) FROM told t WHERE t.metric = w.metric
            AND t.mode = w.mode AND t.question_id = w.question_id) AS repeats
    FROM (
        SELECT *, row_number() OVER (PARTITION BY metric ORDER BY sd DESC, mode, question_id)
               AS number
        FROM question WHERE sd > 0
    ) w WHERE number <= $most ORDER BY metric, number
""".replace("{questions}", _QUESTIONS)
# A judge says yes from the threshold on; the gate says yes at 1.
CROSSED = """
    SELECT j.metric, j.mode, j.high, g.passed, count(*) AS n FROM (
        SELECT metric, mode, question_id, avg(value) >= $threshold AS high
        FROM run.scores
        WHERE list_contains($judged::VARCHAR[], metric) AND value IS NOT NULL GROUP BY ALL
    ) j JOIN (
        SELECT mode, question_id, value = 1 AS passed
        FROM run.scores WHERE metric = $gate AND value IS NOT NULL
    ) g USING (mode, question_id) GROUP BY ALL
"""
