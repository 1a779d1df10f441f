"""Columns of a table that number things and state nothing: 附注, 序号, Note, Page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.amounts.cells import column_of, header_cells

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMES = re.compile(
    r"(?:附注|注释|注|序号|编号|行次|页码|页|(?:notes?|ref(?:erence)?|item|line|page|row)(?:\s(?:no\.?|number))?"
    r"|no\.?|#)",
    re.I,
)
_EDGES = " \t*_:："
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,2}|[-()]\w{1,3}\)?)?")
_LONGEST = 4000


def numbering_cells(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the cells below such a header that hold a number of up to three digits.

    A header is the first line of a block of lines with bars. Linear in the length of the text;
    lines of more than 4,000 characters are no rows of a table.
    """
    if "|" not in text:
        return
    header: list[str] | None = None
    named: set[int] = set()
    at = 0
    for line in text.split("\n"):
        if "|" not in line or len(line) > _LONGEST:
            header = None
        elif header is None:
            header = header_cells(line)
            named = {i for i, c in enumerate(header) if _NAMES.fullmatch(c.strip(_EDGES))}
        elif named:
            yield from _numbering(line, at, len(header), named)
        at += len(line) + 1


def _numbering(line: str, at: int, columns: int, named: set[int]) -> Iterator[tuple[int, int]]:
    start = 0
    for cell in line.split("|"):
        held = cell.strip(_EDGES)
        if _NUMBER.fullmatch(held) and column_of(line, start, columns) in named:
            yield at + start, at + start + len(cell)
        start += len(cell) + 1
