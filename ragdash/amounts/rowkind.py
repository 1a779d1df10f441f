"""What a row's label says of its bare numbers: counts of shares, per share, percents, heads."""

from __future__ import annotations

import re

_SHARE_ROW = re.compile(
    r"(?<![a-z])(?:number\sof\s(?:[\w-]+\s){0,3}shares|weighted[\s-]average\s(?:[\w,-]+\s){0,5}shares"
    r"|share\scounts?|shares\s(?:outstanding|used|authorized|in\sissue)|(?:diluted|basic)\sshares"
    r"|(?:diluted|basic)\sweighted[\s-]average)(?![a-z])"
    r"|^[\s|]*(?:common\s|ordinary\s|total\s)?shares\s*(?:$|[|:(\d])"
    r"|股数|股份数量?|股份总数|持股数量|加权平均(?:数|股)|普通股加权平均",
    re.I,
)
_SECTION_PART = re.compile(r"[\s|]*(?:basic|diluted|基本|稀释)[\s|:]*(?=$|[\d($])", re.I)
_PER_SHARE = re.compile(
    r"每\s?(?:10\s?)?股|元/股|(?<!\d)10\s?(?:股\s?)?派"
    r"|(?<![a-z])(?:eps|per[ -](?:diluted |basic |common |ordinary )?share)(?![a-z])",
    re.I,
)
_BRACKET = re.compile(r"[(（\[](?!\s?%)[^()（）\[\]]*[)）\]]")
# 汇率变动, "interest rate swaps" and margin loans are sums of money, though a rate is in the name
_NAMED_AFTER = re.compile(
    r"(?:汇率|(?<![毛净])利率)(?:变动|变化|波动|影响|风险|互换|掉期|衍生|合约)|率[先领]"
    r"|(?<![a-z])(?:interest|exchange|currency|floating|fixed|variable)[ -]rates?\s"
    r"(?:swaps?|contracts?|risks?|derivat\w+|chang\w+|fluctuat\w+|exposures?|hedg\w+|effects?|agreements?|debt|notes?|loans?)"
    r"|(?<![a-z])(?:rate\sbase|percentage-of-completion|yield\s(?:bonds?|securities|debt)"
    r"|margin\s(?:loans?|deposits?|calls?|lending|accounts?))",
    re.I,
)
_RATIO = re.compile(
    r"率|比例|比重|占比|(?<![\d\s])%|(?<!\d)\s%|[(（]\s?%\s?[)）]"
    r"|(?<![a-z])(?:ratios?|percentages?|percent|rates?|yields?)(?![a-z])",
    re.I,
)
_MARGIN = re.compile(r"(?<![a-z])margins?(?![a-z])", re.I)
_SHARE_OF = re.compile(
    r"(?:(?<![\d\s])%|(?<!\d)\s%|^\s*%|(?<![a-z])(?:percent(?:age)?|ratio|rate))\s+(?:of|change)(?![a-z])"
    r"|^\s*(?:%|percent(?:age)?(?![a-z]))|(?<![a-z])return\son\s(?:\w+\s){0,3}(?:equity|assets|capital)",
    re.I,
)
_HEADS = re.compile(
    r"天数|人数|(?:员工|职工|人员)(?:总数|数量|数|合计)"
    r"|(?<![a-z])(?:head\s?counts?|number\sof|days\s(?:sales|payable|inventory))(?![a-z])",
    re.I,
)
_MONEY_ROW = re.compile(
    r"收入|利润|成本|费用|资产|负债|权益|现金|金额|薪酬|税"
    r"|(?<![a-z])(?:revenues?|sales|income|profits?|costs?|expenses?|assets|liabilit\w+|cash|earnings"
    r"|loss(?:es)?|equity|debt|ebitda|tax(?:es)?|dividends?|payments?|proceeds|value)(?![a-z])",
    re.I,
)
_WORD = re.compile(r"[a-z]{2}|[\u4e00-\u9fff]{2}", re.I)
_CLAUSE = re.compile(r"[。;!?\n](?!\d)|,(?!\d)|\.\s")


def counts_shares(label: str) -> bool:
    """Whether a label is that of a count of shares (weighted average shares, 股份数量).

    "Shares used in computing earnings per share" is one, "earnings per share" is none.
    """
    if "股" not in label and "加权" not in label:
        folded = label.casefold()
        if "share" not in folded and "average" not in folded:
            return False
    return _SHARE_ROW.search(label) is not None


def label_before(left: str) -> str:
    """Return the label that governs a number: the last cell with words, or its clause in prose.

    Args:
        left: what stands before the number on its line.
    """
    if _WORD.search(left) is None:
        return ""
    if "|" in left or "\t" in left:
        cells = [c for c in re.split(r"[|\t]", left) if _WORD.search(c)]
        return cells[-1]
    clauses = [c for c in _CLAUSE.split(left) if _WORD.search(c)]
    return clauses[-1] if clauses else left


def section_label(above: str, label: str) -> str:
    """Return a label with the heading it belongs to, where it is only "Basic" or "Diluted".

    Args:
        above: the text before the number, its own line the last.
        label: the row's label.
    """
    if not _SECTION_PART.match(label):
        return label
    for line in reversed(above.split("\n")[-5:-1]):
        if _WORD.search(line) and not _SECTION_PART.match(line):
            return f"{line} {label}"
    return label


def is_per_share(label: str) -> bool:
    """Whether a label or clause is that of a figure per share."""
    return _PER_SHARE.search(label) is not None


def is_unscaled(label: str, *, grouped: bool, small: bool) -> bool:
    """Whether a money header says nothing about a bare number: a percent, a ratio, heads, days.

    Digits in groups of three are no percent; a margin may be money, then it is above 100.

    Args:
        label: the row's label or the clause before the number.
        grouped: whether the number is written 1,234.
        small: whether it is at most 100.
    """
    if _HEADS.search(label):
        return True
    if grouped:
        return False
    bare = _NAMED_AFTER.sub(" ", _BRACKET.sub(" ", label))
    if _SHARE_OF.search(bare):
        return True
    return _governs(_RATIO, bare) or (small and _governs(_MARGIN, bare))


def _governs(word: re.Pattern[str], label: str) -> bool:
    """Whether a word is in a label and no name of money stands between it and the number."""
    ends = [m.end() for m in word.finditer(label)]
    return bool(ends) and _MONEY_ROW.search(label, ends[-1]) is None


def is_money(label: str) -> bool:
    """Whether a label names money; below a header for shares it is not scaled by it."""
    return _MONEY_ROW.search(label) is not None
