"""Faults of the search: indexed but in no list, or found and then cut off before the context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted_register import lost

from ragdash.core.diagnosis import Layer
from ragdash.core.retrieval import Mode

if TYPE_CHECKING:
    from planted_line import Line

RECALL, RANKING = Layer.RECALL, Layer.RANKING


@lost("neither search returned the passage", RECALL, "z-cash")
def in_no_list_zh(line: Line) -> None:
    line.unfound()


@lost("neither search returned the passage", RECALL, "e-sales")
def in_no_list_en(line: Line) -> None:
    line.unfound()


@lost("the dense search alone missed the passage", RECALL, "z-product", Mode.DENSE)
def missed_by_dense_zh(line: Line) -> None:
    line.place(dense=None)


@lost("the dense search alone missed what the words would have found", RECALL, "e-people",
      Mode.DENSE)  # fmt: skip
def missed_by_dense_en(line: Line) -> None:
    line.place(dense=None, bm25=1)


@lost("nothing was there to rerank: no search returned the passage", RECALL, "z-eps", Mode.RERANK)
def nothing_to_rerank_zh(line: Line) -> None:
    line.unfound()


@lost("nothing was there to rerank: no search returned the passage", RECALL, "e-loss", Mode.RERANK)
def nothing_to_rerank_en(line: Line) -> None:
    line.unfound()


@lost("both searches stopped before the passage: 11th and 12th of 10", RECALL, "z-research")
def beyond_the_candidates_zh(line: Line) -> None:
    line.place(dense=11, bm25=12)


@lost("the dense search stopped before the passage: 15th of 10", RECALL, "e-capex", Mode.DENSE)
def beyond_the_candidates_en(line: Line) -> None:
    line.place(dense=15)


@lost("neither of the two pages that state the figure was returned", RECALL, "z-profit")
def both_pages_in_no_list_zh(line: Line) -> None:
    line.unfound(0)
    line.unfound(1)


@lost("of two compared companies one was in no list", RECALL, "z-compare")
def one_of_two_compared_in_no_list_zh(line: Line) -> None:
    line.unfound(1)


@lost("of two compared companies one was in no list", RECALL, "e-compare", Mode.RERANK)
def one_of_two_compared_in_no_list_en(line: Line) -> None:
    line.unfound(0)


@lost("one input of a ratio was in no list", RECALL, "z-growth")
def input_in_no_list_zh(line: Line) -> None:
    line.unfound(1)


@lost("one input of a ratio was in no list", RECALL, "e-share")
def input_in_no_list_en(line: Line) -> None:
    line.unfound(0)


@lost("one compared page in no list, the other below the cut", RECALL, "z-compare")
def in_no_list_and_below_the_cut_zh(line: Line) -> None:
    line.place(0, dense=9, bm25=None)
    line.unfound(1)


@lost("in no list, and the figure of another attribution was given", RECALL, "z-core")
def in_no_list_and_sibling_answered_zh(line: Line) -> None:
    line.unfound()
    line.show("yl-2023", 5, "812,064,518.33")
    line.alter("768,930,245.70", "812,064,518.33")


@lost("in no list, and a figure was made up", RECALL, "e-eps")
def in_no_list_and_invented_en(line: Line) -> None:
    line.unfound()
    line.alter("$4.17", "$5.02")


@lost("in no list, and the generator failed", RECALL, "e-segment")
def in_no_list_and_generator_failed_en(line: Line) -> None:
    line.unfound()
    line.broken = "generator"


@lost("the passage of a prose question was in no list", RECALL, "z-prose", Mode.DENSE)
def prose_in_no_list_zh(line: Line) -> None:
    line.unfound()


@lost("the passage of a prose question was in no list", RECALL, "e-prose")
def prose_in_no_list_en(line: Line) -> None:
    line.unfound()


@lost("the search itself failed", RECALL, "z-cash")
def search_failed_zh(line: Line) -> None:
    line.broken = "search"


@lost("the search itself failed", RECALL, "e-sales", Mode.DENSE)
def search_failed_en(line: Line) -> None:
    line.broken = "search"


@lost("seventh in the dense list, three are shown", RANKING, "z-cash", Mode.DENSE)
def below_the_cut_of_dense_zh(line: Line) -> None:
    line.place(dense=7)


@lost("fourth in the dense list, three are shown", RANKING, "e-sales", Mode.DENSE)
def one_below_the_cut_of_dense_en(line: Line) -> None:
    line.place(dense=4)


@lost("last in the dense list, not found by words", RANKING, "z-parent")
def only_dense_has_it_zh(line: Line) -> None:
    line.place(dense=10, bm25=None)


@lost("fifth by words, not found by the dense search", RANKING, "e-people")
def only_bm25_has_it_en(line: Line) -> None:
    line.place(dense=None, bm25=5)


@lost("eighth in both lists", RANKING, "z-product")
def below_in_both_lists_zh(line: Line) -> None:
    line.place(dense=8, bm25=8)


@lost("sixth and ninth in the lists", RANKING, "e-capex")
def below_in_both_lists_en(line: Line) -> None:
    line.place(dense=6, bm25=9)


@lost("first in the dense list, pushed down by the fusion as words missed it", RANKING, "z-eps")
def lost_in_the_fusion_zh(line: Line) -> None:
    line.place(dense=1, bm25=None)


@lost("second by words, pushed down by the fusion as dense missed it", RANKING, "e-loss")
def lost_in_the_fusion_en(line: Line) -> None:
    line.place(dense=None, bm25=2)


@lost("first in both lists, put fifth by the reranker", RANKING, "z-margin", Mode.RERANK)
def put_down_by_the_reranker_zh(line: Line) -> None:
    line.place(rerank=5)


@lost("first in both lists, put last by the reranker", RANKING, "e-segment", Mode.RERANK)
def put_down_by_the_reranker_en(line: Line) -> None:
    line.place(rerank=6)


@lost("fused behind the six that the reranker reads", RANKING, "z-research", Mode.RERANK)
def not_read_by_the_reranker_zh(line: Line) -> None:
    line.place(dense=10, bm25=10)


@lost("fused behind the six that the reranker reads", RANKING, "e-alone", Mode.RERANK)
def not_read_by_the_reranker_en(line: Line) -> None:
    line.place(dense=9, bm25=None)


@lost("of two compared companies one fell below the cut", RANKING, "z-compare")
def one_of_two_compared_below_the_cut_zh(line: Line) -> None:
    line.place(1, dense=9, bm25=9)


@lost("of two compared companies one fell below the cut", RANKING, "e-compare", Mode.DENSE)
def one_of_two_compared_below_the_cut_en(line: Line) -> None:
    line.place(0, dense=5)


@lost("one input of a ratio fell below the cut", RANKING, "z-growth", Mode.RERANK)
def input_below_the_cut_zh(line: Line) -> None:
    line.place(1, rerank=6)


@lost("one input of a ratio fell below the cut", RANKING, "e-share")
def input_below_the_cut_en(line: Line) -> None:
    line.place(0, dense=7, bm25=None)


@lost("one page in no list, the other that states it below the cut", RANKING, "z-profit")
def one_page_unfound_and_one_below_zh(line: Line) -> None:
    line.unfound(0)
    line.place(1, dense=8, bm25=8)


@lost("one page dropped, the other that states it below the cut", RANKING, "e-research")
def one_page_dropped_and_one_below_en(line: Line) -> None:
    line.drop_page("hm-2023", 4)
    line.place(1, dense=8, bm25=8)


@lost("below the cut, and the figure of another attribution was given", RANKING, "z-core")
def below_the_cut_and_sibling_answered_zh(line: Line) -> None:
    line.place(dense=8, bm25=None)
    line.show("yl-2023", 5, "812,064,518.33")
    line.alter("768,930,245.70", "812,064,518.33")


@lost("below the cut, and the restated figure was given", RANKING, "e-first")
def below_the_cut_and_restated_answered_en(line: Line) -> None:
    line.place(dense=8, bm25=9)
    line.show("tg-2023", 7, "2,688.3")
    line.alter("$2,641.7", "$2,688.3")


@lost("below the cut, and a figure was made up", RANKING, "z-people")
def below_the_cut_and_invented_zh(line: Line) -> None:
    line.place(dense=6, bm25=6)
    line.alter("18,274", "15,000")


@lost("below the cut, and the generator failed", RANKING, "e-sales")
def below_the_cut_and_generator_failed_en(line: Line) -> None:
    line.place(dense=6, bm25=6)
    line.broken = "generator"


@lost("below the cut, and the reply was empty", RANKING, "z-loss", Mode.DENSE)
def below_the_cut_and_empty_zh(line: Line) -> None:
    line.place(dense=6)
    line.says("")


@lost("the passage of a prose question fell below the cut", RANKING, "e-prose", Mode.DENSE)
def prose_below_the_cut_en(line: Line) -> None:
    line.place(dense=9)


@lost("the passage of a prose question fell below the cut", RANKING, "z-prose")
def prose_below_the_cut_zh(line: Line) -> None:
    line.place(dense=9, bm25=9)
