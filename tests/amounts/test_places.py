from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.amounts import fold, headers, marks, numerals, rowkind, scan, units

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

MARKUP = [
    *"⁰¹²³⁹⁻*_`$&{}\\[]<>()（）【】〔〕1234 .,万%xX×·\u200b\u202a\u2066\ufe0f\u00ad\ufeff",
    "10", "×10", "10⁶", "10**6", "**", "__", "$$", "[1]", "[1] million", "（注1）亿", "[^a]",
    "\\text{", "\\frac{", "\\left", "\\quad", "\\%", "\\$", "\\times", "{,}", "$1$", "$-1,2$",
    "<sup>1</sup>", "<BR>", "</td>", "<b>", "<td class=a>", "<del>", "<h1>", "&nbsp;", "&AMP;",
    "&minus;", "&#43;", " *a b* ", "***", "1①亿", "\\(", "\\)", "\\(1\\)", "\\[12\\]", "$\\mathbf{",
]  # fmt: skip
NUMBERS = [
    *"0123456789٣.,'eE^+-(){ \xa0\n万亿百千零一二十点两壹拾元%",
    "分之", "百分之", "×10^", "1,234", "1.234.567", "1.2.3", "ſix", "half a million", "A",
    "-", "seventeen", "三成五", " and a half billion", "12,34,567", "5e9元",
]  # fmt: skip
UNIT_LINES = [
    *" \n|()（）,，、;:：/1%$€ſ", "单位", "金额", "人民币", "港币", "美元", "万元", "百万元",
    "亿元",
    "千元", "万", "千", "元", "股", "万股", "股份数量", "股本", "RMB", "'000", "dollars",
    "U.S. dollars amounts are expressed in US$ thousands)", "amounts ", "presented ", "in ",
    "in USD ", "thousands", "Millions", "billions", " of ", "shares",
    "HK$ million", "($m)", "RMB mn\n", "US$m|", "million", "thousand", "bn", "euros", "港元",
    "港币", "百万", "(百万港元)", "|", "|---|", "\n|", "except", "per share", "    ",
    *["文字" * 60] * 20,
]  # fmt: skip


DATES = [*"0123456789-/.–~至:, 月", "2023", "1999", "2023-12-31", "12/31/2023", "10:30", "7-9月"]


def plain(pattern: re.Pattern[str]) -> Callable[[str], Iterator[re.Match[str]]]:
    return pattern.finditer


def begun(pattern: re.Pattern[str], begin: re.Pattern[str]) -> Callable[[str], list[re.Match[str]]]:
    def quick(text: str) -> list[re.Match[str]]:
        found: list[re.Match[str]] = []
        for at in (m.start() for m in begin.finditer(text)):
            if (not found or at >= found[-1].end()) and (match := pattern.match(text, at)):
                found.append(match)
        return found

    return quick


@pytest.mark.parametrize(
    ("pieces", "slow", "quick"),
    [
        (MARKUP, plain(fold._MARKUP), begun(fold._MARKUP, fold._OPENER)),
        (NUMBERS + list(numerals._WORDS), plain(scan._TOKEN), begun(scan._TOKEN, scan._BEGIN)),
        (UNIT_LINES, plain(headers._NOTE), headers.unit_lines),
        (DATES, plain(marks._ISO_DATE), begun(marks._ISO_DATE, marks._DATE_BEGIN)),
    ],
    ids=["markup", "numbers", "unit lines", "dates"],
)
@given(seed=st.integers(0, 2**32))
def test_the_quick_search_finds_what_the_pattern_finds(
    pieces: list[str],
    slow: Callable[[str], Iterator[re.Match[str]]],
    quick: Callable[[str], Iterator[re.Match[str]]],
    seed: int,
) -> None:
    text = "".join(random.Random(seed).choices(pieces, k=300))
    assert [m.span() for m in quick(text)] == [m.span() for m in slow(text)], text


@given(seed=st.integers(0, 2**32))
def test_a_currency_is_found_before_a_number_wherever_the_pattern_finds_one(seed: int) -> None:
    pieces = [*units.CURRENCIES, "RMB", "Yen", "ſ", " ", "\xa0", "\n", "'000", "a", "("]
    text = "".join(random.Random(seed).choices(pieces, k=3))
    found = units.currency_before(text, len(text))
    match = units._BEFORE.search(text[-20:])
    assert (found is not None) == (match is not None)


@given(seed=st.integers(0, 2**32))
def test_a_count_of_shares_is_known_wherever_the_pattern_knows_it(seed: int) -> None:
    pieces = [
        *" |(", "Number of ", "common ", "weighted", "-average ", "Average ", "shares", "ſhare ",
        "counts", "outstanding", "diluted ", "basic ", "股数", "股份", "总数", "加权平均",
        "数", "持股数量",
    ]  # fmt: skip
    label = "".join(random.Random(seed).choices(pieces, k=4))
    assert rowkind.counts_shares(label) == (rowkind._SHARE_ROW.search(label) is not None)
