"""data/caliber/terms.toml read and checked: an analyst adds a term there, and a slip is told."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from ragdash.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_GROUP = re.compile(r"\{([^{}]*)\}")
_GAP = "..."
_GAP_PATTERN = r"[^\s,.;:]+(?: [^\s,.;:]+){0,3}"
# Whose profit it is, by name: the first word of an English name, which may be any; a Chinese one.
_LAST_GAP = r"(?!(?:{words})(?![\w-]))(?=\S*[a-z])[^\s,.;:|()]+"
_ZH_GAP = r"(?:(?!少数|净利|扣除)[^\s,.;:。、|()]){2,20}?"
_MOST_SPELLINGS = 5000
_METRIC = {"key", "family", "attribution", "zh", "en"}
_SCOPE = {"scope", "zh", "en"}
_ATTRIBUTIONS = ("", "合并", "归母", "扣非", "少数股东")
_SCOPES = ("consolidated", "parent", "segment", "product", "region")
_WORDS = (
    "zh_no_name", "zh_in_many_names", "zh_places", "zh_trades", "zh_company_ends", "en_no_name",
    "en_in_many_names", "en_no_part", "en_no_owner",
)  # fmt: skip
_FOLD = str.maketrans("’‘‐‑業營歸淨潤總資產負債權屬東費銷", "''--业营归净润总资产负债权属东费销")


@dataclass(frozen=True, slots=True)
class Term:
    """One metric of terms.toml with all its spellings written out, most usual first."""

    key: str
    family: str
    attribution: str | None
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The terms by key, spellings to keys and scopes, how long they are, and the common words.

    `lengths` are by a spelling's first two characters, the longest first; so are `gapped`, the
    spellings with a gap (net income attributable to … shareholders) as patterns; a gap at the end
    or in a Chinese spelling stands for a name.
    """

    terms: dict[str, Term]
    metrics: dict[str, str]
    scopes: dict[str, str]
    lengths: dict[str, tuple[int, ...]]
    gapped: dict[str, tuple[tuple[re.Pattern[str], str], ...]]
    words: dict[str, tuple[str, ...]]


def read_table(text: str, name: str) -> Table:
    """Return the table of a terms file.

    Args:
        text: the file's text.
        name: what an error calls the file.

    Raises:
        InputError: no TOML, an unknown or missing field, a spelling of two keys, and the like.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name} is no valid TOML: {error}; mend that place.") from None
    _only(data, {"version", "metric", "scope", "words"}, name)
    if data.get("version") != 1:
        raise InputError(f"{name}: version is {data.get('version')!r}; this ragdash reads 1.")
    terms, metrics = _metrics(_rows(data, "metric", name), name)
    scopes = _scopes(_rows(data, "scope", name), metrics, name)
    words = _words(data, name)
    gapped = _gapped(metrics, words["en_no_owner"])
    return Table(terms, metrics, scopes, _lengths(metrics, scopes), gapped, words)


def squeeze(text: str) -> tuple[str, list[int]]:
    """Return the text as terms are compared, and the index in `text` of each of its characters.

    Width and case are folded, blanks and line breaks beside a Chinese character dropped and all
    others are one blank.
    """
    flat = text.translate(_SQUEEZED)
    at: Sequence[int] = range(len(flat))
    if len(flat) != len(text):
        at = [n for n, char in enumerate(text) for _ in _SQUEEZED[ord(char)]]
    pieces: list[str] = []
    origin: list[int] = []
    done = 0
    for blank in _BLANKS.finditer(flat):
        start, end = blank.span()
        before = flat[start - 1] if start else "("
        pieces.append(flat[done:start])
        origin.extend(at[done:start])
        if not _is_cjk(before) and not (end < len(flat) and _is_cjk(flat[end])):
            pieces.append(" ")
            origin.append(at[start])
        done = end
    pieces.append(flat[done:])
    origin.extend(at[done:])
    return "".join(pieces), origin


class _Squeezed(dict[int, str]):
    """What each character becomes, worked out when it is first met: most texts use few."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        folded = char if char.isascii() else unicodedata.normalize("NFKC", char).translate(_FOLD)
        self[code] = folded.lower()
        return self[code]


_SQUEEZED = _Squeezed()
_BLANKS = re.compile(r"\s+")


def _is_cjk(char: str) -> bool:
    return "\u3000" <= char <= "\u9fff" or char in "()（）"


def _rows(data: dict[str, Any], kind: str, name: str) -> list[dict[str, Any]]:
    rows = data.get(kind)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{name} has no [[{kind}]]; each {kind} is a table of that name.")
    return rows


def _metrics(rows: Iterable[dict[str, Any]], name: str) -> tuple[dict[str, Term], dict[str, str]]:
    terms: dict[str, Term] = {}
    metrics: dict[str, str] = {}
    for number, row in enumerate(rows, 1):
        key = row.get("key")
        where = f"{name}, [[metric]] {key!r}" if key else f"{name}, [[metric]] number {number}"
        _only(row, _METRIC, where)
        family, attribution = row.get("family"), row.get("attribution", "")
        if not (isinstance(key, str) and key.strip() and isinstance(family, str) and family):
            raise InputError(f"{where}: key and family must both be given, as text.")
        if key in terms:
            raise InputError(f"{where} is there twice; put all its spellings into one.")
        if attribution not in _ATTRIBUTIONS:
            known = ", ".join(a for a in _ATTRIBUTIONS if a)
            raise InputError(f"{where}: attribution {attribution!r} is none of {known}.")
        aliases = _aliases_of(row, where)
        terms[key] = Term(key, family, attribution or None, aliases)
        for alias in aliases:
            if metrics.setdefault(alias, key) != key:
                raise InputError(
                    f"{where}: {alias!r} is a spelling of {metrics[alias]!r} too; keep one."
                )
    return terms, metrics


