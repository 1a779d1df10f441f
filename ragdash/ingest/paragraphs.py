"""The lines of prose and the rows of tables as pieces that may stand in a chunk."""

from __future__ import annotations

import re

from ragdash.ingest.headings import heading_level
from ragdash.ingest.sentences import cut_to_size, estimated_tokens
from ragdash.ingest.spans import is_cjk
from ragdash.ingest.tables import cells_of, is_page_number

_WIDE = re.compile("[\u2e80-\uffef]")
_ITEM = re.compile(r"[□√☑☒•●\-·]|[（(]?\d{1,2}[)）.、]")


def paragraphs(lines: tuple[str, ...], running: frozenset[str]) -> list[str]:
    """Join the lines of a paragraph that the page's width broke."""
    widths = [len(line) + len(_WIDE.findall(line)) for line in lines]
    full = 0.8 * max(widths, default=0)
    joined: list[str] = []
    open_line = False
    for line, width in zip(lines, widths, strict=True):
        passing = line in running or is_page_number(line)
        starts = passing or heading_level(line) is not None or _ITEM.match(line)
        if open_line and not starts:
            blank = "" if is_cjk(joined[-1][-1]) or is_cjk(line[0]) else " "
            joined[-1] += blank + line
        else:
            joined.append(line)
        open_line = (
            not passing
            and width >= max(full, 30)
            and line[-1] not in "。；：！？.:;!?"
            and "|" not in line
        )
    return joined


def row_pieces(row: str, room: float) -> list[str]:
    """Cut a row that is too long at its cells, with its label again before each piece."""
    if estimated_tokens(row) <= room:
        return [row]
    label = cells_of(row)[0]
    again = f"{label} | " if 0 < estimated_tokens(label) <= 0.2 * room and "|" in row else ""
    pieces = cut_to_size(row, room - estimated_tokens(again))
    return [pieces[0], *(again + p for p in pieces[1:])]
