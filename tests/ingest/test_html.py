"""HTML filings as companies and tools write them, in both languages, and as nobody should."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.core.errors import InputError
from ragdash.ingest.budget import Budget
from ragdash.ingest.elements import html_lines
from ragdash.ingest.hidden import HiddenKind
from ragdash.ingest.html import read_html
from ragdash.ingest.problems import ProblemKind

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.ingest.problems import ReadFile


def read(folder: Path, source: str | bytes, lang: str = "en") -> ReadFile:
    path = folder / "filing.html"
    path.write_bytes(source.encode("utf-8") if isinstance(source, str) else source)
    return read_html(path, "d", "filing.html", lang)


def lines(folder: Path, source: str | bytes, lang: str = "en") -> list[str]:
    return [line for page in read(folder, source, lang).pages for line in page.text.split("\n")]


def hidden(folder: Path, source: str) -> list[tuple[HiddenKind, str]]:
    return [(h.kind, h.text) for h in read(folder, f"<p>seen</p>{source}").hidden]


# Tables.

SEC = """<table>
<tr><td colspan="12">(In millions, except per share amounts)</td></tr>
<tr><td>&#160;</td><td>&#160;</td><td colspan="3">2023</td>
    <td>&#160;</td><td colspan="3">2022</td></tr>
<tr><td>Net sales</td><td>&#160;</td><td>$</td><td>1,234</td><td>&#160;</td><td>&#160;</td>
    <td>$</td><td>5,678</td><td>&#160;</td></tr>
<tr><td>Costs:</td></tr>
<tr><td>Loss</td><td>&#160;</td><td>&#160;</td><td>(12</td><td>)</td><td>&#160;</td>
    <td>&#160;</td><td>(3</td><td>)</td></tr>
<tr><td>Margin</td><td>&#160;</td><td>&#160;</td><td>12.5</td><td>%</td><td>&#160;</td>
    <td colspan="2">&#8212;</td><td>%</td></tr>
