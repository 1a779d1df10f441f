"""Names that common words break or that are nothing else: 美的集团, 至正股份, 中国银行.

They are no pieces of a clause like other names, so they are taken whole from where a question has
its subject: in front of a period or a term, ending as companies do.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ragdash.caliber.periods import find_periods
from ragdash.caliber.terms import common_words, find_terms

_FORM = re.compile(r"(?:股份有限公司|有限责任公司|有限公司|集团|股份|公司)+$")
_RUN = re.compile(r"[\u4e00-\u9fff]{3,24}?(?=[在于的]?$)")
_FAR, _LONGEST_OWN = 32, 7
_POINTS_AT = re.compile(r"[该本其我你您各哪这那此上子母贵两几某每]|请问|截[至止]|根据")


def whole_name(text: str) -> tuple[str, tuple[int, int]] | None:
    """Return the first company that a Chinese text names as its subject, and where, if any."""
    after = sorted([h.span for h in find_periods(text)] + [h.span for h in find_terms(text)])
    low = 0
    for start, end in after:
        match = _RUN.search(text[max(low, start - _FAR) : start].rstrip())
        if match and _ends_as_companies_do(match[0]) and not _POINTS_AT.match(match[0]):
            at = max(low, start - _FAR) + match.start()
            return match[0], (at, at + len(match[0]))
        low = end
    return None


def stem(name: str) -> str:
    """Return a Chinese name without its legal form, which may be the whole of it."""
    return _FORM.sub("", name)


def is_place_and_trade(name: str) -> bool:
    """Whether a Chinese name is a place and a trade that only one company has: 中国银行."""
    return _place_and_trade().fullmatch(stem(name)) is not None


def _ends_as_companies_do(run: str) -> bool:
    if is_place_and_trade(run):
        return True
    own = _endings().sub("", stem(run))
    return own != run and 1 < len(own) < _LONGEST_OWN and _common().search(own) is None


@lru_cache(1)
def _endings() -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(map(re.escape, common_words('zh_company_ends')))})$")


@lru_cache(1)
def _common() -> re.Pattern[str]:
    """Common words but for those of one character, which are in the names meant here."""
    words = [w for w in common_words("zh_no_name") if len(w) > 1]
    return re.compile("|".join(map(re.escape, words)))


@lru_cache(1)
def _place_and_trade() -> re.Pattern[str]:
    places, trades = (
        "|".join(map(re.escape, common_words(which))) for which in ("zh_places", "zh_trades")
    )
    return re.compile(f"(?:{places})(?:{trades})")
