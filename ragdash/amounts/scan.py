"""Number tokens of a folded text: digits in every notation, and numbers in words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from ragdash.amounts.numerals import (
    CHINESE,
    CHINESE_RUN,
    ENGLISH_RUN,
    FIRST_LETTERS,
    NEXT_LETTERS,
    read_chinese,
    read_english,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 40
_TOKEN = re.compile(
    rf"""
    (?P<words>{ENGLISH_RUN.pattern})
   |(?P<fraction>(?P<whole>百|千|万)分之(?=[\d零一二三四五六七八九十]))
   |(?P<cheng>(?<![\d.十百千万零点])[1-9一二两三四五六七八九]成[一二三四五六七八九半](?![十百千万亿个家名位倍年点成]))
   |(?P<chinese>{CHINESE_RUN.pattern})
   |(?P<sci>\d{{1,20}}(?:\.\d{{1,20}})?(?:\s?[×xX*·]\s?10\s?(?:\^\s?[{{(]?(?P<exp>[+-]?\d{{1,2}})[}})]?
          |的\s?(?P<power>\d{{1,2}})\s?次方)
        |[eE](?P<e>[+-]?\d{{1,2}})(?![A-Za-z0-9_]|\.\d)))
   |(?P<euro>\d{{1,3}}(?:\.\d{{3}}){{1,12}},\d{{1,2}}(?![\d,.])|\d{{1,3}}(?:\.\d{{3}}){{2,12}}(?!,?\d))
   |(?P<indian>(?<![\d,.])\d{{1,2}}(?:,\d\d){{1,6}},\d{{3}}(?:\.\d+)?(?![\d,]))
   |(?P<dotted>\d+(?:\.\d+){{2,}}|(?<![\d,])(?:\d{{1,2}},){{20,}}+\d*)
   |(?P<grouped>\d{{1,3}}(?P<sep>[,'\xa0])\d{{3}}(?:(?P=sep)\d{{3}})*(?!\d|[,']\d\d\d\d)(?:\.\d+)?)
   |(?P<plain>\d+(?:\.\d+)?|(?<![\d.])\.\d+)
    """,
    re.X | re.I,
)  # fmt: skip
_MEASURE = (
    r"[ \xa0]?(?:[元万亿兆%‰倍]|百万|千万|千元|[港美欧日]元|个?百分点|[mb]illion|trillion|thousand"
    r"|(?:bn|mn|dollars|euros|yuan|percent|(?:per|a)[ ](?:diluted[ ]|basic[ ])?share)(?![a-z]))"
)
_POINT_AFTER_GAP = re.compile(r"[ \xa0\n]{1,2}(\.\d{1,4})(?![\d,]|\.\d)")
_DIGITS_AFTER_POINT = re.compile(r"\.[ \xa0\n]{1,2}(\d{1,4})(?![\d,]|\.\d)")
_POINT_IN_GAPS = re.compile(rf"[ \xa0\n]{{1,2}}\.[ \xa0\n]{{0,2}}(\d{{1,4}})(?=(?i:{_MEASURE}))")
# what a scan or a wrapped table cell leaves inside a number: blanks, or a line's end and an indent
_GAP = r"(?:[ \xa0]?\n[ \xa0]{0,4}|[ \xa0]{1,2})"
_GROUPS_AFTER_GAP = re.compile(
    rf",{_GAP}"
    rf"(\d{{3}}(?:,\d{{3}})*(?:\.\d+|(?=,\d)|(?=(?i:{_MEASURE}))))(?!\d)"
)
# 12, 345,678,901.23: after a first group without a comma only a number that is long itself, or
# what is none (391, 035 million)
_LONG_AFTER_GAP = re.compile(
    rf",{_GAP}(\d{{3}}(?:,\d{{3}}){{1,4}}\.\d{{1,4}}"
    rf"|\d{{3}}(?:,\d{{3}}){{2,4}}(?=(?i:{_MEASURE}))|\d{{3}}\.\d{{1,4}}(?=(?i:{_MEASURE}))"
    rf"|0\d\d(?:,\d{{3}}){{0,4}}(?:\.\d{{1,4}})?)(?![\d,])"
)
# $391, 035 million: money before the comma and its scale behind one group
_MONEY_AFTER_GAP = re.compile(rf",{_GAP}(\d{{3}}(?:\.\d{{1,4}})?)(?=(?i:{_MEASURE}))")
_MONEY_BEFORE = re.compile(r"(?:[$€£¥]|人民币|RMB|CNY|USD|HKD|EUR)[ \xa0]?$", re.I)
_BLANK_GROUPS = re.compile(
    r"[ \xa0](?:(0\d\d)(?=[ \xa0]?[元万亿千百])|(\d{3}(?:[ \xa0]\d{3}){0,3}),(\d{1,2})"
    r"(?:(?=[ \xa0]?(?:Mio|Mrd|mln|M€|€|EUR))|(?<=\d{3}[ \xa0]\d{3},\d\d)(?!\d)))"
)
# what a number may go on with, behind its own digits
_MORE = (",", ".", " ", "\xa0", "\n")
_UNIT_FOLLOWS = re.compile(_MEASURE, re.I)
_ENUMERATED = re.compile(
    r"(?:注|注释|第|附表|图|页|[序编]号|[#(\[]|(?:note|page|item|table|no\.?|p\.?|section|part))\s?$",
    re.I,
)
_LINE_START = re.compile(r"(?:^|\n)[ |*>-]*$")
_DECIMAL_COMMA = re.compile(
    r",(\d{1,2}|\d{4,8})(?=[ \xa0]?(?:%|[mb]illion|bn(?![a-z])|Mrd|Mio|€|EUR))", re.I
)
# Where a token may begin: one class, then what parts most words from number words. Searched many
# times faster than the pattern itself, which decides.
_BEGIN = re.compile(
    rf"[\d.{CHINESE}{FIRST_LETTERS}](?:(?<=[\d{CHINESE}])|(?<=\.)(?=\d)"
    rf"|(?<=[{FIRST_LETTERS}])(?<![A-Za-z-].)(?i:(?={NEXT_LETTERS})))"
)


@dataclass(frozen=True, slots=True)
class Number:
    """One number as digits or words: unsigned value, digits after the point, and how it stands.

    `start` and `end` are in the folded text. `form` is words, chinese, plain, grouped, sci or
    dotted (no number but a section or version); `per` is 100, 1,000 or 10,000 for 百分之 and such.
    """

    start: int
    end: int
    value: Decimal
    places: int
    form: str
    per: int = 0


def numbers(text: str) -> Iterator[Number]:
    """Yield the numbers of a folded text from left to right, none overlapping.

    Gaps that OCR leaves inside a number are closed; two numbers with a blank between are never
    joined. More than 40 digits are no number. Linear in the length of the text.
    """
    at = 0
    per = front = 0
    for begin in _BEGIN.finditer(text):
        start = begin.start()
        if start < at or (match := _TOKEN.match(text, start)) is None:
            continue
        at = match.end()
        if match["fraction"]:
            per = {"百": 100, "千": 1000, "万": 10_000}[match["whole"]]
            front = match.start()
            continue
        number = _read(match, text)
        if number is not None:
            at = number.end
            if per and front + 3 == number.start:
                number = replace(number, start=front, per=per)
            yield number
        per = 0


def _read(match: re.Match[str], text: str) -> Number | None:
    start, end = match.span()
    if end - start > _LONGEST and not match["words"] and not match["chinese"]:
        return Number(start, end, Decimal(0), 0, "dotted")
    if match["words"]:
        value = read_english(match[0])
        return None if value is None else _number(start, end, value, "words")
    if match["cheng"]:
        tens, half = match[0][0], match[0][2]
        value = (_digit(tens) * 10 + _digit(half)) if half != "半" else _digit(tens) * 10 + 5
        return replace(_number(start, end, value, "chinese"), per=100)
    if match["chinese"]:
        return _chinese(match, text)
    if match["sci"]:
        mantissa = re.match(r"[\d.]+", match[0])
        power = int(match["exp"] or match["power"] or match["e"])
        value = Decimal(f"{mantissa[0] if mantissa else 0}E{power}")
        return _number(start, end, value, "sci")
    if match["euro"]:
        return _number(start, end, Decimal(match[0].replace(".", "").replace(",", ".")), "grouped")
    if match["dotted"]:
        return Number(start, end, Decimal(0), 0, "dotted")
    return _digits(match, text)


def _chinese(match: re.Match[str], text: str) -> Number | None:
    """Read a run that is a numeral, but for unit characters at its end (五百万千瓦)."""
    start, end = match.span()
    if start > 0 and text[start - 1].isdigit():
        return None
    stop = end
    while stop > start:
        value = read_chinese(text[start:stop])
        if value is not None:
            return _number(start, stop, value, "chinese")
        stop -= 1
        if text[stop] not in "点百千万":
            return None
    return None


def _digits(match: re.Match[str], text: str) -> Number | None:
    start, end = match.span()
    raw = match[0].replace(",", "").replace("'", "").replace("\xa0", "")
    form = "plain" if match["plain"] else "grouped"
    if "," in match[0] and (more := _GROUPS_AFTER_GAP.match(text, end)) and "." not in raw:
        raw, end = raw + more[1].replace(",", ""), more.end()
        while "." not in raw and (more := _GROUPS_AFTER_GAP.match(text, end)):
            raw, end = raw + more[1].replace(",", ""), more.end()
    if not text.startswith(_MORE, end):
        return _number(start, end, Decimal(raw), form)
    if form == "plain" and len(raw) < 4 and (groups := _groups_after(text, start, end)):
        raw, end, form = raw + groups[0], groups[1], "grouped"
    if "." not in raw:
        raw, end = _close_point(raw, form, text, start, end)
    value = Decimal(raw)
    return _number(start, end, value, form)


def _groups_after(text: str, start: int, end: int) -> tuple[str, int] | None:
    """Groups of three behind a gap that only belong to the number before, unless that is a mark."""
    before = text[max(0, start - 8) : start]
    if _ENUMERATED.search(before) or before[-1:] in (".", ","):
        return None
    if more := _LONG_AFTER_GAP.match(text, end):
        return more[1].replace(",", ""), more.end()
    if _MONEY_BEFORE.search(before) and (more := _MONEY_AFTER_GAP.match(text, end)):
        return more[1], more.end()
    if more := _BLANK_GROUPS.match(text, end):
        digits = re.sub(r"[ \xa0]", "", more[1] or more[2])
        return digits + (f".{more[3]}" if more[3] else ""), more.end()
    return None


def _close_point(raw: str, form: str, text: str, start: int, end: int) -> tuple[str, int]:
    """Close a gap beside the decimal point, unless it could be a list mark or a sentence end."""
    year = form == "plain" and len(raw) == 4 and raw[:2] in ("19", "20")
    if form == "grouped" and (more := _POINT_AFTER_GAP.match(text, end)):
        return raw + more[1], more.end()
    more = _DIGITS_AFTER_POINT.match(text, end)
    before = text[max(0, start - 8) : start]
    listed = _LINE_START.search(before) is not None or _ENUMERATED.search(before) is not None
    if more is None:
        more = _POINT_IN_GAPS.match(text, end)
    if more is not None and not year and not listed and _UNIT_FOLLOWS.match(text, more.end()):
        return f"{raw}.{more[1]}", more.end()
    comma = _DECIMAL_COMMA.match(text, end)
    if comma is not None and form == "plain":
        return f"{raw}.{comma[1]}", comma.end()
    return raw, end


def _digit(char: str) -> Decimal:
    return Decimal(char) if char.isascii() else read_chinese(char) or Decimal(0)


def _number(start: int, end: int, value: Decimal, form: str) -> Number:
    exponent = value.as_tuple().exponent
    places = -exponent if isinstance(exponent, int) else 0
    return Number(start, end, value, places, form)
