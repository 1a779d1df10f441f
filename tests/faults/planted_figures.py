"""Faults before the index: the passage is there, and no longer says its figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted_register import lost

from ragdash.core.diagnosis import Layer
from ragdash.core.retrieval import Mode

if TYPE_CHECKING:
    from planted_line import Line

INGEST = Layer.INGEST


@lost("blanks stand between the digits", INGEST, "z-cash")
def digits_split_by_blanks_zh(line: Line) -> None:
    line.turn("yl-2023", 2, "935,771,602.84", "9 3 5 ,7 7 1, 6 02 . 8 4")


@lost("blanks stand between the digits", INGEST, "e-segment")
def digits_split_by_blanks_en(line: Line) -> None:
    line.turn("hm-2023", 5, "2,906,318", "2 , 9 0 6 , 3 1 8")


@lost("the number goes on in the next line, its comma is gone", INGEST, "z-research")
def digits_split_over_lines_zh(line: Line) -> None:
    line.turn("hy-2023", 5, "604,715,238.09", "604,71\n5,238.09")


@lost("the number goes on in the next line", INGEST, "e-capex")
def digits_split_over_lines_en(line: Line) -> None:
    line.turn("tg-2023", 3, "$88.5 million", "$8\n8.5 million")


@lost("one number became two cells", INGEST, "z-parent")
def digits_split_over_cells_zh(line: Line) -> None:
    line.turn("hy-2023", 6, "7,451,290,336.84", "7,451 | 290,336.84")


@lost("one number became two cells", INGEST, "e-alone", Mode.DENSE)
def digits_split_over_cells_en(line: Line) -> None:
    line.turn("tg-2023", 6, "918.6", "9 | 18.6")


@lost("the number was cut by the page border", INGEST, "z-margin")
def digits_split_over_pages_zh(line: Line) -> None:
    text = line.pages["hy-2023"][3]
    at = text.index(".95%")
    line.pages["hy-2023"][3] = text[:at]
    line.pages["hy-2023"][4] = text[at:] + "\n" + line.pages["hy-2023"][4]


@lost("the number was cut by the page border", INGEST, "e-people")
def digits_split_over_pages_en(line: Line) -> None:
    text = line.pages["hm-2023"][2]
    at = text.index(",340 employees")
    line.pages["hm-2023"][2] = text[:at]
    line.pages["hm-2023"][3] = text[at:] + "\n" + line.pages["hm-2023"][3]


@lost("a 3 was read as an 8", INGEST, "z-cash")
def digit_misread_zh(line: Line) -> None:
    line.turn("yl-2023", 2, "935,771,602.84", "985,771,602.84")
    line.alter("935,771,602.84", "985,771,602.84")


@lost("the eights were read as threes", INGEST, "e-capex")
def digit_misread_en(line: Line) -> None:
    line.turn("tg-2023", 3, "$88.5", "$33.5")
    line.alter("$88.5", "$33.5")


@lost("zeros were read as the letter O", INGEST, "z-research")
def letter_for_zero_zh(line: Line) -> None:
    line.turn("hy-2023", 5, "604,715,238.09", "6O4,715,238.O9")


@lost("a one was read as the letter l", INGEST, "e-sales")
def letter_for_one_en(line: Line) -> None:
    line.turn("hm-2023", 4, "8,214.6", "8,2l4.6")


@lost("the digits came out as boxes, the font has no mapping", INGEST, "z-eps")
def glyphs_lost_zh(line: Line) -> None:
    line.turn("yl-2023", 2, "1.93 |", "□.□□ |")


@lost("the digits came out as glyph numbers", INGEST, "e-loss", Mode.RERANK)
def glyphs_lost_en(line: Line) -> None:
    line.turn("tg-2022", 4, "(143.6)", "(cid:20)(cid:23)(cid:22)(cid:17)(cid:25)")


@lost("the digits before the decimal point are gone", INGEST, "z-margin")
def leading_digits_lost_zh(line: Line) -> None:
    line.turn("hy-2023", 3, "13.95%", ".95%")


@lost("the last group of the number is gone", INGEST, "e-segment")
def last_group_lost_en(line: Line) -> None:
    line.turn("hm-2023", 5, "2,906,318", "2,906")


@lost("a footnote mark was glued to the number", INGEST, "e-people", Mode.DENSE)
def footnote_glued_en(line: Line) -> None:
    line.turn("hm-2023", 2, "21,340 employees", "213,402 employees")


@lost("the unit line is gone, so ten thousands are read as yuan", INGEST, "z-product")
def unit_line_lost_zh(line: Line) -> None:
    line.turn("yl-2023", 4, "单位：万元\n", "")
    line.alter("213,845.62万元", "213,845.62元")


@lost("the unit line is gone, so thousands are read as dollars", INGEST, "e-segment")
def unit_line_lost_en(line: Line) -> None:
    line.turn("hm-2023", 5, "(In thousands)\n", "")
    line.alter("$2,906,318 thousand", "$2,906,318")


@lost("the unit line reads 元 where 万元 was printed", INGEST, "z-product", Mode.RERANK)
def unit_line_misread_zh(line: Line) -> None:
    line.turn("yl-2023", 4, "单位：万元", "单位：元")
    line.alter("213,845.62万元", "213,845.62元")


@lost("the unit line reads millions where thousands was printed", INGEST, "e-segment")
def unit_line_misread_en(line: Line) -> None:
    line.turn("hm-2023", 5, "(In thousands)", "(In millions)")
    line.alter("$2,906,318 thousand", "$2,906,318 million")


@lost("the decimal point is gone", INGEST, "z-eps")
def decimal_point_lost_zh(line: Line) -> None:
    line.turn("yl-2023", 2, "1.93 |", "193 |")
    line.alter("1.93元/股", "193元/股")


@lost("the decimal point is gone", INGEST, "e-sales")
def decimal_point_lost_en(line: Line) -> None:
    line.turn("hm-2023", 4, "8,214.6", "82,146")
    line.alter("$8,214.6 million", "$82,146 million")


@lost("a thousands comma became a decimal point", INGEST, "e-segment")
def separator_turned_en(line: Line) -> None:
    line.turn("hm-2023", 5, "2,906,318", "2906.318")
    line.alter("$2,906,318 thousand", "$2,906.318 thousand")


@lost("the minus sign is gone", INGEST, "z-loss")
def minus_lost_zh(line: Line) -> None:
    line.turn("hy-2022", 2, "-471,926,503.15", "471,926,503.15")
    line.alter("-471,926,503.15", "471,926,503.15")


@lost("the brackets of a loss are gone", INGEST, "e-loss")
def brackets_lost_en(line: Line) -> None:
    line.turn("tg-2022", 4, "(143.6)", "143.6")
    line.says("Tallgrass Foods had operating income of $143.6 million in 2022 "
              "(Tallgrass Foods·FY2022 10-K·P4).")  # fmt: skip