</table>"""


def test_a_table_laid_out_in_spacer_cells_has_the_columns_a_reader_sees(tmp_path: Path) -> None:
    assert lines(tmp_path, SEC) == [
        "(In millions, except per share amounts)",
        "| 2023 | 2022",
        "Net sales | $1,234 | $5,678",
        "Costs: |",
        "Loss | (12) | (3)",
        "Margin | 12.5% | —%",
    ]


def test_the_layout_that_most_filers_tool_writes_has_its_columns_too(tmp_path: Path) -> None:
    """Labels and spacers over three columns, a figure over one or over two."""
    gap = '<td colspan="3" style="padding:0 1pt"></td>'

    def figure(text: str, *, signed: bool) -> str:
        inside = f"<span><ix:nonFraction>{text}</ix:nonFraction>&#160;</span>"
        first = f"<td>$</td><td>{inside}</td>" if signed else f'<td colspan="2">{inside}</td>'
        return first + "<td></td>"

    def row(label: str, *cells: str) -> str:
        return f'<tr><td colspan="3"><div>{label}</div></td>{gap.join(cells)}</tr>'

    source = "<table>" + "".join(
        (
            "<tr>" + '<td style="width:1.0%"></td>' * 12 + "</tr>",
            row("", '<td colspan="3">June 30, 2023</td>', '<td colspan="3">2022</td>'),
            '<tr><td colspan="12">LIABILITIES AND EQUITY:</td></tr>',
            row("Current liabilities:", gap, gap),
            row("Accounts payable", figure("46,699", signed=True), figure("64,115", signed=True)),
            row("Deferred revenue", figure("8,158", signed=False), figure("7,912", signed=False)),
            "<tr>" + gap * 4 + "</tr>",
        )
    ) + "</table>"  # fmt: skip
    assert lines(tmp_path, source) == [
        "| June 30, 2023 | 2022",
        "LIABILITIES AND EQUITY:",
        "Current liabilities: |",
        "Accounts payable | $46,699 | $64,115",
        "Deferred revenue | 8,158 | 7,912",
    ]


def test_a_chinese_table_keeps_unit_header_and_empty_cells(tmp_path: Path) -> None:
    source = """<p>单位：元　币种：人民币</p><table>
    <thead><tr><th rowspan="2">项目</th><th colspan="2">2023年</th></tr>
    <tr><th>期末余额</th><th>期初余额</th></tr></thead>
    <tr><td>货币<br>资金</td><td>1,0<span>74,257.93</span></td><td>5.00</td></tr>
    <tr><td>应收票据<td><td>12.50</table>"""
    assert lines(tmp_path, source, "zh") == [
        "单位：元 币种：人民币",
        "项目 | 2023年",
        "项目 | 期末余额 | 期初余额",
        "货币资金 | 1,074,257.93 | 5.00",
        "应收票据 |  | 12.50",
    ]


def test_figures_of_two_columns_that_no_header_names_stay_apart(tmp_path: Path) -> None:
    source = """<table><tr><td>借</td><td>1,000</td><td></td></tr>
    <tr><td>贷</td><td></td><td>2,000</td></tr></table>"""
    assert lines(tmp_path, source) == ["借 | 1,000", "贷 |  | 2,000"]


def test_a_figure_that_spans_rows_is_not_said_twice(tmp_path: Path) -> None:
    source = """<table><tr><td rowspan=2>A</td><td>x</td><td rowspan=2>1,234</td></tr>
    <tr><td>y</td></tr></table>"""
    assert lines(tmp_path, source) == ["A | x | 1,234", "A | y"]


def test_tables_within_a_layout_table_are_tables_of_their_own(tmp_path: Path) -> None:
    inner = (
        "<table><tr><td>{0}</td><td>1,0</td><td>2.0</td></tr><tr><td>b</td><td>3</td></tr></table>"
    )
    source = (
        f"<table><tr><td>{inner.format('收入')}</td><td>{inner.format('Cost')}</td></tr></table>"
    )
    assert lines(tmp_path, source) == ["收入 | 1,0 | 2.0", "b | 3", "Cost | 1,0 | 2.0", "b | 3"]


def test_a_bullet_in_a_cell_of_its_own_begins_its_line(tmp_path: Path) -> None:
    source = "<table><tr><td>&#8226;</td><td>Revenue grew.</td></tr></table>"
    assert lines(tmp_path, source) == ["• Revenue grew."]


amounts = st.integers(0, 10**9).map(lambda n: f"{n:,}")
labels = st.sampled_from(["Net sales", "营业收入", "Cost of sales", "净利润"])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(labels, st.lists(amounts, min_size=3, max_size=3)), min_size=1, max_size=6),
    st.data(),
)
def test_spacers_and_signs_never_move_a_figure_to_another_column(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, list[str]]],
    data: st.DataObject,
) -> None:
    """However a figure is laid out over its four columns, it stands under its own year."""

    def cells(figure: str) -> str:
        return data.draw(
            st.sampled_from(
                [
                    f"<td></td><td>$</td><td>{figure}</td><td></td>",
                    f"<td></td><td></td><td>{figure}</td><td> </td>",
                    f"<td></td><td colspan=2>{figure}</td><td></td>",
                    f"<td></td><td>$</td><td>({figure}</td><td>)</td>",
                    f"<td></td><td colspan=3>{figure}</td>",
                ]
            )
        )

    head = "<td></td>" + "".join(f"<td></td><td colspan=3>{y}</td>" for y in (2023, 2022, 2021))
    body = [f"<tr><td>{label}</td>{''.join(map(cells, figures))}</tr>" for label, figures in rows]
    source = f"<table><tr>{head}</tr>{''.join(body)}</table>"
    found = lines(tmp_path_factory.mktemp("h"), source)
    assert found[0] == "| 2023 | 2022 | 2021"
    for line, (label, figures) in zip(found[1:], rows, strict=True):
        said = line.split(" | ")
        assert said[0] == label
        assert [re.sub(r"[$()]", "", s) for s in said[1:]] == figures


# Text.


def test_scripts_styles_and_comments_are_no_text_and_references_are_characters(
    tmp_path: Path,
) -> None:
    source = """<html><head><title>t</title><style>p{color:red}</style></head><body>
    <script>if (a < b) document.write("<p>no</p>")</script><!-- no --><?php no ?>
    <p>R&amp;D &lt; 5% &#20013;&#x6587;&nbsp;&euro;1 &bogus; <b>bo</b>ld<br>next</p>"""
    assert lines(tmp_path, source) == ["R&D < 5% 中文 €1 &bogus; bold", "next"]


