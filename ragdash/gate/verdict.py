"""Hold a RUN:mode against rules, one checked rule each; what cannot be said is not a pass."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ragdash.compare.factors import Standing
from ragdash.compare.intervals import Interval
from ragdash.compare.noise import mode_noise
from ragdash.gate.rules import Rule, Threshold
from ragdash.metrics import BY_NAME
from ragdash.views import attacks, judge
from ragdash.views.compare import Column, deterministic, table
from ragdash.views.comparison import compared

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ragdash.views.compare import Cell
    from ragdash.views.comparison import Opened
    from ragdash.views.query import Cursor

# A judge's metric: its margin must exceed twice the standard error of its noise (metrics.md 5, 6).
_NOISE = 2
_REPEATS = 3


class Verdict(StrEnum):
    """What a rule says; the exit code of the whole is the worst: fail 1, the last two 2."""

    PASS = "pass"
    FAIL = "fail"
    UNSCORED = "unscored"
    NOT_COMPARABLE = "not_comparable"


@dataclass(frozen=True, slots=True)
class Checked:
    """One rule with what it was held against.

    `reason` is a code: why it is neither passed nor failed, empty otherwise. `value` is a share
    or, for non-inferiority, the paired difference other minus base; `interval` is of the value.
    `k` is None for a graded metric. `errors` counts questions (or attack rows) without a value,
    `by_people` those whose value is a person's and not the rule's.
    """

    rule: Rule
    verdict: Verdict
    reason: str
    value: float | None
    k: int | None
    n: int
    total: int
    errors: int
    interval: Interval | None
    deterministic: str
    by_people: int = 0


@dataclass(frozen=True, slots=True)
class Gated:
    """A RUN:mode against rules; `base` is None where no rule needed one and none was named."""

    ref: str
    base: str | None
    checks: tuple[Checked, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst of the rules: a failure before what cannot be said."""
        found = {one.verdict for one in self.checks}
        order = (Verdict.FAIL, Verdict.NOT_COMPARABLE, Verdict.UNSCORED)
        return next((one for one in order if one in found), Verdict.PASS)

    @property
    def exit_code(self) -> int:
        """0 passed, 1 failed, 2 not comparable or unscored."""
        return {Verdict.PASS: 0, Verdict.FAIL: 1}.get(self.verdict, 2)


def gate_questions(rules: Sequence[Rule], this: Opened, base: Opened | None) -> Gated:
    """Hold one mode of a run over questions against rules, the base only where they ask for it."""
    mode = this.side.mode.value
    columns = [Column(this.name, this.cursor, mode, this.people)]
    metrics = {rule.metric for rule in rules}
    paired, standing = _against(this, base, metrics)
    # Beside a base its own cells are the same, with a pair; they are not asked for twice.
    alone = paired or {
        row.name: row.cells[0] for row in table(columns, this.name, lambda _, __: False, metrics)
    }
    told = _Told(alone, paired, standing, judge.repeats(this.cursor, mode))
    return Gated(
        this.side.ref,
        base.side.ref if base else None,
        tuple(_of_questions(rule, told) for rule in rules),
    )


@dataclass(frozen=True, slots=True)
class _Told:
    """What a run says: its cells by metric, those beside the base, and the judge's repeats."""

    alone: Mapping[str, Cell]
    paired: Mapping[str, Cell]
    standing: Standing | None
    repeats: Mapping[str, judge.Repeats]


def _against(
    this: Opened, base: Opened | None, metrics: Collection[str]
) -> tuple[dict[str, Cell], Standing | None]:
    if base is None:
        return {}, None
    (found,) = compared([[base, this]], [base.name], metrics)
    cells = {row.name: cell for row in found.rows for cell in row.cells if cell.mode == this.name}
    return cells, found.standing


def _of_questions(rule: Rule, told: _Told) -> Checked:
    cell = told.alone.get(rule.metric)
    if rule.test is Threshold.NON_INFERIOR:
        return _non_inferior(rule, told, cell)
    if cell is None:
        return _unsaid(rule, None, "not_measured")
    reason = _unscored(rule, cell) or _noisy(rule, cell, told)
    return _unsaid(rule, cell, reason) if reason else _held(rule, cell)


def _unscored(rule: Rule, cell: Cell) -> str:
    """Return why a cell cannot be gated, empty where it can: a row without a value never passes."""
    if cell.errors or cell.low is not None:
        return "errors"
    if not cell.n:
        return "nothing_scored"
    return "too_few" if cell.n < rule.min_scored else ""


def _noisy(rule: Rule, cell: Cell, told: _Told) -> str:
    """Return why a judge's metric cannot be gated: few repeats, or a margin within its noise."""
    if rule.metric not in judge.JUDGED or cell.value is None:
        return ""
    found = mode_noise(told.repeats.get(rule.metric, {}), judge.THRESHOLD)
    if found.repeats < _REPEATS or found.se is None:
        return "few_repeats"
    return "judge_noise" if abs(cell.value - rule.bound) <= _NOISE * found.se else ""


