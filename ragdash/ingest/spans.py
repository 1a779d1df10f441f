"""Glyphs to spans: pieces of text that no cell border and no visible gap divides."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ragdash.ingest.glyphs import Glyphs
    from ragdash.ingest.rules import Rules

CELL_GAP = 0.8
"""Em; a wider gap without a drawn blank divides cells."""
BLANK_GAP = 1.3
"""Em; the same where the file draws a blank, since justified words stand far apart."""
NUMBER_GAP = 0.22
"""Em; kerned digits stand closer than this, neighbouring amounts do not."""
RISE = 0.6
"""Em; a bigger step of the baseline is another line, a smaller one a superscript."""
SUPERSCRIPT = 0.8
"""A digit smaller than this share of the digit before it is a footnote mark, not its next digit."""

SIGNS = (ord("$"), ord("¥"), ord("￥"), ord("€"), ord("£"))
"""Currency signs that stand before their figure."""
BOXES = {0xF052: "☑", 0xF0FE: "☑", 0xF0FC: "√", 0xF0A8: "□", 0xF0A3: "□", 0xF06F: "□"}
"""Wingdings at their private code points: the ticks of 是 否 and 适用 不适用."""

AMOUNT = re.compile(
    r"[-+−–]?[（(]?[-−]?[$¥￥€£]?\s?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?\s?[）)]?\s?[%％]?[）)]?"
)
"""A whole cell that is one figure."""
DASH = re.compile(r"[-–—−/]+|不适用|N/?A", re.IGNORECASE)
"""A cell that stands for "no figure"."""

BaselinesOf = Callable[["NDArray[np.int64]"], "NDArray[np.float64]"]

_CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u3000-\u30ff“”‘’…—√□☑☒]")


@dataclass(frozen=True, slots=True)
class Span:
    """A run of characters on one line; `x0`, `x1`, `y` (baseline) and `size` in points."""

    text: str
    x0: float
    x1: float
    y: float
    size: float
    order: int

    @property
    def is_figure(self) -> bool:
        """Whether the whole span is one amount, or stands for none."""
        return is_figure(self.text)


@lru_cache(maxsize=20_000)
def is_figure(text: str) -> bool:
    """Whether a cell's text is one amount, a currency sign, or a dash that stands for none."""
    text = text.strip()
    return bool(AMOUNT.fullmatch(text) or DASH.fullmatch(text)) or text in "$¥￥€£%)）"


def is_cjk(character: str) -> bool:
    """Whether a character is written without blanks around it."""
    return bool(_CJK.match(character))


def read_spans(glyphs: Glyphs, rules: Rules, baselines_of: BaselinesOf) -> list[Span]:
    """Cut a page's characters into spans, in stream order; blanks are rebuilt from the gaps.

    `baselines_of` returns the baselines (points) of the characters at some indices.
    """
    codes = _readable(glyphs.codes)
    solid = np.flatnonzero(~_blank(codes) & (glyphs.size > 0.1))
    if not len(solid):
        return []
    before, after = solid[:-1], solid[1:]
    em = np.maximum(glyphs.size[before], glyphs.size[after])
    gap = (glyphs.left[after] - glyphs.right[before]) / em
    middle = glyphs.bottom + glyphs.size / 2
    rise = np.abs(middle[after] - middle[before]) / em
    drawn = np.concatenate(([0], np.cumsum(_blank(codes) & (glyphs.size > 0.1))))
    has_blank = drawn[after] > drawn[before]
    cut = (rise > RISE) | (gap < -0.7) | (gap > np.where(has_blank, BLANK_GAP, CELL_GAP))
    figure_ends = _in_number(codes[before]) | (codes[before] == ord(")"))
    cut |= np.isin(codes[after], SIGNS) & figure_ends & (gap > 0.15)
    cut |= _crosses(glyphs, rules, before, after, gap > 0.02)
    spaced = ~cut & _spaced(codes, glyphs, (before, after), gap, has_blank)
    return _cut_up(codes, glyphs, solid, (cut, spaced), baselines_of)


