"""Faults that no layer can be charged with: nothing to measure by, or nothing lost at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted_register import lost

from ragdash.core.diagnosis import Layer
from ragdash.core.retrieval import Mode

if TYPE_CHECKING:
    from planted_line import Line

UNDETERMINED = Layer.UNDETERMINED


@lost("no evidence page is known, and the figure is wrong", UNDETERMINED, "z-unmarked")
def unmarked_and_wrong_zh(line: Line) -> None:
    line.alter("44,217,575.57", "31,684,551.52")


@lost("no evidence page is known, and it was refused", UNDETERMINED, "z-unmarked", Mode.RERANK)
def unmarked_and_refused_zh(line: Line) -> None:
    line.refuses()


@lost("no evidence page is known, and the figure is wrong", UNDETERMINED, "e-unmarked")
def unmarked_and_wrong_en(line: Line) -> None:
    line.alter("$631.7", "$573.6")


@lost("no evidence page is known, and it was refused", UNDETERMINED, "e-unmarked", Mode.DENSE)
def unmarked_and_refused_en(line: Line) -> None:
    line.refuses()


@lost("no evidence page is known, and the generator failed", UNDETERMINED, "e-unmarked")
def unmarked_and_generator_failed_en(line: Line) -> None:
    line.broken = "generator"


@lost("the evidence was left out of the question, and the page dropped", UNDETERMINED, "z-cash")
def evidence_left_out_and_page_dropped_zh(line: Line) -> None:
    line.row["evidence"] = []
    line.drop_page("yl-2023", 2)
    line.refuses()


@lost("the evidence of a prose question was left out, and it was refused", UNDETERMINED, "e-prose")
def evidence_left_out_of_prose_en(line: Line) -> None:
    line.row["evidence"] = []
    line.refuses()


@lost("the evidence was left out, and the sibling figure given", UNDETERMINED, "z-profit")
def evidence_left_out_and_sibling_zh(line: Line) -> None:
    line.row["evidence"] = []
    line.alter("812,064,518.33", "768,930,245.70")


@lost("a page that nobody asked for was dropped", None, "z-cash")
def other_page_dropped_zh(line: Line) -> None:
    line.drop_page("yl-2023", 8)


@lost("another company's report was dropped", None, "e-sales")
def other_document_dropped_en(line: Line) -> None:
    line.drop_document("tg-2023")


@lost("one of two pages that state the figure was dropped", None, "z-profit")
def one_of_two_pages_dropped_zh(line: Line) -> None:
    line.drop_page("yl-2023", 2)


@lost("one of two pages that state the figure was in no list", None, "e-research")
def one_of_two_pages_unfound_en(line: Line) -> None:
    line.unfound(0)


@lost("the last year's figure beside it was misread", None, "z-cash")
def other_column_misread_zh(line: Line) -> None:
    line.turn("yl-2023", 2, "802,446,319.05", "8O2,446,3l9.O5")


@lost("the passage fell from first to third, which is still shown", None, "e-eps", Mode.DENSE)
def third_of_three_en(line: Line) -> None:
    line.place(dense=3)


@lost("sixth in both lists, and the reranker put it first", None, "z-product", Mode.RERANK)
def saved_by_the_reranker_zh(line: Line) -> None:
    line.place(dense=6, bm25=6, rerank=1)


@lost("the figure was rounded and told in 亿元", None, "z-cash")
def in_hundred_millions_zh(line: Line) -> None:
    line.alter("935,771,602.84元", "9.36亿元")


@lost("the figure was rounded and told in billions", None, "e-sales")
def in_billions_en(line: Line) -> None:
    line.alter("$8,214.6 million", "$8.21 billion")


@lost("the digits came out full-width, and were read", None, "z-parent")
def full_width_digits_zh(line: Line) -> None:
    line.turn("hy-2023", 6, "7,451,290,336.84", "７，４５１，２９０，３３６．８４")
    line.repeats()


@lost("the thousands commas are gone, and the number was read", None, "e-segment")
def commas_lost_en(line: Line) -> None:
    line.turn("hm-2023", 5, "2,906,318", "2906318")
    line.repeats()


@lost("the question names a wrong page, and the answer is right", None, "z-research")
def wrong_page_and_right_answer_zh(line: Line) -> None:
    line.row["evidence"] = [{"doc_id": "hy-2023", "page": 8}]
    line.repeats()


@lost("the citation was left out of a right answer", None, "e-capex")
def citation_left_out_en(line: Line) -> None:
    line.alter(" (Tallgrass Foods·FY2023 10-K·P3)", "")


@lost("the compared figures came in the other order", None, "z-compare")
def other_order_zh(line: Line) -> None:
    one, two = line.right.rstrip("。").split("；")
    line.says(f"{two}；{one}。")


@lost("a question that has no answer was refused in other words", None, "e-none")
def refused_rightly_en(line: Line) -> None:
    line.refuses("The filings provided do not disclose the water use of Harbor Mills.")


@lost("the page of a question that has no answer was dropped", None, "z-none")
def nothing_to_find_and_page_dropped_zh(line: Line) -> None:
    line.drop_page("yl-2023", 3)


@lost("the scale was left out, and the cited table states it (section 3)", None, "e-segment")
def scale_left_out_beside_its_table_en(line: Line) -> None:
    line.alter("$2,906,318 thousand", "$2,906,318")


@lost("the owners are named by the company, as most 10-Ks do", None, "e-profit")
def owners_named_by_the_company_en(line: Line) -> None:
    line.turn("hm-2023", 4, "attributable to common shareholders", "attributable to Harbor Mills")
    line.alter("common shareholders of Harbor Mills", "Harbor Mills")
