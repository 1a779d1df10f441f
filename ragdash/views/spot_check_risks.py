"""What makes another caliber likely for an answered question, read from what its run stored."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdash.caliber import asked_metric, find_scopes, find_terms, metric_key, read_period
from ragdash.core.question import QuestionKind
from ragdash.core.spot_check import Risk, RuleVerdict, gate_told, rule_verdict
from ragdash.views.query import Cursor, parsed, rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ragdash.views.query import Row

PREVIEW = 160
FAITHFUL = 0.8
NEAR = 0.1
# Longer answers are read this far: a figure and its label stand in the first lines.
_READ = 2_000
_PARTS = frozenset({"segment", "product", "region"})
_ATTRIBUTIONS = frozenset({"归母", "扣非"})
_RESTATED = re.compile(r"追溯|重述|调整前|调整后|经重列|(?i:restate|recast|as previously reported)")
# 归属于母公司 is another thing than the statements of the parent company alone.
_PARENT_STATEMENT = (
    r"(^|[^于属])母公司(的)?(资产负债表|利润表|现金流量表|所有者权益变动表|股东权益变动表|财务报表"
    r"|报表|口径|净利润|营业收入)"
    r"|(?i)parent[ -]company[ -](only|statement|financial|balance)"
    r"|(?i)condensed financial information of (the )?(parent|registrant)"
)
# The rule's own row, and never what people say: the queue must not depend on them.
_ANSWERED = """
    WITH signal AS (
        SELECT question_id, metric, avg(value) AS value
        FROM run.scores WHERE mode = $mode AND value IS NOT NULL
             AND metric IN ('faithfulness', 'faithfulness_similarity')
        GROUP BY ALL
    ), parent AS (
        SELECT c.question_id, bool_or(regexp_matches(k.section || '\n' || k.text, $parent)) AS held
        FROM run.candidates c JOIN run.chunks k USING (chunk_id)
        WHERE c.mode = $mode AND c.in_context GROUP BY ALL
    )
    SELECT q.position, q.question_id, q.text[:$preview] AS text, length(q.text) AS length,
           q.text[:$read] AS asked, q.lang, q.company, q.period, q.kind, q.note, q.gold,
           q.evidence, r.answer[:$read] AS answer, sha256(r.answer) AS answer_digest, r.outcome,
           r.layer, n.value AS number, coalesce(n.reason, '') AS number_reason,
           CASE WHEN n.value = 0 THEN n.evidence END AS numbers,
           c.value AS caliber, coalesce(c.reason, '') AS caliber_reason,
           coalesce(f.value, s.value) AS faithful, coalesce(parent.held, false) AS parent_seen
    FROM run.results r
    JOIN run.questions q USING (question_id)
    LEFT JOIN run.scores n ON n.mode = r.mode AND n.question_id = r.question_id
         AND n.metric = 'numeric_accuracy' AND n.repeat = 0
    LEFT JOIN run.scores c ON c.mode = r.mode AND c.question_id = r.question_id
         AND c.metric = 'caliber' AND c.repeat = 0
    LEFT JOIN signal f ON f.question_id = r.question_id AND f.metric = 'faithfulness'
    LEFT JOIN signal s ON s.question_id = r.question_id AND s.metric = 'faithfulness_similarity'
    LEFT JOIN parent ON parent.question_id = r.question_id
    WHERE r.mode = $mode AND r.answer_status = 'answered'
    ORDER BY q.position
