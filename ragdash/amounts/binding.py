"""Which amounts of an answer stand under the asked metric, period, scope and company."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ragdash.amounts.columns import column_header
from ragdash.caliber import (
    PeriodHit,
    TermHit,
    asked_metric,
    asked_names,
    asked_part,
    find_listed,
    find_names,
    find_periods,
    find_scopes,
    find_terms,
    nearest_name,
    nearest_period,
    nearest_term,
    part_at,
    read_period,
    same_name,
    same_part,
    says_total,
    sentence_around,
    siblings,
)
from ragdash.caliber.rows import term_in_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.amounts.amount import Amount
    from ragdash.core.question import Gold

_CITED = re.compile(
    r"[(（\[【][^()（）\[\]【】\n]{1,100}?(?:[Pp]\.?|[Pp]age|第)\s?\d{1,5}[^()（）\[\]【】\n]{0,20}[)）\]】]"
)
_ASKED_DIFFERENCE = re.compile(
    r"[高低多少]多少|相差|差额|差距|差多少|difference between"
    r"|by how much (?:did|does|do|was|were|is)[^?]{1,80}(?:exceed|higher|lower|larger|more|less)",
    re.I,
)
_DIFFERENCE = re.compile(
    r"(?:[高多低少超]出?了?|相差|差额|差距|差|增加|减少"
    r"|(?<![a-z])(?:difference|gap|exceed\w*|by))[^。；;，,.\d]{0,30}$",
    re.I,
)
_DIFFERENCE_AFTER = re.compile(r"\s?(?:more|higher|lower|less|greater|larger) than", re.I)
_ASIDE = re.compile(r"[（(]([^()（）:：\d]{2,24})[:：]\s*[$¥￥]?$")
_SINCE_A_FIGURE = re.compile(r"^.*\d[^\d]{0,3}?[，,；;。.]", re.S)
_FIRST = 4000
_PARTS = ("segment", "product", "region")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for: metric key, year, part of the year, scope, and the question's text.

    `difference`: how much one figure exceeds another is asked for, not a figure of a statement.
    `listed` are the things that the question compares, `place` is which of them this gold is of.
    """

    key: str | None
    year: int | None
    part: str | None
    scope: str | None
    question: str
    metric: str = ""
    difference: bool = False
    listed: tuple[str, ...] = ()
    place: int | None = None


def bound_to(answer: str, amounts: Sequence[Amount], gold: Gold, question: str) -> Sequence[Amount]:
    """Return the amounts under the asked metric and period, or all where nothing is told apart."""
    asked, answer = asked_for(gold, question), without_citations(answer)
    if asked.key is None and asked.year is None and not question:
        return amounts
    if asked.difference and (differences := [a for a in amounts if _is_difference(answer, a)]):
        return differences
    fitting = [a for a in amounts if not conflict(answer, a, asked)]
    named = [a for a in fitting if asked.key and key_at(answer, a) == asked.key]
    bound = named or fitting or amounts
    return [a for a in bound if not _in_passing(answer, a, question)] or bound


def misbound(answer: str, amount: Amount, gold: Gold, question: str) -> str:
    """Return why an amount stands under something else than asked, "" where it does not."""
    return conflict(without_citations(answer), amount, asked_for(gold, question))


@lru_cache(8)
def without_citations(answer: str) -> str:
    """Return an answer with its cited pages blanked out: their years and companies bind nothing."""
    return _CITED.sub(lambda match: " " * len(match[0]), answer)


def asked_for(gold: Gold, question: str) -> Asked:
    """Return what a gold and its question ask for; the gold's own caliber goes first."""
    key = asked_metric(gold.metric, gold.attribution).key if gold.metric else None
    year, part = read_period(gold.period) if gold.period else (None, None)
    scope = gold.scope
    if question:
        terms = find_terms(question)
        if key is None and len({t.key for t in terms}) == 1:
            key = terms[0].key
        periods = find_periods(question)
        years = {p.year for p in periods if p.year}
        if year is None and len(years) == 1 and not any(p.prior for p in periods):
            year = years.pop()
            part = next((p.part for p in periods if p.part not in (None, "FY")), None)
        scope = scope or next((s for s, _ in find_scopes(question)), None)
    difference = _ASKED_DIFFERENCE.search(question) is not None
    return Asked(key, year, part, scope, question, gold.metric or "", difference)


def key_at(answer: str, amount: Amount) -> str | None:
    """Return the key of the metric that an amount stands under, None where it has no label."""
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


def conflict(answer: str, amount: Amount, asked: Asked) -> str:
    """Return what an amount stands under instead of what is asked: a reason code, or ""."""
    hit = _term_at(answer, amount)
    if asked.difference:
        start = sentence_around(answer, amount.span)[0]
        labelled = hit is not None and hit.span[0] >= start
        return "other_metric" if labelled and not _is_difference(answer, amount) else ""
    if hit is not None and asked.key is not None:
        if hit.key != asked.key:
            return "sibling_metric" if hit.key in siblings(asked.key) else "other_metric"
        if reason := _other_scope(answer, amount.span, hit, asked):
            return reason
    if hit is None and asked.question and asked.scope is None:
        start = sentence_around(answer, amount.span)[0]
        if any(scope in _PARTS for scope, _ in find_scopes(answer[start : amount.span[0]])):
            return "part_of_the_company"
    return _other_period(answer, amount, asked) or _other_name(answer, amount, asked)


