"""What holds of a question: what its run file says, unless a person has said otherwise since.

The one place where people and results meet. Pages, gates, comparisons and exports select from the
relations below in place of `results` and `scores`, and so does the registry when it sums a run up:

    SELECT mode, outcome, count(*) FROM ({RESULTS}) GROUP BY ALL      with bound(people)

RESULTS, one row a (mode, question): `mode`, `question_id`, `outcome`, `rule_outcome`, `layer`,
`rule_layer`, `verdict` and `reviewer` (a person's layer verdict), `flag`, `caliber_reviewed`,
`caliber_rule` (core.spot_check.RuleVerdict), `caliber_told` (why, where the numeric gate told and
not the rule: core.spot_check.gate_told), `caliber_verdict` and `caliber_reviewer` (a person's,
unclear ones too), `caliber_disputed`, `by_person` (her verdict stands in the place of the
rule's), `outcome_by` and `layer_by` (whose word they are, NULL where it is the rule's).

SCORES, one row a score: the columns of `scores`, `value`, `status` and `reason` being those that
hold, with `rule_value`, `rule_status`, `rule_reason`, `by_person` and `caliber_reviewer`.

A caliber verdict decides where something was answered that could be answered and was measured. A
conflict makes the answer wrong. A fit makes it right where its figure is the gold's, or where there
is no gold figure: that a caliber fits makes no other figure right.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdash.core.spot_check import OTHER_CALIBER, SIBLING_CALIBER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ragdash.core.review import Review, Verdict
    from ragdash.core.spot_check import Fit, SpotCheck

Key = tuple[str, str]
PERSON_FITS, PERSON_CONFLICT = "person_fits", "person_conflict"
# The metrics in which a person has a say.
DECIDED = ("caliber", "answer_accuracy")

_SHAPE = json.dumps(
    [
        dict.fromkeys(
            ("mode", "question_id", "verdict", "reviewer", "fit", "caliber_reviewer", "answer"),
            "VARCHAR",
        )
        | dict.fromkeys(("flag", "disputed"), "BOOLEAN")
    ]
)
# A verdict on the layer moves a question between layers and leaves its outcome as it is. One on the
# caliber moves it to business only where the gold was visible: what was lost before stays the first
# failing layer (metrics.md section 4).
_RESULTS = """
    SELECT mode, question_id,
           CASE WHEN NOT by_person THEN rule_outcome WHEN fit = 'conflict' THEN 'wrong'
                WHEN rule_outcome = 'unscored' OR matched THEN 'correct'
                ELSE rule_outcome END AS outcome,
           rule_outcome,
           CASE WHEN verdict IS NOT NULL THEN nullif(verdict, 'no_fault')
                WHEN NOT by_person THEN rule_layer
                WHEN fit = 'conflict' AND coalesce(rule_layer, '')
                     NOT IN ('ingest', 'recall', 'ranking') THEN 'business'
                WHEN fit = 'fits' AND (rule_outcome = 'unscored' OR matched) THEN NULL
                ELSE rule_layer END AS layer,
           rule_layer, verdict, reviewer, flag, caliber_ruled OR by_person AS caliber_reviewed,
           CASE WHEN ruled <> 'not_checked' THEN ruled WHEN told IS NOT NULL THEN 'conflict'
                ELSE ruled END AS caliber_rule,
           CASE WHEN ruled = 'not_checked' THEN told END AS caliber_told,
           fit AS caliber_verdict,
           CASE WHEN fit IS NOT NULL THEN caliber_reviewer END AS caliber_reviewer,
           fit IS NOT NULL AND disputed AS caliber_disputed, by_person,
           CASE WHEN by_person AND (fit = 'conflict' OR rule_outcome = 'unscored' OR matched)
                THEN caliber_reviewer END AS outcome_by,
           CASE WHEN verdict IS NOT NULL THEN reviewer
                WHEN by_person AND layer IS DISTINCT FROM rule_layer THEN caliber_reviewer
                END AS layer_by
    FROM (
        SELECT *, coalesce(fit <> 'unclear' AND answer_status = 'answered' AND answerable
                  AND rule_outcome IN ('correct', 'wrong', 'unscored'), false) AS by_person
        FROM (
            SELECT r.mode, r.question_id, r.outcome AS rule_outcome, r.layer AS rule_layer,
                   r.answer_status, r.caliber_reviewed AS caliber_ruled,
                   coalesce(q.answerable, true) AS answerable,
                   p.verdict, p.reviewer, coalesce(p.flag, false) AS flag,
                   CASE WHEN p.fit IS NOT NULL AND p.answer = sha256(r.answer)
                        THEN p.fit END AS fit,
                   p.caliber_reviewer, coalesce(p.disputed, false) AS disputed,
                   coalesce(s.matched, r.outcome = 'correct') AS matched,
                   coalesce(s.rule, 'not_checked') AS ruled,
                   CASE WHEN r.answer_status = 'answered' THEN coalesce(
                       s.told, CASE WHEN r.layer = 'business' THEN '{sibling}' END) END AS told
            FROM {alias}.results r
            LEFT JOIN {alias}.questions q USING (question_id)
            LEFT JOIN (
                SELECT mode, question_id,
                       min(value) FILTER (metric = 'numeric_accuracy') = 1 AS matched,
                       min(CASE WHEN value = 1 THEN 'fits' WHEN value IS NOT NULL THEN 'conflict'
                           WHEN reason = 'needs_review' THEN 'needs_review' ELSE 'not_checked' END)
                       FILTER (metric = 'caliber') AS rule,
                       min(reason) FILTER (metric = 'numeric_accuracy' AND value = 0
                                           AND reason IN ({told})) AS told
                FROM {alias}.scores WHERE metric IN ('numeric_accuracy', 'caliber') GROUP BY ALL
            ) s USING (mode, question_id)
            LEFT JOIN (
                SELECT unnest(from_json(${alias}_people::JSON, '{shape}'), recursive := true)
            ) p USING (mode, question_id)
        )
    )
