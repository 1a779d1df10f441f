"""Whether a right figure stands under the asked caliber: metric, attribution, scope, period.

Rule (the project's metric definitions, row "caliber"): a conflict fails; no label needs review and
never passes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ragdash.caliber.nearest import nearest_period, nearest_term, sentence_around
from ragdash.caliber.periods import read_period
from ragdash.caliber.terms import (
    TermHit,
    find_scopes,
    find_terms,
    metric_key,
    siblings,
    squeeze,
    term,
)

if TYPE_CHECKING:
    from ragdash.core.question import Gold

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_PARTS_OF_THE_WHOLE = ("segment", "product", "region")


class CaliberStatus(StrEnum):
    """What a rule can say about a caliber; a person's verdict overrides it."""

    PASS = "pass"
    FAIL = "fail"
    NEEDS_REVIEW = "needs_review"


@dataclass(frozen=True, slots=True)
class CaliberVerdict:
    """The rule's verdict, its reason code, and the label it was read from (None: no label)."""

    verdict: CaliberStatus
    reason: str
    label_found: str | None


@dataclass(frozen=True, slots=True)
class AskedMetric:
    """What a gold's metric means: a known key, and words that narrow it (iPhone, 茅台酒)."""

    key: str | None
    qualifier: str


def asked_metric(metric: str, attribution: str | None = None) -> AskedMetric:
    """Return key and qualifier of a metric as a question set names it.

    `净利润` with attribution 归母 is the key of 归母净利润; `iPhone net sales` is narrowed revenue.
    """
    key = metric_key(metric)
    qualifier = ""
    if key is None:
        hits = find_terms(metric)
        if not hits:
            return AskedMetric(None, squeeze(metric)[0].strip())
        key = hits[-1].key
        rest = metric[: hits[-1].span[0]] + " " + metric[hits[-1].span[1] :]
        qualifier = squeeze(rest)[0].strip(" ,，、:：-的")
    known = term(key)
    if attribution and known is not None and known.attribution != attribution:
        for other in siblings(key):
            sibling = term(other)
            if sibling is not None and sibling.attribution == attribution:
                return AskedMetric(other, qualifier)
    return AskedMetric(key, qualifier)


def caliber_check(
    gold: Gold,
    answer_text: str,
    amount_span: tuple[int, int],
    chunk_row: str,
    chunk_context: str,
) -> CaliberVerdict:
    """Return whether the matched amount stands under the gold's caliber.

    Args:
        gold: the figure that was asked; without `metric` nothing can be checked.
        answer_text: the answer, citations stripped or not.
        amount_span: where the matched amount stands in it.
        chunk_row: the sentence or table row of the cited chunk that states the amount, or "".
        chunk_context: section, unit line and header row above it, or "".
    """
    if not gold.metric:
        return CaliberVerdict(CaliberStatus.NEEDS_REVIEW, "gold_without_metric", None)
    asked = asked_metric(gold.metric, gold.attribution)
    start, end = sentence_around(answer_text, amount_span)
    said = _place(asked, gold, nearest_term(answer_text, amount_span), answer_text[start:end], "")
    row_hit = _row_label(gold, chunk_row)
    row = _place(asked, gold, row_hit, chunk_row, chunk_context) if chunk_row else None
    period = _period_conflict(gold, answer_text, amount_span)
    verdicts = [v for v in (said, row) if v is not None]
    for verdict in verdicts:
        if verdict.verdict is CaliberStatus.FAIL:
            return verdict
    if period is not None:
        return period
    for verdict in verdicts:
        if verdict.reason not in ("label_fits", "no_label"):
            return verdict
    fits = next((v for v in verdicts if v.verdict is CaliberStatus.PASS), None)
    return fits or CaliberVerdict(CaliberStatus.NEEDS_REVIEW, "no_label", None)


def _place(
    asked: AskedMetric, gold: Gold, hit: TermHit | None, around: str, context: str
) -> CaliberVerdict | None:
    """Judge one place, the answer's sentence or the chunk's row; None where it says nothing."""
    tight = squeeze(around)[0]
    if hit is None or asked.key is None:
        if asked.key is None and asked.qualifier and asked.qualifier in tight:
            return CaliberVerdict(CaliberStatus.PASS, "label_fits", gold.metric)
        if hit is None or asked.key is None:
            return None
    if hit.key != asked.key:
        family = hit.key in siblings(asked.key)
        reason = "sibling_label" if family else "other_label"
        return CaliberVerdict(CaliberStatus.FAIL, reason, hit.alias)
    if asked.qualifier and asked.qualifier not in tight and asked.qualifier not in context.lower():
        return CaliberVerdict(CaliberStatus.NEEDS_REVIEW, "qualifier_unstated", hit.alias)
    return _scope(asked, gold, hit, context)


def _scope(asked: AskedMetric, gold: Gold, hit: TermHit, context: str) -> CaliberVerdict:
    found = hit.scope
    if found is None:
        scopes = {s for s, _ in find_scopes(context) if s in ("consolidated", "parent")}
        found = scopes.pop() if len(scopes) == 1 else None
    wanted = gold.scope or (None if asked.qualifier else "consolidated")
    if found == "parent" and wanted == "consolidated":
        stated = CaliberStatus.FAIL if gold.scope else CaliberStatus.NEEDS_REVIEW
        return CaliberVerdict(stated, "parent_not_consolidated", hit.alias)
    if found in _PARTS_OF_THE_WHOLE and wanted == "consolidated":
        return CaliberVerdict(CaliberStatus.FAIL, "part_not_total", hit.alias)
    if wanted == "parent" and found == "consolidated":
        return CaliberVerdict(CaliberStatus.FAIL, "consolidated_not_parent", hit.alias)
    if wanted == "parent" and found is None:
        return CaliberVerdict(CaliberStatus.NEEDS_REVIEW, "scope_unstated", hit.alias)
    return CaliberVerdict(CaliberStatus.PASS, "label_fits", hit.alias)


def _row_label(gold: Gold, row: str) -> TermHit | None:
    """The label of the number in a row that has the gold's leading digits, else its only label."""
    wanted = _significant(format(abs(gold.value), "f"))
    for match in _NUMBER.finditer(row):
        digits = _significant(match[0])
        if min(len(digits), len(wanted)) >= 3 and (
            digits.startswith(wanted) or wanted.startswith(digits)
        ):
            return nearest_term(row, match.span())
    hits = find_terms(row)
    return hits[0] if len({h.key for h in hits}) == 1 else None


def _significant(number: str) -> str:
    return number.replace(",", "").replace(".", "").strip("0")


def _period_conflict(gold: Gold, text: str, span: tuple[int, int]) -> CaliberVerdict | None:
    if not gold.period:
        return None
    year, part = read_period(gold.period)
    hit = nearest_period(text, span)
    if hit is None:
        return None
    wrong_year = hit.year is not None and year is not None and hit.year != year
    wrong_part = hit.part is not None and hit.part != part
    if wrong_year or wrong_part:
        return CaliberVerdict(CaliberStatus.FAIL, "other_period", text[slice(*hit.span)])
    return None
