"""What the judge said and how far it can be trusted: means, repeats, agreement with the gates."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from math import isfinite
from statistics import fmean
from typing import TYPE_CHECKING

from ragdash.compare.intervals import Interval, wilson
from ragdash.compare.noise import ModeNoise, NoiseBetween, mode_noise, noise_between, spread
from ragdash.metrics import METRICS
from ragdash.views.query import Cursor, rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ragdash.views.query import Row

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
    found: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows(cursor, _SCORES, [list(JUDGED)]):
        found[row["metric"]][row["mode"]].append(row)
    return [
        JudgedMetric(name, _over_modes(found[name], modes, base))
        for name in JUDGED
        if any(_is_asked(row) for part in found[name].values() for row in part)
    ]


_MEASURED = ("scored", "error")
_SCORES = """
    SELECT s.metric, s.mode, s.question_id, s.value, s.status, s.reason, r.answer_status,
           TRY_CAST(s.evidence->>'$.average_precision' AS DOUBLE) AS precision
    FROM run.scores s JOIN run.results r USING (mode, question_id)
    WHERE list_contains(?::VARCHAR[], s.metric)
    ORDER BY s.metric, s.mode, s.question_id, s.repeat
"""


def _over_modes(
    by_mode: Mapping[str, list[Row]], modes: Sequence[str], base: str
) -> tuple[Judged, ...]:
    values = {mode: _repeats(by_mode.get(mode, ())) for mode in modes}
    return tuple(
        _judged(
            mode,
            by_mode.get(mode, ()),
            values[mode],
            None if mode == base else noise_between(values[base], values[mode]),
        )
        for mode in modes
    )


def repeats(cursor: Cursor) -> dict[str, dict[str, Repeats]]:
    """Return every value of the judge by metric, mode and question, in the order of the repeats."""
    found: dict[str, dict[str, Repeats]] = defaultdict(lambda: defaultdict(dict))
    for row in rows(
        cursor,
        "SELECT metric, mode, question_id, list(value ORDER BY repeat) AS repeats"
        " FROM run.scores WHERE list_contains(?::VARCHAR[], metric) AND reason <> 'not_judged'"
        " GROUP BY ALL",
        [list(JUDGED)],
    ):
        found[row["metric"]][row["mode"]][row["question_id"]] = row["repeats"]
    return found


def _repeats(found: Iterable[Row]) -> Repeats:
    """Return the values by question, in the order of the repeats."""
    values: Repeats = defaultdict(list)
    for row in found:
        values[row["question_id"]].append(row["value"])
    return dict(values)


def _judged(
    mode: str, found: Sequence[Row], values: Repeats, between: NoiseBetween | None
) -> Judged:
    errors = Counter(_reason(row) for row in found if row["status"] == "error")
    statuses: dict[str, set[str]] = defaultdict(set)
    for row in found:
        statuses[row["question_id"]].add(row["status"])
    sds = [s for one in values.values() if (s := spread(one, THRESHOLD).sd) is not None]
    return Judged(
        mode=mode,
        noise=mode_noise(values, THRESHOLD),
        total=len(values),
        not_applicable=sum(found == {"not_applicable"} for found in statuses.values()),
        undefined=sum(found == {"undefined"} for found in statuses.values()),
        errors=dict(errors.most_common()),
        tried=sum(row["status"] in _MEASURED for row in found),
        bounds=_bounds(found) if errors else None,
        sd_mean=fmean(sds) if sds else None,
        sd_max=max(sds, default=None),
        means=_means(values),
        precision=_precision(found),
        between=between,
    )


def _is_asked(row: Row) -> bool:
    return row["status"] in _MEASURED and _reason(row) != NO_ANSWER


def _reason(row: Row) -> str:
    missing = row["answer_status"] == "error" and row["status"] == "error"
    if missing and (row["metric"] in _OF_ANSWERS or row["reason"] == _NOT_RETRIEVED):
        return NO_ANSWER
    return str(row["reason"])


def _bounds(found: Iterable[Row]) -> Bounds | None:
    lows: dict[str, list[float]] = defaultdict(list)
    highs: dict[str, list[float]] = defaultdict(list)
    for row in found:
        if row["status"] in _MEASURED:
            lows[row["question_id"]].append(row["value"] or 0.0)
            highs[row["question_id"]].append(1.0 if row["value"] is None else row["value"])
    if not lows:
        return None
    return Bounds(fmean(map(fmean, lows.values())), fmean(map(fmean, highs.values())))


def _means(values: Repeats) -> tuple[float, ...]:
    most = max(map(len, values.values()), default=0)
    whole = [
        [v for v in one if v is not None]
        for one in values.values()
        if len(one) == most and None not in one
    ]
    return tuple(map(fmean, zip(*whole, strict=True)))


def _precision(found: Iterable[Row]) -> float | None:
    by_question: dict[str, list[float]] = defaultdict(list)
    for row in found:
        if row["precision"] is not None and isfinite(row["precision"]):
            by_question[row["question_id"]].append(row["precision"])
    return fmean(map(fmean, by_question.values())) if by_question else None


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
