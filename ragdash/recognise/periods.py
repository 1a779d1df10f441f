"""The reporting periods of a question: years, with the part of the year where one is named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.caliber.periods import find_periods

if TYPE_CHECKING:
    from ragdash.caliber.periods import PeriodHit

_NEAR = 12
"""Characters between a year and the part of it: "the second quarter of fiscal 2023"."""


@dataclass(frozen=True, slots=True, order=True)
class AskedPeriod:
    """A year, and Q1 to Q4, H1, H2 or 9M of it; an empty part is the whole year or its end."""

    year: int
    part: str = ""

    def __str__(self) -> str:
        """Return "2023" or "2023H1"."""
        return f"{self.year}{self.part}"


def asked_periods(text: str) -> tuple[AskedPeriod, ...]:
    """Return the periods that a question names, in order and without repeats.

    "FY2015 - FY2017" names every year between.
    """
    hits = [h for h in find_periods(text) if not h.prior]
    found: dict[AskedPeriod, None] = {}
    before: PeriodHit | None = None
    for at, hit in enumerate(hits):
        if hit.year is None:
            continue
        if before is not None and before.year and _is_range(text[before.span[1] : hit.span[0]]):
            for year in range(before.year + 1, hit.year):
                found.setdefault(AskedPeriod(year))
        found.setdefault(AskedPeriod(hit.year, _part(text, hits, at)))
        before = hit
    return tuple(found)


def _part(text: str, hits: list[PeriodHit], at: int) -> str:
    """Return the part named with a year or right beside it."""
    hit = hits[at]
    if hit.part:
        return _plain(hit.part)
    for other in hits[at + 1 : at + 2] + hits[max(at - 1, 0) : at]:
        first, second = sorted((hit, other), key=lambda h: h.span)
        between = text[first.span[1] : second.span[0]]
        if other.year is None and other.part and len(between) <= _NEAR:
            return _plain(other.part)
    return ""


def _plain(part: str) -> str:
    return {"FY": "", "3M": "", "6M": "H1"}.get(part, part)


def _is_range(between: str) -> bool:
    # FY2015 - FY2017, 2015年至2017年
    words = between.replace("年", "").replace("FY", "").replace("fiscal", "").strip().lower()
    return words in {"-", "–", "—", "~", "～", "to", "至", "到", "through"}
