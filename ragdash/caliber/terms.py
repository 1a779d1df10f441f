"""Accounting terms in running text: found longest first, over blanks and line breaks.

The terms are data (data/caliber/terms.toml); this module only reads them.
"""

from __future__ import annotations

import itertools
import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ragdash.caliber.kept import kept
from ragdash.core.errors import StoreError

_GROUP = re.compile(r"\{([^{}]*)\}")
_WORD = re.compile(r"[a-z0-9]")
_FOLD = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "‐": "-",
        "‑": "-",
        "業": "业",
        "營": "营",
        "歸": "归",
        "淨": "净",
        "潤": "润",
        "總": "总",
        "資": "资",
        "產": "产",
        "負": "负",
        "債": "债",
        "權": "权",
        "屬": "属",
        "東": "东",
        "費": "费",
        "銷": "销",
    }
)


@dataclass(frozen=True, slots=True)
class Term:
    """One metric of terms.toml with all its spellings written out, most usual first."""

    key: str
    family: str
    attribution: str | None
    aliases: tuple[str, ...]


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


@dataclass(frozen=True, slots=True)
class _Tables:
    terms: dict[str, Term]
    metrics: dict[str, str]
    scopes: dict[str, str]
    lengths: dict[str, tuple[int, ...]]
    words: dict[str, tuple[str, ...]]


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


def squeeze(text: str) -> tuple[str, list[int]]:
    """Return the text as terms are compared, and the index in `text` of each of its characters.

    Width and case are folded, blanks and line breaks beside a Chinese character dropped and all
    others are one blank.
    """
    chars: list[str] = []
    origin: list[int] = []
    for at, raw in enumerate(text):
        char = raw if raw.isascii() else unicodedata.normalize("NFKC", raw).translate(_FOLD)
        for piece in char.lower() if char != "" else "":
            if piece.isspace():
                if not chars or chars[-1] == " " or _is_cjk(chars[-1]):
                    continue
                piece = " "
            elif _is_cjk(piece) and chars and chars[-1] == " ":
                chars.pop()
                origin.pop()
            chars.append(piece)
            origin.append(at)
    return "".join(chars), origin


_SAME_CLAUSE = re.compile(r"[^。；;!?！？|\n，,]{0,24}")


def _is_cjk(char: str) -> bool:
    return "\u3000" <= char <= "\u9fff" or char in "()（）"


def _aliases(text: str, tables: _Tables) -> list[tuple[str, tuple[int, int]]]:
    tight, origin = squeeze(text)
    out: list[tuple[str, tuple[int, int]]] = []
    at = 0
    while at < len(tight):
        for length in tables.lengths.get(tight[at : at + 2], ()):
            alias, end = tight[at : at + length], at + length
            known = alias in tables.metrics or alias in tables.scopes
            if known and end <= len(tight) and _whole_word(tight, at, end):
                out.append((alias, (origin[at], origin[end - 1] + 1)))
                at = end
                break
        else:
            at += 1
    return out


def _whole_word(text: str, start: int, end: int) -> bool:
    if _WORD.match(text[start]) and start > 0 and _WORD.match(text[start - 1]):
        return False
    return not (_WORD.match(text[end - 1]) and end < len(text) and _WORD.match(text[end]))


def _spellings(pattern: str) -> list[str]:
    """Write out {a|b|} from the innermost group outwards."""
    done: list[str] = []
    todo = [pattern]
    while todo:
        item = todo.pop()
        match = _GROUP.search(item)
        if match is None:
            done.append(squeeze(item)[0].strip())
            continue
        options = match[1].split("|")
        todo.extend(item[: match.start()] + o + item[match.end() :] for o in reversed(options))
    return done


def _data_file() -> Path:
    package = Path(__file__).resolve().parents[1]
    for root in (package.parent / "data", package / "_app" / "data"):
        if (file := root / "caliber" / "terms.toml").is_file():
            return file
    raise StoreError("data/caliber/terms.toml is missing; install ragdash again.")


@cache
def _tables() -> _Tables:
    data = tomllib.loads(_data_file().read_text(encoding="utf-8"))
    terms: dict[str, Term] = {}
    metrics: dict[str, str] = {}
    scopes: dict[str, str] = {}
    for row in data["metric"]:
        names = [s for p in row.get("zh", []) + row.get("en", []) for s in _spellings(p)]
        key = str(row["key"])
        aliases = tuple(dict.fromkeys(names))
        terms[key] = Term(key, str(row["family"]), row.get("attribution") or None, aliases)
        for alias in aliases:
            if metrics.setdefault(alias, key) != key:
                raise StoreError(
                    f"data/caliber/terms.toml: {alias!r} is a spelling of both "
                    f"{metrics[alias]} and {key}; keep one."
                )
    for row in data["scope"]:
        for alias in itertools.chain.from_iterable(
            _spellings(p) for p in row.get("zh", []) + row.get("en", [])
        ):
            scopes.setdefault(alias, str(row["scope"]))
    lengths: dict[str, set[int]] = {}
    for alias in {*metrics, *scopes}:
        lengths.setdefault(alias[:2], set()).add(len(alias))
    longest_first = {start: tuple(sorted(n, reverse=True)) for start, n in lengths.items()}
    words = {name: tuple(dict.fromkeys(listed)) for name, listed in data["words"].items()}
    return _Tables(terms, metrics, scopes, longest_first, words)