def _readable(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Hyphens and radicals as everybody writes them; control characters as blanks."""
    codes = codes.copy()
    codes[np.isin(codes, (0x02, 0xAD, 0xFFFE, 0x2010, 0x2011))] = ord("-")
    for symbol, plain in BOXES.items():
        codes[codes == symbol] = ord(plain)
    codes[(codes >= 0xD800) & (codes < 0xE000)] = 0xFFFD
    if ((codes >= 0x2E80) & (codes < 0x2FE0)).any() or ((codes >= 0xF900) & (codes < 0xFB07)).any():
        import unicodedata

        for code in np.unique(codes):
            if 0x2E80 <= code < 0x2FE0 or 0xF900 <= code < 0xFB00:
                usual = unicodedata.normalize("NFKC", chr(code))
                codes[codes == code] = ord(usual) if len(usual) == 1 else code
    return codes


def _blank(codes: NDArray[np.int64]) -> NDArray[np.bool_]:
    thin = (codes >= 0x2000) & (codes <= 0x200F)
    zero = (codes >= 0x7F) & (codes <= 0xA0)
    return (codes <= 32) | thin | zero | np.isin(codes, (0x3000, 0xFEFF, 0x2028, 0x2029))


def _crosses(
    glyphs: Glyphs,
    rules: Rules,
    before: NDArray[np.int64],
    after: NDArray[np.int64],
    candidates: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Where a vertical line stands between two neighbouring characters."""
    crossed = np.zeros(len(before), np.bool_)
    pairs = np.flatnonzero(candidates)
    if not len(pairs) or not len(rules.vertical):
        return crossed
    a, b = before[pairs], after[pairs]
    start = ((glyphs.left + glyphs.right) / 2)[a][:, None]
    end = ((glyphs.left + glyphs.right) / 2)[b][:, None]
    y = (glyphs.bottom[a] + glyphs.size[a] / 2)[:, None]
    x, y0, y1 = rules.vertical.T
    crossed[pairs] = ((x > start) & (x < end) & (y > y0) & (y < y1)).any(axis=1)
    return crossed


def _spaced(
    codes: NDArray[np.int64],
    glyphs: Glyphs,
    pair: tuple[NDArray[np.int64], NDArray[np.int64]],
    gap: NDArray[np.float64],
    has_blank: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Whether a blank belongs between two characters of one span."""
    a, b = codes[pair[0]], codes[pair[1]]
    guessed = pair[1] > pair[0] + 1
    digits = _in_number(a) & _in_number(b)
    wide_a, wide_b = a >= 0x2E80, b >= 0x2E80
    least = np.where(has_blank, -0.3, 0.2)
    least = np.where(wide_a | wide_b, np.where(has_blank, 0.08, 0.3), least)
    least = np.where(wide_a & wide_b, np.where(has_blank, 0.2, np.where(guessed, 0.35, 0.6)), least)
    least = np.where(digits, np.where(has_blank, 0.15, NUMBER_GAP), least)
    footnote = digits & (glyphs.size[pair[1]] < SUPERSCRIPT * glyphs.size[pair[0]])
    wanted: NDArray[np.bool_] = (gap > least) | footnote
    return wanted


def _in_number(codes: NDArray[np.int64]) -> NDArray[np.bool_]:
    numeric: NDArray[np.bool_] = ((codes >= 48) & (codes <= 57)) | (codes == 44) | (codes == 46)
    return numeric


def _cut_up(
    codes: NDArray[np.int64],
    glyphs: Glyphs,
    solid: NDArray[np.int64],
    marks: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    baselines_of: BaselinesOf,
) -> list[Span]:
    cut, spaced = marks
    at = np.flatnonzero(spaced) + 1
    text = np.insert(codes[solid], at, 32).astype("<u4").tobytes().decode("utf-32-le")
    starts = np.concatenate(([0], np.flatnonzero(cut) + 1))
    ends = np.concatenate((starts[1:], [len(solid)]))
    shift = np.concatenate(([0], np.cumsum(spaced)))
    columns = (
        (starts + shift[starts]).tolist(),
        (ends + shift[ends - 1]).tolist(),
        np.minimum.reduceat(glyphs.left[solid], starts).tolist(),
        np.maximum.reduceat(glyphs.right[solid], starts).tolist(),
        baselines_of(solid[starts]).tolist(),
        np.maximum.reduceat(glyphs.size[solid], starts).tolist(),
        solid[starts].tolist(),
    )
    return [Span(text[s:e], *rest) for s, e, *rest in zip(*columns, strict=True)]
