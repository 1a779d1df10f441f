"""Numbers that a scan or a bad text layer has broken, told by their own form.

Only what can be nothing else is named: blanks inside a number whose groups of three say where it
goes on, letters that stand for digits in an otherwise whole number, and separators where no number
has them. A number that lost digits and still looks whole is not to be seen here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Break(StrEnum):
    """How a number is broken."""

    BLANK = "blank_inside"
    LETTER = "letter_for_digit"
    SEPARATOR = "misplaced_separator"


@dataclass(frozen=True, slots=True)
class BrokenNumber:
    """One of them: what the line says, from `start` on."""

    kind: Break
    text: str
    start: int


_WHOLE = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:,\d{3})*\.\d{2}"
_LETTERS = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1"})
_MIXED = re.compile(r"(?<![\w.,，])[\dOolI][\dOolI,.]++(?<![,.])(?!\w)", re.ASCII)
"""Digits and letters that look like some; B and S as often end a billion or an item."""

_BLANKS = re.compile(
    r"""(?<![\w.,])(?:
        \d{1,3}(?:,\d{3})*,\ \d{3}(?:,\d{3})*\.\d+           # 1,234, 567.89: no list of two
      | \d{1,3},\ \d{3}(?:,\d{3})+                           # 1, 234,567
      | \d{1,3}(?:,\d{3})*\ ,\d{3}(?:,\d{3})*(?:\.\d+)?      # 1 ,234
      | \d{1,3}(?:,\d{3})*,(?:\d\ \d\d|\d\d\ \d)(?:,\d{3})*(?:\.\d+)?  # 1,2 34.56
      | \d{1,3}(?:,\d{3})+(?:\ \.|\.\ )\d{1,2}               # 1,234. 56
      | \d(?:\ [\d,.]){5,}                                   # 1 2 , 3 4 5
    )(?!\w|[,.]\w)""",
    re.VERBOSE | re.ASCII,
)
_GROUPED = re.compile(r"(?<![\w.,，])\d[\d,.]++(?<![,.])(?!\w)", re.ASCII)
_DATE_OR_LIST = re.compile(
    r"(?:19|20)\d\d(?:[.,](?:19|20)\d\d)+|(?:\d{1,4}\.){2,}\d{1,4}|\d{1,2}(?:,\d{1,2})+"
)


def broken_numbers(line: str) -> list[BrokenNumber]:
    """Return the broken numbers of a line, from left to right; none stands in two of them."""
    found = [
        BrokenNumber(Break.BLANK, m[0], m.start())
        for m in _BLANKS.finditer(line)
        if _spaced_out(m[0])
    ]
    for mixed in _MIXED.finditer(line):
        text = mixed[0]
        digits = sum(c.isdigit() for c in text)
        letters = len(text) - digits - text.count(",") - text.count(".")
        if "," not in text and not text[-1].isdigit():
            continue  # "10.4I" is the number of an exhibit
        if digits >= 2 and letters and re.fullmatch(_WHOLE, text.translate(_LETTERS)):
            found.append(BrokenNumber(Break.LETTER, text, mixed.start()))
    found.extend(
        BrokenNumber(Break.SEPARATOR, m[0], m.start())
        for m in _GROUPED.finditer(line)
        if _misplaced(m[0])
    )
    return sorted(found, key=lambda b: b.start)


def _spaced_out(text: str) -> bool:
    """Whether a match is one number: single digits in a row are one only with separators."""
    if text.count(" ") < 5:
        return True
    tight = text.replace(" ", "")
    return bool(re.fullmatch(_WHOLE, tight))


def _misplaced(text: str) -> bool:
    """Whether commas and points of a token stand where no number, date, list or clause has them."""
    if "," not in text or re.fullmatch(_WHOLE, text) or _DATE_OR_LIST.fullmatch(text):
        return False
    groups = re.split("[,.]", text)
    # Lists without blanks ("1,2,34") have no full group; a lost blank between two has whole parts.
    full = sum(len(g) == 3 for g in groups[1:])
    if full == 0 and not re.search(r",\d+\.\d\d$", text):
        return False
    return sum(map(len, groups)) >= 5 and not re.fullmatch(r"\d{1,3}(?:,\d{3})+\.?", text)