def _held(rule: Rule, cell: Cell) -> Checked:
    value = cell.value
    if rule.by_interval:
        if cell.interval is None:
            return _unsaid(rule, cell, "no_interval")
        value = cell.interval.low if rule.test is Threshold.MIN else cell.interval.high
    passed = value is not None and _passes(rule, value)
    return _checked(rule, cell, Verdict.PASS if passed else Verdict.FAIL)


def _passes(rule: Rule, value: float) -> bool:
    return value >= rule.bound if rule.test is Threshold.MIN else value <= rule.bound


def _non_inferior(rule: Rule, told: _Told, alone: Cell | None) -> Checked:
    """Hold the worse end of the paired interval against the loss that is allowed."""
    if told.standing is None:
        return _unsaid(rule, alone, "no_base", Verdict.NOT_COMPARABLE)
    if told.standing in (Standing.NOT_ATTRIBUTABLE, Standing.NOT_COMPARABLE):
        return _unsaid(rule, alone, told.standing.value, Verdict.NOT_COMPARABLE)
    cell = told.paired.get(rule.metric)
    reason = "not_measured" if cell is None else _unscored(rule, cell)
    if cell is None or reason:
        return _unsaid(rule, cell, reason)
    pair = cell.pair
    if pair is None or pair.delta is None or pair.n < rule.min_scored:
        return _unsaid(rule, cell, "too_few")
    if pair.interval is None:
        return _unsaid(rule, cell, "no_interval")
    if rule.metric in judge.JUDGED and (cell.noise is None or cell.noise.se is None):
        return _unsaid(rule, cell, "few_repeats")
    if (
        cell.noise is not None
        and cell.noise.se is not None
        and rule.bound <= _NOISE * cell.noise.se
    ):
        return _unsaid(rule, cell, "judge_noise")
    higher = BY_NAME[rule.metric].higher_is_better
    loss = -pair.interval.low if higher else pair.interval.high
    return Checked(
        rule=rule,
        verdict=Verdict.PASS if loss <= rule.bound else Verdict.FAIL,
        reason="",
        value=pair.delta,
        k=None,
        n=pair.n,
        total=cell.total,
        errors=cell.errors,
        interval=pair.interval,
        deterministic=deterministic(rule.metric),
        by_people=cell.by_people,
    )


def _unsaid(
    rule: Rule, cell: Cell | None, reason: str, verdict: Verdict = Verdict.UNSCORED
) -> Checked:
    if cell is not None:
        return _checked(rule, cell, verdict, reason)
    sure = deterministic(rule.metric) if rule.metric in BY_NAME else "yes"
    return Checked(rule, verdict, reason, None, None, 0, 0, 0, None, sure)


def _checked(rule: Rule, cell: Cell, verdict: Verdict, reason: str = "") -> Checked:
    return Checked(
        rule=rule,
        verdict=verdict,
        reason=reason,
        value=cell.value,
        k=cell.k,
        n=cell.n,
        total=cell.total,
        errors=cell.errors,
        interval=cell.interval,
        deterministic=deterministic(rule.metric),
        by_people=cell.by_people,
    )


def gate_attacks(rules: Sequence[Rule], ref: str, cursor: Cursor, policy: str, n: int) -> Gated:
    """Hold one policy of an attack run against rules.

    Args:
        rules: those of [[attacks]].
        ref: RUN:policy.
        cursor: over the run file.
        policy: one of its policies.
        n: how many cases the run promised; a rate over fewer is no rate.
    """
    found = attacks.rates(cursor).get(policy, {})
    failed = attacks.judged(cursor, _FAILED, [policy])[0]["n"]
    whole = attacks.missing_rows(cursor, n, (policy,)) == 0
    checks = (_of_attacks(rule, found.get(rule.metric), failed, whole=whole) for rule in rules)
    return Gated(ref, None, tuple(checks))


_FAILED = "SELECT count(*) AS n FROM judged WHERE state = 'error' AND policy = ?"


def _of_attacks(rule: Rule, found: attacks.Rate | None, failed: int, *, whole: bool) -> Checked:
    if found is None or found.rate is None or found.low is None or found.high is None:
        reason = "not_measured" if found is None else "nothing_scored"
        return Checked(rule, Verdict.UNSCORED, reason, None, None, 0, 0, failed, None, "yes")
    reason = "" if whole else "incomplete"
    reason = "errors" if failed else reason or ("too_few" if found.n < rule.min_scored else "")
    ends = {Threshold.MIN: found.low, Threshold.MAX: found.high}
    held = _passes(rule, ends[rule.test] if rule.by_interval else found.rate)
    verdict = Verdict.UNSCORED if reason else Verdict.PASS if held else Verdict.FAIL
    around = Interval(found.low, found.high)
    return Checked(
        rule, verdict, reason, found.rate, found.k, found.n, found.n + failed, failed, around, "yes"
    )