"""


@dataclass(frozen=True, slots=True)
class Item:
    """One answered question; `text` is cut to 160 characters, `length` is that of the whole.

    `answer_digest` is the SHA-256 (hex) of the answer: a check holds for no other.
    `number_right` is the numeric gate's verdict, None where it gave none. `rule` and `outcome` are
    the code's own, whatever people say. `risks` are in the order of core.spot_check.Risk, (none,)
    where nothing makes another caliber likely.
    """

    question_id: str
    position: int
    text: str
    length: int
    lang: str
    company: str | None
    period: str | None
    kind: str
    outcome: str
    answer_digest: str
    number_right: bool | None
    rule: RuleVerdict
    risks: tuple[Risk, ...]


def answered(cursor: Cursor, mode: str) -> tuple[Item, ...]:
    """Return every answered question of a mode with its risks, in the order of the set."""
    periods = {
        row["doc_id"]: row["period"]
        for row in rows(cursor, "SELECT doc_id, period FROM run.sources")
    }
    values = {"mode": mode, "preview": PREVIEW, "read": _READ, "parent": _PARENT_STATEMENT}
    names = ("question_id", "position", "text", "length", "lang", "company", "period", "kind")
    return tuple(
        Item(
            **{name: row[name] for name in names},
            outcome=row["outcome"],
            answer_digest=row["answer_digest"],
            number_right=None if row["number"] is None else row["number"] == 1,
            rule=_rule(row),
            risks=risks_of(row, periods),
        )
        for row in rows(cursor, _ANSWERED, values)
    )


def _rule(row: Row) -> RuleVerdict:
    told = gate_told(row["number"], row["number_reason"], row["layer"])
    return rule_verdict(row["caliber"], row["caliber_reason"], told)


def risks_of(row: Row, periods: Mapping[str, str | None]) -> tuple[Risk, ...]:
    """Return the risks of one row, or (none,).

    Args:
        row: as `answered` reads it.
        periods: the reporting period of each document of the run.
    """
    golds = [gold for gold in parsed(row["gold"]) or () if isinstance(gold, dict)]
    texts = (row["asked"], row["answer"])
    scopes = {scope for text in texts for scope, _ in find_scopes(text)}
    found = {
        Risk.COMPARISON: row["kind"] == QuestionKind.COMPARE,
        Risk.PART_OF_TOTAL: bool(scopes & _PARTS)
        or any(_is_of_a_part(gold, str(row["kind"])) for gold in golds),
        Risk.PARENT_OR_GROUP: "parent" in scopes
        or row["parent_seen"]
        or any(gold.get("scope") == "parent" for gold in golds),
        Risk.ATTRIBUTION: any(gold.get("attribution") for gold in golds)
        or any(hit.attribution in _ATTRIBUTIONS for text in texts for hit in find_terms(text)),
        Risk.RESTATED: _is_restated(row, golds, periods),
        Risk.NEAR_MISS: _is_near_miss(row),
        Risk.UNLABELLED: row["caliber"] is None and row["caliber_reason"] == "needs_review",
    }
    return tuple(risk for risk, holds in found.items() if holds) or (Risk.NONE,)


def _is_of_a_part(gold: Mapping[str, Any], kind: str) -> bool:
    """Return whether a gold figure is that of a part: by its scope, or by a narrowed metric."""
    if gold.get("scope") in ("segment", "product"):
        return True
    metric = gold.get("metric")
    # What narrows the metric of a calculation is the calculation (营业收入同比增长率).
    if kind == QuestionKind.COMPUTED or not isinstance(metric, str) or metric_key(metric):
        return False
    known = asked_metric(metric, gold.get("attribution"))
    return known.key is not None and bool(known.qualifier)


def _is_restated(
    row: Row, golds: Iterable[Mapping[str, Any]], periods: Mapping[str, str | None]
) -> bool:
    """Return whether the figure is that of a year before the report it stands in."""
    texts = (row["asked"], row["answer"], row["note"])
    if any(_RESTATED.search(text) for text in texts):
        return True
    reports = [_year(periods.get(str(page.get("doc_id")))) for page in parsed(row["evidence"])]
    known = [year for year in reports if year is not None]
    # Of several reports each may state its own year; the earliest one is the least surprising.
    return bool(known) and any(
        year is not None and year < min(known)
        for year in (_year(gold.get("period") or row["period"]) for gold in golds)
    )


def _year(period: str | None) -> int | None:
    return read_period(period)[0] if period else None


def _is_near_miss(row: Row) -> bool:
    """Return whether the figure is another caliber's, or nearly the gold's and faithful to a model.

    Near: within a tenth of a gold figure. That needs a model's signal; what the code read of
    another caliber needs none.
    """
    if _rule(row) is RuleVerdict.CONFLICT:
        return True
    if row["numbers"] is None or row["faithful"] is None or row["faithful"] < FAITHFUL:
        return False
    return any(error <= NEAR for error in _errors(parsed(row["numbers"])))


def _errors(evidence: object) -> Iterable[float]:
    """Yield how far each answered figure is from each gold figure, as the numeric gate kept it."""
    kept = evidence if isinstance(evidence, dict) else {}
    for amount in _dicts(kept.get("amounts")):
        if not amount.get("excluded"):
            yield from _error_of(_dicts(amount.get("against")))
    yield from _error_of(_dicts(kept.get("verdicts")))


def _error_of(weighed: Iterable[Mapping[str, Any]]) -> Iterable[float]:
    for one in weighed:
        if one.get("same") or one.get("verdict") == "match":
            continue
        try:
            yield float(str(one.get("relative_error")))
        except ValueError:
            continue


def _dicts(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