def test_chinese_broken_by_the_source_s_lines_is_whole_and_english_keeps_its_blank(
    tmp_path: Path,
) -> None:
    source = "<p>归属于上市公\n   司股东的净利润</p><p>net\nincome</p>"
    assert lines(tmp_path, source) == ["归属于上市公司股东的净利润", "net income"]


def test_inline_xbrl_figures_are_text_and_its_header_is_hidden(tmp_path: Path) -> None:
    source = """<body><div style="display:none"><ix:header><ix:hidden>
    <ix:nonNumeric name="dei:X">secret</ix:nonNumeric></ix:hidden>
    <ix:resources>contexts</ix:resources></ix:header></div>
    <p>Revenue <ix:nonFraction scale="6">1,234</ix:nonFraction>
    <ix:nonNumeric>note</ix:nonNumeric></p></body>"""
    found = read(tmp_path, source)
    assert [p.text for p in found.pages] == ["Revenue 1,234 note"]
    assert [h.text for h in found.hidden] == ["secret"]


@pytest.mark.parametrize(
    ("source", "lang"),
    [
        ("﻿<p>营业收入</p>".encode(), "zh"),
        ("<meta charset='gb2312'><p>营业收入</p>".encode("gb18030"), "zh"),
        ("<p>营业收入</p>".encode("gb18030"), "zh"),
        ('<?xml version="1.0" encoding="GBK"?><p>营业收入</p>'.encode("gbk"), "en"),
        ("<meta charset=iso-8859-1><p>营业收入</p>".encode(), "zh"),
        ("\ufeff<p>营业收入</p>".encode("utf-16-le"), "zh"),
        ("<meta content='text/html; charset=big5'><p>營業收入</p>".encode("big5"), "zh"),
    ],
)
def test_chinese_is_read_in_the_encoding_it_is_in(tmp_path: Path, source: bytes, lang: str) -> None:
    assert lines(tmp_path, source, lang) in (["营业收入"], ["營業收入"])


def test_english_quotes_of_windows_are_quotes(tmp_path: Path) -> None:
    assert lines(tmp_path, b"<p>the company\x92s \x93net\x94</p>") == ["the company’s “net”"]


def test_bytes_that_are_text_in_no_way_are_a_problem_that_says_so(tmp_path: Path) -> None:
    (problem,) = read(tmp_path, b"<p>\x81\xff\xff</p>", "zh").problems
    assert problem.kind is ProblemKind.DAMAGED
    assert "filing.html is not text in utf-8 or gb18030 (byte 3)" in problem.message
    (problem,) = read(tmp_path, b"%PDF-1.7 ...").problems
    assert "is a PDF; name it .pdf" in problem.message
    (problem,) = read(tmp_path, b"<p>a\0b</p>").problems
    assert "zero byte" in problem.message


# Pages.


@pytest.mark.parametrize(
    "mark",
    [
        '<hr style="page-break-after:always">',
        '<div style="page-break-before: always"></div>',
        '<p style="BREAK-AFTER: page !important">&nbsp;</p>',
        '<div style="page-break-after:always"></div><div style="page-break-before:always"></div>',
        "<page>",
        '<p class="pb"></p>',
    ],
)
def test_a_page_ends_where_the_file_breaks_it(tmp_path: Path, mark: str) -> None:
    style = "<style>.pb { page-break-before: always }</style>"
    found = read(tmp_path, f"{style}<p>one</p>{mark}<p>第二页</p>{mark}")
    assert [(p.page, p.text) for p in found.pages] == [(1, "one"), (2, "第二页")]
    assert found.n_pages == 2


def test_a_break_inside_a_table_ends_the_page_after_its_row(tmp_path: Path) -> None:
    source = """<table><tr><td>a</td><td>1,000</td></tr>
    <tr style="page-break-before:always"><td>b</td><td>2,000</td></tr></table>"""
    assert [p.text for p in read(tmp_path, source).pages] == ["a | 1,000", "b | 2,000"]


