"""Does an answer state the expected figure, or every figure of a comparison."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ragdash.amounts import Kind, Match, all_match, asked_unit, match_all, read_chunk, weigh
from ragdash.check.fields import judged_text, optional_text, shown
from ragdash.contract import read_refusal
from ragdash.core.errors import InputError
from ragdash.core.question import Gold
from ragdash.metrics.numeric import shown as shown_amount
from ragdash.questions import read_gold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.amounts import Amount, Verdict

Number = Decimal | int | float | str
"""A float is taken as Python prints it, a string is digits with a point and no grouping."""

_OF_GOLD = ("value", "unit", "tolerance", "decimals", "metric", "scope", "attribution", "period")
_SCALE = re.compile(
    r"\A(?:[十百千万亿]+|(?:thousand|million|billion|trillion|mn|bn|[kmb])\s+)", re.I
)
_BY_KIND = (Kind.PERCENT, Kind.PP, Kind.RATIO, Kind.DAYS)


class NumberVerdict(StrEnum):
    """How an answer compares with the figures expected; only `match` is right."""

    MATCH = "match"
    MISMATCH = "mismatch"
    AMBIGUOUS = "ambiguous"
    NO_NUMBER = "no_number"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class NumberCheck:
    """The verdict on an answer, with a reason code and, for each gold in turn, its own verdict.

    `reason` is one of `ragdash.amounts.reasons.REASONS`, or "refused". `verdicts` is empty for a
    refusal. `amounts` is every number of the answer, with why it was left out in `excluded`.
    """

    verdict: NumberVerdict
    reason: str
    golds: tuple[Gold, ...]
    verdicts: tuple[Verdict, ...]
    amounts: tuple[Amount, ...]

    @property
    def match(self) -> bool:
        """Whether every expected figure is stated."""
        return self.verdict is NumberVerdict.MATCH

    @property
    def candidates(self) -> tuple[Amount | None, ...]:
        """For each gold the amount that was held against it, None where there was none."""
        return tuple(v.candidate for v in self.verdicts)


def check_numbers(  # noqa: PLR0913 - the keys of a line of `check numbers`
    answer: str,
    expected_value: Number | None = None,
    unit: str | None = None,
    *,
    tolerance: Number | None = None,
    decimals: int | None = None,
    gold: Sequence[Gold | Mapping[str, Any]] | None = None,
    question: str | None = None,
) -> NumberCheck:
    """Return whether an answer states the expected figure, read exactly and with its unit and sign.

        >>> check_numbers("营业收入为1,476.94亿元。", "147693604994.14", "CNY").verdict.value
        'match'
        >>> check_numbers("Revenue fell to $383 million.", 383285000000, "USD").reason
        'magnitude'

    Whether the answer declines is decided first (verdict refused). Then an amount matches that is
    of the gold's kind, currency (where both are stated) and sign, and lies within the tolerance,
    or equals the gold when rounded to `decimals`. With a question it must also stand under the
    asked metric, period, company and scope, and numbers without a unit are in the unit asked for.
    Source: the project's metric definitions, section 3; README, "How a number is judged".

    Args:
        answer: Chinese or English or both, citations and Markdown may stand in it.
        expected_value: in `unit`, so in yuan and not in 万元.
        unit: an ISO 4217 code (CNY), that per share (CNY/share), percent, pp, ratio, days, or a
            lower-case noun for counts (stores).
        tolerance: relative, 0 up to but not 1; 0.005 where None.
        decimals: how precisely the gold is stated, in its unit (-7: to ten million); None: exact.
        gold: instead of `expected_value` the figures of a comparison, each a Gold or a mapping
            with the keys of a question file (value, unit, metric, scope, period, ...). Each must
            be met by an amount of its own. Where one names no unit, tolerance or decimals, the
            arguments of these names hold.
        question: what was asked.

    Raises:
        InputError: the answer is empty, which is neither an answer nor a refusal; a number is not
            finite or no number, the unit is unknown, the tolerance negative.
    """
    answer = judged_text(answer, "answer")
    asked = optional_text(question, "question") or ""
    golds = _golds(
        gold,
        {"expected_value": expected_value, "unit": unit, "tolerance": tolerance,
         "decimals": decimals},
    )  # fmt: skip
    note = asked_unit(asked)
    if read_refusal(answer).is_refusal:
        amounts = read_chunk(answer, note)
        return NumberCheck(NumberVerdict.REFUSED, "refused", golds, (), amounts)
    verdicts = match_all(answer, golds, unit_note=note, question=asked)
    verdict, reason = _together(verdicts)
    return NumberCheck(verdict, reason, golds, verdicts, verdicts[0].candidates)


def judge_line(row: Mapping[str, Any], *, evidence: bool = False) -> dict[str, Any]:
    """Return what `check numbers` prints for one line, its id left out."""
    if row.get("expected_value") is None and row.get("gold") is None:
        raise InputError("'expected_value' is missing")
    check = check_numbers(
        row.get("answer"),  # type: ignore[arg-type]
        row.get("expected_value"),
        row.get("unit"),
        tolerance=row.get("tolerance"),
        decimals=row.get("decimals"),
        gold=row.get("gold"),
        question=row.get("question"),
    )
    candidates = [None if a is None else _candidate(a) for a in check.candidates]
    out: dict[str, Any] = {
        "verdict": check.verdict.value,
        "match": check.match,
        "candidate": candidates if len(candidates) > 1 else next(iter(candidates), None),
        "reason": check.reason,
    }
    if evidence:
        out["golds"] = [
            _gold_evidence(g, v)
            for g, v in zip(check.golds, check.verdicts or [None] * len(check.golds), strict=True)
        ]
        asked = row.get("question") or ""
        out["amounts"] = [_evidence(row["answer"], a, check, asked) for a in check.amounts]
    return out


def _golds(given: object, single: dict[str, object]) -> tuple[Gold, ...]:
    value = single.pop("expected_value")
    if given is None:
        keys = {"value": value, **{k: v for k, v in single.items() if v is not None}}
        return (_gold(keys, {"value": "expected_value"}),)
    if value is not None:
        raise InputError("'expected_value' and 'gold' are both there: give one of them")
    if not isinstance(given, list | tuple) or not given:
        raise InputError(f"'gold' is {shown(given)}: a list of one figure or more is wanted")
    default = {k: v for k, v in single.items() if v is not None}
    return tuple(_nth_gold(at, g, default) for at, g in enumerate(given))


def _nth_gold(at: int, given: object, default: dict[str, object]) -> Gold:
    if isinstance(given, Gold):
        return given
    if not isinstance(given, Mapping):
        raise InputError(f"'gold.{at}' is {shown(given)}: an object is wanted")
    keys = {k: v for k, v in given.items() if k in _OF_GOLD and v is not None}
    return _gold({**default, **keys}, {k: f"gold.{at}.{k}" for k in _OF_GOLD})


def _gold(keys: dict[str, object], names: dict[str, str]) -> Gold:
    """Read one gold; a fault is told under the names that its keys have in the line."""
    exact = {k: Decimal(repr(float(v))) if isinstance(v, float) else v for k, v in keys.items()}
    try:
        return read_gold(exact)
    except InputError as error:
        why = str(error)
        for key, name in names.items():
            why = why.replace(f"'{key}' is", f"'{name}' is", 1)
        raise InputError(why) from error


def _together(verdicts: tuple[Verdict, ...]) -> tuple[NumberVerdict, str]:
    """The verdict on all golds: any miss is a mismatch, and one by itself stays what it is."""
    missed = [v for v in verdicts if v.verdict is not Match.MATCH]
    if all_match(verdicts):
        return NumberVerdict.MATCH, verdicts[0].reason
    if len(verdicts) == 1 or all(v.verdict is Match.NO_NUMBER for v in verdicts):
        return NumberVerdict(missed[0].verdict.value), missed[0].reason
    some = len(missed) < len(verdicts)
    return NumberVerdict.MISMATCH, "some_figures_missing" if some else missed[0].reason


def _candidate(amount: Amount) -> dict[str, Any]:
    """An amount in the notation of a gold: the value in the base unit, and that unit."""
    unit: str | None = amount.unit or None
    if amount.kind is Kind.COUNT and amount.factor != 1:
        unit = _SCALE.sub("", amount.unit) or None
    elif amount.kind is Kind.MONEY:
        unit = amount.currency
    elif amount.kind is Kind.PER_SHARE:
        unit = f"{amount.currency}/share" if amount.currency else None
    elif amount.kind in _BY_KIND:
        unit = amount.kind.value
    return {
        "text": amount.text,
        "value": _plain(amount.value),
        "unit": unit,
        "kind": amount.kind.value,
    }


def _evidence(answer: str, amount: Amount, check: NumberCheck, asked: str) -> dict[str, Any]:
    """An amount as it stands, and how it compares with each gold, as on the page of an answer."""
    weighed = [weigh(answer, amount, gold, asked) for gold in check.golds]
    return {
        **shown_amount(amount),
        "value": _plain(amount.value),
        "factor": _plain(amount.factor),
        "against": [
            {
                "same": w.same,
                "reason": w.reason,
                "relative_error": None if w.relative_error is None else _plain(w.relative_error),
            }
            for w in weighed
        ],
    }


def _gold_evidence(gold: Gold, verdict: Verdict | None) -> dict[str, Any]:
    return {
        "value": _plain(gold.value),
        "unit": gold.unit,
        "verdict": verdict.verdict.value if verdict else "refused",
        "reason": verdict.reason if verdict else "refused",
    }


def _plain(number: Decimal) -> str:
    return f"{number:f}"
