"""What the judge said and how far it can be trusted: means, repeats, agreement with the gates."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

from ragdash.compare.intervals import Interval, wilson
from ragdash.compare.noise import ModeNoise, NoiseBetween, within_noise
from ragdash.metrics import METRICS
from ragdash.views import judge_facts as facts
from ragdash.views.query import Cursor, Row, rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

JUDGED = tuple(metric.name for metric in METRICS if "judge" in metric.inputs)
THRESHOLD = 0.5
FAITHFULNESS, GATE = "faithfulness", "numeric_accuracy"
# The answer itself is missing, so that its judge had nothing to read.
NO_ANSWER = "no_answer"
_NOT_RETRIEVED = "retrieval_failed"
_OF_ANSWERS = frozenset(metric.name for metric in METRICS if metric.of_answers)

Repeats = dict[str, list[float | None]]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The mean with every failed measurement counted as 0 and as 1."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Judged:
    """One judge metric in one mode; a question's repeats count once, as their mean.

    `total` counts questions, `noise.n` those with a value; `not_applicable` and `undefined` are
    questions too. `errors` counts single measurements by reason, of `tried` that had a value or
    failed. `sd_mean` and `sd_max` are over the questions with two values or more. `means` are those
    of each repeat over the questions that every repeat has a value for. `precision` is the mean
    average precision of graded chunks, None where no chunks were graded.
    """

    mode: str
    noise: ModeNoise
    total: int
    not_applicable: int
    undefined: int
    errors: Mapping[str, int]
    tried: int
    bounds: Bounds | None
    sd_mean: float | None
    sd_max: float | None
    means: tuple[float, ...]
    precision: float | None
    between: NoiseBetween | None


@dataclass(frozen=True, slots=True)
class JudgedMetric:
    """One judge metric over the modes, in display order of the modes."""

    name: str
    modes: tuple[Judged, ...]


@dataclass(frozen=True, slots=True)
class Failures:
    """Measurements of the judge that failed, of those tried; missing answers are not counted."""

    failed: int
    tried: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """Faithfulness beside the numeric gate in one mode, over answers that the gate decided.

    `passed` of `gated` answers have the gold figure. Ids are in the order of the set: `believed`
    failed the gate and every repeat found each claim supported, of `failed_judged` that failed it
    and have a value; `doubted` passed it and have less than 1, of `passed_judged`. `mean` is the
    faithfulness of the `judged` ones.
    """

    mode: str
    gated: int
    passed: int
    judged: int
    mean: float | None
    failed_judged: int
    believed: tuple[str, ...]
    passed_judged: int
    doubted: tuple[str, ...]

    @property
    def believed_interval(self) -> Interval | None:
        """The 95% interval of the share of failed answers that were found faithful."""
        return wilson(len(self.believed), self.failed_judged)

    @property
    def doubted_interval(self) -> Interval | None:
        """The 95% interval of the share of right answers that were found less than faithful."""
        return wilson(len(self.doubted), self.passed_judged)


def signals(cursor: Cursor, modes: Sequence[str], base: str) -> list[JudgedMetric]:
    """Return every judge metric that was asked for, each mode against the base.

    A metric with neither a value nor an error of the judge was not asked for and is left out.
    """
    told = {(row["metric"], row["mode"]): row for row in rows(cursor, facts.MODES, of_questions())}
    errors: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for row in rows(cursor, facts.ERRORS, _of_errors()):
        errors[row["metric"], row["mode"]][row["code"]] = row["n"]
    means = {
        (row["metric"], row["mode"]): tuple(row["means"])
        for row in rows(cursor, facts.MEANS, of_questions())
    }
    between = _between(cursor, base)
    return [
        JudgedMetric(
            name,
            tuple(
                _judged(
                    mode,
                    told.get((name, mode), _NOTHING),
                    errors[name, mode],
                    means.get((name, mode), ()),
                    None if mode == base else between.get((name, mode), _UNCOMPARED),
                )
                for mode in modes
            ),
        )
        for name in JUDGED
        if any(_is_asked(told[key], errors[key]) for key in told if key[0] == name)
    ]


_NOTHING: Row = {
    **dict.fromkeys(("total", "n", "repeats", "missing", "not_applicable", "undefined"), 0),
    **dict.fromkeys(("mean", "variance", "part", "low", "high", "least", "most"), None),
    **dict.fromkeys(("sd_mean", "sd_max", "precision"), None),
    "flipped": [],
    "tried": 0,
}
_UNCOMPARED = NoiseBetween(0, (), None, None, None)


def of_questions() -> dict[str, Any]:
    """Return what the queries of views/judge_facts.py bind that begin with a row a question."""
    return {"judged": list(JUDGED), "threshold": THRESHOLD}


def _of_errors() -> dict[str, Any]:
    return {
        "judged": list(JUDGED),
        "of_answers": sorted(_OF_ANSWERS),
        "not_retrieved": _NOT_RETRIEVED,
        "no_answer": NO_ANSWER,
    }


def _is_asked(told: Row, errors: Mapping[str, int]) -> bool:
    return bool(told["tried"] > errors.get(NO_ANSWER, 0))


def _between(cursor: Cursor, base: str) -> dict[tuple[str, str], NoiseBetween]:
    values = {**of_questions(), "base": base}
    unpaired = {
        (row["metric"], row["mode"]): tuple(row["ids"])
        for row in rows(cursor, facts.UNPAIRED, values)
    }
    found = {key: NoiseBetween(0, ids, None, None, None) for key, ids in unpaired.items()}
    for row in rows(cursor, facts.BETWEEN, values):
        key, parts = (row["metric"], row["mode"]), (row["noise"], row["other_noise"])
        se = None if None in parts else sqrt(sum(parts))
        within = None if se is None else within_noise(row["difference"], se)
        ids = unpaired.get(key, ())
        found[key] = NoiseBetween(row["n"], ids, row["difference"], se, within)
    return found


def _judged(
    mode: str,
    told: Row,
    errors: Mapping[str, int],
    means: tuple[float, ...],
    between: NoiseBetween | None,
) -> Judged:
    variance, part = told["variance"], told["part"]
    return Judged(
        mode=mode,
        noise=ModeNoise(
            n=told["n"],
            mean=told["mean"],
            sd=None if variance is None else sqrt(variance),
            se=None if variance is None else sqrt(variance * part),
            low=told["low"],
            high=told["high"],
            flipped=tuple(told["flipped"]),
            repeats=told["repeats"],
            missing=told["missing"],
        ),
        total=told["total"],
        not_applicable=told["not_applicable"],
        undefined=told["undefined"],
        errors=errors,
        tried=told["tried"],
        bounds=Bounds(told["least"], told["most"]) if errors and told["tried"] else None,
        sd_mean=told["sd_mean"],
        sd_max=told["sd_max"],
        means=means,
        precision=told["precision"],
        between=between,
    )


def repeats(cursor: Cursor, mode: str) -> dict[str, Repeats]:
    """Return every value of the judge in one mode by metric and question, in order of repeats."""
    found = rows(
        cursor,
        """
        WITH asked AS (
            SELECT metric, question_id, list(value ORDER BY repeat) AS repeats FROM run.scores
            WHERE mode = $mode AND list_contains($judged::VARCHAR[], metric)
              AND reason <> 'not_judged'
            GROUP BY ALL
        )
        SELECT metric, list(question_id) AS ids, list(repeats) AS repeats
        FROM asked GROUP BY metric ORDER BY metric
        """,
        {"mode": mode, "judged": list(JUDGED)},
    )
    return {row["metric"]: dict(zip(row["ids"], row["repeats"], strict=True)) for row in found}


def failures(cursor: Cursor) -> Failures:
    """Return how many of the judge's measurements failed."""
    (row,) = rows(
        cursor,
        """
        SELECT count(*) FILTER (s.status = 'error') AS failed, count(*) AS tried
        FROM run.scores s JOIN run.results r USING (mode, question_id)
        WHERE list_contains(?::VARCHAR[], s.metric) AND s.status IN ('scored', 'error')
          AND (s.status = 'scored' OR r.answer_status <> 'error'
               OR NOT (list_contains(?::VARCHAR[], s.metric) OR s.reason = ?))
        """,
        [list(JUDGED), sorted(_OF_ANSWERS), _NOT_RETRIEVED],
    )
    return Failures(row["failed"], row["tried"])


