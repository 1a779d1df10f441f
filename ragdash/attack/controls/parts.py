"""Which part of the company a query asks about, and whether a finding is of that part."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.amounts.columns import column_header
from ragdash.caliber import find_terms

if TYPE_CHECKING:
    from ragdash.attack.controls.working import Finding

_EN = re.compile(
    r"((?:[A-Za-z][\w&'-]*\s){1,4})(?:segment|division|business unit|product line|region|subsidiary"
    # The business of something, and not the continuity of business.
    r"|brand|business(?=\s*(?:[，,.?？]|$|(?:in|for|of|at|during|generate|report|earn|incur|record)\b)))\b",
    re.I,
)
# In Oregon, from North America: a name behind such a word, and no month, quarter or year.
_PLACE = re.compile(
    r"\b(?:in|from|across|within|outside)\s(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b"
    r"|Fiscal|FY|Q[1-4]|H[12]|Year|First|Second|Third|Fourth|Half)"
    r"([A-Z][A-Za-z]{2,}(?:\s[A-Z][A-Za-z]{2,}){0,2})"
)
_ZH = re.compile(r"([\u4e00-\u9fffA-Za-z]{2,10})(?:业务|板块|分部|事业部|产品线|产品|地区|区域)")
_ZH_FIRM = re.compile(
    r"(?:海外|境外|境内|国内|国外|全资|控股|参股)?(?:子公司|分公司|附属公司|联营企业|合营企业)"
)
_ZH_BEFORE = re.compile(r".*[的在年其内度月期]")
# Words before a part that do not name one.
_NO_NAME = re.compile(
    r"an?|the|its|their|our|in|of|for|from|by|at|to|and|or|each|every|all|any|other|total|whole"
    r"|operating|reportable|reporting|main|core|largest|biggest|primary|entire|business|what|was"
    r"|were|is|are|did|does|how|much|many|it|say|says|about|on|with|which|that|this|has|have|had",
    re.I,
)
_NO_NAME_ZH = ("主营", "主要", "其他", "其它", "全部", "各", "所有", "公司", "集团", "整体", "核心")


def asked_part(bare: str) -> str:
    """Return what names the part of the company that a query asks about, "" where it is the whole.

    Args:
        bare: the query without the company's name.
    """
    text = re.sub(r"['’]s\b|['’](?=\s)", " ", bare)
    for term in sorted(find_terms(text), key=lambda t: t.span, reverse=True):
        text = text[: term.span[0]] + "，" * (term.span[1] - term.span[0]) + text[term.span[1] :]
    if found := _EN.search(text):
        words = found[1].split()
        last = max((i for i, w in enumerate(words) if _NO_NAME.fullmatch(w)), default=-1)
        return " ".join(words[last + 1 :])
    if found := _PLACE.search(text):
        return found[1]
    if found := _ZH_FIRM.search(text):
        return found[0]
    if found := _ZH.search(text):
        name = _ZH_BEFORE.sub("", found[1])
        return "" if len(name) < 2 or name.startswith(_NO_NAME_ZH) else name
    return ""


def is_of_part(finding: Finding, part: str) -> bool:
    """Whether a finding's row, its column's head or what stands before it names the part."""
    text = finding.passage.text
    head = column_header(text, finding.amount.span[0]) if finding.amount else ""
    before = f"{head} {text[: finding.span[1]]}".casefold()
    pieces = part.casefold().split() if part.isascii() else _pairs(part)
    if _ZH_FIRM.fullmatch(part):
        # A subsidiary is another firm: it has to be named where its figure stands.
        return part in finding.sentence
    return sum(piece in before for piece in pieces) * 2 >= len(pieces)


def _pairs(part: str) -> list[str]:
    return [part[i : i + 2] for i in range(len(part) - 1)]