"""
_RESULTS = (
    _RESULTS.replace("{shape}", _SHAPE)
    .replace("{sibling}", SIBLING_CALIBER)
    .replace("{told}", ", ".join(f"'{reason}'" for reason in OTHER_CALIBER))
)
_SCORES = """
    SELECT * EXCLUDE (fit, said_by, mine)
           REPLACE (CASE WHEN NOT mine THEN value WHEN fit = 'fits' THEN 1.0 ELSE 0.0 END AS value,
                    CASE WHEN mine THEN 'scored' ELSE status END AS status,
                    CASE WHEN mine THEN 'person_' || fit ELSE reason END AS reason),
           value AS rule_value, status AS rule_status, reason AS rule_reason,
           mine AS by_person, CASE WHEN mine THEN said_by END AS caliber_reviewer
    FROM (
        SELECT s.*, e.caliber_verdict AS fit, e.caliber_reviewer AS said_by,
               coalesce(s.metric = 'caliber' OR (
                   s.metric = 'answer_accuracy' AND s.status = 'scored'
                   AND (e.caliber_verdict = 'conflict' OR e.outcome = 'correct')), false)
               AND e.mode IS NOT NULL AS mine
        FROM {alias}.scores s LEFT JOIN (
            SELECT mode, question_id, outcome, caliber_verdict, caliber_reviewer
            FROM ({results}) WHERE by_person
        ) e ON s.mode = e.mode AND s.question_id = e.question_id
    )
