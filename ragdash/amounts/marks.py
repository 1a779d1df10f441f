"""Numbers that are no amounts: dates, pages, notes, codes, list and citation marks, names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.amounts.amount import Kind, Role
from ragdash.amounts.notecolumns import numbering_cells

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ragdash.amounts.scan import Number
    from ragdash.amounts.units import Unit

_DOT = "[·•・‧∙⋅]"
_PAGE_TAIL = re.compile(rf"{_DOT}\s?[Pp]\s?\d{{1,6}}(?:\s?[~–-]\s?[Pp]?\d{{1,6}})?\s?[)\]]?")
_LONGEST_CITATION = 120
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DATE_BEFORE = re.compile(
    rf"(?:{_MONTH}\.?\s|年\s?\d{{0,2}}\s?月?\s?|\d\s?月\s?|[季期]度?第?)$", re.I
)
_DATE_AFTER = re.compile(
    rf"\s?(?:年(?!金)|月(?!均)|季度|(?:st|nd|rd|th)(?![a-z])|{_MONTH}(?![a-z])|周(?!转)|时|点(?!\d)|分钟|世纪"
    r"|[-/ –]?(?:years?|months?|weeks?|quarters?|minutes?|hours?)(?![a-z]))",
    re.I,
)
_ISO_DATE = re.compile(
    r"(?<![\d.,])(?:(?:19|20)\d\d([-/.])\d{1,2}\1\d{1,2}|\d{1,2}/\d{1,2}/(?:19|20)?\d\d"
    r"|(?:19|20)\d\d\s?[-/–~至]\s?(?:(?:19|20)\d\d|\d\d)(?![\d,.%])"
    r"|\d{1,2}\s?[-–~至]\s?\d{1,2}\s?月|\d{1,2}:\d\d(?::\d\d)?)(?![\d,])"
)
_DATE_BEGIN = re.compile(r"\d(?<![\d.,]\d)(?=\d{0,3}\s?[-/.–~至:])")
_ANSWER_BEFORE = re.compile(r"(?:(?<![a-z])answer|答案)\s?[:：]\s?$", re.I)
_YEAR_WORD = re.compile(r"(?:FY|fiscal|fiscal year|year|calendar|in|of|since|'|CY)\s?$", re.I)
_NUMBERED = re.compile(
    r"(?:附注[一二三四五六七八九十]{1,3}[、.]|附注|注释|注|表|图|第|章|节|条|款|项目|序号|编号|代码|公告|证券代码|股票代码|代號|页码|页"
    r"|(?<![a-z])(?:notes?|items?|form|table|figure|fig|exhibit|part|chapter|section|step|appendix"
    r"|no|page|pages|p|pp|rule|topic|asc|asu|ifrs|ias|iso|version|level|tier|phase|series|class"
    r"|s&p|fortune|russell|nasdaq|footnote|schedule|chunk|line|row|column|question|case|iphone"
    r"|片段|option|bullet|cas|sfas|fas|gb|windows|covid|scope|stage|category|tranche|basel"
    r"|refs?|reference|source|document|doc|passage|context|citation|excerpt|snippet"
    r"|generation)"
    r"|来源|文档|资料|出处|引用|参考|范围|阶段|方案|情形|选项|巴塞尔|沪深|上证|中证|深证|创业板|片段|步骤|问题|附表|附件|#|№)"
    r"\s?[.:：、(\[]?\s?$",
    re.I,
)
# 统一社会信用代码为…, 电话：…, account number is …
_CODE_BEFORE = re.compile(
    r"(?:代码|编号|证号|账号|帐号|学号|电话|传真|热线|邮编|手机|(?<![a-z])(?:number|code|tel|fax|zip"
    r"|phone|cusip|isin|ein|lei|cik|ticker|symbol|sse|szse|sehk|hkex|hkse|tse|krx|nyse|nasdaq|hk|sz|sh|bj)|[深上港北联]交所)(?:为|是|:|：|\sis|\swas|\s)*$",
    re.I,
)
# A bare figure of this many digits would be a quadrillion yuan: it is a code.
_LONGEST_PLAIN = 15
_PAGE_AFTER = re.compile(r"\s?(?:页|号(?!召)|强|章|节|条(?!款)|款(?!项)|版)")
_PER_TEN_AFTER = re.compile(r"\s?(?:股\s?)?[派送转]")
_CODE_AFTER = re.compile(r"\.(?:SH|SZ|BJ|HK|SS|OF|US|N|O)(?![A-Za-z])", re.I)
# (67) thousand is a loss in a statement's brackets
_NO_UNIT = (
    r"(?!\s?(?:(?:thousand|[mb]illion|trillion|percent)(?![a-z])|%"
    r"|(?:亿|千万|百万|万|千)?元(?![\u4e00-\u9fff])))"
)
_LIST_MARK = re.compile(
    r"(?:^|\n|[;。][ ]?|:[ ]?(?=1[.)、])|(?<=[a-z]\.)[ ](?=\d{1,2}[.)] [A-Z]))[ \t>|*“\"#-]{0,6}"
    rf"(?:[(\[]\s?\d{{1,2}}\s?[)\].、]{_NO_UNIT}|\d{{1,2}}\s?[.)、])(?!\d)"
)
_BRACKET_MARK = re.compile(rf"[(]\d{{1,2}}[)](?=\s?[\u4e00-\u9fffA-Za-z]){_NO_UNIT}")
_CITE_MARK = re.compile(r"\[\d{1,3}(?:\s?[,-]\s?\d{1,3})*\]|(?<![\d)}])\^\[?\d{1,2}\]?\^")
_STRUCK = re.compile(r"~~[^~\n]{1,80}~~")
_WORD_AFTER = re.compile(r"-?[A-Za-z_]")
_ALLOWED_LETTERS = re.compile(r"(?:RMB|CNY|USD|HKD|EUR|GBP|JPY|US|HK|[A-Z]{3})$")


def marked_spans(text: str) -> list[tuple[int, int, Role, str]]:
    """Return the stretches of a folded text that hold no amount: citations, dates, list marks."""
    found = [(*s, Role.CITATION, "citation") for s in _citations(text)]
    found += [(*m.span(), Role.CITATION, "citation_mark") for m in _CITE_MARK.finditer(text)]
    found += [(*m.span(), Role.NEGATED, "struck_out") for m in _STRUCK.finditer(text)]
    found += [(*s, Role.DATE, "date") for s in _dates(text)]
    found += [(*m.span(), Role.IDENTIFIER, "list_mark") for m in _LIST_MARK.finditer(text)]
    found += [(*m.span(), Role.IDENTIFIER, "list_mark") for m in _BRACKET_MARK.finditer(text)]
    found += [(*s, Role.IDENTIFIER, "numbered_thing") for s in numbering_cells(text)]
    return sorted(found, key=lambda f: f[:2])


def _dates(text: str) -> Iterator[tuple[int, int]]:
    """Dates and times, tried only where digits with the mark of one begin."""
    end = 0
    for begin in _DATE_BEGIN.finditer(text):
        if begin.start() >= end and (match := _ISO_DATE.match(text, begin.start())):
            end = match.end()
            yield match.span()


def _citations(text: str) -> list[tuple[int, int]]:
    """Ranges from the bracket (or the clause) that opens a citation to the end of its page."""
    spans: list[tuple[int, int]] = []
    for match in _PAGE_TAIL.finditer(text):
        low = max(spans[-1][1] if spans else 0, match.start() - _LONGEST_CITATION)
        head = text[low : match.start()]
        if re.search(_DOT, head) is None:
            continue
        depth = 0
        start = low
        for at in range(len(head) - 1, -1, -1):
            if head[at] == ")":
                depth += 1
            elif head[at] in "([" and depth == 0:
                start = low + at
                break
            elif head[at] == "(":
                depth -= 1
            elif head[at] in "\n。;":
                start = low + at + 1
                break
        spans.append((start, match.end()))
    return spans


def mark_of(text: str, number: Number, unit: Unit, currency: bool) -> tuple[Role, str] | None:
    """Return why a number outside the marked spans is no amount, None if it may be one.

    `currency` is whether a currency stands before it; such a number is never a mark.
    """
    if number.form == "dotted":
        return Role.IDENTIFIER, "section_or_version"
    if currency:
        return None
    before = text[max(0, number.start - 16) : number.start]
    if reason := _glued(text, number, unit, before):
        return Role.IDENTIFIER, reason
    per_count = before.rstrip(" ").endswith("每") and unit.kind is Kind.COUNT
    if per_count or (number.value == 10 and _PER_TEN_AFTER.match(text, number.end)):
        return Role.IDENTIFIER, "per_so_many"
    dated = _dated(text, number, unit, before)
    if dated is not None:
        return dated
    stated = unit.stated and unit.kind is not Kind.COUNT
    small = number.places == 0 and number.form in ("plain", "chinese", "words")
    if reason := _coded(text, number, before, stated):
        return Role.IDENTIFIER, reason
    if small and (_PAGE_AFTER.match(text, number.end) or _NUMBERED.search(before)) and not stated:
        return Role.IDENTIFIER, "numbered_thing"
    if small and before.endswith("(") and text[number.end : number.end + 1] == ")":
        digits = number.end - number.start
        if digits == 6 or (digits <= 2 and not unit.stated):
            return Role.IDENTIFIER, "code_or_mark"
    return None


def _coded(text: str, number: Number, before: str, stated: bool) -> str:
    """Digits of a register: a stock code, a telephone number, an account."""
    if _CODE_AFTER.match(text, number.end):
        return "stock_code"
    if before.endswith("'") and text[number.start : number.end] == "000":
        return "unit_line"
    if number.form != "plain" or number.places or stated:
        return ""
    if text[number.start] == "0" and number.end - number.start > 2:
        return "code"
    long = number.end - number.start >= _LONGEST_PLAIN
    return "code" if long or _CODE_BEFORE.search(before) else ""


def _glued(text: str, number: Number, unit: Unit, before: str) -> str:
    """Digits inside a name: H200, CO2, 3M, COVID-19, 10-K, 401(k)."""
    if number.form in ("chinese", "words", "sci"):
        return ""
    if before and before[-1].isascii() and (before[-1].isalpha() or before[-1] in "_&"):
        if not _ALLOWED_LETTERS.search(before):
            return "part_of_a_name"
    elif len(before) > 1 and before[-1] == "-" and before[-2].isascii() and before[-2].isalpha():
        return "part_of_a_name"
    after = _WORD_AFTER.match(text, number.end)
    if after is not None and not unit.stated:
        return "part_of_a_name"
    tight = text[number.end : number.end + 1]
    if unit.word in ("M", "m", "B", "b", "T", "t", "K", "k", "x", "X") and tight == unit.word:
        following = text[number.end + 1 : number.end + 3]
        if following.startswith("'s") or (number.value < 10 and number.places == 0):
            return "part_of_a_name"
    return "part_of_a_name" if text[number.end : number.end + 3].lower() == "(k)" else ""


def _dated(text: str, number: Number, unit: Unit, before: str) -> tuple[Role, str] | None:
    if number.places or number.form in ("grouped", "sci"):
        return None
    year = (
        number.form == "plain" and number.end - number.start == 4 and 1900 <= number.value <= 2100
    )
    if _DATE_AFTER.match(text, number.end):
        return Role.DATE, "year" if year else "date_or_duration"
    if year and (not unit.stated or _name_after_year(text, unit)):
        return None if _is_whole_answer(text, number) else (Role.DATE, "year")
    if year and unit.kind is Kind.COUNT and _YEAR_WORD.search(before):
        return Role.DATE, "year"
    if number.value <= 31 and _DATE_BEFORE.search(before) and not unit.stated:
        return Role.DATE, "date"
    if number.value <= 31 and unit.kind is Kind.DAYS and re.search(r"月\s?$", before):
        return Role.DATE, "date"
    return None


def _is_whole_answer(text: str, number: Number) -> bool:
    """Whether nothing but the number is said: 2078 by itself or after "Answer:" is no date."""
    after = text[number.end : number.end + 3]
    if not text[: min(number.start, 16)].strip() and number.start <= 16:
        return len(text) - number.end <= 3 and not after.strip(" .。\n")
    labelled = _ANSWER_BEFORE.search(text[max(0, number.start - 16) : number.start])
    return labelled is not None and not after.split("\n")[0].strip(" .。")


def _name_after_year(text: str, unit: Unit) -> bool:
    """Whether 万 or a letter after a year begins a name (2023万科) rather than being a scale."""
    following = text[unit.end : unit.end + 1]
    letter = len(unit.word) == 1 and unit.word.isascii() and unit.word.isalpha()
    return letter or (unit.word in ("万", "亿") and "\u4e00" <= following <= "\u9fff")