def test_a_file_without_breaks_is_one_page_and_one_without_text_is_empty(tmp_path: Path) -> None:
    assert [p.page for p in read(tmp_path, "<hr><p>a</p><hr><p>b</p>").pages] == [1]
    (problem,) = read(tmp_path, "<html><body><img src=x></body></html>").problems
    assert problem.kind is ProblemKind.EMPTY


# Hidden text.


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ('<p style="display:none">x</p>', HiddenKind.NOT_DISPLAYED),
        ('<p style="DISPLAY : None !important;">x</p>', HiddenKind.NOT_DISPLAYED),
        ("<p hidden>x</p>", HiddenKind.NOT_DISPLAYED),
        ('<p style="visibility:hidden">x</p>', HiddenKind.NOT_DISPLAYED),
        ('<p style="height:0;overflow:hidden">x</p>', HiddenKind.NOT_DISPLAYED),
        ("<noscript>x</noscript>", HiddenKind.NOT_DISPLAYED),
        ('<p style="opacity:0.0">x</p>', HiddenKind.TRANSPARENT),
        ('<p style="color:transparent">x</p>', HiddenKind.TRANSPARENT),
        ('<p style="color:rgba(0,0,0,0)">x</p>', HiddenKind.TRANSPARENT),
        ('<p style="color:#FFF">x</p>', HiddenKind.COLOUR),
        ('<p style="color:#fefefe">x</p>', HiddenKind.COLOUR),
        ('<font color="white">x</font>', HiddenKind.COLOUR),
        ('<p style="color:rgb(255, 255, 255)">x</p>', HiddenKind.COLOUR),
        ('<table bgcolor="#000000"><tr><td>x</td></tr></table>', HiddenKind.COLOUR),
        ('<p style="background:navy;color:navy">x</p>', HiddenKind.COLOUR),
        ('<p style="font-size:0">x</p>', HiddenKind.TINY),
        ('<p style="font-size:1pt">x</p>', HiddenKind.TINY),
        ('<p style="font:1px/1 serif">x</p>', HiddenKind.TINY),
        ('<p style="position:absolute;left:-9999px">x</p>', HiddenKind.OFF_PAGE),
        ('<p style="text-indent:-9999px">x</p>', HiddenKind.OFF_PAGE),
        ('<span aria-hidden="true">x</span>', HiddenKind.ARIA_HIDDEN),
        ("<ix:hidden>x</ix:hidden>", HiddenKind.XBRL_HIDDEN),
        ("<style>.h{display:none}</style><p class='a h'>x</p>", HiddenKind.NOT_DISPLAYED),
        ("<style>div > p{color:#fff}</style><div><p>x</p></div>", HiddenKind.COLOUR),
        ("<style>#w .v i{font-size:0}</style><p id=w class=w><b class=v><i>x</i></b>",
         HiddenKind.TINY),
    ],
)  # fmt: skip
def test_what_a_browser_does_not_show_is_recorded_and_kept_out(
    tmp_path: Path, source: str, kind: HiddenKind
) -> None:
    text = source.replace("x<", "营业收入 999,999<")
    assert hidden(tmp_path, text) == [(kind, "营业收入 999,999")]
    assert lines(tmp_path, f"<p>seen</p>{text}") == ["seen"]


@pytest.mark.parametrize(
    "source",
    [
        '<p style="background:#003366"><span style="color:white">x</span></p>',
        '<table><tr bgcolor="navy"><td style="color:#fff">x</td></tr></table>',
        '<div style="background:url(a.png)"><p style="color:white">x</p></div>',
        '<p style="color:#777">x</p>',
        '<p style="color:unknowncolour">x</p>',
        '<p style="font-size:0.5em">x</p>',
        '<p style="position:absolute;left:20px">x</p>',
        '<div style="visibility:hidden"><p style="visibility:visible">x</p></div>',
        "<style>@media print{p{display:none}} .other{display:none}</style><p>x</p>",
        "<style>/* p{display:none} */ q p{display:none}</style><p>x</p>",
        "<!-- <style>p{display:none}</style> --><p>x</p>",
        "<style>tr:nth-child(odd){background:navy}</style><p style='color:#fff'>x</p>",
    ],
)
def test_what_a_browser_shows_is_no_hidden_text(tmp_path: Path, source: str) -> None:
    assert hidden(tmp_path, source) == []
    assert "x" in lines(tmp_path, source)


