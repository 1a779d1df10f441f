"""Which chunks hold the gold: the figure itself, not one that lies near it."""

from __future__ import annotations

from decimal import Decimal

from ragdash.core.question import Gold
from ragdash.metrics.qrels import by_page, gold_chunks


def test_a_sibling_within_the_tolerance_does_not_make_a_chunk_gold(build) -> None:
    gold = Gold(Decimal("74752564425.52"), "CNY", metric="扣非净利润")
    near = build.make_chunk("near", text="单位：元\n归母净利润 | 74,734,071,550.75")
    own = build.make_chunk("own", text="单位：元\n扣非净利润 | 74,752,564,425.52")
    question = build.make_question(gold=(gold,))
    ((_, found),) = gold_chunks(question, by_page([near, own])).items()
    assert [c.chunk_id for c in found] == ["own"]


def test_a_figure_rounded_in_prose_or_in_the_gold_still_counts(build) -> None:
    question = build.make_question(gold=(Gold(Decimal("126589000000"), "CNY"),))
    exact = build.make_chunk("exact", text="茅台酒 | 126,588,753,222.10", unit_note="单位：元")
    prose = build.make_chunk("prose", text="茅台酒收入1,265.89亿元", unit_note="")
    off = build.make_chunk("off", text="茅台酒收入1,265.99亿元", unit_note="")
    ((_, found),) = gold_chunks(question, by_page([exact, prose, off])).items()
    assert [c.chunk_id for c in found] == ["exact", "prose"]


def test_a_percent_gold_is_found_in_the_growth_column(build) -> None:
    question = build.make_question(gold=(Gold(Decimal("19.01"), "percent"),))
    text = "单位：元\n项目 | 2023年 | 同比增减(%)\n营业收入 | 147,693,604,994.14 | 19.01"
    table = build.make_chunk("table", text=text)
    prose = build.make_chunk("prose", text="公司治理", unit_note="")
    ((_, found),) = gold_chunks(question, by_page([prose, table])).items()
    assert [c.chunk_id for c in found] == ["table"]


def test_where_no_chunk_holds_the_gold_the_whole_page_is_gold(build) -> None:
    question = build.make_question(gold=(Gold(Decimal(5), "percent"),))
    one, two = build.make_chunk("a", text="甲"), build.make_chunk("b", text="乙")
    ((_, found),) = gold_chunks(question, by_page([one, two])).items()
    assert [c.chunk_id for c in found] == ["a", "b"]
