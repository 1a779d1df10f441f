"""Several gold figures in one answer: which is whose, no figure twice, no conclusion against them.

What tells the golds apart is their own metric and period. Where they have the same, the things
that the question sets beside one another are theirs in its order: the first gold is of the first
company, product, part, metric or year that it lists.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ragdash.amounts.binding import Asked, asked_for, conflict, key_at, without_citations
from ragdash.caliber import NameHit, find_listed, find_periods, find_terms, listed_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.amounts.amount import Amount
    from ragdash.core.question import Gold

_MOST = re.compile(
    r"(?P<gap>[^。；;.!?\n\d]{0,40}?)(?P<more>更[高大多强]|较[高大多]|最[高大多]|高于|大于|多于"
    r"|(?<![a-z])(?:higher|larger|greater|bigger|more|highest|largest|greatest|biggest)(?![a-z]))",
    re.I,
)
_LEAST = re.compile(
    r"(?P<gap>[^。；;.!?\n\d]{0,40}?)(?P<less>更[低小少]|较[低小少]|最[低小少]|低于|小于|少于"
    r"|(?<![a-z])(?:lower|smaller|less|fewer|lowest|smallest|least)(?![a-z]))",
    re.I,
)
# "growth was higher" says nothing of the figures themselves; nor does what is denied or supposed
_NOT_OF_THE_FIGURES = re.compile(
    r"不|没|非|率|增[长速幅]|占比|如果|是否|谁|than|比|(?<![a-z])(?:not|no|if|whether|growth|rate"
    r"|margin|share|which|who)(?![a-z])|n['’]t",
    re.I,
)


def asked_for_each(golds: Sequence[Gold], question: str) -> list[Asked]:
    """Return what is asked for each gold; the question's list tells apart what golds do not."""
    asked = [asked_for(gold, question) for gold in golds]
    keys = list(dict.fromkeys(t.key for t in find_terms(question)))
    years = list(dict.fromkeys(p.year for p in find_periods(question) if p.year))
    count = len(golds)
    if len(keys) == count and not any(gold.metric for gold in golds):
        asked = [replace(a, key=key) for a, key in zip(asked, keys, strict=True)]
    if len(years) == count and not any(gold.period for gold in golds):
        asked = [replace(a, year=year) for a, year in zip(asked, years, strict=True)]
    listed = listed_in(question, count)
    told_apart = len({(a.key, a.year, a.part) for a in asked}) > 1
    in_order = not told_apart or years == [a.year for a in asked]
    if not listed or not in_order:
        return asked
    places = _places(golds, listed)
    return [replace(a, listed=listed, place=p) for a, p in zip(asked, places, strict=True)]


def assign(
    answer: str, fitting: Sequence[Sequence[Amount]], asked: Sequence[Asked]
) -> list[Amount | None]:
    """Return an amount of its own for each gold, as many as can be had; None where there is none.

    Args:
        answer: the answer's text.
        fitting: for each gold the amounts that have its value.
        asked: for each gold what is asked for.
    """
    text = without_citations(answer)
    options = []
    for amounts, one in zip(fitting, asked, strict=True):
        free = [a for a in amounts if not conflict(text, a, one)]
        named = [a for a in free if one.key and key_at(text, a) == one.key]
        options.append(named + [a for a in free if a not in named] if len(free) < 50 else free)
    taken: dict[tuple[int, int], int] = {}
    for gold in range(len(asked)):
        _place(gold, options, taken, set())
    owner = {gold: span for span, gold in taken.items()}
    return [
        next((a for a in amounts if a.span == owner.get(gold)), None)
        for gold, amounts in enumerate(options)
    ]


def clash(answer: str, amount: Amount, asked: Asked) -> str:
    """Return why an amount stands under something else than asked, "" where it does not."""
    return conflict(without_citations(answer), amount, asked)


def _place(
    gold: int,
    options: Sequence[Sequence[Amount]],
    taken: dict[tuple[int, int], int],
    tried: set[tuple[int, int]],
) -> bool:
    """Give a gold an amount, another gold moving to its next one where that makes room."""
    for amount in options[gold]:
        if amount.span in tried:
            continue
        tried.add(amount.span)
        holder = taken.get(amount.span)
        if holder is None or _place(holder, options, taken, tried):
            taken[amount.span] = gold
            return True
    return False


def contradicted(answer: str, golds: Sequence[Gold], asked: Sequence[Asked]) -> int | None:
    """Return which gold a conclusion ranks against the figures, None where none does.

    茅台为1,476.94亿元，五粮液为832.72亿元，因此五粮液更高: right figures, a wrong answer.
    """
    if len({gold.unit for gold in golds}) != 1:
        return None
    text = without_citations(answer)
    hits = _ranked(text, asked)
    for at, hit in enumerate(hits):
        following = hits[at + 1].span[0] if at + 1 < len(hits) else len(text)
        for pattern, best in ((_MOST, max), (_LEAST, min)):
            said = pattern.match(text, hit.span[1])
            if said is None or hit.asked is None or said.end() > following:
                continue
            if _NOT_OF_THE_FIGURES.search(said["gap"]):
                continue
            own, other = golds[hit.asked], best(golds, key=lambda g: g.value)
            if abs(own.value - other.value) > other.tolerance * abs(other.value):
                return hit.asked
    return None


def _ranked(text: str, asked: Sequence[Asked]) -> list[NameHit]:
    """Where a text names the golds: by the listed names, else by their years."""
    if asked[0].listed:
        place = {one.place: gold for gold, one in enumerate(asked)}
        found = find_listed(text, asked[0].listed)
        return [NameHit(h.name, h.span, place.get(h.asked)) for h in found]
    years = {one.year: gold for gold, one in enumerate(asked)}
    if len(years) != len(asked):
        return []
    return [
        NameHit(str(p.year), p.span, years[p.year])
        for p in find_periods(text)
        if p.year in years and p.part is None
    ]


def _places(golds: Sequence[Gold], listed: tuple[str, ...]) -> list[int]:
    """The golds' places in the list: by the metric that names one (茅台酒收入), else in order."""
    named = [
        [i for i, name in enumerate(listed) if gold.metric and name.lower() in gold.metric.lower()]
        for gold in golds
    ]
    places = [n[0] for n in named if len(n) == 1]
    return places if len(set(places)) == len(golds) else list(range(len(golds)))
