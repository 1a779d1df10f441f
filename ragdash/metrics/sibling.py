"""Whether a wrong figure belongs to a sibling caliber that stood in front of the generator."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.amounts import (
    Match,
    column_of,
    comparable,
    header_cells,
    read_chunk,
    restates,
)
from ragdash.caliber import asked_metric, find_scopes, find_terms, siblings, term
from ragdash.caliber.rows import row_around, term_in_row
from ragdash.core.chunk import ChunkKind
from ragdash.core.diagnosis import Sentence
from ragdash.metrics.numeric import verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ragdash.amounts import Amount
    from ragdash.caliber import AskedMetric
    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Gold
    from ragdash.metrics.base import Observation

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_ANOTHER_ROW = Sentence(
    "another row of the table: a product, segment, region or total",
    "表内另一行：产品、分部、地区或合计",
)
_PARTS = frozenset({"segment", "product", "region"})
_SCOPES = {
    "parent": Sentence("parent company", "母公司"),
    "consolidated": Sentence("consolidated", "合并"),
    "segment": Sentence("segment", "分部"),
    "product": Sentence("product", "产品"),
    "region": Sentence("region", "地区"),
}


@dataclass(frozen=True, slots=True)
class SiblingFigure:
    """The chunk whose row gives the answered figure; `asked` and `found` are our own terms."""

    chunk_id: str
    page: int | None
    asked: Sentence
    found: Sentence


def sibling_figure(seen: Observation) -> SiblingFigure | None:
    """Return where the answered figure stands under a sibling of the asked caliber, else None.

    Sibling: another attribution, scope or total of the same metric family, or a product, segment
    or region row of it, for the same company and period. Another metric, row, column or period is
    no sibling.
    """
    for gold, verdict in zip(seen.question.gold, verdicts(seen), strict=True):
        if verdict.verdict is Match.MATCH or verdict.candidate is None or not gold.metric:
            continue
        asked = asked_metric(gold.metric, gold.attribution)
        # A figure of another kind (money where a share was asked) is another metric.
        if asked.key is None or not comparable(verdict.candidate, gold):
            continue
        for chunk, span in _places(seen, verdict.candidate, gold):
            found = _sibling_at(chunk, span, asked, gold)
            if found:
                name = _named(asked.key, gold.scope if gold.scope != "consolidated" else None)
                return SiblingFigure(chunk.chunk_id, chunk.source_page, name, found)
    return None


def _places(seen: Observation, said: Amount, gold: Gold) -> Iterator[tuple[Chunk, tuple[int, int]]]:
    """Yield where an answered figure stands in chunks of the asked company, under its period."""
    period = gold.period or seen.question.period
    for chunk in seen.context:
        if seen.question.company not in (None, chunk.source.company):
            continue
        for amount in read_chunk(chunk.text, chunk.unit_note):
            if restates(said, amount) and _is_of(period, chunk, amount.span):
                yield chunk, amount.span


def _is_of(period: str | None, chunk: Chunk, span: tuple[int, int]) -> bool:
    """Whether a figure may be one of the asked year: by its column's year, else its document's."""
    if not period:
        return True
    start, end = row_around(chunk.text, span)
    columns = header_cells(_header(chunk))
    at = column_of(chunk.text[start:end], span[0] - start, len(columns))
    years = _YEAR.findall(columns[at]) if 0 <= at < len(columns) else []
    if years:
        return period in years
    return chunk.source.period is None or chunk.source.period == period


def _header(chunk: Chunk) -> str:
    """Return the last line with a year above the first row of figures."""
    lines: list[str] = []
    for line in chunk.text.splitlines():
        if "|" in line and re.search(r"\d,\d{3}|\d\.\d", line):
            break
        lines.append(line)
    return next((line for line in reversed(lines) if _YEAR.search(line)), "")


def _sibling_at(
    chunk: Chunk, span: tuple[int, int], asked: AskedMetric, gold: Gold
) -> Sentence | None:
    """Return our name of the sibling caliber that a row stands under, None where it is none."""
    hit = term_in_row(chunk.text, span)
    if hit is not None and hit.key:
        # 母公司利润表 and 合并利润表 print the same labels: the section tells whose figure it is.
        scope = hit.scope or _statement_scope(chunk)
        other_scope = scope is not None and scope != (gold.scope or "consolidated")
        part_asked = bool(asked.qualifier) or gold.scope in _PARTS
        whole = part_asked and scope is None and hit.key == asked.key
        if hit.key in siblings(asked.key or "") or (
            hit.key == asked.key and (other_scope or whole)
        ):
            return _named(hit.key, scope if other_scope else None)
        return None
    # A row without a metric of its own, in a table of parts whose header names the asked metric.
    up_to_here = f"{chunk.section}\n{chunk.text[: row_around(chunk.text, span)[1]]}"
    parts = {scope for scope, _ in find_scopes(up_to_here)} & _PARTS
    named = asked.key in {t.key for t in find_terms(up_to_here)}
    return _ANOTHER_ROW if chunk.kind is ChunkKind.TABLE and parts and named else None


def _named(key: str, scope: str | None = None) -> Sentence:
    """Return the usual name of a caliber key in each language, with a scope where one differs."""
    known = term(key)
    aliases = known.aliases if known else (key,)
    zh = next((a for a in aliases if not a.isascii()), aliases[0])
    en = next((a for a in aliases if a.isascii()), aliases[0])
    said = _SCOPES.get(scope or "")
    return Sentence(f"{en}, {said.en}", f"{zh}，{said.zh}") if said else Sentence(en, zh)


def _statement_scope(chunk: Chunk) -> str | None:
    scopes = {scope for scope, _ in find_scopes(chunk.section)} & {"parent", "consolidated"}
    return scopes.pop() if len(scopes) == 1 else None
