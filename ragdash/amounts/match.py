"""An answer against a gold figure: which of its amounts counts, and whether it is the same.

The rule of sameness is that of `figures`. Among several figures the one counts that stands under
the asked metric and period, else the stated result; figures that disagree without one are ambiguous
(source: the project's metric definitions, section 3).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.amounts.amount import Amount, Kind, Match, Role, ScaleSource, Verdict
from ragdash.amounts.binding import bound_to, misbound
from ragdash.amounts.figures import (
    as_in_statement,
    comparable,
    gold_kind,
    relative_error,
    same_figure,
    why_not,
)
from ragdash.amounts.parse import read_amounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.question import Gold

_CONCLUSION = re.compile(
    r"因此|所以|综上|最终|答案[是为:]|得出|计算出|算得|即|故"
    r"|therefore|thus|hence|final answer|in conclusion|so,",
    re.I,
)
_RESULT = re.compile(r"[=≈]\s?\(?[-$¥€£A-Z]{0,4}\s?$")


def match_amount(answer: str, gold: Gold, *, unit_note: str = "", question: str = "") -> Verdict:
    """Return whether an answer states the gold figure, with the amount chosen and the reason.

    Args:
        answer: the answer's text; citations may stand in it.
        gold: the asked figure; its metric, period, scope and attribution narrow the choice.
        unit_note: the unit line of the cited chunk, for numbers without a unit.
        question: where given, the asked metric, period, scope and company come from it too.
    """
    return _judge(answer, gold, read_amounts(answer, unit_note=unit_note), question)


def match_all(
    answer: str, golds: Sequence[Gold], *, unit_note: str = "", question: str = ""
) -> tuple[Verdict, ...]:
    """Return a verdict for each gold, no two of them by the same candidate.

    The answer is right where every verdict is a match; see `all_match`.
    """
    amounts = read_amounts(answer, unit_note=unit_note)
    if len(golds) == 1:
        return (_judge(answer, golds[0], amounts, question),)
    verdicts: list[Verdict] = []
    used: set[tuple[int, int]] = set()
    for gold in golds:
        left = tuple(a for a in amounts if a.span not in used)
        hits = [a for a in left if a.asserted and same_figure(a, gold)]
        good = [a for a in hits if not misbound(answer, a, gold, "")]
        if good:
            chosen = bound_to(answer, good, gold, "")[0]
            used.add(chosen.span)
            verdicts.append(_verdict(Match.MATCH, chosen, "equal", amounts, gold))
        elif hits:
            reason = misbound(answer, hits[0], gold, "")
            verdicts.append(_verdict(Match.MISMATCH, hits[0], reason, amounts, gold))
        else:
            verdicts.append(_no_hit(left, gold, amounts))
    return tuple(verdicts)


def all_match(verdicts: Sequence[Verdict]) -> bool:
    """Whether every gold of a comparison was matched."""
    return bool(verdicts) and all(v.verdict is Match.MATCH for v in verdicts)


def _judge(answer: str, gold: Gold, amounts: tuple[Amount, ...], question: str) -> Verdict:
    asserted = [a for a in amounts if a.asserted and comparable(a, gold)]
    asserted = _with_unit_first(asserted)
    if not asserted:
        return _no_hit(amounts, gold, amounts)
    chosen = bound_to(answer, asserted, gold, question)
    hits = [a for a in chosen if same_figure(a, gold)]
    if not hits:
        return _verdict(Match.MISMATCH, chosen[-1], why_not(chosen[-1], gold), amounts, gold)
    if reason := misbound(answer, hits[0], gold, question):
        return _verdict(Match.MISMATCH, hits[0], reason, amounts, gold)
    others = [a for a in chosen if a not in hits and not as_in_statement(a, gold)]
    if not others:
        return _verdict(Match.MATCH, hits[0], _why(hits[0]), amounts, gold)
    final = _final(answer, chosen)
    if final is not None:
        if final in hits:
            return _verdict(Match.MATCH, final, "stated_result", amounts, gold)
        return _verdict(Match.MISMATCH, final, "another_result", amounts, gold)
    return _verdict(Match.AMBIGUOUS, hits[0], "several_figures", amounts, gold)


def _with_unit_first(asserted: list[Amount]) -> list[Amount]:
    """Numbers with a unit, where there are any: beside them a bare number is no statement."""
    with_unit = [a for a in asserted if a.kind is not Kind.BARE]
    return with_unit or asserted


def _final(answer: str, chosen: Sequence[Amount]) -> Amount | None:
    """The amount after the last conclusion word or equals sign, None where the text has none."""
    marks = [m.end() for m in _CONCLUSION.finditer(answer)]
    results = [a for a in chosen if _RESULT.search(answer[max(0, a.span[0] - 8) : a.span[0]])]
    after = [a for a in chosen if marks and a.span[0] >= marks[-1]]
    if len({a.value for a in after}) == 1:
        return after[0]
    return results[-1] if results else None


def _no_hit(left: Sequence[Amount], gold: Gold, amounts: tuple[Amount, ...]) -> Verdict:
    """The verdict where no amount matches: which near miss explains it best."""
    asserted = [a for a in left if a.asserted]
    right_kind = [a for a in asserted if comparable(a, gold)]
    if right_kind:
        return _verdict(Match.MISMATCH, right_kind[0], why_not(right_kind[0], gold), amounts, gold)
    if asserted:
        same_kind = asserted[0].kind is gold_kind(gold.unit)[0]
        reason = "other_currency" if same_kind else "other_kind"
        return _verdict(Match.MISMATCH, asserted[0], reason, amounts, gold)
    stated = [
        a
        for a in left
        if a.role in (Role.NEGATED, Role.BOUND, Role.RANGE, Role.HEDGED, Role.INTERMEDIATE)
    ]
    if stated:
        return _verdict(Match.MISMATCH, stated[0], stated[0].role.value, amounts, gold)
    return Verdict(Match.NO_NUMBER, None, "no_number", amounts)


def _why(amount: Amount) -> str:
    return "equal_scale_assumed" if amount.scale_source is ScaleSource.NONE else "equal"


def _verdict(
    verdict: Match, amount: Amount, reason: str, amounts: tuple[Amount, ...], gold: Gold
) -> Verdict:
    return Verdict(verdict, amount, reason, amounts, relative_error(amount, gold))
