"""Accounting terms in running text: found longest first, over blanks and line breaks.

The terms are data (data/caliber/terms.toml, read by `table`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ragdash import shipped
from ragdash.caliber.kept import kept
from ragdash.caliber.table import Table, Term, read_table, squeeze

_WORD = re.compile(r"[a-z0-9]")
_SAME_CLAUSE = re.compile(r"[^。；;!?！？|\n，,]{0,24}")
# 贵州茅台酒股份有限公司 is a company's name, no product
_A_COMPANY = re.compile(r"(?:股份|有限|集团)")


@dataclass(frozen=True, slots=True)
class TermHit:
    """A term found in a text; `span` is half-open, in characters of that text.

    `scope` is the scope word that stands with it (consolidated, parent, segment, product,
    region), `attribution` 合并, 归母, 扣非 or 少数股东; None where it has none. A scope word alone
    is a hit with an empty key and family.
    """

    key: str
    family: str
    attribution: str | None
    scope: str | None
    span: tuple[int, int]
    alias: str


@kept
def find_terms(text: str) -> tuple[TermHit, ...]:
    """Return the metric terms of a text in order, the longest spelling at each place.

    A scope word in the same clause, before its term, sets the term's scope.
    """
    tables = _tables()
    hits: list[TermHit] = []
    scope: tuple[str, int] | None = None
    for alias, span in _aliases(text, tables):
        if alias in tables.scopes:
            scope = (tables.scopes[alias], span[1])
            continue
        term = tables.terms[tables.metrics[alias]]
        near = scope is not None and _SAME_CLAUSE.fullmatch(text, scope[1], span[0])
        named = scope[0] if scope is not None and near else None
        hits.append(TermHit(term.key, term.family, term.attribution, named, span, alias))
    return tuple(hits)


@kept
def find_scopes(text: str) -> tuple[tuple[str, tuple[int, int]], ...]:
    """Return the scope words of a text that are no part of a longer term, with their spans."""
    tables = _tables()
    return tuple((tables.scopes[a], s) for a, s in _aliases(text, tables) if a in tables.scopes)


def metric_key(name: str) -> str | None:
    """Return the key of a metric that is given by key or by any spelling, None if unknown."""
    tables = _tables()
    if name in tables.terms:
        return name
    return tables.metrics.get(squeeze(name)[0].strip())


def term(key: str) -> Term | None:
    """Return the term of a key, None if there is none."""
    return _tables().terms.get(key)


def siblings(key: str) -> tuple[str, ...]:
    """Return the other keys of a key's family: what it may be mistaken for."""
    terms = _tables().terms
    if key not in terms:
        return ()
    return tuple(k for k, t in terms.items() if t.family == terms[key].family and k != key)


def common_words(which: str) -> tuple[str, ...]:
    """Return a list of [words] of terms.toml, such as zh_no_name."""
    return _tables().words[which]


def _aliases(text: str, tables: Table) -> list[tuple[str, tuple[int, int]]]:
    tight, origin = squeeze(text)
    out: list[tuple[str, tuple[int, int]]] = []
    at = 0
    while at < len(tight):
        alias, end = _alias_at(tight, at, tables)
        if alias and not (alias in tables.scopes and _A_COMPANY.match(tight, end)):
            out.append((alias, (origin[at], origin[end - 1] + 1)))
        at = end if alias else at + 1
    return out


def _alias_at(tight: str, at: int, tables: Table) -> tuple[str, int]:
    """The longest spelling at a place and its end, "" where there is none."""
    start = tight[at : at + 2]
    best, best_end = "", at
    for length in tables.lengths.get(start, ()):
        alias, end = tight[at : at + length], at + length
        known = alias in tables.metrics or alias in tables.scopes
        if known and end <= len(tight) and _whole_word(tight, at, end):
            best, best_end = alias, end
            break
    for pattern, alias in tables.gapped.get(start, ()):
        match = pattern.match(tight, at)
        if match and match.end() > best_end and _whole_word(tight, at, match.end()):
            best, best_end = alias, match.end()
    return best, best_end


def _whole_word(text: str, start: int, end: int) -> bool:
    if _WORD.match(text[start]) and start > 0 and _WORD.match(text[start - 1]):
        return False
    return not (_WORD.match(text[end - 1]) and end < len(text) and _WORD.match(text[end]))


@cache
def _tables() -> Table:
    name = "data/caliber/terms.toml"
    return read_table(shipped.path(name).read_text(encoding="utf-8"), name)


__all__ = [
    "Term",
    "TermHit",
    "common_words",
    "find_scopes",
    "find_terms",
    "metric_key",
    "siblings",
    "squeeze",
    "term",
]
