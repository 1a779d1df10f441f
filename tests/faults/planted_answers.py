"""Faults of the generator: the passage was visible, and the answer is refused, missing or wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted_register import lost

from ragdash.core.diagnosis import Layer
from ragdash.core.retrieval import Mode

if TYPE_CHECKING:
    from planted_line import Line

GENERATION = Layer.GENERATION


@lost("the answer was refused", GENERATION, "z-cash")
def refused_zh(line: Line) -> None:
    line.refuses()


@lost("the answer was refused", GENERATION, "e-sales", Mode.RERANK)
def refused_en(line: Line) -> None:
    line.refuses()


@lost("the answer was refused in other words", GENERATION, "z-margin")
def refused_in_own_words_zh(line: Line) -> None:
    line.refuses("根据所给资料，无法确定海岳重工2023年的综合毛利率。")


@lost("the answer was refused in other words", GENERATION, "e-capex", Mode.DENSE)
def refused_in_own_words_en(line: Line) -> None:
    line.refuses("The excerpts do not contain enough information to answer this question.")


@lost("the reply was empty", GENERATION, "z-eps")
def empty_zh(line: Line) -> None:
    line.says("")


@lost("the reply was blanks", GENERATION, "e-segment")
def empty_en(line: Line) -> None:
    line.says(" \n")


@lost("the generator gave no reply in time", GENERATION, "z-people")
def generator_failed_zh(line: Line) -> None:
    line.broken = "generator"


@lost("the generator gave no reply in time", GENERATION, "e-loss", Mode.RERANK)
def generator_failed_en(line: Line) -> None:
    line.broken = "generator"


@lost("the unit was altered: 万元 for 元", GENERATION, "z-cash")
def unit_altered_zh(line: Line) -> None:
    line.alter("935,771,602.84元", "935,771,602.84万元")


@lost("the unit was altered: billion for million", GENERATION, "e-sales")
def unit_altered_en(line: Line) -> None:
    line.alter("$8,214.6 million", "$8,214.6 billion")


@lost("the kind was altered: points for percent", GENERATION, "z-margin")
def points_for_percent_zh(line: Line) -> None:
    line.alter("13.95%", "13.95个百分点")


@lost("the currency was altered", GENERATION, "z-parent")
def currency_altered_zh(line: Line) -> None:
    line.alter("7,451,290,336.84元", "7,451,290,336.84美元")


@lost("the currency was altered", GENERATION, "e-capex")
def currency_altered_en(line: Line) -> None:
    line.alter("$88.5 million", "€88.5 million")


@lost("the sign was altered: a loss told as a profit", GENERATION, "z-loss")
def sign_altered_zh(line: Line) -> None:
    line.alter("-471,926,503.15", "471,926,503.15")


@lost("the sign was altered: a loss told as income", GENERATION, "e-loss")
def sign_altered_en(line: Line) -> None:
    line.alter("an operating loss of", "operating income of")


@lost("the magnitude was altered: a tenth", GENERATION, "z-research", Mode.RERANK)
def magnitude_altered_zh(line: Line) -> None:
    line.alter("604,715,238.09", "60,471,523.81")


@lost("the magnitude was altered: ten times", GENERATION, "e-people")
def magnitude_altered_en(line: Line) -> None:
    line.alter("21,340", "213,400")


@lost("two digits changed places", GENERATION, "z-cash", Mode.DENSE)
def digits_transposed_zh(line: Line) -> None:
    line.alter("935,771,602.84", "953,771,602.84")


@lost("two digits changed places", GENERATION, "e-profit")
def digits_transposed_en(line: Line) -> None:
    line.alter("$832.4", "$382.4")


@lost("the row above was read: the total cost", GENERATION, "z-research")
def neighbouring_row_zh(line: Line) -> None:
    line.alter("604,715,238.09", "10,933,507,264.18")


@lost("the row below was read: the cost of sales", GENERATION, "e-sales")
def neighbouring_row_en(line: Line) -> None:
    line.alter("$8,214.6", "$5,077.8")


@lost("the row below was read: the gross profit", GENERATION, "e-research")
def another_row_en(line: Line) -> None:
    line.alter("$412.7", "$1,204.5")


@lost("the next column was read: the year before", GENERATION, "z-cash")
def neighbouring_column_zh(line: Line) -> None:
    line.alter("935,771,602.84", "802,446,319.05")


@lost("the next column was read: the year before", GENERATION, "e-profit", Mode.DENSE)
def neighbouring_column_en(line: Line) -> None:
    line.alter("$832.4", "$755.4")


@lost("the next column was read: the parent company's year before", GENERATION, "z-parent")
def neighbouring_column_of_the_parent_zh(line: Line) -> None:
    line.alter("7,451,290,336.84", "7,902,664,115.27")


@lost("the next column was read: the product's year before", GENERATION, "z-product")
def neighbouring_column_of_the_product_zh(line: Line) -> None:
    line.alter("213,845.62", "195,270.38")


@lost("the year before was given from prose", GENERATION, "e-people")
def another_year_in_prose_en(line: Line) -> None:
    line.alter("21,340", "20,815")


@lost("the other company's figure was given", GENERATION, "z-cash")
def another_company_zh(line: Line) -> None:
    line.show("hy-2023", 2, "1,204,663,180.37")
    line.alter("935,771,602.84", "1,204,663,180.37")


@lost("the other company's figure was given", GENERATION, "e-capex")
def another_company_en(line: Line) -> None:
    line.show("hm-2023", 3, "318.4")
    line.alter("$88.5", "$318.4")


@lost("the other company's revenue was given", GENERATION, "z-revenue")
def another_company_of_a_family_zh(line: Line) -> None:
    line.show("hy-2023", 2, "12,706,118,905.63")
    line.alter("4,863,215,077.42", "12,706,118,905.63")


@lost("the figure was made up", GENERATION, "z-research")
def invented_zh(line: Line) -> None:
    line.alter("604,715,238.09", "777,000,000.00")


@lost("the figure was made up", GENERATION, "e-eps")
def invented_en(line: Line) -> None:
    line.alter("$4.17", "$6.66")
