"""Headings of Chinese and American filings, read from the text of a line alone."""

from __future__ import annotations

import re

MOST_CHARACTERS = 60
"""A longer line is a sentence."""
_SECTION_LENGTH = 80

_NUMERAL = "[一二三四五六七八九十百]{1,4}"
_CHINESE = (
    re.compile(rf"第{_NUMERAL}[节章部]\s*\S+"),
    re.compile(rf"{_NUMERAL}、\s*\S+"),
    re.compile(rf"[（(]{_NUMERAL}[)）][、.．]?\s*\S+"),
    re.compile(r"\d{1,3}\s*(?:、|[.．](?!\d))\s*[^\d\s|].*|\d{1,2}(?:\.\d{1,2}){1,3}\s+[^\d\s|].*"),
    re.compile(r"[（(]\d{1,2}[)）]\s*[、.．]?\s*[^\d\s|].*"),
)
_STATEMENT = re.compile(
    r"(?:合并|母公司|公司|合并及公司)?(?:年度)?"
    r"(?:资产负债表|利润表|现金流量表|所有者权益变动表|股东权益变动表|财务状况表|综合收益表|损益表)"
    r"(?:[（(]续[)）])?"
)
_STATEMENT_LEVEL = 2
_ENGLISH = (
    re.compile(r"PART\s+[IVX]+\b.*", re.IGNORECASE),
    re.compile(r"Item\s+\d{1,2}[A-C]?\.?\s.*", re.IGNORECASE),
    re.compile(r"Note\s+\d{1,2}\s*[-–—:.]\s*.*|CONSOLIDATED\s+[A-Z ,’'()]+"),
)
_COUNTED = re.compile(r"\d+\.\d+\s*(?:个|[万亿]?元|[万亿]?股|倍|[%％])")
_STATEMENT_LINE = re.compile(
    rf"(?:{_NUMERAL}、|[（(]{_NUMERAL}[)）])\s*(?:加：|减：|其中：)?(?:"
    "按(?:经营持续性|所有权归属)分类|(?:不能|将)?重分类进|归属于?(?:母公司|少数股东)|以后"
    "|(?:持续|终止)经营|营业(?:总)?(?:收入|成本|利润)|利润总额|净利润|其他综合收益|综合收益|每股收益"
    "|(?:基本|稀释)每股|(?:经营|投资|筹资)活动产生|汇率变动|现金及现金等价物|(?:期|年)[初末](?:现金|余额)"
    "|(?:上年|本年|本期|期末)(?:期?初|期?末|增减|增加|减少)|账面(?:原值|价值|余额)|累计(?:折旧|摊销)"
    "|减值准备|[联合]营企业$|所有者投入|利润分配$|专项储备$|会计政策变更$)"
)
_STATEMENT_SUBLINE = re.compile(
    r"(?:\d{1,2}[.．、]|[（(]\d{1,2}[)）])\s*(?:归属于?(?:母公司|少数股东)|(?:不能|将)?重分类进"
    "|(?:持续|终止)经营净|少数股东损益|权益法下|重新计量设定|其他(?:权益工具投资公允|债权投资|综合收益结转)"
    "|金融资产重分类计入|外币财务报表折算|现金流量套期|企业自身信用|所有者投入|其他权益工具持有者"
    "|股份支付计入|提取(?:盈余|一般)|对所有者|资本公积转增|盈余公积(?:转增|弥补)|设定受益计划变动"
    "|本期(?:提取|使用)|其他$)"
)
_SMALL = re.compile(r"an?|and|as|at|by|for|from|in|of|on|or|per|the|to|under|with", re.IGNORECASE)


def heading_level(line: str) -> int | None:
    """Return how deep a heading stands (0 is the top), or None where a line is no heading."""
    line = line.strip()
    if not 2 <= len(line) <= MOST_CHARACTERS or "|" in line or line[-1] in "。；;，,！？：":
        return None
    if _is_statement_line(line):
        return None
    if _STATEMENT.fullmatch(line):
        return _STATEMENT_LEVEL
    for level, pattern in enumerate(_CHINESE):
        if pattern.fullmatch(line) and re.search("[\u4e00-\u9fff]", line) and "。" not in line:
            return level
    for level, pattern in enumerate(_ENGLISH):
        if pattern.fullmatch(line) and (level < 2 or line[-1] not in ".:"):
            return level
    return 3 if _title_case(line) else None


def _is_statement_line(line: str) -> bool:
    """Whether a line is a label of a statement, which are numbered like headings.

    四、利润总额（亏损总额以“－”号填列） breaks inside its bracket; 10.52 个 is a figure.
    """
    opened = sum(line.count(c) for c in "（(")
    # （一） and (a) may be written 一） and a)
    closed = sum(line.count(c) for c in "）)")
    if opened > closed or "号填" in line or _COUNTED.match(line):
        return True
    return bool(_STATEMENT_LINE.match(line) or _STATEMENT_SUBLINE.match(line))


def _title_case(line: str) -> bool:
    words = line.split()
    if (
        not 1 <= len(words) <= 9
        or not line[0].isupper()
        or line[-1] in ".:,)"
        or not line.isascii()
    ):
        return False
    if re.search(r"\d", line):
        return False
    weighty = [w for w in words if not _SMALL.fullmatch(w)]
    return all(w[0].isupper() for w in weighty) and sum(map(len, weighty)) >= 6


class Outline:
    """The headings above the place that is being read, carried over pages."""

    def __init__(self) -> None:
        self._above: dict[int, str] = {}

    def enter(self, level: int, heading: str) -> None:
        """Take a heading in; deeper ones of before are over."""
        self._above = {k: v for k, v in self._above.items() if k < level}
        self._above[level] = " ".join(heading.split()).rstrip(":")

    @property
    def section(self) -> str:
        """The nearest heading, after its parent: "5、应收账款 / (1) 按账龄披露"."""
        nearest = [self._above[k] for k in sorted(self._above)][-2:]
        return " / ".join(nearest)[:_SECTION_LENGTH]
