"""PDFs drawn here, so that what is on each page is known."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from ragdash.ingest.pdf import read_pdf
from ragdash.ingest.problems import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
ZH, EN = "STSong-Light", "Helvetica"


def lines_of(folder: Path, draw: Callable[[Canvas], None], **options: object) -> list[str]:
    path = folder / "drawn.pdf"
    canvas = Canvas(str(path), pagesize=A4, **options)
    draw(canvas)
    canvas.showPage()
    canvas.save()
    read = read_pdf(path, "d", "drawn.pdf")
    assert read.problems == ()
    return read.pages[0].text.split("\n")


def ruled(
    canvas: Canvas, xs: list[int], rows: list[tuple[int, list[list[str]]]], font: str
) -> None:
    """Draw a ruled table: per row its height and the lines of each cell, centred by height."""
    canvas.setFont(font, 10)
    top = 700
    canvas.line(xs[0], top, xs[-1], top)
    for height, cells in rows:
        for x, texts in zip(xs, cells, strict=False):
            first = top - (height - 12 * len(texts)) / 2 - 10
            for k, text in enumerate(texts):
                canvas.drawString(x + 3, first - 12 * k, text)
        top -= height
        canvas.line(xs[0], top, xs[-1], top)
    for x in xs:
        canvas.line(x, 700, x, top)


def test_a_chinese_label_broken_over_three_lines_is_one_row(tmp_path: Path) -> None:
    rows = [
        (16, [["项目"], ["2023年"], ["2022年"]]),
        (40, [["归属于上市公", "司股东的净利", "润"], ["1,074,257,178.93"], ["557,459,609.09"]]),
    ]
    lines = lines_of(tmp_path, lambda c: ruled(c, [60, 140, 260, 380], rows, ZH))
    assert lines == [
        "项目 | 2023年 | 2022年",
        "归属于上市公司股东的净利润 | 1,074,257,178.93 | 557,459,609.09",
    ]


def test_an_english_label_broken_over_two_lines_is_one_row(tmp_path: Path) -> None:
    rows = [
        (16, [["Item"], ["2023"], ["2022"]]),
        (28, [["Net income of", "the parent"], ["1,074"], ["(557)"]]),
    ]
    lines = lines_of(tmp_path, lambda c: ruled(c, [60, 160, 260, 380], rows, EN))
    assert lines == ["Item | 2023 | 2022", "Net income of the parent | 1,074 | (557)"]


def test_an_empty_cell_keeps_its_place(tmp_path: Path) -> None:
    rows = [
        (16, [["项目"], ["附注"], ["2023"], ["2022"]]),
        (16, [["货币资金"], [""], [""], ["12.50"]]),
        (16, [["应收票据"], [""], [""], [""]]),
    ]
    lines = lines_of(tmp_path, lambda c: ruled(c, [60, 140, 200, 300, 400], rows, ZH))
    assert lines[1:] == ["货币资金 |  |  | 12.50", "应收票据 |"]


def test_a_figure_broken_by_a_narrow_column_is_whole(tmp_path: Path) -> None:
    rows = [(16, [["项目"], ["金额"]]), (40, [["合计"], ["-68,84", "0,000.", "00"]])]
    lines = lines_of(tmp_path, lambda c: ruled(c, [60, 140, 190], rows, ZH))
    assert lines[1] == "合计 | -68,840,000.00"


def test_two_rows_of_figures_without_a_line_between_them_stay_two(tmp_path: Path) -> None:
    rows = [
        (16, [["项目"], ["2023"], ["2022"]]),
        (28, [["收入", "成本"], ["1,234.00", "5,678.00"], ["11.00", "22.00"]]),
    ]
    lines = lines_of(tmp_path, lambda c: ruled(c, [60, 140, 260, 380], rows, ZH))
    assert lines[1:] == ["收入 | 1,234.00 | 11.00", "成本 | 5,678.00 | 22.00"]


def test_a_wrapped_label_without_rules_joins_the_line_with_its_figures(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont(EN, 10)
        for y, text in (
            (700, "Cost of sales"),
            (680, "Earnings before income tax expense"),
            (669, "and equity in income of affiliates"),
            (649, "Net earnings"),
        ):
            canvas.drawString(60, y, text)
        for y, figures in (
            (700, ("9,912", "10,573")),
            (669, ("1,788", "2,377")),
            (649, ("1,419", "1,798")),
        ):
            canvas.drawRightString(350, y, figures[0])
            canvas.drawRightString(450, y, figures[1])

    assert lines_of(tmp_path, draw) == [
        "Cost of sales | 9,912 | 10,573",
        "Earnings before income tax expense and equity in income of affiliates | 1,788 | 2,377",
        "Net earnings | 1,419 | 1,798",
    ]


def test_digits_set_one_by_one_are_one_number(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont(EN, 10)
        x = 60.0
        for character in "1,234,567.89":
            canvas.drawString(x, 700, character)
            x += canvas.stringWidth(character, EN, 10) + 1.2

    assert lines_of(tmp_path, draw) == ["1,234,567.89"]


@pytest.mark.parametrize("gap", [2.9, 3.6, 5, 8, 30])
def test_neighbouring_amounts_are_never_glued(tmp_path: Path, gap: float) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont(EN, 10)
        canvas.drawString(60, 700, "1,234")
        canvas.drawString(60 + canvas.stringWidth("1,234", EN, 10) + gap, 700, "5,678")

    (line,) = lines_of(tmp_path, draw)
    assert line.replace("|", " ").split() == ["1,234", "5,678"]


def test_a_footnote_mark_is_no_digit_of_the_amount(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont(EN, 10)
        canvas.drawString(60, 700, "355")
        canvas.setFont(EN, 6)
        canvas.drawString(60 + canvas.stringWidth("355", EN, 10), 704, "1")

    assert lines_of(tmp_path, draw)[0].split() == ["355", "1"]


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_turned_page_reads_as_an_upright_one(tmp_path: Path, degrees: int) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.translate(300, 400)
        canvas.rotate(degrees)
        canvas.setFont(EN, 10)
        canvas.drawString(-200, 20, "Revenue of the group")
        canvas.drawString(100, 20, "1,234")
        canvas.drawString(-200, 0, "Cost of sales")
        canvas.drawString(100, 0, "567")

    assert lines_of(tmp_path, draw) == ["Revenue of the group | 1,234", "Cost of sales | 567"]


def test_columns_of_prose_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = [
        f"left column sentence number {w} goes on" for w in ("one", "two", "three", "four", "five")
    ]
    right = [
        f"right column sentence number {w} goes on" for w in ("one", "two", "three", "four", "five")
    ]

    def draw(canvas: Canvas) -> None:
        canvas.setFont(EN, 10)
        for k in range(5):
            canvas.drawString(60, 700 - 12 * k, left[k])
            canvas.drawString(310, 700 - 12 * k, right[k])

    assert lines_of(tmp_path, draw) == left + right


def test_text_of_no_size_and_text_off_the_page_do_no_harm(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont(EN, 10)
        canvas.drawString(60, 700, "Revenue 1,234")
        canvas.setFont(EN, 0.001)
        canvas.drawString(60, 690, "hidden")
        canvas.setFont(EN, 10)
        canvas.drawString(-4000, 9000, "away")

    assert "Revenue 1,234" in lines_of(tmp_path, draw)


amounts = st.integers(-(10**12), 10**12).map(lambda n: f"{n / 100:,.2f}")


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.tuples(amounts, amounts), min_size=2, max_size=8),
    st.booleans(),
    st.sampled_from([(ZH, "其他应收款"), (EN, "Other receivables")]),
)
def test_every_row_of_a_table_is_one_line_with_its_own_figures(
    tmp_path: Path, figures: list[tuple[str, str]], with_rules: bool, word: tuple[str, str]
) -> None:
    font, label = word

    def draw(canvas: Canvas) -> None:
        if with_rules:
            rows = [(16, [[label], [a], [b]]) for a, b in figures]
            ruled(canvas, [60, 200, 330, 460], rows, font)
            return
        canvas.setFont(font, 10)
        for k, (a, b) in enumerate(figures):
            canvas.drawString(60, 700 - 14 * k, label)
            canvas.drawRightString(320, 700 - 14 * k, a)
            canvas.drawRightString(450, 700 - 14 * k, b)

    assert lines_of(tmp_path, draw) == [f"{label} | {a} | {b}" for a, b in figures]


def test_an_encrypted_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "locked.pdf"
    canvas = Canvas(str(path), encrypt=StandardEncryption("secret"))
    canvas.drawString(60, 700, "x")
    canvas.save()
    (problem,) = read_pdf(path, "d", "locked.pdf").problems
    assert (problem.kind, problem.file) == (ProblemKind.ENCRYPTED, "locked.pdf")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", ProblemKind.EMPTY),
        (b"%PDF-1.7 cut off", ProblemKind.DAMAGED),
        (b"PK\x03\x04", ProblemKind.DAMAGED),
    ],
)
def test_a_file_that_is_no_pdf_is_named(tmp_path: Path, content: bytes, kind: ProblemKind) -> None:
    path = tmp_path / "年报.pdf"
    path.write_bytes(content)
    read = read_pdf(path, "d", "年报.pdf")
    assert read.pages == ()
    assert [(p.kind, "年报.pdf" in p.message) for p in read.problems] == [(kind, True)]


def test_pages_of_images_only_are_named_and_the_rest_goes_in(tmp_path: Path) -> None:
    buffer = BytesIO()
    canvas = Canvas(buffer)
    for text in ("first", "", "third", ""):
        canvas.rect(60, 600, 50, 50, fill=1)
        canvas.drawString(60, 700, text)
        canvas.showPage()
    canvas.save()
    path = tmp_path / "some.pdf"
    path.write_bytes(buffer.getvalue())
    read = read_pdf(path, "d", "some.pdf")
    assert [p.page for p in read.pages] == [1, 3]
    assert read.n_pages == 4
    assert [(p.kind, p.pages) for p in read.problems] == [(ProblemKind.NO_TEXT, (2, 4))]


def test_a_file_without_any_text_is_image_only(tmp_path: Path) -> None:
    path = tmp_path / "scan.pdf"
    canvas = Canvas(str(path))
    canvas.rect(60, 600, 50, 50, fill=1)
    canvas.showPage()
    canvas.save()
    (problem,) = read_pdf(path, "d", "scan.pdf").problems
    assert (problem.kind, problem.pages) == (ProblemKind.IMAGE_ONLY, (1,))
