"""The row of a chunk that an amount stands in: ingest puts a table row on one line."""

from __future__ import annotations

from ragdash.caliber.nearest import nearest_term, sentence_around
from ragdash.caliber.terms import TermHit


def row_around(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return the half-open range of the table row, or of the sentence on a line of prose.

    An amount that is broken over lines keeps all of them.
    """
    start, end = sentence_around(text, span)
    line_start = text.rfind("\n", 0, span[0]) + 1
    line_end = text.find("\n", span[1])
    return max(start, line_start), min(end, line_end if line_end >= 0 else len(text))


def term_in_row(text: str, span: tuple[int, int]) -> TermHit | None:
    """Return the metric term of the row that an amount stands in; another row's does not count."""
    start, end = row_around(text, span)
    hit = nearest_term(text[start:end], (span[0] - start, span[1] - start))
    if hit is None:
        return None
    moved = (hit.span[0] + start, hit.span[1] + start)
    return TermHit(hit.key, hit.family, hit.attribution, hit.scope, moved, hit.alias)