def _scopes(rows: Iterable[dict[str, Any]], metrics: dict[str, str], name: str) -> dict[str, str]:
    scopes: dict[str, str] = {}
    for number, row in enumerate(rows, 1):
        where = f"{name}, [[scope]] number {number}"
        _only(row, _SCOPE, where)
        scope = row.get("scope")
        if scope not in _SCOPES:
            raise InputError(f"{where}: scope {scope!r} is none of {', '.join(_SCOPES)}.")
        for alias in _aliases_of(row, where):
            if alias in metrics:
                raise InputError(f"{where}: {alias!r} is a spelling of {metrics[alias]!r} too.")
            if scopes.setdefault(alias, scope) != scope:
                raise InputError(f"{where}: {alias!r} is a word of {scopes[alias]} too; keep one.")
    return scopes


def _aliases_of(row: dict[str, Any], where: str) -> tuple[str, ...]:
    given = [*_texts(row, "zh", where), *_texts(row, "en", where)]
    aliases = tuple(dict.fromkeys(chain.from_iterable(_spellings(g, where) for g in given)))
    if not aliases:
        raise InputError(f"{where} has no spelling; give zh or en, or both.")
    return aliases


def _texts(row: dict[str, Any], field: str, where: str) -> list[str]:
    listed = row.get(field, [])
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise InputError(f'{where}: {field} must be a list of texts, such as ["营业收入", "营收"].')
    return listed


def _spellings(pattern: str, where: str) -> list[str]:
    """Write out {a|b|} from the innermost group outwards."""
    done: list[str] = []
    todo = [pattern]
    while todo:
        item = todo.pop()
        match = _GROUP.search(item)
        if match is None:
            done.append(_spelling(item, pattern, where))
            continue
        options = match[1].split("|")
        todo.extend(item[: match.start()] + o + item[match.end() :] for o in reversed(options))
        if len(done) + len(todo) > _MOST_SPELLINGS:
            raise InputError(f"{where}: {pattern!r} writes out to over {_MOST_SPELLINGS} texts.")
    return done


def _spelling(item: str, pattern: str, where: str) -> str:
    if any(mark in item for mark in "{}|"):
        raise InputError(f"{where}: {pattern!r} has a brace or bar that is not paired.")
    spelling = squeeze(item)[0].strip()
    if len(spelling) < 2 or spelling.startswith(_GAP):
        raise InputError(f"{where}: {pattern!r} gives {item!r}; a spelling has two characters.")
    if spelling.endswith(_GAP) and _is_cjk(spelling[0]):
        raise InputError(f"{where}: {pattern!r} gives {item!r}; end it with a word after the name.")
    return spelling


def _lengths(*aliases: dict[str, str]) -> dict[str, tuple[int, ...]]:
    lengths: dict[str, set[int]] = {}
    for alias in chain(*aliases):
        lengths.setdefault(alias[:2], set()).add(len(alias))
    return {start: tuple(sorted(found, reverse=True)) for start, found in lengths.items()}


def _gapped(
    metrics: dict[str, str], no_owner: Iterable[str]
) -> dict[str, tuple[tuple[re.Pattern[str], str], ...]]:
    last = _LAST_GAP.format(words="|".join(map(re.escape, no_owner)))
    found: dict[str, list[tuple[re.Pattern[str], str]]] = {}
    for alias in sorted((a for a in metrics if _GAP in a), key=len, reverse=True):
        *parts, end = [re.escape(part) for part in alias.split(_GAP)]
        gap = _ZH_GAP if _is_cjk(alias[0]) else _GAP_PATTERN
        pattern = gap.join([*parts, end] if end else parts) + ("" if end else last)
        found.setdefault(alias[:2], []).append((re.compile(pattern), alias))
    return {start: tuple(patterns) for start, patterns in found.items()}


def _words(data: dict[str, Any], name: str) -> dict[str, tuple[str, ...]]:
    words = data.get("words")
    where = f"{name}, [words]"
    if not isinstance(words, dict):
        raise InputError(f"{where} is missing; it lists {', '.join(_WORDS)}.")
    _only(words, set(_WORDS), where)
    out = {}
    for which in _WORDS:
        listed = tuple(dict.fromkeys(_texts(words, which, where)))
        if not listed or not all(word.strip() for word in listed):
            raise InputError(f"{where}: {which} is empty or holds an empty word.")
        out[which] = listed
    return out


def _only(row: dict[str, Any], known: set[str], where: str) -> None:
    if unknown := sorted(set(row) - known):
        raise InputError(
            f"{where} has the unknown field {unknown[0]!r}; known are {', '.join(sorted(known))}."
        )
