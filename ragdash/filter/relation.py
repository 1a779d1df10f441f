"""What a filter is asked of: one row a (mode, question) with everything that has a field.

People's say is in it (store/effective.py). `change` is there where a base is attached, of each mode
against `$base_mode`, or against the same mode where that is NULL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.store.effective import NOBODY, RESULTS, SCORES, bound, scores_of

if TYPE_CHECKING:
    from ragdash.store.effective import People

HEADLINE = "answer_accuracy"
# A judge metric is flaky where its repeats lie on both sides of this.
THRESHOLD = 0.5

# NULL on one side is not comparable; a gate whose more is worse is not the headline.
_MOVED = """
    SELECT r.mode, r.question_id, CASE
        WHEN n.known IS NULL AND b.known IS NULL THEN NULL
        WHEN n.value IS NULL OR b.value IS NULL THEN 'not_comparable'
        WHEN n.value > b.value THEN 'improved' WHEN n.value < b.value THEN 'regressed'
        ELSE 'same' END AS change
    FROM run.results r
    LEFT JOIN (SELECT mode, question_id, avg(value) AS value, true AS known
               FROM ({now})
               WHERE metric = '{headline}' GROUP BY ALL) n USING (mode, question_id)
    LEFT JOIN (SELECT mode, question_id, avg(value) AS value, true AS known
               FROM ({before})
               WHERE metric = '{headline}' GROUP BY ALL) b
    ON b.question_id = r.question_id AND b.mode = coalesce($base_mode, r.mode)
"""
MOVED = (
    _MOVED.replace("{now}", SCORES)
    .replace("{before}", scores_of("base"))
    .replace("{headline}", HEADLINE)
)
UNMOVED = (
    "SELECT NULL::VARCHAR AS mode, NULL::VARCHAR AS question_id, NULL::VARCHAR AS change "
    "WHERE false"
)
FLAKY = """
    SELECT DISTINCT mode, question_id, true AS flaky FROM (
        SELECT mode, question_id FROM run.scores
        WHERE value IS NOT NULL AND metric IN (SELECT metric FROM run.scores WHERE repeat > 0)
        GROUP BY mode, question_id, metric
        HAVING min(value) < {threshold} AND max(value) >= {threshold}
    )
""".replace("{threshold}", str(THRESHOLD))
_ROWS = """
    SELECT e.mode, e.question_id, q.position, e.outcome, e.rule_outcome,
           coalesce(e.layer, 'none') AS layer, coalesce(e.rule_layer, 'none') AS rule_layer,
           CASE WHEN e.by_person THEN e.caliber_verdict ELSE e.caliber_rule END AS caliber,
           coalesce(e.verdict, 'none') AS verdict,
           e.verdict IS NOT NULL OR e.by_person AS reviewed,
           e.caliber_verdict IS NOT NULL AS checked, e.caliber_disputed AS disputed, e.flag,
           nullif(concat_ws(chr(10), e.reviewer, e.caliber_reviewer), '') AS reviewer,
           coalesce(m.change, 'none') AS change, coalesce(k.flaky, false) AS flaky,
           coalesce(w.flips, []) AS flips,
           e.outcome NOT IN ('correct', 'abstained_right') AS failed,
           coalesce(r.evidence_visible, false) AS seen, q.answerable, r.answer_status,
           r.diagnosis_reason AS reason, q.company, q.period, q.lang, q.kind, q.text AS question,
           r.answer, nullif(q.gold_text, '') AS gold,
           chr(10) || array_to_string(q.evidence ->> '$[*].doc_id', chr(10)) || chr(10) AS doc,
           r.gold_final_rank AS rank, r.gold_dense_rank AS dense_rank,
           r.gold_bm25_rank AS bm25_rank, r.gold_fused_rank AS fused_rank,
           r.gold_rerank_rank AS rerank_rank,
           CASE WHEN coalesce(r.retrieve_seconds, r.generate_seconds) IS NOT NULL
                THEN coalesce(r.retrieve_seconds, 0) + coalesce(r.generate_seconds, 0) END
           AS seconds, coalesce(c.n, 0) AS citations
    FROM ({results}) e
    JOIN run.questions q USING (question_id)
    JOIN run.results r ON r.mode = e.mode AND r.question_id = e.question_id
    LEFT JOIN ({moved}) m ON m.mode = e.mode AND m.question_id = e.question_id
    LEFT JOIN ({flaky}) k ON k.mode = e.mode AND k.question_id = e.question_id
    LEFT JOIN ({flips}) w ON w.mode = e.mode AND w.question_id = e.question_id
    LEFT JOIN ({citations}) c
    ON c.mode = e.mode AND c.question_id = e.question_id
""".replace("{results}", RESULTS)
_FLIPS = """
    SELECT mode, question_id, list(metric) AS flips FROM (
        SELECT mode, question_id, metric FROM run.scores WHERE value IS NOT NULL
        GROUP BY mode, question_id, metric
        HAVING min(value) < {threshold} AND max(value) >= {threshold}
    ) GROUP BY ALL
""".replace("{threshold}", str(THRESHOLD))
_CITED = "SELECT mode, question_id, count(*) AS n FROM run.citations GROUP BY ALL"
_NONE = "SELECT NULL::VARCHAR AS mode, NULL::VARCHAR AS question_id, {column} WHERE false"
_OPTIONAL = (
    ("flips", _FLIPS, "NULL::VARCHAR[] AS flips"),
    ("flaky", FLAKY, "false AS flaky"),
    ("citations", _CITED, "0 AS n"),
)
MEANS = f"""
    SELECT mode, question_id, metric, avg(value) AS mean, list(DISTINCT status) AS statuses
    FROM ({SCORES}) GROUP BY ALL
"""  # noqa: S608 - a relation of ours
UNPASSED = """
    SELECT NULL::VARCHAR AS mode, NULL::VARCHAR AS question_id, NULL::VARCHAR AS stage,
           false AS correct, NULL::VARCHAR[] AS passed, NULL::VARCHAR[] AS missed WHERE false
"""
_HELD = """
    WITH f AS ({rows}), means AS ({means}), passages AS ({passages})
    SELECT f.mode, f.question_id FROM f WHERE {condition}
""".replace("{means}", MEANS)


def held(condition: str, *, paired: bool = False, passages: str = UNPASSED) -> str:
    """Return the query for mode and question id of the rows that a condition holds for.

    Args:
        condition: of `compiler.compile`.
        paired: whether a base is attached.
        passages: the relation of views/passage.py; without it `lost:` and `kept:` hold for none.
    """
    # What nobody asks for is not joined: the planner cannot know that a join keeps every row.
    is_moved = paired and "f.change" in condition
    rows = _ROWS.replace("{moved}", MOVED if is_moved else UNMOVED)
    for name, relation, column in _OPTIONAL:
        needed = relation if f"f.{name}" in condition else _NONE.replace("{column}", column)
        rows = rows.replace("{" + name + "}", needed)
    query = _HELD.replace("{rows}", rows).replace("{passages}", passages)
    return query.replace("{condition}", condition)


def asked(said: People = NOBODY, base: tuple[str | None, People] | None = None) -> dict[str, Any]:
    """Return the values that `held` binds beside those of its condition.

    Args:
        said: what people say of the run.
        base: where the condition asks for changes, the mode of the base (None for the same as each
            row's) and what people say of it.
    """
    values = bound(said)
    if base is not None:
        values |= {"base_mode": base[0], **bound(base[1], "base")}
    return values
