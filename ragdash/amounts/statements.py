"""Which figures of an answer are its statement: no forecasts, no working above an answer line.

Rules of issue 3: a forecast, target or budget is no statement of an actual figure; what follows
"Answer:" or 答案： is what the answer says, and what stands above it is working; a bare count of
people or things is no ratio.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ragdash.amounts.amount import Amount, Kind, Role
from ragdash.amounts.figures import gold_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.core.question import Gold

FORECAST = "forecast"
# 预计负债 and "expected credit losses" are items of a statement, 完成预算 is an actual figure
_AHEAD_ZH = (
    r"(?<!超)(?<!完成)(?<!达成)(?<!实现)(?<!符合)(?<!不及)(?:"
    r"预计(?!负债|净残值|使用|可使用|总成本|未来现金|信用|损失|派|分)"
    r"|预期(?!信用|回报|损失|收益率|寿命|波动)|预测|预算|业绩指引|指引|有望|力争"
    r"|目标(?!公司|集团|资产|客户|市场|企业))"
)
_AHEAD_EN = (
    r"(?<![A-Za-z])(?:expects?|(?:is|are|was|were|be)\s+expected|expected\s+(?:to|revenue|sales"
    r"|income|earnings|profit|capital)|[Ff]orecast(?:s|ed)?|[Gg]uidance|targets?|targeted|targeting"
    r"|[Bb]udget(?:ed|s)?|(?:is|are)\s+projected|projects?\s+(?:that|revenue|sales|to)|[Oo]utlook"
    r"|anticipates?)(?![A-Za-z])"
)
_AHEAD = re.compile(f"{_AHEAD_ZH}|{_AHEAD_EN}")
_ASKS_AHEAD = re.compile(
    r"预计|预期|预测|预算|指引|目标|计划|展望|有望"
    r"|(?<![a-z])(?:expect|forecast|guidance|target|budget|project|outlook|anticipat|plan)",
    re.I,
)
_AHEAD_AFTER = re.compile(
    r"\s?的?\s?(?:营收|收入|利润|销售)?(?:目标|预算|指引)(?!的)|\s?[(（]\s?(?:预计|预测|目标|预算)"
    r"|\s(?:(?:revenue|sales|earnings|profit)\s)?(?:target|budget|guidance|forecast)(?![a-z])"
    r"|\s?\((?:expected|forecast|target|guidance|budget|projected)"
)
_ENDS = re.compile(r"[。！？!?；;\n|]|\.\s|[,，](?!\d)")
_SAYING = re.compile(r"\s?[，,:：]")
_COLON = re.compile(r"\s?[:：]")
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?(?!\d)(?!\s?[年月日季])")
_YEAR = re.compile(r"(?:19|20)\d\d|\d{1,2}")
_WINDOW = 90
_ANSWER_LINE = re.compile(
    r"(?:^|[\n.。;；])[ \t>#*_-]*(?:final[ \t]+)?answer[ \t]*[*_]*[ \t]*[:：=]"
    r"|(?:the|final)[ \t]+answer[ \t]+is(?![a-z])|(?:最终)?答案[*_]*\s?(?:[:：]|[是为])|\\boxed\{",
    re.I,
)
_COUNT_BEFORE = re.compile(
    r"(?:人数|人员数|员工数|职工数|总数|户数|家数|数量)\s?(?:分别)?[为是:：]?\s?$"
    r"|(?<![a-z])(?:headcount|(?:total\s+)?(?:number\s+of\s+)?(?:employees|staff|people|persons))"
    r"\s?(?:was|were|is|are|:)\s?$",
    re.I,
)


def without_forecasts(
    answer: str, amounts: tuple[Amount, ...], gold: Gold, question: str
) -> tuple[Amount, ...]:
    """Return the amounts, forecasts, targets and budgets of them marked as hedged.

    预计2024年收入150亿元 does not say what the revenue was. Where the question (or the gold's
    metric) itself asks for one, or neither it nor the gold's period and metric is known, all stay.
    """
    asked = " ".join(filter(None, (question, gold.metric, gold.period)))
    if not asked or _ASKS_AHEAD.search(asked) or _ASKS_AHEAD.search(answer) is None:
        return amounts
    return tuple(
        replace(a, role=Role.HEDGED, excluded=FORECAST)
        if a.asserted and _is_forecast(answer, a)
        else a
        for a in amounts
    )


def _is_forecast(answer: str, amount: Amount) -> bool:
    start, end = amount.span
    if _AHEAD_AFTER.match(answer, end):
        return True
    low = max(0, start - _WINDOW)
    words = list(_AHEAD.finditer(answer, low, start))
    if not words:
        return False
    at = words[-1].end()
    comma = (_SAYING if words[-1][0] in ("预计", "预测") else _COLON).match(answer, at)
    between = answer[comma.end() if comma else at : start]
    if _ENDS.search(between):
        return False
    share = amount.kind is Kind.PERCENT and between.rstrip().endswith("的")
    return not share and all(_YEAR.fullmatch(m[0]) for m in _FIGURE.finditer(between))


def on_answer_line(answer: str, amounts: Sequence[Amount]) -> list[Amount]:
    """Return the amounts on the line that the last "Answer:" or 答案： opens, else all."""
    labels = [m.end() for m in _ANSWER_LINE.finditer(answer)]
    if not labels:
        return list(amounts)
    start = labels[-1]
    text = start + len(answer[start:]) - len(answer[start:].lstrip(" \t\n*_"))
    stop = answer.find("\n", text)
    end = stop if stop >= 0 else len(answer)
    return [a for a in amounts if start <= a.span[0] < end] or list(amounts)


def without_counts(answer: str, amounts: Sequence[Amount], gold: Gold) -> list[Amount]:
    """Return the amounts without bare counts where a ratio is asked: 职工总数为5163 is none."""
    if gold_kind(gold.unit)[0] not in (Kind.RATIO, Kind.PERCENT):
        return list(amounts)
    kept = [a for a in amounts if not _is_count(answer, a)]
    return kept or list(amounts)


def _is_count(answer: str, amount: Amount) -> bool:
    whole = amount.kind is Kind.BARE and amount.decimals <= 0
    start = amount.span[0]
    return whole and _COUNT_BEFORE.search(answer[max(0, start - 32) : start]) is not None
