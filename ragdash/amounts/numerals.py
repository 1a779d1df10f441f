"""Numbers in words: Chinese (plain and financial capitals) and English, as exact decimals."""

from __future__ import annotations

import re
from decimal import Decimal

_DIGITS = dict(zip("零〇一二三四五六七八九", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
_DIGITS |= dict(zip("两壹贰叁肆伍陆柒捌玖", (2, 1, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
_SMALL = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
_LARGE = {"万": 10**4, "亿": 10**8, "兆": 10**12}
CHINESE = "零〇一二三四五六七八九十百千万亿点两壹贰叁肆伍陆柒捌玖拾佰仟"
CHINESE_RUN = re.compile(f"[{CHINESE}]{{1,60}}")
_PLACE_ZERO = re.compile(r"^[零〇]+(?=[^点零〇])")

_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {w: n for n, w in enumerate(_UNITS)} | {w: 20 + 10 * n for n, w in enumerate(_TENS)}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ANY = "|".join(sorted([*_WORDS, *_SCALES, "hundred", "point"], key=lambda w: (-len(w), w)))
_FIRST = "|".join(sorted(_WORDS, key=lambda w: (-len(w), w)))
ENGLISH_RUN = re.compile(
    r"(?<![A-Za-z-])(?:half\sa\s(?:m|b|tr)illion(?![A-Za-z])"
    rf"|(?:{_FIRST})\sand\sa\shalf(?:\s(?:m|b|tr)illion)?(?![A-Za-z])"
    rf"|(?:{_FIRST})"
    rf"(?:(?:[ -]|\s+and\s+)(?:{_ANY})){{0,20}}(?![A-Za-z]))",
    re.I,
)
# How a run in words begins, for a quick search; ſ is an s where case is ignored.
_BEGIN = ["half", *_WORDS]
FIRST_LETTERS = "".join(sorted({c for w in _BEGIN for c in w[0] + w[0].upper()})) + "ſ"
NEXT_LETTERS = "|".join(sorted({w[1:3] for w in _BEGIN}))


def read_chinese(run: str) -> Decimal | None:
    """Return the value of a pure Chinese numeral such as 一百二十三点四六亿, None if it is none.

    Groups of 万 stand within 亿 and those within 万亿 (二万六千亿); a digit that ends a numeral
    without 零 counts for the next lower place (一亿二, 三万五). Two digits in a row are refused
    (三一 is a name, not 31).
    """
    for name, worth in (("万亿", 10**12), ("亿", 10**8), ("万", 10**4)):
        head, sep, tail = run.partition(name)
        if not sep:
            continue
        value = read_chinese(_without_zeros(head)) if name == "亿" else _section(head)
        if value is None or value == 0:
            return None
        if not tail:
            return value * worth
        low = Decimal(_DIGITS[tail] * worth // 10) if tail in _DIGITS else None
        low = read_chinese(_without_zeros(tail)) if low is None else low
        return None if low is None or low >= worth else value * worth + low
    return _section(_without_zeros(run))


def _without_zeros(run: str) -> str:
    """Drop the zeros that only hold a place: 零五百 within 三亿零五百万, not that of 零点八."""
    return _PLACE_ZERO.sub("", run)


def _section(text: str) -> Decimal | None:
    """Read up to 9,999 with decimals after 点; digits alone only one by one after the point."""
    whole, sep, fraction = text.partition("点")
    if sep and (not fraction or any(c not in _DIGITS for c in fraction)):
        return None
    if not whole:
        return None
    total, digit, last, skipped = 0, None, 10_000, False
    for char in whole:
        if char in _SMALL:
            if _SMALL[char] >= last or (digit is None and (total or _SMALL[char] != 10)):
                return None
            last = _SMALL[char]
            total += (1 if digit is None else digit) * last
            digit, skipped = None, False
        elif char in _DIGITS:
            if digit not in (None, 0):
                return None
            skipped = digit == 0 or char in "零〇"
            digit = _DIGITS[char]
        else:
            return None
    spoken = digit and not skipped and not sep and 100 <= last < 10_000
    total += digit * (last // 10) if digit and spoken else digit or 0
    places = "".join(str(_DIGITS[c]) for c in fraction)
    return Decimal(f"{total}.{places}") if sep else Decimal(total)


def read_english(run: str) -> Decimal | None:
    """Return the value of English number words such as `one point five billion`, else None."""
    words = [w for w in re.split(r"[\s-]+", run.lower()) if w != "and"]
    if words[:2] == ["half", "a"]:
        return Decimal(_SCALES[words[2]]) / 2
    if words[1:3] == ["a", "half"]:
        scale = _SCALES[words[3]] if len(words) > 3 else 1
        return (Decimal(_WORDS[words[0]]) + Decimal("0.5")) * scale
    total, current = Decimal(0), Decimal(0)
    last_scale = 10**15
    seen = False
    at = 0
    while at < len(words):
        word = words[at]
        if word in _WORDS:
            current += _WORDS[word]
            seen = True
        elif word == "hundred" and seen:
            current *= 100
        elif word == "point" and seen:
            end = at + 1
            while end < len(words) and _WORDS.get(words[end], 10) < 10:
                end += 1
            if end == at + 1:
                return None
            current += Decimal("0." + "".join(str(_WORDS[w]) for w in words[at + 1 : end]))
            at = end - 1
        elif word in _SCALES and seen and _SCALES[word] < last_scale:
            last_scale = _SCALES[word]
            total += current * last_scale
            current, seen = Decimal(0), False
        else:
            return None
        at += 1
    return total + current