def test_hidden_text_in_a_table_is_in_no_cell_and_on_its_page(tmp_path: Path) -> None:
    source = """<p>a</p><hr style="page-break-after:always"><table><tr><td>收入</td>
    <td>1,<span style="display:none">999,</span>234</td></tr></table>"""
    found = read(tmp_path, source)
    assert [p.text for p in found.pages] == ["a", "收入 | 1,234"]
    assert [(h.page, h.text) for h in found.hidden] == [(2, "999,")]


# Hostile and broken files.


class Texts(HTMLParser):
    """The standard library's reading of a document: an oracle for what is text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)


words = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Sm")), max_size=12)
attributes = st.sampled_from(
    ["", ' class="a b"', " id=x", " title='a>b'", " data-x", ' href="&lt;"']
)


def element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(
        st.sampled_from(["p", "b", "div", "span", "i", "h2", "ul", "section"]),
        attributes,
        st.lists(inner, max_size=4),
    ).map(lambda t: f"<{t[0]}{t[1]}>{''.join(t[2])}</{t[0]}>")


documents = st.recursive(
    words.map(html.escape) | st.sampled_from(["<br>", "<!-- c -->", "<img src=a>", "&nbsp;"]),
    element,
    max_leaves=30,
)


@settings(max_examples=150, deadline=None)
@given(documents)
def test_no_character_is_lost_or_made_up(
    tmp_path_factory: pytest.TempPathFactory, source: str
) -> None:
    oracle = Texts()
    oracle.feed(source)
    oracle.close()
    ours = "".join(lines(tmp_path_factory.mktemp("h"), source))
    assert "".join(ours.split()) == "".join("".join(oracle.found).split())


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(
    ["<", ">", "/", "table", "<tr", "<td>", "</table>", "<td colspan=9 rowspan=9>", "&#", "x",
     "中", "<!--", "-->", "<style>", "{", "}", "p", "</", '"', "'", "=", "<p style='", "1,234"]
), max_size=40).map("".join))  # fmt: skip
def test_any_rubbish_gives_pages_or_a_problem(
    tmp_path_factory: pytest.TempPathFactory, source: str
) -> None:
    found = read(tmp_path_factory.mktemp("h"), source)
    assert found.pages or found.problems


@pytest.mark.parametrize(
    "piece",
    ["<!--", "<a ", '<a b="', "</a", "<![CDATA[", "<", "<style>", "<td>", "<tr><td>", "</b>",
     "<table>", "&#9", "<p>", "<td rowspan=65534>"],
)  # fmt: skip
def test_a_long_run_of_anything_ends_soon(tmp_path: Path, piece: str) -> None:
    """Each took minutes with a quadratic reader; the suite's own time limit is the judge here."""
    found = read(tmp_path, "<table><tr><td>x" + piece * (100_000 // len(piece)))
    assert found.pages or found.problems


def test_depth_width_and_work_end_with_a_sentence(tmp_path: Path) -> None:
    (deep,) = read(tmp_path, "<div>" * 2_000 + "x").problems
    assert deep.message == "filing.html nests more than 1,000 elements; save it simpler"
    (wide,) = read(tmp_path, "<table><tr>" + "<td>x" * 1_500).problems
    assert "more than 1,000 columns" in wide.message
    rules = "".join(f".b{n} p{{color:#fff}}" for n in range(300))
    with pytest.raises(InputError, match=r"more work than any filing does .*its style sheet"):
        html_lines(f"<style>{rules}</style>" + "<p>x" * 300, Budget(50_000))


def test_an_entity_of_the_document_s_own_is_never_expanded(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><p>&b;</p>'
    assert "haha" not in "".join(lines(tmp_path, bomb))
    assert lines(tmp_path, "<p>&#99999999999999999999;1</p>") == ["\ufffd1"]
