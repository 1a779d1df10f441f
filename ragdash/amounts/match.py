"""An answer against a gold figure: which of its amounts counts, and whether it is the same.

The rule of sameness is that of `figures`. Among several figures the one counts that stands under
the asked metric and period, else the stated result; figures that disagree without one are ambiguous
(source: the project's metric definitions, section 3).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.amounts.amount import Amount, Kind, Match, Role, ScaleSource, Verdict
from ragdash.amounts.asked import asked_places, asked_unit
from ragdash.amounts.binding import bound_to, misbound
from ragdash.amounts.columns import read_chunk
from ragdash.amounts.comparison import asked_for_each, assign, clash, contradicted
from ragdash.amounts.figures import (
    as_in_statement,
    comparable,
    gold_kind,
    relative_error,
    rounded_as_written,
    same_figure,
    why_not,
)
from ragdash.amounts.nothing import nothing_stated
from ragdash.amounts.statements import FORECAST, on_answer_line, without_counts, without_forecasts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.question import Gold

_CONCLUSION = re.compile(
    r"因此|所以|综上|最终|答案[是为:]|得出|计算出|算得|即|故"
    r"|(?<![取获录所值])得到?(?=\s?约?\s?(?:人民币)?[\d¥$])|(?<!不)等于"
    r"|therefore|thus|hence|final answer|in conclusion|so,|equals|resulting in|which gives",
    re.I,
)
# from 5.1 to 5.3: a change of which the end is the figure
_REACHED = re.compile(
    r"(?:[由从自]|(?<![a-z])from\s)[^。;；\n]{0,48}\d[^。;；\n]{0,24}(?:[至到为]|(?<![a-z])to\s)"
    r"[^\d。;；\n]{0,4}$",
    re.I,
)
_RESULT = re.compile(r"[=≈]\s?\(?[-$¥€£A-Z]{0,4}\s?$")


def match_amount(answer: str, gold: Gold, *, unit_note: str = "", question: str = "") -> Verdict:
    """Return whether an answer states the gold figure, with the amount chosen and the reason.

    Args:
        answer: the answer's text; citations may stand in it.
        gold: the asked figure; its metric, period, scope and attribution narrow the choice.
        unit_note: the unit line of the cited chunk, for numbers without a unit; "" is the unit that
            the question asks for.
        question: where given, the asked metric, period, scope and company come from it too.
    """
    return match_all(answer, (gold,), unit_note=unit_note, question=question)[0]


def match_all(
    answer: str, golds: Sequence[Gold], *, unit_note: str = "", question: str = ""
) -> tuple[Verdict, ...]:
    """Return a verdict for each gold, no two of them by the same candidate.

    The answer is right where every verdict is a match; see `all_match`.
    """
    unit_note = unit_note or asked_unit(question)
    amounts = read_chunk(answer, unit_note)
    if len(golds) == 1:
        verdict = _judge(answer, golds[0], amounts, question)
        return (_as_asked(answer, golds[0], verdict, unit_note, question),)
    return _compared(answer, golds, amounts, question)


def all_match(verdicts: Sequence[Verdict]) -> bool:
    """Whether every gold of a comparison was matched."""
    return bool(verdicts) and all(v.verdict is Match.MATCH for v in verdicts)


def _compared(
    answer: str, golds: Sequence[Gold], amounts: tuple[Amount, ...], question: str
) -> tuple[Verdict, ...]:
    """The verdicts on several golds, each by an amount of its own that stands under its caliber."""
    asked = asked_for_each(golds, question)
    read = [without_forecasts(answer, amounts, gold, question) for gold in golds]
    hits = [
        _same([a for a in some if a.asserted], gold, question)
        for some, gold in zip(read, golds, strict=True)
    ]
    chosen = assign(answer, hits, asked)
    used = {a.span for a in chosen if a is not None}
    against = contradicted(answer, golds, asked) if None not in chosen else None
    verdicts = []
    for at, (gold, amount) in enumerate(zip(golds, chosen, strict=True)):
        if amount is not None and at == against:
            verdict = _verdict(Match.MISMATCH, amount, "contradicts_itself", amounts, gold)
        elif amount is not None:
            verdict = _verdict(Match.MATCH, amount, _why(amount, gold), amounts, gold)
        elif why := next((w for h in hits[at] if (w := clash(answer, h, asked[at]))), ""):
            verdict = _verdict(Match.MISMATCH, hits[at][0], why, amounts, gold)
        else:
            left = [a for a in read[at] if a.span not in used]
            verdict = _no_hit(left, gold, amounts)
        verdicts.append(verdict)
    return tuple(verdicts)


def _as_asked(answer: str, gold: Gold, read: Verdict, unit_note: str, question: str) -> Verdict:
    """Read an answer once more, figures written out, where the unit was only asked for.

    Asked "in USD millions", $302,578,000 and $302.578 say the same: a number with its own currency
    sign may be in either; one that is quite bare is in the unit asked for, and beside one with a
    unit of its own it is no statement.
    """
    if read.verdict is Match.MATCH or not unit_note or unit_note != asked_unit(question):
        return read
    written = _judge(answer, gold, read_chunk(answer, ""), question)
    said = written.candidate
    if written.verdict is not Match.MATCH or said is None:
        return read
    return read if said.scale_source is ScaleSource.NONE else written


def _judge(answer: str, gold: Gold, amounts: tuple[Amount, ...], question: str) -> Verdict:
    amounts = without_forecasts(answer, amounts, gold, question)
    fitting = [a for a in amounts if a.asserted and comparable(a, gold)]
    stated = on_answer_line(answer, fitting)
    asserted = _with_unit_first(without_counts(answer, stated, gold))
    if not asserted:
        nothing = nothing_stated(answer) if gold.value == 0 else None
        if nothing is not None and not misbound(answer, nothing, gold, question):
            return _verdict(Match.MATCH, nothing, "equal", (*amounts, nothing), gold)
        return _no_hit(amounts, gold, amounts)
    chosen = bound_to(answer, asserted, gold, question)
    hits = _same(chosen, gold, question)
    if not hits:
        working = len(stated) < len(fitting) and any(same_figure(a, gold) for a in fitting)
        reason = "another_result" if working else why_not(chosen[-1], gold)
        return _verdict(Match.MISMATCH, chosen[-1], reason, amounts, gold)
    if reason := misbound(answer, hits[0], gold, question):
        return _verdict(Match.MISMATCH, hits[0], reason, amounts, gold)
    right = {a.span for a in hits}
    others = [a for a in chosen if a.span not in right and not _restated(a, gold)]
    if not others:
        return _verdict(Match.MATCH, hits[0], _why(hits[0], gold), amounts, gold)
    final = _final(answer, chosen)
    if final is not None:
        if final in hits:
            return _verdict(Match.MATCH, final, "stated_result", amounts, gold)
        return _verdict(Match.MISMATCH, final, "another_result", amounts, gold)
    if hits[-1] is chosen[-1] and _REACHED.search(answer, *_before(hits[-1])):
        return _verdict(Match.MATCH, hits[-1], "stated_result", amounts, gold)
    return _verdict(Match.AMBIGUOUS, hits[0], "several_figures", amounts, gold)


def _same(amounts: Sequence[Amount], gold: Gold, question: str) -> list[Amount]:
    """The amounts that are the gold; those that are only rounded to it where none is exact."""
    exact = [a for a in amounts if same_figure(a, gold)]
    places = asked_places(question)
    return exact or [a for a in amounts if rounded_as_written(a, gold, places)]


def _before(amount: Amount) -> tuple[int, int]:
    return max(0, amount.span[0] - 80), amount.span[0]


def _restated(amount: Amount, gold: Gold) -> bool:
    """Whether an amount is the gold told once more: in a statement's brackets, or rounded."""
    return as_in_statement(amount, gold) or rounded_as_written(amount, gold)


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
        reason = FORECAST if stated[0].excluded == FORECAST else stated[0].role.value
        return _verdict(Match.MISMATCH, stated[0], reason, amounts, gold)
    return Verdict(Match.NO_NUMBER, None, "no_number", amounts)


def _why(amount: Amount, gold: Gold) -> str:
    if not same_figure(amount, gold):
        return "equal_as_rounded"
    return "equal_scale_assumed" if amount.scale_source is ScaleSource.NONE else "equal"


def _verdict(
    verdict: Match, amount: Amount, reason: str, amounts: tuple[Amount, ...], gold: Gold
) -> Verdict:
    return Verdict(verdict, amount, reason, amounts, relative_error(amount, gold))
