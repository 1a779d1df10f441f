"""Faults of the caliber: a real figure of a visible passage, under another 口径 than the asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted_register import lost

from ragdash.core.diagnosis import Layer
from ragdash.core.retrieval import Mode

if TYPE_CHECKING:
    from planted_line import Line

BUSINESS = Layer.BUSINESS


@lost("the attribution: 扣非 for 归母", BUSINESS, "z-profit")
def deducted_for_attributable_zh(line: Line) -> None:
    line.alter("812,064,518.33", "768,930,245.70")


@lost("the attribution: 归母 for 扣非", BUSINESS, "z-core", Mode.RERANK)
def attributable_for_deducted_zh(line: Line) -> None:
    line.alter("768,930,245.70", "812,064,518.33")


@lost("the attribution, named as what it is: 归母 for 扣非", BUSINESS, "z-core")
def attributable_by_name_for_deducted_zh(line: Line) -> None:
    line.says("云岭茶业2023年归属于上市公司股东的净利润为812,064,518.33元(云岭茶业·2023年报·P2)。")


@lost("the attribution, rounded: 扣非 for 归母", BUSINESS, "z-profit", Mode.DENSE)
def deducted_in_round_figures_zh(line: Line) -> None:
    line.alter("812,064,518.33元", "7.69亿元")


@lost("the attribution: the group's net profit for 归母", BUSINESS, "z-profit")
def group_for_attributable_zh(line: Line) -> None:
    line.alter("812,064,518.33", "861,447,390.25")


@lost("the attribution: the group's net loss for 归母", BUSINESS, "z-loss")
def group_loss_for_attributable_zh(line: Line) -> None:
    line.show("hy-2022", 5, "-455,108,332.64")
    line.alter("-471,926,503.15", "-455,108,332.64")


@lost("the attribution: EPS after deductions for basic EPS", BUSINESS, "z-eps")
def deducted_eps_zh(line: Line) -> None:
    line.alter("1.93元", "1.83元")


@lost("the scope: the parent company's revenue for the group's", BUSINESS, "z-revenue")
def parent_for_consolidated_zh(line: Line) -> None:
    line.show("yl-2023", 6, "3,027,604,518.96")
    line.alter("4,863,215,077.42", "3,027,604,518.96")


@lost("the scope: the group's revenue for the parent company's", BUSINESS, "z-parent")
def consolidated_for_parent_zh(line: Line) -> None:
    line.show("hy-2023", 5, "12,706,118,905.63")
    line.alter("7,451,290,336.84", "12,706,118,905.63")


@lost("the part: a product's revenue for the total", BUSINESS, "z-revenue")
def product_for_total_zh(line: Line) -> None:
    line.show("yl-2023", 4, "213,845.62")
    line.alter("4,863,215,077.42元", "213,845.62万元")


@lost("the part: the total for a product's revenue", BUSINESS, "z-product", Mode.RERANK)
def total_for_product_zh(line: Line) -> None:
    line.show("yl-2023", 2, "4,863,215,077.42")
    line.alter("213,845.62万元", "4,863,215,077.42元")


@lost("the restatement: the adjusted figure for the first reported", BUSINESS, "z-first")
def restated_for_first_zh(line: Line) -> None:
    line.show("hy-2023", 7, "13,377,240,618.92")
    line.alter("13,118,507,942.36", "13,377,240,618.92")


@lost("the total: 营业总收入 for 营业收入", BUSINESS, "z-revenue")
def total_operating_revenue_zh(line: Line) -> None:
    line.show("yl-2023", 5, "4,903,118,264.57")
    line.alter("4,863,215,077.42", "4,903,118,264.57")


@lost("the label: the right figure called 扣非", BUSINESS, "z-profit")
def right_figure_called_deducted_zh(line: Line) -> None:
    line.alter("归属于上市公司股东的净利润", "扣除非经常性损益的净利润")


@lost("the label: the right figure called the parent company's", BUSINESS, "z-revenue")
def right_figure_called_parent_zh(line: Line) -> None:
    line.alter("营业收入", "母公司营业收入")


@lost("the label: the right figure called the group's", BUSINESS, "z-parent", Mode.RERANK)
def right_figure_called_consolidated_zh(line: Line) -> None:
    line.alter("母公司营业收入", "合并营业收入")


@lost("the attribution: net income with the minority's share", BUSINESS, "e-profit")
def group_for_attributable_en(line: Line) -> None:
    line.alter("$832.4", "$871.3")


@lost("the attribution: adjusted net income for the attributable", BUSINESS, "e-profit")
def adjusted_for_attributable_en(line: Line) -> None:
    line.show("hm-2023", 3, "918.7")
    line.alter("$832.4", "$918.7")


@lost("the attribution, named as what it is: adjusted net income", BUSINESS, "e-profit",
      Mode.RERANK)  # fmt: skip
def adjusted_by_name_en(line: Line) -> None:
    line.show("hm-2023", 3, "918.7")
    line.says("Adjusted net income of Harbor Mills for 2023: $918.7 million "
              "(Harbor Mills·FY2023 10-K·P3).")  # fmt: skip


@lost("the scope: the parent company alone for the group", BUSINESS, "e-sales")
def parent_for_consolidated_en(line: Line) -> None:
    line.show("hm-2023", 6, "3,418.2")
    line.alter("$8,214.6", "$3,418.2")


@lost("the scope: the group for the parent company alone", BUSINESS, "e-alone")
def consolidated_for_parent_en(line: Line) -> None:
    line.show("tg-2023", 4, "2,561.9")
    line.alter("$918.6", "$2,561.9")


@lost("the part: a segment's net sales for the total", BUSINESS, "e-sales", Mode.DENSE)
def segment_for_total_en(line: Line) -> None:
    line.show("hm-2023", 5, "2,906,318")
    line.alter("$8,214.6 million", "$2,906,318 thousand")


@lost("the part: the total for a segment's net sales", BUSINESS, "e-segment")
def total_for_segment_en(line: Line) -> None:
    line.show("hm-2023", 4, "8,214.6")
    line.alter("$2,906,318 thousand", "$8,214.6 million")


@lost("the restatement: the restated figure for the first reported", BUSINESS, "e-first")
def restated_for_first_en(line: Line) -> None:
    line.show("tg-2023", 7, "2,688.3")
    line.alter("$2,641.7", "$2,688.3")


@lost("the label: the right figure called the parent company's", BUSINESS, "e-sales")
def right_figure_called_parent_en(line: Line) -> None:
    line.alter("Harbor Mills total net sales", "Parent company only net sales of Harbor Mills")


@lost("the label: the right figure called adjusted", BUSINESS, "e-profit", Mode.DENSE)
def right_figure_called_adjusted_en(line: Line) -> None:
    line.alter("Net income attributable to common shareholders", "Adjusted net income")
