"""The healthy questions: what is asked, the gold, where it stands, and a right answer.

`needles` are the digits as the evidence pages print them, one for each evidence page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planted_en import HARBOR, TALLGRASS
from planted_zh import HAIYUE, YUNLING


@dataclass(frozen=True)
class Asked:
    """A question line as a file holds it, the needles on its evidence pages, a right answer."""

    row: dict[str, Any]
    needles: tuple[str, ...]
    right: str


def _gold(value: str, unit: str, metric: str | None = None, **more: Any) -> dict[str, Any]:
    return {"value": value, "unit": unit, **({"metric": metric} if metric else {}), **more}


def _ask(
    name: str,
    text: str,
    company: str | None,
    golds: list[dict[str, Any]],
    places: list[tuple[str, int]],
    needles: tuple[str, ...],
    right: str,
    kind: str = "lookup",
    **more: Any,
) -> tuple[str, Asked]:
    row = {
        "id": name,
        "question": text,
        "lang": "zh" if name.startswith("z-") else "en",
        "kind": kind,
        "company": company,
        "period": "2023",
        "gold": golds,
        "evidence": [{"doc_id": doc, "page": page} for doc, page in places],
        "answerable": True,
        **more,
    }
    return name, Asked(row, needles, right)


_WHOLE: dict[str, Any] = {"scope": "consolidated", "period": "2023"}
_NO_ANSWER: dict[str, Any] = {"answerable": False}

ZH = [
    _ask("z-cash", "云岭茶业2023年经营活动产生的现金流量净额是多少？", YUNLING,
         [_gold("935771602.84", "CNY", "经营活动产生的现金流量净额", **_WHOLE)],
         [("yl-2023", 2)], ("935,771,602.84",),
         "云岭茶业2023年经营活动产生的现金流量净额为935,771,602.84元(云岭茶业·2023年报·P2)。"),
    _ask("z-profit", "云岭茶业2023年归属于上市公司股东的净利润是多少？", YUNLING,
         [_gold("812064518.33", "CNY", "归母净利润", attribution="归母", **_WHOLE)],
         [("yl-2023", 2), ("yl-2023", 5)], ("812,064,518.33", "812,064,518.33"),
         "云岭茶业2023年归属于上市公司股东的净利润为812,064,518.33元(云岭茶业·2023年报·P2)。"),
    _ask("z-core", "云岭茶业2023年扣除非经常性损益的净利润是多少？", YUNLING,
         [_gold("768930245.70", "CNY", "扣非净利润", attribution="扣非", **_WHOLE)],
         [("yl-2023", 2)], ("768,930,245.70",),
         "云岭茶业2023年扣除非经常性损益的净利润为768,930,245.70元(云岭茶业·2023年报·P2)。"),
    _ask("z-revenue", "云岭茶业2023年营业收入是多少？", YUNLING,
         [_gold("4863215077.42", "CNY", "营业收入", **_WHOLE)],
         [("yl-2023", 2)], ("4,863,215,077.42",),
         "云岭茶业2023年营业收入为4,863,215,077.42元(云岭茶业·2023年报·P2)。"),
    _ask("z-research", "海岳重工2023年研发费用是多少？", HAIYUE,
         [_gold("604715238.09", "CNY", "研发费用", **_WHOLE)],
         [("hy-2023", 5)], ("604,715,238.09",),
         "海岳重工2023年研发费用为604,715,238.09元(海岳重工·2023年报·P5)。"),
    _ask("z-parent", "海岳重工2023年母公司营业收入是多少？", HAIYUE,
         [_gold("7451290336.84", "CNY", "营业收入", scope="parent", period="2023")],
         [("hy-2023", 6)], ("7,451,290,336.84",),
         "海岳重工2023年母公司营业收入为7,451,290,336.84元(海岳重工·2023年报·P6)。"),
    _ask("z-product", "云岭茶业2023年绿茶产品的营业收入是多少？", YUNLING,
         [_gold("2138456200", "CNY", "营业收入", scope="product", period="2023")],
         [("yl-2023", 4)], ("213,845.62",),
         "云岭茶业2023年绿茶产品的营业收入为213,845.62万元(云岭茶业·2023年报·P4)。"),
    _ask("z-margin", "海岳重工2023年综合毛利率是多少？", HAIYUE,
         [_gold("13.95", "percent", "毛利率", **_WHOLE)],
         [("hy-2023", 3)], ("13.95%",),
         "海岳重工2023年综合毛利率为13.95%(海岳重工·2023年报·P3)。"),
    _ask("z-eps", "云岭茶业2023年基本每股收益是多少？", YUNLING,
         [_gold("1.93", "CNY/share", "基本每股收益", **_WHOLE)],
         [("yl-2023", 2)], ("1.93 |",),
         "云岭茶业2023年基本每股收益为1.93元/股(云岭茶业·2023年报·P2)。"),
    _ask("z-people", "海岳重工2023年末在职员工有多少人？", HAIYUE,
         [_gold("18274", "employees", period="2023")],
         [("hy-2023", 3)], ("18,274",),
         "海岳重工2023年末在职员工共18,274人(海岳重工·2023年报·P3)。"),
    _ask("z-loss", "海岳重工2022年归属于上市公司股东的净利润是多少？", HAIYUE,
         [_gold("-471926503.15", "CNY", "归母净利润", attribution="归母", period="2022")],
         [("hy-2022", 2)], ("-471,926,503.15",),
         "海岳重工2022年归属于上市公司股东的净利润为-471,926,503.15元(海岳重工·2022年报·P2)。",
         period="2022"),
    _ask("z-first", "海岳重工2022年年报披露的2022年营业收入是多少？", HAIYUE,
         [_gold("13118507942.36", "CNY", "营业收入", scope="consolidated", period="2022")],
         [("hy-2022", 2)], ("13,118,507,942.36",),
         "海岳重工2022年营业收入为13,118,507,942.36元(海岳重工·2022年报·P2)。",
         period="2022", note="as first reported; the report of 2023 restates it"),
    _ask("z-compare", "云岭茶业和海岳重工2023年经营活动产生的现金流量净额分别是多少？", None,
         [_gold("935771602.84", "CNY", "经营活动产生的现金流量净额", **_WHOLE),
          _gold("1204663180.37", "CNY", "经营活动产生的现金流量净额", **_WHOLE)],
         [("yl-2023", 2), ("hy-2023", 2)], ("935,771,602.84", "1,204,663,180.37"),
         "云岭茶业2023年经营活动产生的现金流量净额为935,771,602.84元(云岭茶业·2023年报·P2)；"
         "海岳重工2023年经营活动产生的现金流量净额为1,204,663,180.37元(海岳重工·2023年报·P2)。",
         kind="compare"),
    _ask("z-growth", "云岭茶业2023年研发费用占母公司营业收入的比例是多少？", YUNLING,
         [_gold("6.19", "percent", decimals=2)],
         [("yl-2023", 5), ("yl-2023", 6)], ("187,320,456.18", "3,027,604,518.96"),
         "云岭茶业2023年研发费用占母公司营业收入的比例为6.19%(云岭茶业·2023年报·P5)。",
         kind="computed"),
    _ask("z-prose", "海岳重工主要从事什么业务？", HAIYUE, [], [("hy-2023", 3)],
         ("港口起重机与矿用挖掘机",),
         "公司主要从事港口起重机与矿用挖掘机的研发、制造与租赁服务(海岳重工·2023年报·P3)。",
         kind="text", gold_text="港口起重机与矿用挖掘机的研发、制造与租赁"),
    _ask("z-none", "云岭茶业2023年的碳排放总量是多少吨？", YUNLING, [], [], (),
         "未在所给资料中检索到", **_NO_ANSWER),
    _ask("z-unmarked", "海岳重工2023年利息收入是多少？", HAIYUE,
         [_gold("44217575.57", "CNY", "利息收入", **_WHOLE)], [], (),
         "海岳重工2023年利息收入为44,217,575.57元(海岳重工·2023年报·P5)。"),
]  # fmt: skip

EN = [
    _ask("e-sales", "What were Harbor Mills' total net sales in 2023?", HARBOR,
         [_gold("8214600000", "USD", "total net sales", **_WHOLE)],
         [("hm-2023", 4)], ("8,214.6",),
         "Harbor Mills total net sales for 2023: $8,214.6 million (Harbor Mills·FY2023 10-K·P4)."),
    _ask("e-profit", "What was net income attributable to common shareholders of Harbor Mills "
         "in 2023?", HARBOR, [_gold("832400000", "USD", "net income attributable to shareholders",
                        attribution="归母", **_WHOLE)],
         [("hm-2023", 4)], ("832.4",),
         "Net income attributable to common shareholders of Harbor Mills for 2023: $832.4 "
         "million (Harbor Mills·FY2023 10-K·P4)."),
    _ask("e-segment", "What were net sales of the Marine segment of Harbor Mills in 2023?", HARBOR,
         [_gold("2906318000", "USD", "net sales", scope="segment", period="2023")],
         [("hm-2023", 5)], ("2,906,318",),
         "Net sales of the Marine segment of Harbor Mills for 2023: $2,906,318 thousand "
         "(Harbor Mills·FY2023 10-K·P5)."),
    _ask("e-alone", "What were the parent company only net sales of Tallgrass Foods in 2023?",
         TALLGRASS, [_gold("918600000", "USD", "net sales", scope="parent", period="2023")],
         [("tg-2023", 6)], ("918.6",),
         "Parent company only net sales of Tallgrass Foods for 2023: $918.6 million "
         "(Tallgrass Foods·FY2023 10-K·P6)."),
    _ask("e-eps", "What were diluted earnings per share of Harbor Mills in 2023?", HARBOR,
         [_gold("4.17", "USD/share", "diluted earnings per share", **_WHOLE)],
         [("hm-2023", 4)], ("4.17",),
         "Harbor Mills diluted earnings per share for 2023: $4.17 per share "
         "(Harbor Mills·FY2023 10-K·P4)."),
    _ask("e-capex", "How much were capital expenditures of Tallgrass Foods in 2023?", TALLGRASS,
         [_gold("88500000", "USD", "capital expenditures", **_WHOLE)],
         [("tg-2023", 3)], ("88.5",),
         "Tallgrass Foods capital expenditures in 2023 were $88.5 million "
         "(Tallgrass Foods·FY2023 10-K·P3)."),
    _ask("e-loss", "What was the operating loss of Tallgrass Foods in 2022?", TALLGRASS,
         [_gold("-143600000", "USD", "operating income", scope="consolidated", period="2022")],
         [("tg-2022", 4)], ("(143.6)",),
         "Tallgrass Foods had an operating loss of $143.6 million in 2022 "
         "(Tallgrass Foods·FY2022 10-K·P4).", period="2022"),
    _ask("e-first", "What total net sales did Tallgrass Foods report in its 10-K for 2022?",
         TALLGRASS, [_gold("2641700000", "USD", "total net sales", scope="consolidated",
                           period="2022")],
         [("tg-2022", 4)], ("2,641.7",),
         "Tallgrass Foods total net sales for 2022: $2,641.7 million "
         "(Tallgrass Foods·FY2022 10-K·P4).", period="2022", note="as first reported"),
    _ask("e-people", "How many employees did Harbor Mills have at the end of 2023?", HARBOR,
         [_gold("21340", "employees", period="2023")], [("hm-2023", 2)], ("21,340",),
         "Harbor Mills had 21,340 employees at the end of 2023 (Harbor Mills·FY2023 10-K·P2)."),
    _ask("e-research", "What did Harbor Mills spend on research and development in 2023?", HARBOR,
         [_gold("412700000", "USD", "research and development", **_WHOLE)],
         [("hm-2023", 4), ("hm-2023", 3)], ("412.7", "412.7"),
         "Harbor Mills research and development for 2023: $412.7 million "
         "(Harbor Mills·FY2023 10-K·P4)."),
    _ask("e-compare", "What were research and development costs of Harbor Mills and of Tallgrass "
         "Foods in 2023?", None,
         [_gold("412700000", "USD", "research and development", **_WHOLE),
          _gold("54300000", "USD", "research and development", **_WHOLE)],
         [("hm-2023", 4), ("tg-2023", 4)], ("412.7", "54.3"),
         "Harbor Mills research and development for 2023: $412.7 million (Harbor Mills·FY2023 "
         "10-K·P4); Tallgrass Foods research and development for 2023: $54.3 million "
         "(Tallgrass Foods·FY2023 10-K·P4).", kind="compare"),
    _ask("e-share", "What share of Harbor Mills' net sales did capital expenditures make up in "
         "2023?", HARBOR, [_gold("3.88", "percent", decimals=2)],
         [("hm-2023", 3), ("hm-2023", 4)], ("318.4", "8,214.6"),
         "Capital expenditures made up 3.88% of net sales of Harbor Mills in 2023 "
         "(Harbor Mills·FY2023 10-K·P3).", kind="computed"),
    _ask("e-prose", "What does Tallgrass Foods do?", TALLGRASS, [], [("tg-2023", 2)],
         ("mills grain",), "Tallgrass Foods mills grain and sells snacks and frozen meals to "
         "grocers (Tallgrass Foods·FY2023 10-K·P2).", kind="text",
         gold_text="It mills grain and sells snacks and frozen meals."),
    _ask("e-none", "What was the water use of Harbor Mills in 2023?", HARBOR, [], [], (),
         "Not found in the provided filings", **_NO_ANSWER),
    _ask("e-unmarked", "What was gross profit of Tallgrass Foods in 2023?", TALLGRASS,
         [_gold("631700000", "USD", "gross profit", **_WHOLE)], [], (),
         "Tallgrass Foods gross profit for 2023: $631.7 million (Tallgrass Foods·FY2023 10-K·P4)."),
]  # fmt: skip

QUESTIONS = dict(ZH + EN)
