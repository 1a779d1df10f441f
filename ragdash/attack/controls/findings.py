"""The figures and sentences of the passages that may answer, each with what it stands under."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.amounts import read_chunk
from ragdash.amounts.binding import key_at
from ragdash.amounts.columns import column_header
from ragdash.attack.controls.sentences import sentences
from ragdash.attack.controls.working import Finding
from ragdash.caliber import find_periods, find_terms, nearest_period, nearest_term, read_period
from ragdash.index.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ragdash.amounts import Amount
    from ragdash.attack.controls.working import Asked, Passage
    from ragdash.caliber import PeriodHit, TermHit

_TAG = re.compile(r"<[^<>]{0,600}>|!?\[[^\]\n]{0,300}\]\([^)\n]{0,600}\)|[A-Za-z]{2,12}://\S+")
# $575 million at the end of fiscal 2023: what follows an amount so is its period.
_FOLLOWS = re.compile(
    r"\s*(?:\([^()\n]{0,40}\)\s*)?(?:in|for|during|at|as of|at the end of|by the end of|on)\s"
    r"(?:the )?(?:end of )?(?:the )?(?:fiscal |financial |calendar )?(?:year )?[^\d,;.。\n$]{0,24}",
    re.I,
)
_CLAUSE = re.compile(r"[，,；;。|\n]")
# What may stand between a figure and what it counts: 12,300 full-time employees, 6218名在职员工.
_COUNTED = re.compile(r"\s?(?:[A-Za-z-]+\s){0,3}|[名个家位]?[\u4e00-\u9fff]{0,4}")
_OPENING = re.compile(
    r"期初|年初|上年末|上年年末|上期|上年|beginning of|prior year|previous year", re.I
)
# A passage is read up to here; the passages beyond are those that share least with the query.
READ = 60_000
MOST_READ = 40


def findings_of(asked: Asked, passages: tuple[Passage, ...]) -> tuple[Finding, ...]:
    """Return what may answer each target, out of the passages that share most with the query."""
    found: list[Finding] = []
    for passage in _nearest(asked, passages):
        text = passage.text[:READ]
        if asked.wants_figure:
            found += _figures(asked, passage, _TAG.sub(lambda m: " " * len(m[0]), text))
        else:
            found += _sentences(asked, passage, text)
    return tuple(found)


def words_in(asked: Asked, text: str) -> float:
    """Return the share of the asked words that stand in a text, 0 to 1; 1 where none is asked.

    A pair of Chinese characters counts half where each stands in the text apart: 前五名客户 is what
    前五大客户 asks for.
    """
    if not asked.words:
        return 1.0
    own = _stems(tokenize(text))
    return sum(_standing(word, own, text) for word in asked.words) / len(asked.words)


def _standing(word: str, own: set[str], text: str) -> float:
    if _stem(word) in own:
        return 1.0
    if word.isascii() and 2 <= len(word) <= 4 and _spelled_out(word, text):
        return 1.0
    return 0.0 if word.isascii() else sum(char in text for char in word) / (2 * len(word))


def _spelled_out(word: str, text: str) -> bool:
    """Whether neighbouring words of a text begin with the letters of a word: CEO."""
    return re.search(r"\b" + r"\w*[ -]".join(re.escape(c) for c in word), text, re.I) is not None


def _stems(words: list[str]) -> set[str]:
    return {_stem(word) for word in words}


def _stem(word: str) -> str:
    """Return an English word without its ending, so that controls is control."""
    if not word.isascii() or len(word) < 5:
        return word
    for ending in ("ings", "ing", "ies", "ied", "es", "ed", "s", "e", "y"):
        if word.endswith(ending):
            return word[: -len(ending)]
    return word


def _nearest(asked: Asked, passages: tuple[Passage, ...]) -> list[Passage]:
    if len(passages) <= MOST_READ:
        return list(passages)
    query = set(tokenize(asked.bare))
    ranked = sorted(
        passages,
        key=lambda p: (p.meta.company == asked.company, len(query & set(tokenize(p.text[:READ])))),
        reverse=True,
    )
    return ranked[:MOST_READ]


def _figures(asked: Asked, passage: Passage, text: str) -> Iterator[Finding]:
    for amount in read_chunk(text, ""):
        if not amount.asserted or amount.excluded:
            continue
        span = _row(text, amount)
        key = _key(text, amount)
        year, part = _period(passage, text, amount)
        score = words_in(asked, column_header(text, amount.span[0]) + " " + text[slice(*span)])
        for target in asked.targets:
            yield Finding(passage, target, span, amount, key, year, part, score)


def _sentences(asked: Asked, passage: Passage, text: str) -> Iterator[Finding]:
    own = read_period(passage.meta.period)
    terms = find_terms(asked.bare)
    for span in sentences(text, clauses=False):
        sentence = text[slice(*span)]
        # A metric of the query under another of its names is the metric of the query.
        named = {term.key for term in find_terms(sentence)} if terms else set()
        aliases = " ".join(term.alias for term in terms if term.key in named)
        score = words_in(asked, f"{sentence} {aliases}")
        said = [p for p in find_periods(text[slice(*span)]) if p.year]
        for target in asked.targets:
            hit = next((p for p in said if p.year == target.year), said[0] if said else None)
            year, part = (hit.year, hit.part) if hit else own
            yield Finding(passage, target, span, None, None, year, part, score)


def _row(text: str, amount: Amount) -> tuple[int, int]:
    """Return the sentence or row that a figure stands in."""
    low = max(0, amount.span[0] - 2_000)
    for start, end in sentences(text[low : amount.span[1] + 2_000]):
        if start + low <= amount.span[0] < end + low:
            return start + low, end + low
    return amount.span


def _period(passage: Passage, text: str, amount: Amount) -> tuple[int | None, str | None]:
    """Return year and part of a figure: of its column, its sentence, else of its document."""
    year, part = read_period(passage.meta.period)
    head = column_header(text, amount.span[0])
    heads = find_periods(head)
    hit = heads[0] if heads else _following(text, amount) or nearest_period(text, amount.span)
    if hit is None:
        return (year - 1 if year and _OPENING.search(head) else year), part
    if hit.prior:
        return (year - 1 if year else None), hit.part or part
    if hit.year is None:
        return year, hit.part
    return hit.year, hit.part


def _following(text: str, amount: Amount) -> PeriodHit | None:
    """Return the period that follows a figure by a word such as in or for, None where none does."""
    link = _FOLLOWS.match(text, amount.span[1])
    if link is None:
        return None
    hits = find_periods(text[amount.span[1] : link.end() + 12])
    return next((h for h in hits if h.year and h.span[0] <= link.end() - amount.span[1]), None)


def _key(text: str, amount: Amount) -> str | None:
    """Return the metric of a figure; one behind it in another clause is another figure's."""
    if "|" in text[max(0, amount.span[0] - 200) : amount.span[1]]:
        return key_at(text, amount)
    hit = nearest_term(text, amount.span)
    if hit is not None and not (
        hit.span[0] >= amount.span[1] and _CLAUSE.search(text[amount.span[1] : hit.span[0]])
    ):
        return key_at(text, amount)
    behind = find_terms(text[amount.span[0] : amount.span[1] + 24])
    near = len(amount.text)
    return next(
        (
            t.key
            for t in behind
            if t.key and (t.span[0] < near or _COUNTED.fullmatch(text, *_between(amount, t)))
        ),
        None,
    )


def _between(amount: Amount, term: TermHit) -> tuple[int, int]:
    return amount.span[0] + len(amount.text), amount.span[0] + term.span[0]
