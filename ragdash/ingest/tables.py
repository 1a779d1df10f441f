"""The lines of a page as blocks: prose, and tables with their header rows and unit line."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ragdash.ingest.headings import heading_level

MOST_HEADER_ROWS = 3
UNIT_REACH = 8
"""Lines; a unit line farther above a table is not known to be its own."""

_PIPE = re.compile(r"(?:^|\s)\|(?:\s|$)")
_FIGURE = (
    r"(?:[-−–]?[$¥￥€£]?[（(]?[-−]?[$¥￥]?(?:\d{1,3}(?:[,，]\d{3})+(?:\.\d+)?|\d+\.\d+|\d+)[)）]?[%％]?[)）]?"
    r"|[-–—−]|不适用)"
)
_AMOUNT_CELL = re.compile(rf"(?:US|HK)?[$¥￥€£]?\s?{_FIGURE}\s?[%％]?")
_YEAR_CELL = re.compile(r"(?:19|20)\d\d|[-–—−/]|不适用|\d{1,2}")
_BARE_ROW = re.compile(rf"(?:.*\s)?{_FIGURE}(?:\s+[$¥￥]?\s?{_FIGURE})+\s*")
_BARE_ROW_OF_ONE = re.compile(
    r"[^。；，,!?|]{1,60}\s[-−]?[（(]?[-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?[)）]?\s*"
)
_SENTENCE_END = re.compile("[。；！？]|[.!?;]$")
_PERIOD_WORD = re.compile(
    r"(?:19|20)\d\d|期[末初]|[本上]期|余额|金额|项目|附注|Ended|As of|December|Note|months|weeks",
    re.I,
)
_PAGE_NUMBER = re.compile(r"[-–—\s]*(?:第\s*)?\d{1,4}(?:\s*[/／]\s*\d{1,4})?(?:\s*页.*)?[-–—\s]*")

_UNIT_ZH = re.compile(
    r"[（(]?(?:除[^。|]{0,24}外[，,]?\s*)?(?:均?以)?(?:金额|货币|数量)?(?<![编填报送])(?<!编制)(?<!往来)"
    r"单位\s*(?:[：:]|均?为)\s*[^。；|]{1,40}$"
)
_BARE_UNIT_ZH = re.compile(
    r"人民币(?:千|万|百万|亿)?元|[（(](?:人民币)?(?:千|万|百万|亿)?(?:元|股|美元)[)）]"
)
_SCALE = r"(?:thousands|millions|billions)\b"
_UNIT_LINE_EN = re.compile(
    r"\(?\s*(?:(?:US|HK)?\$|RMB|USD|dollars?|amounts?|shares?|figures?|expressed|stated|all|tabular)?"
    rf"[^.()|]{{0,60}}\bin\s+{_SCALE}[^()|]{{0,90}}(?:\([^()]*\)[^()|]{{0,40}})?\)?:?"
    rf"|\({_SCALE}[^()|]{{0,90}}\):?",
    re.IGNORECASE,
)
_UNIT_INSIDE_EN = re.compile(rf"\((?:[^()]{{0,60}}\bin\s+)?{_SCALE}[^()]{{0,90}}\)", re.IGNORECASE)
_UNIT_CELL = re.compile(r"(?:RMB|HK\$|US\$|人民币|港币)\s?(?:[’'‘]\s?000|千元|百万元|万元|million)")


@dataclass(frozen=True, slots=True)
class Block:
    """Prose (`lines`) or a table: `unit` and `header` above `lines`, which are its other rows.

    `repeated` is whether the header comes from the page before. `own_unit_line` is the line of
    the page that states the unit and that no other block holds.
    """

    is_table: bool
    lines: tuple[str, ...]
    unit: str = ""
    header: tuple[str, ...] = ()
    repeated: bool = False
    own_unit_line: str = ""


@dataclass(frozen=True, slots=True)
class Carried:
    """The table that a page ends in: the next page may go on with it."""

    unit: str
    header: tuple[str, ...]
    columns: int


def is_page_number(line: str) -> bool:
    """Whether a line is a folio such as "91/232" or "- 12 -"."""
    return bool(_PAGE_NUMBER.fullmatch(line))


def is_row(line: str) -> bool:
    """Whether a line is a table row: it has cell breaks, or ends in figures after few words."""
    if _PIPE.search(line):
        return True
    return len(line) <= 200 and bool(_BARE_ROW.fullmatch(line) or _BARE_ROW_OF_ONE.fullmatch(line))


def cells_of(line: str) -> list[str]:
    """The cells of a row; without cell breaks, its blank-separated words."""
    if _PIPE.search(line):
        return [c.strip() for c in re.split(r"(?:^|\s)\|(?=\s|$)", line)]
    return line.split()


def has_amount(line: str) -> bool:
    """Whether a row states an amount; years and note numbers are none."""
    cells = cells_of(line)
    return (
        any(_AMOUNT_CELL.fullmatch(c) and not _YEAR_CELL.fullmatch(c) for c in cells if c)
        or sum(bool(re.fullmatch(r"\d{1,2}|[-–—−]", c)) for c in cells[1:]) >= 2
    )


def unit_line(line: str) -> str:
    """Return what a line that states nothing but a unit says, else an empty string."""
    text = " ".join(line.split())
    if not text or len(text) > 120 or is_row(line):
        return ""
    found = _UNIT_ZH.search(text)
    if found and (found.start() == 0 or text[: found.start()].endswith((" ", "）", ")"))):
        return found.group()
    if _BARE_UNIT_ZH.fullmatch(text) or _UNIT_CELL.fullmatch(text):
        return text
    if not _UNIT_LINE_EN.fullmatch(text) or (text[0] != "(" and text.endswith(":")):
        return ""
    return text.rstrip(":")


def unit_inside(line: str) -> str:
    """Return the unit that a line of prose or a header row names in passing."""
    found = _UNIT_INSIDE_EN.search(line) or _UNIT_CELL.search(line)
    return found.group() if found else ""


def read_blocks(
    lines: list[str], running: frozenset[str], carried: Carried | None
) -> tuple[list[Block], Carried | None]:
    """Cut a page's lines into blocks, in order, and say which table it ends in."""
    lines = [line.strip() for line in lines if line.strip()]
    passing = [line in running or is_page_number(line) for line in lines]
    rows = [is_row(line) and not p for line, p in zip(lines, passing, strict=True)]
    tables = _tables(lines, rows, passing)
    blocks: list[Block] = []
    done = 0
    last: Carried | None = None
    for start, end in tables:
        head = _header_above(lines, passing, done, start)
        goes_on = carried if all(passing[:head]) else None
        block, taken = _table(lines, (done, head, start, end), goes_on)
        if not block.unit and blocks and blocks[-1].is_table and start == done:
            # The same ruled table with a second header: what its first part is in, it is in too.
            block = replace(block, unit=blocks[-1].unit)
        prose = [x for k, x in enumerate(lines[done:head], start=done) if k != taken]
        if prose:
            blocks.append(Block(False, tuple(prose)))
        blocks.append(block)
        done = end
        columns = max(len(cells_of(row)) for row in lines[start:end])
        last = Carried(block.unit, block.header, columns)
    if lines[done:]:
        blocks.append(Block(False, tuple(lines[done:])))
    return blocks, last if tables and all(passing[done:]) else None


