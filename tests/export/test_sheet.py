from __future__ import annotations

import csv
import io
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.export.sheet import cell, guarded, written

TEXT = st.text(alphabet=st.characters() | st.sampled_from("=+-@\t\r\n\"',;\x00\ud800＝'"))


def read(data: bytes) -> list[list[str]]:
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_a_text_that_a_spreadsheet_would_calculate_gets_a_mark(begin) -> None:
    assert guarded(f"{begin}1+1") == f"'{begin}1+1"
    assert guarded(f"茅台{begin}1") == f"茅台{begin}1"


def test_a_number_stays_a_number_and_a_decimal_keeps_its_digits() -> None:
    assert cell(-1234) == "-1234"
    assert cell(Decimal("-147693604994.1400")) == "-147693604994.1400"
    assert cell(Decimal("1E+3")) == "1000"
    assert cell(0.1) == "0.1"
    assert (cell(True), cell(None)) == ("true", "")


def test_a_loss_in_words_keeps_its_minus_behind_the_mark() -> None:
    assert guarded("- 1,234 万元") == "'- 1,234 万元"


def test_nul_and_half_a_surrogate_are_named_where_they_stood() -> None:
    assert guarded("a\x00b\ud83d") == "a⟦U+0000⟧b⟦U+D83D⟧"


def test_the_head_is_guarded_too() -> None:
    data = b"".join(written(["=cmd", "题目"], []))
    assert read(data) == [["'=cmd", "题目"]]
    assert data.endswith(b"\r\n")


@given(st.lists(st.tuples(TEXT, TEXT), max_size=8))
def test_what_is_written_reads_back_and_no_cell_begins_a_formula(rows) -> None:
    back = read(b"".join(written(["a", "b"], rows)))
    assert back[1:] == [[guarded(one) for one in row] for row in rows]
    assert not any(text.startswith(tuple("=+-@\t\r\n＝＋－＠")) for row in back for text in row)


def test_a_large_file_comes_in_pieces_and_whole() -> None:
    pieces = list(written(["n"], ([n] for n in range(1700))))
    assert len(pieces) == 4
    assert [row[0] for row in read(b"".join(pieces))[1:]] == [str(n) for n in range(1700)]
