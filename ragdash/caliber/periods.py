"""Reporting periods named in running text, in Chinese and English."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CHINESE_DIGITS = str.maketrans("一二三四", "1234")
_PERIOD = re.compile(
    r"(?P<iso>(?<!\d)(?:19[9]\d|20\d\d)-\d\d-\d\d(?!\d))"
    r"|(?:FY\s?|fiscal(?: year)? )?(?<![\d.,$¥￥])(?P<year>199\d|20\d\d)"
    r"(?![\d%％]|[,.]\d|\s*[万亿億萬元])"
    r"(?:\s*年)?(?:\s*(?P<tail>Q[1-4]|H[12]))?"
    r"|(?<![A-Za-z])(?P<quarter>Q[1-4]|H[12])(?![A-Za-z0-9])"
    r"|第?(?P<cn>[一二三四])季度?|(?P<half>[上下])半年"
    r"|(?P<word>first|second|third|fourth)[ -]quarter|(?P<nine>前三季度|nine months)",
    re.I,
)
_WORDS = {"first": "Q1", "second": "Q2", "third": "Q3", "fourth": "Q4"}


@dataclass(frozen=True, slots=True)
class PeriodHit:
    """A period as written: the year, the part (Q1 to Q4, H1, H2, 9M), or both; None if absent."""

    year: int | None
    part: str | None
    span: tuple[int, int]


def find_periods(text: str) -> tuple[PeriodHit, ...]:
    """Return the years (1990 to 2099), quarters and halves that a text names, in order."""
    hits: list[PeriodHit] = []
    for match in _PERIOD.finditer(text):
        year = match["year"] or (match["iso"][:4] if match["iso"] else None)
        hits.append(PeriodHit(int(year) if year else None, _part(match), match.span()))
    return tuple(hits)


def read_period(period: str) -> tuple[int | None, str | None]:
    """Return year and part of a gold's period such as "2023", "2024Q2" or "2024-05-20"."""
    hits = find_periods(period)
    year = next((h.year for h in hits if h.year), None)
    return year, next((h.part for h in hits if h.part), None)


def _part(match: re.Match[str]) -> str | None:
    if tail := match["tail"] or match["quarter"]:
        return tail.upper()
    if match["cn"]:
        return "Q" + match["cn"].translate(_CHINESE_DIGITS)
    if match["half"]:
        return "H1" if match["half"] == "上" else "H2"
    if match["word"]:
        return _WORDS[match["word"].lower()]
    return "9M" if match["nine"] else None
