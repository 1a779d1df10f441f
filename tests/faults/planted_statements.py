"""Faults of the generator in what it states: ranges, hedges, parts, calculations, too much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted_register import lost

from ragdash.core.diagnosis import Layer
from ragdash.core.retrieval import Mode

if TYPE_CHECKING:
    from planted_line import Line

GENERATION = Layer.GENERATION


@lost("only a range was given", GENERATION, "z-cash")
def range_zh(line: Line) -> None:
    line.alter("为935,771,602.84元", "在9亿元至10亿元之间")


@lost("only a range was given", GENERATION, "e-sales")
def range_en(line: Line) -> None:
    line.alter("$8,214.6 million", "between $8,000 million and $8,500 million")


@lost("only a bound was given", GENERATION, "z-research")
def bound_zh(line: Line) -> None:
    line.alter("为604,715,238.09元", "超过604,715,238.09元")


@lost("only a bound was given", GENERATION, "e-capex")
def bound_en(line: Line) -> None:
    line.alter("were $88.5 million", "were more than $88.5 million")


@lost("the answer hedges between two figures", GENERATION, "z-cash")
def hedged_zh(line: Line) -> None:
    line.alter("为935,771,602.84元", "可能为935,771,602.84元，也可能为802,446,319.05元")


@lost("the answer hedges between two figures", GENERATION, "e-eps")
def hedged_en(line: Line) -> None:
    line.alter("$4.17 per share", "either $4.17 or $3.74 per share")


@lost("two figures were given for one", GENERATION, "z-margin")
def two_figures_zh(line: Line) -> None:
    line.says("海岳重工的综合毛利率为13.95%。综合毛利率为15.20%(海岳重工·2023年报·P3)。")


@lost("two figures were given for one", GENERATION, "e-capex", Mode.RERANK)
def two_figures_en(line: Line) -> None:
    line.says("Tallgrass Foods capital expenditures were $88.5 million. Capital expenditures were "
              "$97.0 million (Tallgrass Foods·FY2023 10-K·P3).")  # fmt: skip


@lost("the right figure was denied", GENERATION, "z-cash")
def denied_zh(line: Line) -> None:
    line.alter("为935,771,602.84元", "并非935,771,602.84元")


@lost("the right figure was denied", GENERATION, "e-sales")
def denied_en(line: Line) -> None:
    line.says("Harbor Mills total net sales for 2023 were not $8,214.6 million "
              "(Harbor Mills·FY2023 10-K·P4).")  # fmt: skip


@lost("the answer has words and no figure", GENERATION, "z-research")
def no_figure_zh(line: Line) -> None:
    line.says("海岳重工持续加大研发投入，研发费用较上年有所增加(海岳重工·2023年报·P5)。")


@lost("the answer has words and no figure", GENERATION, "e-segment")
def no_figure_en(line: Line) -> None:
    line.says("Net sales of the Marine segment grew on strong demand for engines "
              "(Harbor Mills·FY2023 10-K·P5).")  # fmt: skip


@lost("of two compared figures only one was given", GENERATION, "z-compare")
def one_of_two_compared_left_out_zh(line: Line) -> None:
    line.says(line.right.split("；")[0] + "。")


@lost("the compared figures changed companies", GENERATION, "z-compare")
def compared_figures_swapped_zh(line: Line) -> None:
    one, two = line.needles
    line.says(line.right.replace(one, "#").replace(two, one).replace("#", two))


@lost("one of the compared figures is wrong", GENERATION, "e-compare")
def one_of_two_compared_wrong_en(line: Line) -> None:
    line.alter("$54.3", "$61.8")


@lost("the compared figures changed companies", GENERATION, "e-compare", Mode.RERANK)
def compared_figures_swapped_en(line: Line) -> None:
    line.says(line.right.replace("$412.7", "#").replace("$54.3", "$412.7").replace("#", "$54.3"))


@lost("both inputs were visible, the ratio was computed wrongly", GENERATION, "z-growth")
def computed_wrongly_zh(line: Line) -> None:
    line.alter("6.19%", "16.16%")


@lost("both inputs were visible, the ratio was computed wrongly", GENERATION, "e-share")
def computed_wrongly_en(line: Line) -> None:
    line.alter("3.88%", "38.8%")


@lost("both inputs were told, the ratio was not computed", GENERATION, "e-share")
def inputs_instead_of_the_ratio_en(line: Line) -> None:
    line.says("Capital expenditures were $318.4 million and net sales $8,214.6 million in 2023 "
              "(Harbor Mills·FY2023 10-K·P3).")  # fmt: skip


@lost("another attribution's figure that no visible passage states", GENERATION, "z-profit")
def sibling_that_was_not_visible_zh(line: Line) -> None:
    line.unfound(0)
    line.says("云岭茶业2023年归属于上市公司股东的净利润为768,930,245.70元(云岭茶业·2023年报·P5)。")


@lost("another scope's figure that no visible passage states", GENERATION, "e-alone")
def sibling_that_was_not_visible_en(line: Line) -> None:
    line.place(dense=1, bm25=1)
    line.drop_page("tg-2023", 4)
    line.alter("$918.6", "$2,561.9")


@lost("another attribution's figure of another year", GENERATION, "z-profit")
def sibling_of_another_year_zh(line: Line) -> None:
    line.alter("812,064,518.33", "671,208,439.52")


@lost("a figure was given where the filings have none", GENERATION, "z-none")
def answered_without_an_answer_zh(line: Line) -> None:
    line.says("云岭茶业2023年的碳排放总量为12,480吨(云岭茶业·2023年报·P3)。")


@lost("a figure was given where the filings have none", GENERATION, "e-none", Mode.DENSE)
def answered_without_an_answer_en(line: Line) -> None:
    line.says("Harbor Mills used 3.2 million gallons of water (Harbor Mills·FY2023 10-K·P2).")


@lost("a question about what the company does was refused", GENERATION, "z-prose")
def prose_refused_zh(line: Line) -> None:
    line.refuses()


@lost("a question about what the company does was refused", GENERATION, "e-prose", Mode.RERANK)
def prose_refused_en(line: Line) -> None:
    line.refuses()


@lost("one of two pages was dropped, the other visible, and it was refused", GENERATION, "z-profit")
def one_page_left_and_refused_zh(line: Line) -> None:
    line.drop_page("yl-2023", 2)
    line.refuses()


@lost("one of two pages in no list, the other visible, the row misread", GENERATION, "e-research")
def one_page_left_and_misread_en(line: Line) -> None:
    line.unfound(1)
    line.alter("$412.7", "$388.2")
