from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.index.tokenize import tokenize

WIDE = str.maketrans({chr(c): chr(c + 0xFEE0) for c in range(0x21, 0x7F)})
AMOUNTS = st.decimals(0, Decimal("1e14"), places=2, allow_nan=False)
HAN = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("营业收入1,476.94亿元", ["营业", "业收", "收入", "1476.94", "亿元"]),
        ("１，４７６．９４ 元", ["1476.94", "元"]),
        ("同比增长18.04％，减少5%", ["同比", "比增", "增长", "18.04%", "减少", "5%"]),
        ("分别为100，200和300", ["分别", "别为", "100", "200", "和", "300"]),
        ("2022,2023", ["2022", "2023"]),
        ("(1,234.50) -7", ["1234.50", "7"]),
        ("①2023年 100²", ["2023", "年", "100"]),
        ("⾦额", ["金额"]),
        ("Apple's R&D was $26,251 million", ["apple", "r&d", "was", "26251", "million"]),
        ("FY2024 10-K, Q3", ["fy", "2024", "10", "k", "q3"]),
        ("2024Q2 Ｒｅｖｅｎｕｅ", ["2024", "q2", "revenue"]),
        ("see 3.1.2 below", ["see", "3.1.2", "below"]),
        ("Société Générale", ["société", "générale"]),
        ("Газпром 5", ["газпром", "5"]),
        ("…—（）·|", []),
        ("", []),
    ],
)
def test_terms(text: str, terms: list[str]) -> None:
    assert tokenize(text) == terms


@settings(deadline=None)
@given(AMOUNTS, HAN, HAN)
def test_a_number_is_one_term_however_it_is_grouped_and_whatever_stands_beside_it(
    amount: Decimal, before: str, after: str
) -> None:
    plain, grouped = f"{amount:.2f}", f"{amount:,.2f}"
    for written in (plain, grouped, plain.translate(WIDE), grouped.translate(WIDE)):
        for text in (written, f"{before}{written}{after}", f"Revenue was ${written}, up"):
            numbers = [term for term in tokenize(text) if term[0].isdigit()]
            assert numbers == [plain], text


@settings(deadline=None)
@given(AMOUNTS)
def test_a_percentage_is_a_term_of_its_own(amount: Decimal) -> None:
    assert tokenize(f"{amount:,.2f}%") == tokenize(f"{amount:.2f}％") == [f"{amount:.2f}%"]


@settings(deadline=None)
@given(HAN)
def test_a_run_of_characters_becomes_its_pairs_and_a_run_of_one_itself(run: str) -> None:
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    assert tokenize(run) == (pairs or [run])


@settings(deadline=None)
@given(HAN, st.integers(0, 11), st.integers(1, 12))
def test_a_phrase_of_two_or_more_is_found_in_any_text_that_holds_it(
    run: str, start: int, length: int
) -> None:
    phrase = run[start : start + length]
    if len(phrase) > 1:
        assert set(tokenize(phrase)) <= set(tokenize(run))


@settings(deadline=None)
@given(st.text())
def test_any_text_gives_terms_without_blanks_that_are_stable(text: str) -> None:
    terms = tokenize(text)
    assert all(term and not any(char.isspace() for char in term) for term in terms)
    assert tokenize(text.replace("\x00", " ")) == terms or "\x00" in text
    again = tokenize(" ".join(terms))
    assert again == terms


@settings(deadline=None)
@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x24F)))
def test_case_does_not_matter(text: str) -> None:
    assert tokenize(text.lower()) == tokenize(text)
