"""Reads a question as an extractive generator must: from its words and the visible chunks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.caliber import find_terms
from ragdash.index.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ragdash.core.chunk import Chunk

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")

# Words of asking, not of the thing asked for; without them a question is its metric and its rows.
_ASKING_ZH = (
    "请问根据报告年报年度期末末的是多少为多少几何各是各为分别是什么有哪些如何怎样哪一哪个公司"
    "合计金额数额请以元为单位回答亿元万元百万元相比上年与和比"
)
_ASKING_EN = """
    what was were is are the a an of in for how much many did does do its their and or at to from by
    with as on year fiscal fy company report reported annual filing 10-k 10k usd million billion
    according based end total value amount s inc
"""
_ASKING = frozenset(tokenize(_ASKING_ZH)) | frozenset(_ASKING_EN.split())
_FIGURE = re.compile(
    r"多少|几[个家人名次元]|金额|比例|占比|增长率|增速|how (?:much|many)|"
    r"what (?:was|were|is|are) .*"
    r"(?:amount|value|revenue|sales|income|margin|rate|ratio|cost|expense|profit|assets|cash)",
    re.I,
)


_SHARE = re.compile(
    r"增长率|增速|增幅|同比|环比|占比|比例|比重|百分比|percent|what share|growth rate|ratio of",
    re.I,
)
_PART = re.compile(r"季度|上半年|下半年|半年|quarter|half[- ]year|Q[1-4]", re.I)


@dataclass(frozen=True, slots=True)
class Target:
    """One figure that a question asks for.

    `words` are the row words left beside metric, company and year; `key` is the caliber key of the
    asked metric, None where the terms know none.
    """

    company: str | None
    period: str | None
    key: str | None
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """One target for each combination asked, and what kind of answer is wanted.

    `wants_share`: a rate or growth, which no amount of money answers. `wants_part`: a figure of a
    quarter or half-year.
    """

    targets: tuple[Target, ...]
    wants_figure: bool
    wants_share: bool
    wants_part: bool
    words: frozenset[str]


def named_companies(question: str, context: Iterable[Chunk]) -> tuple[str, ...]:
    """Return the companies of the visible chunks that the question names, longest name first."""
    folded = question.casefold()
    names = sorted({c.source.company for c in context}, key=lambda n: (-len(n), n))
    return tuple(name for name in names if name.casefold() in folded)


def read_question(question: str, context: Sequence[Chunk]) -> Reading:
    """Return the targets of a question: every named company, year and metric combined.

    A question that names no company of the visible chunks has targets without a company, which no
    chunk can meet; the generator then declines.
    """
    companies = named_companies(question, context)
    rest = question
    for name in companies:
        # With the legal name around it: 长春百克生物科技股份公司 asks no more than 百克生物 does.
        legal = rf"(?:[\u4e00-\u9fff]{{0,4}}{re.escape(name)}[\u4e00-\u9fff]{{0,12}}?公司)"
        rest = re.sub(rf"{legal}|{re.escape(name)}", " ", rest, flags=re.I)
    periods = tuple(dict.fromkeys(_YEAR.findall(rest)))
    terms = find_terms(rest)
    keys = tuple(dict.fromkeys(t.key for t in terms))
    for term in sorted(terms, key=lambda t: t.span, reverse=True):
        rest = rest[: term.span[0]] + " " + rest[term.span[1] :]
    words = frozenset(tokenize(_YEAR.sub(" ", rest))) - _ASKING
    targets = tuple(
        Target(company, period, key, words)
        for company in companies or (None,)
        for period in periods or (None,)
        for key in keys or (None,)
    )
    return Reading(
        targets=targets,
        wants_figure=bool(keys) or bool(_FIGURE.search(question)),
        wants_share=bool(_SHARE.search(question)),
        wants_part=bool(_PART.search(question)),
        words=words,
    )
