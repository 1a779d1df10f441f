from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ragdash.ingest.broken import Break, broken_numbers

whole = st.one_of(
    st.integers(1_000, 10**12).map(lambda n: f"{n:,}"),
    st.integers(100_000, 10**14).map(lambda n: f"{n / 100:,.2f}"),
)
wraps = st.sampled_from(
    ["{}", "营业收入 | {} | 5.00", "Net sales | $ {} | (3)", "（{}）", "增加{}元。"]
)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(whole, min_size=1, max_size=4), wraps, st.sampled_from([" | ", "元和", " and ", "、"])
)
def test_whole_numbers_are_not_broken(numbers: list[str], wrap: str, joint: str) -> None:
    assert broken_numbers(wrap.format(joint.join(numbers))) == []


@settings(max_examples=200, deadline=None)
@given(st.integers(10_000_000, 10**14).map(lambda n: f"{n / 100:,.2f}"), wraps, st.data())
def test_a_broken_number_is_found_whatever_stands_around_it(
    number: str, wrap: str, data: st.DataObject
) -> None:
    assume("0" in number[1:-1] or "1" in number[1:-1])
    commas = [k for k, c in enumerate(number) if c == ","]
    at = data.draw(st.sampled_from(commas))
    letters = number[0] + number[1:].replace("0", "O").replace("1", "l")
    broken, kind = data.draw(
        st.sampled_from(
            [
                (number[: at + 1] + " " + number[at + 1 :], Break.BLANK),
                (number[:at] + " " + number[at:], Break.BLANK),
                (number[: at + 2] + " " + number[at + 2 :], Break.BLANK),
                (number.replace(".", ". "), Break.BLANK),
                (" ".join(number), Break.BLANK),
                (letters, Break.LETTER),
                (number[: at + 2] + number[at + 3 :], Break.SEPARATOR),
                (number[:at] + "," + number[at:], Break.SEPARATOR),
                (number[: at + 3] + "," + number[at + 3 :], Break.SEPARATOR),
            ]
        )
    )
    assume(kind is not Break.LETTER or sum(c.isdigit() for c in broken) >= 2)
    assert kind in [b.kind for b in broken_numbers(wrap.format(broken))], broken


@pytest.mark.parametrize(
    "line",
    [
        "在2019、2020, 2021 and 2022年", "截至2023.12.31", "第1,2,3项 附注七、12,13",
        "10.2B | S-1 | 4/4/06", "1.2.3 会计政策", "电话 010-6567 1234", "3 4 5 6 7 8 9",
        "B.15 Northern Michigan", "$30.2B in revenue", "Exhibit 10.4I Form of", "CUSIP 0378331005",
        "purchase 217,567, 168,614 and 175,601 shares", "股票代码 600519.SH",
        "ISO 9001 10-K H1 2024", "IP 10.0.0.1", "2024 2023 2022 2021 2020",
        "1 | 2 | 3 | 4", "Items 1, 234 and 5", "CO2 O2 10l", "占比 12.50%，增加 3.20%",
    ],
)  # fmt: skip
def test_dates_lists_codes_and_items_are_no_broken_numbers(line: str) -> None:
    assert broken_numbers(line) == []


def test_each_is_named_once_at_its_place() -> None:
    line = "未分配利润 | l6,536,237.59 | 330, 318,452.91 | 12,354,13"
    assert [(b.kind, b.text, line[b.start :].startswith(b.text)) for b in broken_numbers(line)] == [
        (Break.LETTER, "l6,536,237.59", True),
        (Break.BLANK, "330, 318,452.91", True),
        (Break.SEPARATOR, "12,354,13", True),
    ]


def test_a_long_line_is_read_in_linear_time() -> None:
    for piece in ("1,", "1 ", "1, 234", "O1l", "1,234,", "1."):
        broken_numbers(piece * 30_000)
