"""Reporting periods named in running text, in Chinese and English."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ragdash.caliber.kept import kept

_CHINESE_DIGITS = str.maketrans("〇○零一二三四五六七八九", "000123456789")
_PERIOD = re.compile(
    r"(?P<iso>(?<!\d)(?:19[9]\d|20\d\d)-\d\d-\d\d(?!\d))"
    r"|(?:FY\s?|fiscal(?: year)? )?(?<![\d.,$¥￥])(?P<year>199\d|20\d\d)"
    r"(?![\d%％]|[,.]\d|\s*[万亿億萬元])"
    r"(?:\s*年)?(?:\s*(?P<tail>Q[1-4]|H[12]))?"
    r"|(?P<han>(?:二[〇○零]|一九)[〇○零一二三四五六七八九]{2})年"
    r"|(?<![A-Za-z])FY\s?['’]?(?P<short>\d\d)(?![\d%.,])"
    r"|(?<![A-Za-z])(?P<quarter>Q[1-4]|H[12])(?![A-Za-z0-9])"
    r"|(?P<nine>前三个?季度?|nine months)"
    r"|第?(?P<cn>[一二三四])季度?|(?P<half>[上下])半年|(?P<mid>半年度)"
    r"|(?<!\d)(?P<from>1?\d)\s?月?\s?[-–—~～至到]\s?(?P<to>1?\d)\s?月"
    r"|(?P<word>first|second|third|fourth)[ -](?P<what>quarter|half)"
    r"|(?P<months>three|six|twelve) months"
    r"|(?P<full>全年|full[ -](?:fiscal[ -])?year)"
    r"|(?P<prior>(?:上一?|去|前一)年(?:度|同期)?|上期(?!末)"
    r"|(?<![a-z])(?:(?:the )?(?:prior|previous|preceding) (?:fiscal )?year|last year"
    r"|a year (?:earlier|ago))(?![a-z]))",
    re.I,
)
_WORDS = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
_MONTHS = {"three": "3M", "six": "6M", "twelve": "FY"}
_SPANS = {
    (1, 3): "Q1",
    (4, 6): "Q2",
    (7, 9): "Q3",
    (10, 12): "Q4",
    (1, 6): "H1",
    (7, 12): "H2",
    (1, 9): "9M",
    (1, 12): "FY",
}
_SAME = {"3M": ("Q1", "Q2", "Q3", "Q4"), "6M": ("H1", "H2")}
_IS = ("为", "是", "达", "约", "共")
# growth over last year is no figure of last year: 较上年同期增长, "up 2% from the prior year to"
_COMPARED = re.compile(
    r"(?:[较比与同和跟]|相[较比]于?|对比)\s?$"
    r"|(?<![a-z])(?:over|from|with|versus|vs\.?|than|against|on|to|since|as) (?:the |in )?$",
    re.I,
)
_GROWN = re.compile(
    r"(?:的|末|数|金额)?[,，]?\s?(?:变动|增(?!长率|速)|减|降|升|下|上升|提|持平|相[比较同]|一致|扭亏)"
)
_ITS_FIGURE = re.compile(
    r"(?:的|同期|数|金额|为|是|[(（:：]|\s){0,3}[\d$¥￥]|[’']s\s[^.;,\n\d]{0,30}?[\d$]"
    r"|\s(?:figure )?of\s[\d$]"
)


@dataclass(frozen=True, slots=True)
class PeriodHit:
    """A period as written: the year, the part of it, or both; None if absent.

    `part`: Q1 to Q4, H1, H2, 9M (nine months), 3M and 6M (which ones is not said), FY (said to be
    the full year). `prior`: said as the year before, 上年同期 or "the prior year".
    """

    year: int | None
    part: str | None
    span: tuple[int, int]
    prior: bool = False


@kept
def find_periods(text: str) -> tuple[PeriodHit, ...]:
    """Return the years (1990 to 2099), quarters, halves and prior years of a text, in order."""
    hits: list[PeriodHit] = []
    for match in _PERIOD.finditer(text):
        if match["prior"]:
            if _names_the_year_before(text, match.span()):
                hits.append(PeriodHit(None, None, match.span(), prior=True))
            continue
        year, part = _year(match), _part(match)
        a_count = match[0].isdigit() and text[max(0, match.start() - 1) : match.start()] in _IS
        if (year or part) and not a_count:
            hits.append(PeriodHit(year, part, match.span()))
    return tuple(hits)


def read_period(period: str) -> tuple[int | None, str | None]:
    """Return year and part of a gold's period such as "2023", "2024Q2" or "2024-05-20"."""
    hits = find_periods(period)
    year = next((h.year for h in hits if h.year), None)
    part = next((h.part for h in hits if h.part), None)
    return year, None if part == "FY" else part


def same_part(found: str | None, asked: str | None) -> bool:
    """Whether a stated part of a year may be the asked one; None is asked for the full year."""
    if found is None or found == (asked or "FY"):
        return True
    return asked is not None and (asked in _SAME.get(found, ()) or found in _SAME.get(asked, ()))


def _names_the_year_before(text: str, span: tuple[int, int]) -> bool:
    """Whether "prior year" names a figure's year and not what a growth is measured against."""
    if _GROWN.match(text, span[1]):
        return False
    if _COMPARED.search(text, max(0, span[0] - 12), span[0]):
        return _ITS_FIGURE.match(text, span[1]) is not None
    return True


def _year(match: re.Match[str]) -> int | None:
    if match["short"]:
        return 2000 + int(match["short"])
    if match["han"]:
        return int(match["han"].translate(_CHINESE_DIGITS))
    year = match["year"] or (match["iso"][:4] if match["iso"] else None)
    return int(year) if year else None


def _part(match: re.Match[str]) -> str | None:
    if tail := match["tail"] or match["quarter"]:
        return tail.upper()
    if match["cn"]:
        return "Q" + match["cn"].translate(_CHINESE_DIGITS)
    if match["half"] or match["mid"]:
        return "H2" if match["half"] == "下" else "H1"
    if match["to"]:
        return _SPANS.get((int(match["from"]), int(match["to"])))
    if match["months"]:
        return _MONTHS[match["months"].lower()]
    if match["word"]:
        return match["what"][0].upper() + _WORDS[match["word"].lower()]
    return "9M" if match["nine"] else "FY" if match["full"] else None