def _tables(lines: list[str], rows: list[bool], passing: list[bool]) -> list[tuple[int, int]]:
    """Half-open ranges of lines that are tables; labels without figures between rows count."""
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(lines):
        if not rows[index]:
            index += 1
            continue
        end = index + 1
        while end < len(lines):
            step = next((k for k in range(end, min(end + 9, len(lines))) if rows[k]), None)
            # A statement lists many lines without figures; longer ones in number are a text.
            longest = 90 if step is None or step - end <= 3 else 30
            if step is None or not all(
                _label(lines[k], longest) and not passing[k] for k in range(end, step)
            ):
                break
            if step > end and _opens_table(lines, step):
                break
            if step == end and _opens_table(lines, step) and has_amount(lines[step - 1]):
                break
            end = step + 1
        if end - index > 1 or (index and unit_line(lines[index - 1])) or all(passing[:index]):
            found.append((index, end))
        index = end
    return found


def _filled(line: str) -> int:
    return sum(bool(c) for c in cells_of(line))


def _heads(line: str) -> bool:
    """Whether a row at the top of a table can be part of its header."""
    return not has_amount(line) and _filled(line) >= 2


def _opens_table(lines: list[str], index: int) -> bool:
    """Whether a row is a header: several cells, none an amount, and amounts soon below."""
    filled = _filled(lines[index])
    if has_amount(lines[index]) or filled < 2:
        return False
    if filled < 3 and not _PERIOD_WORD.search(lines[index]):
        return False
    if any(re.fullmatch("[-–—−/]|不适用", c) for c in cells_of(lines[index])):
        return False
    return any(is_row(x) and has_amount(x) for x in lines[index + 1 : index + 4])


def _label(line: str, longest: int) -> bool:
    """Whether a line between two rows can be a row whose figures are empty."""
    numbered = heading_level(line) is not None and not line.isascii()
    return len(line) <= longest and not (_SENTENCE_END.search(line) or unit_line(line) or numbered)


def _header_above(lines: list[str], passing: list[bool], done: int, start: int) -> int:
    """Where the header begins: up to two short lines above the first row that name periods."""
    head = start
    while head > done and start - head < 2:
        line = lines[head - 1]
        if len(line) > 90 or unit_line(line) or _SENTENCE_END.search(line):
            break
        if (
            not _PERIOD_WORD.search(line)
            or heading_level(line) is not None
            or line.endswith((":", "："))
        ):
            break
        if passing[head - 1]:
            break
        head -= 1
    return head


def _table(
    lines: list[str], place: tuple[int, int, int, int], goes_on: Carried | None
) -> tuple[Block, int]:
    """One table block, and the index of the line that is its unit line (-1 where there is none)."""
    done, head, start, end = place
    first = start
    while first < end and first - start < MOST_HEADER_ROWS and _heads(lines[first]):
        first += 1
    if first == end:
        first = min(start + 1, end - 1)
    header = tuple(lines[head:first])
    if goes_on and goes_on.columns == max(len(cells_of(row)) for row in lines[start:end]):
        if header == goes_on.header:
            return Block(True, tuple(lines[first:end]), goes_on.unit, header), -1
        half = max(2, goes_on.columns / 2)
        if not any(_PERIOD_WORD.search(x) and _filled(x) >= half for x in header):
            rows = tuple(lines[head:end])
            return Block(True, rows, goes_on.unit, goes_on.header, bool(goes_on.header)), -1
    for index in range(head - 1, max(done, head - UNIT_REACH) - 1, -1):
        unit = unit_line(lines[index])
        if unit:
            return Block(True, tuple(lines[first:end]), unit, header, False, lines[index]), index
    near = [unit_inside(line) for line in (*header, *reversed(lines[max(done, head - 3) : head]))]
    unit = next((u for u in near if u), "")
    return Block(True, tuple(lines[first:end]), unit, header), -1