def _in_passing(answer: str, amount: Amount, question: str) -> bool:
    """Whether an amount stands in a bracket under a word of its own: (basic: $3.20)."""
    aside = _ASIDE.search(answer[max(0, amount.span[0] - 40) : amount.span[0]])
    return aside is not None and aside[1].strip().lower() not in question.lower()


def _is_difference(answer: str, amount: Amount) -> bool:
    before = answer[max(0, amount.span[0] - 50) : amount.span[0]]
    return bool(_DIFFERENCE.search(before) or _DIFFERENCE_AFTER.match(answer, amount.span[1]))


def _other_scope(answer: str, span: tuple[int, int], hit: TermHit, asked: Asked) -> str:
    """A label of the parent, of the group or of a part, where another of them is asked for."""
    scope, word = _scope_at(answer, span, hit)
    if scope is None and "合并" in hit.alias:
        # A bare 净利润 is the parent's too, in the parent's own statement.
        scope = "consolidated"
    if scope == "parent" and asked.scope != "parent":
        return "parent_company"
    if scope == "consolidated" and asked.scope == "parent":
        return "whole_company"
    words = f"{asked.question} {asked.metric}"
    if scope in _PARTS and not (asked.scope in _PARTS and _may_name(words, word)):
        return "part_of_the_company"
    if not asked.question:
        return ""
    if part_at(answer, hit, words) and not _named(answer[hit.span[1] : span[0]], words):
        return "part_of_the_company"
    return "whole_company" if _is_whole(answer, span, hit, words) else ""


def _named(between: str, words: str) -> bool:
    """Whether a name asked for takes a label over: 宁德时代净利润4亿元，比亚迪3亿元."""
    return any(name.asked is not None for name in find_names(between, words))


def _is_whole(answer: str, span: tuple[int, int], hit: TermHit, words: str) -> bool:
    """Whether a label is the whole company's where the figure of a part of it is asked for."""
    narrowed = asked_part(words).lower()
    company = next(iter(asked_names(words)), "")
    if not narrowed or not company or same_name(narrowed, company.lower()):
        return False
    before = answer[max(0, hit.span[0] - 30) : hit.span[0]]
    said = _SINCE_A_FIGURE.sub("", before) + answer[hit.span[0] : max(hit.span[1], span[1])]
    if narrowed in said.lower():
        return False
    if says_total(answer, hit):
        return True
    return narrowed not in answer.lower() and company in before


def _may_name(words: str, part: str) -> bool:
    """Whether a question may mean a part: it has the word, or none of the same language."""
    if part.lower() in words.lower():
        return True
    asked = [words[slice(*span)] for _, span in find_scopes(words)]
    return not any(one.isascii() == part.isascii() for one in asked)


def _scope_at(answer: str, span: tuple[int, int], hit: TermHit) -> tuple[str | None, str]:
    """The scope word nearest before an amount: 营业收入中母公司口径为, "including iPhone (...)"."""
    start = hit.span[1] if hit.span[1] <= span[0] else sentence_around(answer, span)[0]
    low = start if hit.scope is None else min(start, max(0, hit.span[0] - 30))
    near = [
        (s, answer[low:][slice(*at)], at[0] + low) for s, at in find_scopes(answer[low : span[0]])
    ]
    last = near[-1] if near else None
    if last is not None and (last[2] >= start or last[0] == hit.scope):
        return last[0], last[1]
    return hit.scope, ""


def _other_period(answer: str, amount: Amount, asked: Asked) -> str:
    if asked.year is None:
        return ""
    period = _period_at(answer, amount)
    if period is None:
        return ""
    if period.year != asked.year and (period.year is not None or period.prior):
        return "other_period"
    if not same_part(period.part, asked.part):
        return "other_period"
    # 2022年营业收入 is the year's where no quarter is named anywhere
    whole_year = asked.part and period.year and period.part is None
    if whole_year and not any(p.part for p in find_periods(answer[:_FIRST])):
        return "other_period"
    return ""


def _other_name(answer: str, amount: Amount, asked: Asked) -> str:
    """Another company than asked, or the one of another gold of the comparison."""
    if asked.place is not None:
        hit = nearest_name(answer, amount.span, lambda text: find_listed(text, asked.listed))
        return "other_company" if hit is not None and hit.asked != asked.place else ""
    if not asked.question or not asked_names(asked.question):
        return ""
    hit = nearest_name(answer, amount.span, lambda text: find_names(text, asked.question))
    return "other_company" if hit is not None and hit.asked is None else ""
