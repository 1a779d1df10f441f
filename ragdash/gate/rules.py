"""The rules of a gate: a TOML file of [[questions]] and [[attacks]], each naming one threshold.

    [[questions]]
    metric = "answer_accuracy"
    non_inferior = 0.05        # or min = 0.80, or max = 0.10 for a cost
    by = "interval"            # min and max: the 95% interval's end; default "value"
    min_scored = 30            # fewer scored questions say nothing

An unknown key or name, a threshold of the wrong direction and a metric that cannot be gated are
refused with the line of the rule.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ragdash.core.errors import InputError
from ragdash.core.score import MetricKind
from ragdash.metrics import BY_NAME

if TYPE_CHECKING:
    from pathlib import Path

# Rates of an attack run, and whether more of it is better.
ATTACK_RATES = {
    "attack_success": False,
    "other_failure": False,
    "unsafe_action": False,
    "unsupported_claim": False,
    "citation_failure": False,
    "over_abstention": False,
    "abstention": False,
    "correct_abstention": True,
    "coverage": True,
    "selective_accuracy": True,
    "utility": True,
    "utility_under_attack": True,
}
_LIMIT = 1_000_000
_TABLE = re.compile(r"^[ \t]*\[\[[ \t]*(questions|attacks)[ \t]*\]\]", re.MULTILINE)


class Threshold(StrEnum):
    """What a rule asks of a metric."""

    MIN = "min"
    MAX = "max"
    NON_INFERIOR = "non_inferior"


@dataclass(frozen=True, slots=True)
class Rule:
    """One threshold; `bound` is a share, or for non-inferiority the loss that is still allowed.

    `by_interval` holds the end of the 95% interval against the bound, not the value itself.
    """

    metric: str
    test: Threshold
    bound: float
    by_interval: bool
    min_scored: int


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one file, for runs over questions and for runs of attacks."""

    questions: tuple[Rule, ...]
    attacks: tuple[Rule, ...]


Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class _Rule(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    metric: Annotated[str, Field(min_length=1, max_length=100)]
    min: Share | None = None
    max: Share | None = None
    non_inferior: Share | None = None
    by: Literal["value", "interval"] = "value"
    min_scored: Annotated[int, Field(ge=1, le=1_000_000)] = 1

    @model_validator(mode="after")
    def _one_threshold(self) -> Self:
        given = [test for test in Threshold if getattr(self, test.value) is not None]
        if len(given) != 1:
            named = " and ".join(test.value for test in given) or "none"
            raise ValueError(f"a rule holds one of min, max and non_inferior, this one {named}")
        if given[0] is Threshold.NON_INFERIOR and "by" in self.model_fields_set:
            raise ValueError("non_inferior is always read from the interval: leave `by` out")
        return self

    def rule(self) -> Rule:
        test = next(test for test in Threshold if getattr(self, test.value) is not None)
        bound = float(getattr(self, test.value))
        return Rule(self.metric, test, bound, self.by == "interval", self.min_scored)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    questions: list[_Rule] = []
    attacks: list[_Rule] = []


def load_rules(path: Path) -> Rules:
    """Read a file of rules.

    Raises:
        InputError: it cannot be read, or holds what is no rule; the line is named.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"the rules {path} cannot be read: {error.strerror}") from error
    if len(data) > _LIMIT:
        raise InputError(f"the rules {path} have {len(data):,} bytes: at most {_LIMIT:,}")
    try:
        text = data.decode("utf-8-sig")
        found = _File.model_validate(tomllib.loads(text))
    except UnicodeDecodeError as error:
        raise InputError(f"the rules {path} are not UTF-8 at byte {error.start}") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"the rules {path} are not TOML: {error}") from error
    except ValidationError as error:
        raise InputError(_sentence(path, text, error)) from error
    rules = Rules(*(tuple(r.rule() for r in part) for part in (found.questions, found.attacks)))
    if not rules.questions and not rules.attacks:
        raise InputError(f"the rules {path} hold no [[questions]] and no [[attacks]]: write one")
    for at, rule in enumerate(rules.questions):
        _refuse(path, text, ("questions", at), _question_fault(rule))
    for at, rule in enumerate(rules.attacks):
        _refuse(path, text, ("attacks", at), _attack_fault(rule))
    return rules


def _refuse(path: Path, text: str, where: tuple[str, int], fault: str) -> None:
    if fault:
        raise InputError(f"{_place(path, text, *where)}: {fault}")


def _question_fault(rule: Rule) -> str:
    metric = BY_NAME.get(rule.metric)
    if metric is None:
        return _unknown(rule.metric, list(BY_NAME))
    if metric.kind is MetricKind.SIGNAL and "judge" not in metric.inputs:
        return f"{rule.metric} is a similarity, a direction only: it cannot be gated"
    return _direction_fault(rule, higher_is_better=metric.higher_is_better)


def _attack_fault(rule: Rule) -> str:
    if rule.metric not in ATTACK_RATES:
        return _unknown(rule.metric, list(ATTACK_RATES))
    if rule.test is Threshold.NON_INFERIOR:
        return "non_inferior is for [[questions]]: attack rules take min or max"
    return _direction_fault(rule, higher_is_better=ATTACK_RATES[rule.metric])


def _direction_fault(rule: Rule, *, higher_is_better: bool) -> str:
    if rule.test is Threshold.MIN and not higher_is_better:
        return f"less of {rule.metric} is better: write max, not min"
    if rule.test is Threshold.MAX and higher_is_better:
        return f"more of {rule.metric} is better: write min, not max"
    return ""


def _unknown(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, 1)
    hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}"
    return f"metric {name!r} does not exist: {hint}"


def _sentence(path: Path, text: str, error: ValidationError) -> str:
    first = error.errors()[0]
    parts = list(first["loc"])
    where = _place(path, text, *parts[:2]) if len(parts) > 1 else f"the rules {path}"
    key = ".".join(str(part) for part in (parts[2:] if len(parts) > 1 else parts))
    if first["type"] == "extra_forbidden":
        known = list(_Rule.model_fields) if len(parts) > 1 else list(_File.model_fields)
        close = get_close_matches(key, known, 1)
        hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}"
        return f"{where}: key {key!r} does not exist: {hint}"
    message = first["msg"].removeprefix("Value error, ")
    return f"{where}: {f'{key}: ' if key else ''}{message}"


def _place(path: Path, text: str, table: Any, at: Any) -> str:
    """Return file and line of the at-th rule of a table; without a line where it is inline."""
    starts = [m.start() for m in _TABLE.finditer(text) if m[1] == table]
    if not isinstance(at, int) or at >= len(starts):
        return f"{path}, {table}"
    return f"{path}:{text.count(chr(10), 0, starts[at]) + 1}"