_AGREEMENT = """
    WITH gate AS (
        SELECT mode, question_id, value = 1 AS passed
        FROM run.scores WHERE metric = ? AND value IS NOT NULL
    ), judge AS (
        SELECT mode, question_id, avg(value) AS mean, min(value) = 1 AS whole
        FROM run.scores WHERE metric = ? AND value IS NOT NULL GROUP BY ALL
    )
    SELECT mode, count(*) AS gated, count(*) FILTER (passed) AS passed,
           count(mean) AS judged, avg(mean) AS mean,
           count(mean) FILTER (NOT passed) AS failed_judged,
           coalesce(list(question_id ORDER BY q.position) FILTER (NOT passed AND whole), [])
               AS believed,
           count(mean) FILTER (passed) AS passed_judged,
           coalesce(list(question_id ORDER BY q.position) FILTER (passed AND NOT whole), [])
               AS doubted
    FROM gate LEFT JOIN judge USING (mode, question_id)
    JOIN run.questions q USING (question_id)
    GROUP BY mode
"""


def agreement(cursor: Cursor, modes: Sequence[str]) -> list[Agreement]:
    """Return faithfulness beside the numeric gate, in the order of the modes."""
    found = {row["mode"]: row for row in rows(cursor, _AGREEMENT, [GATE, FAITHFULNESS])}
    for row in found.values():
        row["believed"], row["doubted"] = tuple(row["believed"]), tuple(row["doubted"])
    return [Agreement(**found[mode]) for mode in modes if mode in found]
