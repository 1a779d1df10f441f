"""Amounts of a chunk, its table columns heeded: a growth column under 单位：元 holds percents."""

from __future__ import annotations

import bisect
import re
from dataclasses import replace
from decimal import Context
from typing import TYPE_CHECKING

from ragdash.amounts.amount import Kind, ScaleSource
from ragdash.amounts.cells import column_of, header_cells
from ragdash.amounts.parse import read_amounts
from ragdash.amounts.units import ONE

if TYPE_CHECKING:
    from ragdash.amounts.amount import Amount

_EXACT = Context(prec=120)
_FAR = 4000
_RULE = re.compile(r"[\s|:-]*")
_PERCENT = re.compile(r"[%％]|百分比|percent", re.I)


def column_header(text: str, at: int) -> str:
    """Return the header cell above a cell of a Markdown table, "" outside of one.

    The header is the first line of the block of lines with bars. At most 4,000 characters above
    the line are looked at, and a line that is longer is no row of a table.

    Args:
        text: an answer or a chunk.
        at: a character of the cell.
    """
    low, high = max(0, at - _FAR), min(len(text), at + _FAR)
    start = text.rfind("\n", low, at) + 1
    if text.find("|", start or low, high) < 0 or (not start and low):
        return ""
    end = text.find("\n", at, high)
    row = text[start : end if end >= 0 else high]
    if "|" not in row:
        return ""
    header = ""
    for line in reversed(text[max(0, start - _FAR) : start].split("\n")[:-1]):
        if "|" not in line:
            break
        header = line
    cells = header_cells(header)
    column = column_of(row, at - start, len(cells))
    return cells[column] if header and 0 <= column < len(cells) else ""


def read_chunk(text: str, unit_note: str) -> tuple[Amount, ...]:
    """Return the amounts of a chunk as `read_amounts` does, percent columns read as percents.

    Args:
        text: the chunk's text, a table row on one line.
        unit_note: the chunk's unit line, for bare numbers.
    """
    amounts = read_amounts(text, unit_note=unit_note)
    if "|" not in text:
        return amounts
    by_line: dict[int, list[int]] = {}
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    for index, amount in enumerate(amounts):
        if not amount.excluded:
            by_line.setdefault(bisect.bisect(starts, amount.span[0]) - 1, []).append(index)
    out, header = list(amounts), [""]
    for number, line in enumerate(text.split("\n")):
        held = by_line.get(number, []) if "|" in line else []
        if not held and len(header_cells(line)) > 1 and not _RULE.fullmatch(line):
            header = header_cells(line)
        for index in held:
            at = column_of(line, amounts[index].span[0] - starts[number], len(header))
            if 0 <= at < len(header) and _PERCENT.search(header[at]):
                out[index] = _as_percent(amounts[index])
    return tuple(out)


def _as_percent(amount: Amount) -> Amount:
    stated = amount.scale_source is ScaleSource.OWN or amount.kind not in (Kind.MONEY, Kind.BARE)
    if stated:
        return amount
    power = amount.factor.adjusted()
    return replace(
        amount,
        value=_EXACT.divide(amount.value, amount.factor),
        kind=Kind.PERCENT,
        currency=None,
        scale_source=ScaleSource.HEADER,
        factor=ONE,
        unit="%",
        decimals=amount.decimals + power,
    )
