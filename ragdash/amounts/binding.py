"""Which amounts of an answer stand under the asked metric, period, scope and company."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.amounts.columns import column_header
from ragdash.caliber import (
    PeriodHit,
    TermHit,
    asked_metric,
    find_periods,
    find_scopes,
    find_terms,
    nearest_period,
    nearest_term,
    read_period,
    siblings,
)
from ragdash.caliber.rows import term_in_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.amounts.amount import Amount
    from ragdash.core.question import Gold

_PARTS = ("segment", "product", "region")
_NAME = re.compile(r"([A-Z][A-Za-z&.]+(?: [A-Z][A-Za-z&.]+){0,3})(?:'s|’s)\s")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked for: metric key, year, part of the year, scope, and the question's text."""

    key: str | None
    year: int | None
    part: str | None
    scope: str | None
    question: str


def bound_to(answer: str, amounts: Sequence[Amount], gold: Gold, question: str) -> Sequence[Amount]:
    """Return the amounts under the asked metric and period, or all where nothing is told apart."""
    asked = _asked(gold, question)
    if asked.key is None and asked.year is None:
        return amounts
    fitting = [a for a in amounts if not _conflict(answer, a, asked)]
    named = [a for a in fitting if asked.key and _key_at(answer, a) == asked.key]
    return named or fitting or amounts


def misbound(answer: str, amount: Amount, gold: Gold, question: str) -> str:
    """Return why an amount stands under something else than asked, "" where it does not."""
    return _conflict(answer, amount, _asked(gold, question))


def _asked(gold: Gold, question: str) -> _Asked:
    key = asked_metric(gold.metric, gold.attribution).key if gold.metric else None
    year, part = read_period(gold.period) if gold.period else (None, None)
    scope = gold.scope
    if question:
        terms = find_terms(question)
        if key is None and len({t.key for t in terms}) == 1:
            key = terms[0].key
        years = [p for p in find_periods(question) if p.year]
        if year is None and len({p.year for p in years}) == 1:
            year = years[0].year
            part = next((p.part for p in find_periods(question) if p.part), None)
        scope = scope or next((s for s, _ in find_scopes(question)), None)
    return _Asked(key, year, part, scope, question)


def _key_at(answer: str, amount: Amount) -> str | None:
    hit = _term_at(answer, amount)
    return hit.key if hit else None


def _term_at(answer: str, amount: Amount) -> TermHit | None:
    """The term of an amount's sentence or row, else of the head of its column."""
    head = column_header(answer, amount.span[0])
    near = term_in_row(answer, amount.span) if head else nearest_term(answer, amount.span)
    heads = find_terms(head) if near is None else ()
    return heads[-1] if heads else near


def _period_at(answer: str, amount: Amount) -> PeriodHit | None:
    """The period at the head of an amount's column, else the nearest in its sentence or row."""
    heads = find_periods(column_header(answer, amount.span[0]))
    return heads[0] if heads else nearest_period(answer, amount.span)


def _conflict(answer: str, amount: Amount, asked: _Asked) -> str:
    hit = _term_at(answer, amount)
    if hit is not None and asked.key is not None:
        if hit.key != asked.key:
            return "sibling_metric" if hit.key in siblings(asked.key) else "other_metric"
        if hit.scope == "parent" and asked.scope != "parent":
            return "parent_company"
        if hit.scope in _PARTS and asked.scope not in _PARTS:
            return "part_of_the_company"
    period = _period_at(answer, amount)
    if period is not None and asked.year is not None:
        if period.year is not None and period.year != asked.year:
            return "other_period"
        if period.part is not None and period.part != asked.part:
            return "other_period"
    return _other_company(answer, amount, asked)


def _other_company(answer: str, amount: Amount, asked: _Asked) -> str:
    """A possessive name before the amount that the question does not hold while it holds one."""
    if not asked.question or not _NAME.search(asked.question):
        return ""
    names = list(_NAME.finditer(answer, max(0, amount.span[0] - 200), amount.span[0]))
    words = {w.lower() for w in re.findall(r"[A-Za-z&]{2,}", asked.question)}
    if names and not words & {w.lower() for w in names[-1][1].split()}:
        return "other_company"
    return ""