""".replace("{results}", _RESULTS)


def results_of(alias: str) -> str:
    """Return the relation of results of an attached file: `run`, `base` or `other`."""
    return _RESULTS.replace("{alias}", alias)


def scores_of(alias: str) -> str:
    """Return the relation of scores of an attached file: `run`, `base` or `other`."""
    return _SCORES.replace("{alias}", alias)


RESULTS, SCORES = results_of("run"), scores_of("run")


@dataclass(frozen=True, slots=True)
class Finding:
    """What people say of where one question was lost in one mode, taken together."""

    verdict: Verdict | None
    reviewer: str | None
    flag: bool


@dataclass(frozen=True, slots=True)
class CaliberFinding:
    """What people say of the caliber of one answer: the newest check that its author holds to.

    `disputed`: two people or more hold to checks of it that differ.
    """

    fit: Fit
    reviewer: str
    answer_digest: str
    disputed: bool


@dataclass(frozen=True, slots=True)
class People:
    """What people say of one version of a run, by (mode, question id)."""

    findings: Mapping[Key, Finding]
    calibers: Mapping[Key, CaliberFinding]

    def about(self, question_id: str) -> People:
        """Return what they say of one question."""
        return People(
            {key: said for key, said in self.findings.items() if key[1] == question_id},
            {key: said for key, said in self.calibers.items() if key[1] == question_id},
        )


NOBODY = People({}, {})


def people(reviews: Iterable[Review], checks: Iterable[SpotCheck]) -> People:
    """Return what stands of the reviews of one version of a run and of the checks of the run."""
    return People(_findings(reviews), _calibers(list(checks)))


def valid(reviews: Iterable[Review]) -> list[Review]:
    """Return the reviews that their authors still hold to, the oldest first."""
    kept = sorted(reviews, key=lambda review: review.number)
    gone = {review.supersedes for review in kept}
    return [review for review in kept if review.number not in gone]


def valid_checks(checks: Iterable[SpotCheck]) -> list[SpotCheck]:
    """Return the checks that their authors still hold to, the oldest first."""
    kept = sorted(checks, key=lambda check: check.number)
    gone = {check.supersedes for check in kept}
    return [check for check in kept if check.number not in gone]


def _findings(reviews: Iterable[Review]) -> dict[Key, Finding]:
    """The newest valid verdict decides; a question is flagged while any valid review flags it."""
    found: dict[Key, Finding] = {}
    for review in valid(reviews):
        key = (review.key.mode, review.key.question_id)
        before = found.get(key, Finding(None, None, flag=False))
        said = review.opinion
        found[key] = Finding(
            said.verdict or before.verdict,
            review.reviewer if said.verdict else before.reviewer,
            said.flag or before.flag,
        )
    return found


def _calibers(checks: list[SpotCheck]) -> dict[Key, CaliberFinding]:
    """The newest valid check decides, also where it is unclear: then the rule's word holds."""
    _, differ = disputed_checks(checks)
    found: dict[Key, CaliberFinding] = {}
    for check in valid_checks(checks):
        key = (check.key.mode, check.key.question_id)
        found[key] = CaliberFinding(
            check.judgement.fit, check.reviewer, check.answer_digest, key in differ
        )
    return found


def disputed(reviews: Iterable[Review]) -> tuple[int, frozenset[Key]]:
    """Return how many (mode, question id) two people or more judged, and those they differ on.

    Each person counts with the newest verdict that she holds to.
    """
    held: dict[Key, dict[str, str]] = {}
    for review in valid(reviews):
        if review.opinion.verdict is not None:
            by = held.setdefault((review.key.mode, review.key.question_id), {})
            by[review.reviewer] = review.opinion.verdict.value
    return _differing(held)


def disputed_checks(checks: Iterable[SpotCheck]) -> tuple[int, frozenset[Key]]:
    """Return how many (mode, question id) two people or more checked, and those they differ on.

    Each person counts with the check that she holds to, also an unclear one.
    """
    held: dict[Key, dict[str, str]] = {}
    for check in valid_checks(checks):
        by = held.setdefault((check.key.mode, check.key.question_id), {})
        by[check.reviewer] = check.judgement.fit.value
    return _differing(held)


def _differing(held: Mapping[Key, Mapping[str, str]]) -> tuple[int, frozenset[Key]]:
    shared = {key: set(by.values()) for key, by in held.items() if len(by) > 1}
    return len(shared), frozenset(key for key, said in shared.items() if len(said) > 1)


def bound(said: People, alias: str = "run") -> dict[str, Any]:
    """Return the value that the relations of an attached file bind, by its name."""
    none = Finding(None, None, flag=False)
    rows = []
    for key in dict.fromkeys([*said.findings, *said.calibers]):
        finding, caliber = said.findings.get(key, none), said.calibers.get(key)
        row: dict[str, Any] = {"mode": key[0], "question_id": key[1]}
        row |= {"verdict": finding.verdict and finding.verdict.value}
        row |= {"reviewer": finding.reviewer, "flag": finding.flag}
        if caliber is not None:
            row |= {"fit": caliber.fit.value, "caliber_reviewer": caliber.reviewer}
            row |= {"answer": caliber.answer_digest, "disputed": caliber.disputed}
        rows.append(row)
    return {f"{alias}_people": json.dumps(rows, ensure_ascii=False)}
