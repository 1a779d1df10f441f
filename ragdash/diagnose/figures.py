"""Where a wrong figure of an answer stands in what the generator saw."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ragdash.amounts import printed, read_chunk, restates
from ragdash.amounts.columns import column_header
from ragdash.caliber.rows import row_around
from ragdash.core.diagnosis import Sentence
from ragdash.core.question import QuestionKind
from ragdash.diagnose.places import place_of
from ragdash.jsonlines import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ragdash.amounts import Amount
    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Gold
    from ragdash.metrics.base import Observation

_LABEL = re.compile(r"\s*\|?\s*([^|\d\n]*[^|\d\s\n])")
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Standing:
    """What a wrong figure is: a reason code, a clause that follows its value, the facts."""

    reason: str
    where: Sentence
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Spot:
    chunk: Chunk
    span: tuple[int, int]

    @property
    def row(self) -> tuple[int, int]:
        return row_around(self.chunk.text, self.span)

    @property
    def label(self) -> str:
        """The row's first words, on one line; empty where it has none."""
        start, end = self.row
        found = _LABEL.match(self.chunk.text[start:end])
        return printable(found[1].strip(), _LONGEST) if found else ""

    @property
    def column(self) -> str:
        return printable(column_header(self.chunk.text, self.span[0]).strip(), _LONGEST)

    def facts(self) -> dict[str, Any]:
        return {
            "chunk_id": self.chunk.chunk_id,
            "doc_id": self.chunk.source.doc_id,
            "page": self.chunk.source_page,
            "row": self.label,
            "column": self.column,
        }


def standing(said: Amount, gold: Gold, visible: Sequence[Chunk], seen: Observation) -> Standing:
    """Return whether a figure is of the gold's row, chunk, another chunk, or of none.

    Args:
        said: the wrong figure.
        gold: what was asked.
        visible: the gold chunks among the context.
        seen: the question with its context.
    """
    spots = [spot for chunk in seen.context for spot in _spots(chunk, said)]
    golds = [spot for chunk in visible for spot in _gold_spots(chunk, gold)]
    if not spots:
        return _nowhere(seen)
    if seen.question.kind is QuestionKind.COMPUTED and not golds:
        return _not_computed(spots[0])
    rows = {(g.chunk.chunk_id, g.row) for g in golds}
    same_row = next((s for s in spots if (s.chunk.chunk_id, s.row) in rows), None)
    if same_row is not None:
        return _other_column(same_row)
    ids = {chunk.chunk_id for chunk in visible}
    same_chunk = next((s for s in spots if s.chunk.chunk_id in ids), None)
    return _other_row(same_chunk) if same_chunk is not None else _other_chunk(spots[0])


def _spots(chunk: Chunk, said: Amount) -> Iterator[_Spot]:
    for amount in read_chunk(chunk.text, chunk.unit_note):
        if restates(said, amount) and not amount.excluded:
            yield _Spot(chunk, amount.span)


def _gold_spots(chunk: Chunk, gold: Gold) -> Iterator[_Spot]:
    for amount in read_chunk(chunk.text, chunk.unit_note):
        if printed(amount, gold):
            yield _Spot(chunk, amount.span)


def _nowhere(seen: Observation) -> Standing:
    if seen.question.kind is QuestionKind.COMPUTED:
        return Standing(
            "wrong_calculation",
            Sentence(
                "which no visible chunk prints and which is not the result",
                "可见片段均未印有，也不是正确结果",
            ),
        )
    return Standing(
        "figure_not_printed",
        Sentence(
            "which no visible chunk prints: computed or invented",
            "可见片段均未印有该数字：系推算或编造",
        ),
    )


def _not_computed(spot: _Spot) -> Standing:
    where = place_of(spot.chunk)
    return Standing(
        "printed_not_computed",
        Sentence(
            f"which {where} prints{_row(spot)}: a figure to compute with, not the result",
            f"{where} 印有该数字{_row_zh(spot)}：它是计算的输入而不是结果",
        ),
        spot.facts(),
    )


def _other_column(spot: _Spot) -> Standing:
    where = place_of(spot.chunk)
    under = f' ("{spot.column}")' if spot.column else ""
    under_zh = f"（“{spot.column}”）" if spot.column else ""
    return Standing(
        "wrong_column",
        Sentence(
            f"which stands in the gold's own row of {where}, in another column or period{under}",
            f"它在 {where} 金标所在的同一行，但属于另一列或另一期间{under_zh}",
        ),
        spot.facts(),
    )


def _other_row(spot: _Spot) -> Standing:
    where = place_of(spot.chunk)
    return Standing(
        "wrong_row",
        Sentence(
            f"which stands in another row of the gold's chunk of {where}{_row(spot)}",
            f"它在 {where} 金标所在片段的另一行{_row_zh(spot)}",
        ),
        spot.facts(),
    )


def _other_chunk(spot: _Spot) -> Standing:
    where = place_of(spot.chunk)
    return Standing(
        "other_chunk",
        Sentence(
            f"which stands in another visible chunk, {where}{_row(spot)}",
            f"它在另一个可见片段 {where} 中{_row_zh(spot)}",
        ),
        spot.facts(),
    )


def _row(spot: _Spot) -> str:
    return f' ("{spot.label}")' if spot.label else ""


def _row_zh(spot: _Spot) -> str:
    return f"（“{spot.label}”）" if spot.label else ""
