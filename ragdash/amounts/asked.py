"""What a question asks of the form of its answer: the unit, and the digits after the point."""

from __future__ import annotations

import re

_MONEY = "(?:亿|百万|千万|万|千)?(?:美元|港元|欧元|元)"
_ASKED_ZH = re.compile(rf"(?:多少|几)({_MONEY})|以({_MONEY})为单位")
_ASKED_EN = re.compile(
    r"in\s+(?:(?:USD|RMB|CNY|US\$|\$|US dollars|dollars)\s+)?(?:in\s+)?"
    r"(?:thousands|millions|billions)(?![a-z])",
    re.I,
)
_COUNTS = {"一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "one": 1, "two": 2, "three": 3, "four": 4}
_PLACES = re.compile(
    r"(?:保留(?:到|至)?(?:小数点?后?)?|小数点后|精确到小数点后)\s?(?P<zh>[一两二三四1-4])\s?位"
    r"|(?<![a-z])(?P<en>one|two|three|four|[1-4])\s+decimal(?:\s+(?:place|point|digit)|s|(?![a-z]))"
    r"|nearest\s+(?P<part>tenth|hundredth|thousandth)",
    re.I,
)
_PARTS = {"tenth": 1, "hundredth": 2, "thousandth": 3}


def asked_unit(question: str) -> str:
    """Return the unit line that a question asks its answer in, "" where it names none.

    是多少万元 and 请以万元为单位 give 单位：万元; "in USD millions" gives (in USD millions).
    """
    if zh := _ASKED_ZH.search(question):
        return f"单位：{zh[1] or zh[2]}"
    en = _ASKED_EN.search(question)
    return f"({en[0]})" if en else ""


def asked_places(question: str) -> int | None:
    """Return how many digits after the point a question asks for, None where it does not say.

    保留两位小数 and "rounded to two decimal places" give 2.
    """
    match = _PLACES.search(question)
    if match is None:
        return None
    if match["part"]:
        return _PARTS[match["part"].lower()]
    word = (match["zh"] or match["en"]).lower()
    return int(word) if word.isdigit() else _COUNTS[word]
