"""Whether a wrong figure belongs to a sibling caliber that stood in front of the generator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.amounts import Match, comparable, read_amounts
from ragdash.caliber import asked_metric, find_scopes, find_terms, siblings, term
from ragdash.caliber.rows import row_around, term_in_row
from ragdash.core.chunk import ChunkKind
from ragdash.core.diagnosis import Sentence
from ragdash.metrics.numeric import verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

    from ragdash.caliber import AskedMetric
    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Gold
    from ragdash.metrics.base import Observation

_ANOTHER_ROW = Sentence(
    "another row of the table: a product, segment, region or total",
    "表内另一行：产品、分部、地区或合计",
)
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
    page: int
    asked: Sentence
    found: Sentence


def sibling_figure(seen: Observation) -> SiblingFigure | None:
    """Return where the answered figure stands under a sibling of the asked caliber, else None.

    Sibling: another attribution, scope or total of the same metric family, or a product, segment
    or region row of it, for the same company and period. Another metric, row, column or period is
    no sibling.
    """
    for gold, verdict in zip(seen.question.gold, verdicts(seen), strict=True):
        if verdict.verdict is Match.MATCH or not gold.metric:
            continue
        asked = asked_metric(gold.metric, gold.attribution)
        if asked.key is None:
            continue
        # A figure of another kind (money where a share was asked) is another metric.
        wrong = {a.value for a in verdict.candidates if a.asserted and comparable(a, gold)}
        for chunk, span in _places(seen, wrong, gold):
            found = _sibling_at(chunk, span, asked, gold)
            if found:
                return SiblingFigure(chunk.chunk_id, chunk.source_page, _named(asked.key), found)
    return None


def _places(
    seen: Observation, values: set[Decimal], gold: Gold
) -> Iterator[tuple[Chunk, tuple[int, int]]]:
    """Yield where a value stands in visible chunks of the asked company and period."""
    period = gold.period or seen.question.period
    for chunk in seen.context:
        other_company = seen.question.company not in (None, chunk.source.company)
        other_period = bool(period and chunk.source.period and chunk.source.period != period)
        if other_company or other_period:
            continue
        for amount in read_amounts(chunk.text, unit_note=chunk.unit_note):
            if amount.value in values:
                yield chunk, amount.span


def _sibling_at(
    chunk: Chunk, span: tuple[int, int], asked: AskedMetric, gold: Gold
) -> Sentence | None:
    """Return our name of the sibling caliber that a row stands under, None where it is none."""
    hit = term_in_row(chunk.text, span)
    if hit is not None and hit.key:
        # 母公司利润表 and 合并利润表 print the same labels: the section tells whose figure it is.
        scope = hit.scope or _statement_scope(chunk)
        other_scope = scope is not None and scope != (gold.scope or "consolidated")
        whole = bool(asked.qualifier) and hit.key == asked.key
        if hit.key in siblings(asked.key or "") or (
            hit.key == asked.key and (other_scope or whole)
        ):
            return _named(hit.key, scope if other_scope else None)
        return None
    # A row without a metric of its own, under a header that names the asked one, is a part of it.
    start, _ = row_around(chunk.text, span)
    above = {t.key for t in find_terms(f"{chunk.section}\n{chunk.text[:start]}")}
    return _ANOTHER_ROW if chunk.kind is ChunkKind.TABLE and asked.key in above else None


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
