"""Cells of a table line, and which column each stands in."""

from __future__ import annotations

import re

_BORDER = re.compile(r"\s*\|\s*|\s{2,}")


def header_cells(line: str) -> list[str]:
    """Return the cells of a header line, whose columns are parted by a bar or by a visible gap."""
    return _BORDER.split(line.strip())


def column_of(row: str, at: int, columns: int) -> int:
    """Return which of a header's columns a character of a row stands in, from 0.

    A row with fewer cells than the header is counted from the right: its label spans the rest.
    """
    cell, cells = row.count("|", 0, at), row.count("|") + 1
    return cell if cells == columns else columns - (cells - cell)
