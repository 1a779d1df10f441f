"""What is left of a text when periods, terms and common words are taken out: names, most of it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ragdash.caliber.kept import kept
from ragdash.caliber.periods import find_periods
from ragdash.caliber.samename import any_of, is_chinese
from ragdash.caliber.terms import common_words, find_terms

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUN = re.compile(r"[\u4e00-\u9fff·A-Za-z]+")
# 3M is a name where it is a subject; elsewhere it may be three million
_NAME = re.compile(
    r"(?<![A-Za-z0-9$.,])\d[A-Z](?=['’]s )|(?<![A-Za-z0-9$])[A-Z][A-Za-z0-9&.-]*"
    r"(?:(?: & | of (?=[A-Z])| )[A-Z][A-Za-z0-9&.-]*){0,4}"
)
_WORD = re.compile(r"\d?[A-Z][A-Za-z0-9&.-]*|&|of")
_PLACE = re.compile(r"[（(][\u4e00-\u9fff]{2,4}[)）]")
_JOINS = re.compile(r"[的和与及或、，,。在于为是]")

Span = tuple[int, int]


@kept
def find_pieces(text: str) -> tuple[tuple[str, Span], ...]:
    """Return the names that may stand in a text with their spans, in order."""
    return tuple(_pieces(text))


def _pieces(text: str) -> Iterator[tuple[str, Span]]:
    taken = sorted([h.span for h in find_periods(text)] + [h.span for h in find_terms(text)])
    runs = [m.span() for m in _RUN.finditer(text) if is_chinese(m[0])]
    names = [m.span() for m in _NAME.finditer(text) if not is_chinese(m[0])]
    for span in sorted([*runs, *names]):
        for free in _free(span, taken):
            if is_chinese(text[slice(*span)]):
                yield from _chinese(text, free)
            else:
                yield from _english(text, free)


def chinese_pieces(text: str, span: Span) -> Iterator[tuple[str, Span]]:
    """Yield what common words leave of the Chinese text in a span, at least two characters each."""
    for run in _RUN.finditer(text, *span):
        yield from _chinese(text, run.span())


def goes_on(text: str, before: Span, span: Span) -> bool:
    """Whether a piece is the rest of a Chinese name that a common word broke: 东杰智·能·科技."""
    gap = text[before[1] : span[0]]
    if _PLACE.fullmatch(gap):
        return True
    return len(gap) < 3 and is_chinese(gap[:1]) and not _JOINS.search(gap)


def _free(span: Span, taken: list[Span]) -> Iterator[Span]:
    at = span[0]
    for low, high in taken:
        if low >= span[1]:
            break
        if high > at:
            if low > at:
                yield at, low
            at = high
    if at < span[1]:
        yield at, span[1]


@lru_cache(1)
def _breaks() -> re.Pattern[str]:
    kept = any_of("zh_in_many_names").pattern
    return re.compile(f"(?P<kept>{kept})|{any_of('zh_no_name').pattern}")


def _chinese(text: str, span: Span) -> Iterator[tuple[str, Span]]:
    at = span[0]
    breaks = [m.span() for m in _breaks().finditer(text, *span) if not m["kept"]]
    for low, high in [*breaks, (span[1], span[1])]:
        if low - at >= 2 and is_chinese(text[at:low]):
            yield text[at:low], (at, low)
        at = high


def _english(text: str, span: Span) -> Iterator[tuple[str, Span]]:
    no_name = _no_name()
    words = list(_WORD.finditer(text, *span))
    while words and words[0][0].lower().strip(".-") in no_name:
        words.pop(0)
    while words and words[-1][0].lower().strip(".-") in no_name:
        words.pop()
    if words:
        low = words[0].start()
        name = text[low : words[-1].end()].rstrip(".-")
        if len(name) > 1:
            yield name, (low, low + len(name))


@lru_cache(1)
def _no_name() -> frozenset[str]:
    return frozenset({*common_words("en_no_name"), "of", "&"})
