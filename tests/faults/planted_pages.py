"""Faults before the index: pages, rows and reports that became no passage, or a wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted_register import lost

from ragdash.core.diagnosis import Layer
from ragdash.core.retrieval import Mode

if TYPE_CHECKING:
    from planted_line import Line

INGEST = Layer.INGEST


@lost("the page that states the cash flow was dropped", INGEST, "z-cash")
def page_dropped_zh(line: Line) -> None:
    line.drop_page("yl-2023", 2)


@lost("the page of the segment table was dropped", INGEST, "e-segment", Mode.DENSE)
def page_dropped_en(line: Line) -> None:
    line.drop_page("hm-2023", 5)


@lost("the whole report was dropped", INGEST, "z-parent", Mode.RERANK)
def document_dropped_zh(line: Line) -> None:
    line.drop_document("hy-2023")


@lost("the whole 10-K was dropped", INGEST, "e-capex")
def document_dropped_en(line: Line) -> None:
    line.drop_document("tg-2023")


@lost("the page came out without text, as a scan would", INGEST, "z-product")
def page_empty_zh(line: Line) -> None:
    line.empty_page("yl-2023", 4)


@lost("the page came out without text, as a scan would", INGEST, "e-people")
def page_empty_en(line: Line) -> None:
    line.empty_page("hm-2023", 2)


@lost("the row of the figure was lost out of its table", INGEST, "z-research")
def row_lost_zh(line: Line) -> None:
    line.turn("hy-2023", 5, "研发费用 | 604,715,238.09 | 571,380,664.27\n", "")


@lost("the row of the figure was lost out of its table", INGEST, "e-segment", Mode.RERANK)
def row_lost_en(line: Line) -> None:
    line.turn("hm-2023", 5, "Marine segment net sales | 2,906,318 | 2,774,052\n", "")


@lost("the sentence of the figure was lost out of its paragraph", INGEST, "z-margin")
def sentence_lost_zh(line: Line) -> None:
    line.turn("hy-2023", 3, "报告期内公司综合毛利率为13.95%，上年同期为11.03%。", "")


@lost("the page ends before the row, the rest of it was cut off", INGEST, "e-eps")
def page_cut_off_en(line: Line) -> None:
    text = line.pages["hm-2023"][4]
    line.pages["hm-2023"][4] = text[: text.index("Net income attributable")]


@lost("the cell of the figure came out empty", INGEST, "z-cash", Mode.DENSE)
def cell_empty_zh(line: Line) -> None:
    line.turn("yl-2023", 2, "935,771,602.84", "")


@lost("the row below slipped into the place of the figure", INGEST, "z-research")
def figure_of_another_row_zh(line: Line) -> None:
    line.turn("hy-2023", 5, "研发费用 | 604,715,238.09", "研发费用 | 356,802,914.71")
    line.alter("604,715,238.09", "356,802,914.71")


@lost("the page of the year before was stored in its place", INGEST, "z-cash")
def page_of_last_year_zh(line: Line) -> None:
    line.pages["yl-2023"][2] = line.pages["yl-2022"][2]
    line.alter("935,771,602.84", "802,446,319.05")


@lost("the page of another report was stored in its place", INGEST, "e-capex")
def page_of_another_company_en(line: Line) -> None:
    line.pages["tg-2023"][3] = line.pages["hm-2023"][3]
    line.alter("$88.5", "$318.4")


@lost("the question names a page that does not state the figure", INGEST, "z-cash")
def evidence_on_a_wrong_page_zh(line: Line) -> None:
    line.row["evidence"] = [{"doc_id": "yl-2023", "page": 8}]


@lost("the question names a page that does not state the figure", INGEST, "e-sales")
def evidence_on_a_wrong_page_en(line: Line) -> None:
    line.row["evidence"] = [{"doc_id": "hm-2023", "page": 8}]


@lost("the question names a page beyond the last", INGEST, "z-product")
def evidence_beyond_the_last_page_zh(line: Line) -> None:
    line.row["evidence"] = [{"doc_id": "yl-2023", "page": 40}]


@lost("the question names a report that is not in the corpus", INGEST, "e-eps")
def evidence_in_a_missing_report_en(line: Line) -> None:
    line.row["evidence"] = [{"doc_id": "hm-2021", "page": 4}]


@lost("both pages that state the figure were dropped", INGEST, "z-profit")
def both_pages_dropped_zh(line: Line) -> None:
    line.drop_page("yl-2023", 2)
    line.drop_page("yl-2023", 5)


@lost("one page dropped, on the other the figure was misread", INGEST, "e-research")
def one_page_dropped_and_one_misread_en(line: Line) -> None:
    line.drop_page("hm-2023", 3)
    line.turn("hm-2023", 4, "412.7", "4I2.7")


@lost("of two compared companies the page of one was dropped", INGEST, "z-compare")
def one_of_two_compared_pages_dropped_zh(line: Line) -> None:
    line.drop_page("hy-2023", 2)


@lost("of two compared companies the row of one was lost", INGEST, "e-compare")
def one_of_two_compared_rows_lost_en(line: Line) -> None:
    line.turn("tg-2023", 4, "Research and development | 54.3 | 61.8\n", "")


@lost("the page of one input of a ratio was dropped", INGEST, "z-growth")
def input_page_dropped_zh(line: Line) -> None:
    line.drop_page("yl-2023", 6)


@lost("the page of one input of a ratio was dropped", INGEST, "e-share")
def input_page_dropped_en(line: Line) -> None:
    line.drop_page("hm-2023", 3)


@lost("the page that tells what the company does was dropped", INGEST, "z-prose")
def prose_page_dropped_zh(line: Line) -> None:
    line.drop_page("hy-2023", 3)


@lost("the page that tells what the company does was dropped", INGEST, "e-prose", Mode.DENSE)
def prose_page_dropped_en(line: Line) -> None:
    line.drop_page("tg-2023", 2)


@lost("one compared page was dropped, the other fell below the cut", INGEST, "e-compare")
def dropped_and_below_the_cut_en(line: Line) -> None:
    line.drop_page("tg-2023", 4)
    line.place(0, dense=8, bm25=None)


@lost("the unit line is gone, and the table fell below the cut", INGEST, "z-product")
def unit_lost_and_below_the_cut_zh(line: Line) -> None:
    line.turn("yl-2023", 4, "单位：万元\n", "")
    line.place(dense=8, bm25=None)
    line.refuses()


@lost("the figure was misread, and that of another attribution given", INGEST, "z-core")
def misread_and_sibling_answered_zh(line: Line) -> None:
    line.turn("yl-2023", 2, "768,930,245.70", "7B8,93O,245.7O")
    line.alter("768,930,245.70", "812,064,518.33")


@lost("the page was dropped, and the generator failed", INGEST, "e-people", Mode.RERANK)
def dropped_and_generator_failed_en(line: Line) -> None:
    line.drop_page("hm-2023", 2)
    line.broken = "generator"
