# ruff: noqa: E501 - lists of words, one language a line
"""What a query asks for: of which company, which figure of which period, or which text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.attack.controls.working import Asked, Target
from ragdash.caliber import asked_names, find_periods, find_scopes, find_terms
from ragdash.generate.reading import read_question
from ragdash.index.tokenize import tokenize
from ragdash.recognise.periods import asked_periods

if TYPE_CHECKING:
    from collections.abc import Iterable

_CHINESE = re.compile(r"[㐀-鿿]")
_LEGAL = re.compile(
    r"(?:股份有限公司|有限责任公司|有限公司|股份|公司|集团)$"
    r"|[,\s]+(?:incorporated|inc|corporation|corp|company|co|limited|ltd|plc|llc|group|holdings?)\.?$",
    re.I,
)
# What makes another company of a name that it follows.
_LONGER_NAME = re.compile(
    r"\s?(?:[（(](?!\d)[^（）()]{1,20}[)）]|香港|澳门|台湾|国际|海外|美国|欧洲|日本|新加坡|子公司|分公司|财务公司|置业|金融)"
    r"|[ ](?:International|Canada|UK|Europe|Asia|China|Japan|Financial|Finance|Capital|Bank|Services"
    r"|Holdings|Subsidiary|Hong Kong|Mexico|Brasil|India|Insurance|Energy|Partners|Trust|Realty)\b"
)
_PROSE = re.compile(
    r"怎样|如何|怎么|方案|预案|为什么|为何|哪些|哪家|哪位|哪里|是否|是谁|谁|说明|描述|政策|原因|规定|有什么|什么(?:措施|风险|要求|安排|用途|影响)"
    r"|^\s*what (?:do|does|did)\b.*\b(?:say|tell|describe|disclose|warn|state|mention|advise|explain|require|ask)\b"
    r"|^\s*what (?:\w+ ){0,3}(?:risk|polic|control|rule|procedure|measure|step|reason|plan|safeguard)\w*\b"
    r"|^\s*(?:which|why|who|whom|where|how (?!much|many)|does|did|do|is|are|was|were|has|have|can)\b"
    r"|^\s*what (?:is|are|was|were)\b.*\b(?:told|asked|required|expected|advised|instructed|supposed|allowed|encouraged|trained) to\b"
    r"|\b(?:describe|explain)\b",
    re.I,
)
_WHO = re.compile(r"是谁|谁[是任]|[是由]哪位|^\s*who (?:is|was|serves? as|acts? as)\b", re.I)
_FIGURE = re.compile(
    r"多少|几[家个人名次元位]|多大|多高|how (?:much|many)|what (?:share|percentage|percent|proportion|portion|fraction)",
    re.I,
)
_WHAT = re.compile(r"\bwhat (?:was|were|is|are)\b", re.I)
_PERCENT = re.compile(
    r"(?<!汇)(?<!费)率(?!先|领)|(?<![同环对相])比(?=[是为多有]|\s*[？?]|$)|占比|比例|比重|百分之|增速|增幅|同比|环比|margin|percent|what share|share of"
    r"|proportion|portion|fraction|growth|\brate\b|\bratio",
    re.I,
)
_PER_SHARE = re.compile(r"每股|per[- ](?:diluted |basic )?share|\beps\b", re.I)
_COUNT = re.compile(
    r"how many|多少(?:人|名|家|个|项|台|辆|座|间|件|吨|户|位|员工|股)|几[家个名人位]|人数|员工|数量|家数|employees|headcount",
    re.I,
)
_SAYS_NOTHING = frozenset(
    [
        "reported",
        "post",
        "posted",
        "record",
        "recorded",
        "generate",
        "generated",
        "carry",
        "carried",
        "hold",
        "held",
        "declare",
        "declared",
        "have",
        "had",
        "has",
        "make",
        "made",
        "earn",
        "earned",
        "spend",
        "spent",
        "achieve",
        "achieved",
        "deliver",
        "delivered",
        "come",
        "came",
        "pay",
        "paid",
        "get",
        "got",
        "show",
        "showed",
        "state",
        "stated",
        "rate",
        "ratio",
        "percentage",
        "number",
        "level",
        "amount",
        "figure",
        "size",
        "sum",
        "there",
        "be",
        "been",
        "it",
        "came",
        "according",
        "per",
        "during",
        "financial",
    ]
)
# Neither tells one figure from another, and a tokenizer that pairs characters would mix them in.
_TIME_AND_ASKING = re.compile(
    r"(?<=年)(?:度|末|底|终|全年|上半年|下半年)+|截至|报告期[内末]?|期末|年末|年底|年度|(?:共|总共|一共|合计)?有多少[个家人名项台位件]?"
    r"|(?:达到?|为|是)?多少[个家人名项台位件]?|是什么|是怎样的?|是谁|谁[是任担]|[是由]?哪位|^\s*who\b|的(?=[\u4e00-\u9fff])"
    r"|\bat (?:the )?(?:end|close) of\b|\b(?:fiscal )?year[- ]end\b|\bas of\b|\bduring\b",
    re.I,
)
_DAYS = re.compile(r"天数|多少天|how many days|\bdays\b", re.I)


def read_query(query: str, companies: Iterable[str]) -> Asked:
    """Return what a query asks for, `companies` being those that the passages are of."""
    names = sorted({c for c in companies if c}, key=lambda c: (-len(c), c))
    company, bare = _company(query, names)
    other = not company and bool(names) and bool(asked_names(query))
    reading = read_question(_TIME_AND_ASKING.sub(" ", bare), ())
    terms = find_terms(bare)
    keys = tuple(dict.fromkeys(t.key for t in terms))
    kinds = _kinds(bare)
    # The six months ended June 30, 2024: which part it is, only the words around the year say.
    part = next((p.part for p in find_periods(bare) if p.part and p.year is None), None)
    periods: list[tuple[int | None, str | None]] = [
        (p.year, p.part or part) for p in asked_periods(bare)
    ] or [(None, None)]
    if "percent" in kinds or not keys:
        groups = [frozenset(keys)]
    else:
        groups = [frozenset({key}) for key in keys]
    measured = bool(keys) or (bool(kinds) and _WHAT.search(bare) is not None)
    figure = _FIGURE.search(bare) is not None or (measured and not _PROSE.search(bare))
    named = frozenset(tokenize(" ".join(t.alias for t in terms)))
    return Asked(
        query=query,
        bare=bare,
        lang="zh" if _CHINESE.search(bare) else "en",
        company=company,
        other_company=other,
        targets=tuple(Target(group, year, part) for year, part in periods for group in groups),
        words=_telling(reading.words) if figure else reading.words | named,
        kinds=kinds,
        wants_figure=figure,
        scope=next((s for s, _ in find_scopes(bare)), None),
        wants_name=_WHO.search(bare) is not None,
    )


def _telling(words: frozenset[str]) -> frozenset[str]:
    """Return the words that tell one figure from another: no verb of stating, no kind of measure."""
    return frozenset(w for w in words if w not in _SAYS_NOTHING and (w.isascii() or len(w) > 1))


def _company(query: str, names: list[str]) -> tuple[str, str]:
    """Return the company that a query names, "" where none of these, and the query without it."""
    for name in names:
        at = query.casefold().find(name.casefold())
        if at >= 0:
            rest = query[at + len(name) :]
            if not _LONGER_NAME.match(rest):
                return name, query[:at] + " " + rest
            return "", query
    for name in names:
        short = _LEGAL.sub("", _LEGAL.sub("", name)).strip()
        at = query.casefold().find(short.casefold()) if len(short) > 2 else -1
        if at >= 0 and not _LONGER_NAME.match(query[at + len(short) :]):
            return name, query[:at] + " " + query[at + len(short) :]
    return "", query


def _kinds(bare: str) -> frozenset[str]:
    """Return the kinds of figure that would answer; empty where any would."""
    if _PER_SHARE.search(bare):
        return frozenset({"per_share", "money"})
    if _PERCENT.search(bare):
        return frozenset({"percent", "ratio", "pp"})
    if _DAYS.search(bare):
        return frozenset({"days"})
    if _COUNT.search(bare):
        return frozenset({"count", "bare"})
    return frozenset({"money"}) if find_terms(bare) else frozenset()
