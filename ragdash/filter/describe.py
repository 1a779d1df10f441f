"""The table of fields for people: help on the page, README and errors tell the same."""

from __future__ import annotations

from dataclasses import dataclass

from ragdash.filter.fields import FIELDS, GIVEN_SCORE, JUDGE, Kind

# One of each comparison that a kind allows; the README and the help of the page show these.
EXAMPLES = (
    "outcome:wrong layer:ranking company:茅台 judge<0.5",
    "-outcome:correct",
    'company:"Apple Inc." period:2023',
    "numeric_accuracy=0 hit@5<1",
    "rank>5 OR no:rank",
    "(layer:ranking OR layer:recall) reviewed:no",
    "outcome:wrong,error",
    "is:unanswerable",
    "净利润 -answer:归母",
    "faithfulness:error",
    "id:zh-look-*",
)
EXAMPLES_ZH = (
    "结果：错误 层：排序 公司：茅台 评审＜0.5",
    "-结果：答对",
    "公司：“Apple Inc.” 期间：2023",
    "数值准确率=0 hit@5<1",
    "排名>5 或 无：排名",
    "（层：排序 或 层：召回） 复核：否",
    "结果：错误，出错",
    "是：无答案",
    "净利润 -答案：归母",
    "忠实度：度量失败",
    "题号：zh-look-*",
)


@dataclass(frozen=True, slots=True)
class Described:
    """One row of the table: the names of a field, what it means, and what it can be."""

    names: str
    means: str
    values: str


def described(lang: str) -> list[Described]:
    """Return the fields in order, in "en" or "zh"; metrics other than `judge` share one row."""
    is_zh = lang == "zh"
    found = []
    metrics = []
    for one in FIELDS.values():
        if one.kind is Kind.METRIC and one.name != JUDGE:
            metrics.append(one)
            continue
        means = one.means.zh if is_zh else one.means.en
        also = one.also[:1]
        names = " ".join([*also, one.name] if is_zh else [one.name, *also])
        found.append(Described(names, means, _values(one.name, lang)))
    words = (
        "the mean of a metric over its repeats, or its status: "
        "scored, not_applicable, undefined, error"
    )
    zh = "某项指标在各次重复上的均值，或其状态：已评分、不适用、缺少输入、度量失败"
    listed = ", ".join(
        f"{one.also[0]} ({one.name})" if is_zh and one.also else one.name for one in metrics
    )
    found.append(
        Described("指标名" if is_zh else "NAME OF A METRIC", zh if is_zh else words, listed)
    )
    theirs = GIVEN_SCORE.means.zh if is_zh else GIVEN_SCORE.means.en
    scale = "数字，或状态" if is_zh else "a number, or a status"
    found.insert(-1, Described(f"{GIVEN_SCORE.name}NAME", theirs, scale))
    return found


def _values(name: str, lang: str) -> str:
    one = FIELDS[name]
    is_zh = lang == "zh"
    if one.values:
        return ", ".join(also[0] if is_zh and also else code for code, also in one.values.items())
    return {
        Kind.TEXT: ("text within; = for the whole", "包含的文字；= 为完全相同"),
        Kind.ID: ("whole; * for any characters", "完全相同；* 代表任意字符"),
        Kind.NUMBER: ("a number: = < <= > >=", "数字：= < <= > >="),
        Kind.METRIC: ("a number from 0 to 1, or a status", "0 到 1 的数字，或状态"),
        Kind.PRESENCE: ("the name of a field", "字段名"),
        Kind.CODE: ("", ""),
        Kind.STATE: ("", ""),
    }[one.kind][is_zh]
