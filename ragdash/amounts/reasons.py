"""What each reason code says to a person: of a verdict, and of a number that is no figure."""

from __future__ import annotations

from ragdash.core.diagnosis import Sentence

_VERDICTS: dict[str, Sentence] = {
    "equal": Sentence("the same figure", "数字相同"),
    "equal_scale_assumed": Sentence("the same figure, its unit assumed", "数字相同，单位为推定"),
    "equal_as_rounded": Sentence(
        "the same figure, rounded as it is written", "按所写精度四舍五入后相同"
    ),
    "stated_result": Sentence("the stated result is the gold", "所述结果与金标相同"),
    "another_result": Sentence("the stated result is another figure", "所述结果是另一个数字"),
    "several_figures": Sentence("several figures are asserted", "同时断言了多个数字"),
    "some_figures_missing": Sentence(
        "another gold figure is matched, this one is not", "另一个金标数字已命中，此数字没有"
    ),
    "sign": Sentence("the sign is turned", "符号相反"),
    "magnitude": Sentence("the digits are right, the magnitude is not", "数字对，数量级不对"),
    "other_figure": Sentence("another figure", "另一个数字"),
    "other_kind": Sentence("a figure of another kind", "另一类数字"),
    "other_currency": Sentence("another currency", "币种不同"),
    "no_number": Sentence("no figure is stated", "没有给出数字"),
    "negated": Sentence("the figure is denied", "数字被否定"),
    "bound": Sentence("only a bound is stated", "只给出上下限"),
    "range": Sentence("only a range is stated", "只给出区间"),
    "hedged": Sentence("alternatives are offered", "给出了备选数字"),
    "forecast": Sentence("only a forecast, target or budget is stated", "只给出预测、目标或预算数"),
    "intermediate": Sentence("only an intermediate value is stated", "只给出中间值"),
    "sibling_metric": Sentence("it stands under a sibling metric", "写在相邻口径之下"),
    "other_metric": Sentence("it stands under another metric", "写在另一指标之下"),
    "parent_company": Sentence("it is the parent company's", "是母公司口径"),
    "part_of_the_company": Sentence(
        "it is a segment's, product's or region's", "是分部、产品或地区的数字"
    ),
    "contradicts_itself": Sentence("the conclusion is against the figures", "结论与数字相反"),
    "whole_company": Sentence("it is the whole company's", "是公司整体的数字"),
    "other_period": Sentence("it is another period's", "是另一期间的数字"),
    "other_company": Sentence("it is another company's", "是另一公司的数字"),
}
_NO_FIGURES: dict[str, Sentence] = {
    "year": Sentence("a year", "年份"),
    "date": Sentence("a date", "日期"),
    "date_or_duration": Sentence("a date or a duration", "日期或时长"),
    "citation": Sentence("part of a citation", "引用的一部分"),
    "citation_mark": Sentence("a citation mark", "引用标记"),
    "list_mark": Sentence("a list mark", "列表编号"),
    "numbered_thing": Sentence(
        "the number of a page, note, form or item", "页码、附注、表格或条目的编号"
    ),
    "part_of_a_name": Sentence("part of a name", "名称的一部分"),
    "stock_code": Sentence("a stock code", "股票代码"),
    "code": Sentence("a code", "代码"),
    "code_or_mark": Sentence("a code or a mark", "代码或标记"),
    "per_so_many": Sentence("the base of a rate (for every 10 shares)", "每若干单位的基数"),
    "struck_out": Sentence("struck out", "已被划掉"),
    "unit_line": Sentence("part of a unit line (RMB'000)", "单位说明的一部分（RMB'000）"),
    "section_or_version": Sentence("a section or version number", "章节号或版本号"),
}
REASONS: dict[str, Sentence] = _VERDICTS | _NO_FIGURES
