"""Five rows on citations: there, covering, well formed, resolving, supporting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.amounts import read_amounts, read_chunk, restates
from ragdash.caliber import sentence_around
from ragdash.contract import resolve
from ragdash.core.diagnosis import Sentence
from ragdash.core.score import MetricKind, Score, scored, undefined
from ragdash.metrics.base import Metric

if TYPE_CHECKING:
    from ragdash.amounts import Amount
    from ragdash.core.answer import Citation
    from ragdash.metrics.base import Observation

# what may stand between a sentence and the citation behind it, and how many characters are read
_BETWEEN = '。；;!?！？.”"*|，, \t\n'
_FAR = 8


def has_citation(seen: Observation) -> Score:
    """Return 1 where the answer carries at least one citation or attempt at one."""
    return scored("has_citation", bool(seen.answer.citations))


def covered(seen: Observation) -> Score:
    """Return the share of the sentences with an amount that carry a citation."""
    name = "citation_covered"
    if not seen.answer.citations:
        return undefined(name, "no_citation")
    spans = {sentence_around(seen.answer.text, a.span) for a in _stated(seen)}
    if not spans:
        return undefined(name, "no_amount")
    carrying = sum(
        any(_carries(seen.answer.text, span, c) for c in seen.answer.citations) for span in spans
    )
    return scored(name, carrying / len(spans), sentences=len(spans), carrying=carrying)


def _carries(text: str, sentence: tuple[int, int], citation: Citation) -> bool:
    """Whether a citation stands in a sentence or right behind its full stop or quotation mark."""
    start, end = sentence
    at = citation.span[0]
    return start <= at and (at < end or not text[end : min(at, end + _FAR)].strip(_BETWEEN))


def well_formed(seen: Observation) -> Score:
    """Return 1 where every citation is in the contract's form or a tolerated spelling of it."""
    if not seen.answer.citations:
        return undefined("citation_well_formed", "no_citation")
    bad = [c.text for c in seen.answer.citations if not c.well_formed]
    return scored("citation_well_formed", not bad, "malformed" if bad else "", malformed=bad)


def resolves(seen: Observation) -> Score:
    """Return 1 where every citation names pages among the visible chunks, each of one document."""
    if not seen.answer.citations:
        return undefined("citation_resolves", "no_citation")
    if not _is_placed(seen):
        return undefined("citation_resolves", "pages_not_given")
    bad = [c.text for c in seen.answer.citations if not resolve(c, seen.context)]
    return scored("citation_resolves", not bad, "not_visible" if bad else "", unresolved=bad)


def supports(seen: Observation) -> Score:
    """Return 1 where every amount of the answer occurs in a chunk that the answer cites."""
    name = "citation_supports"
    if not seen.answer.citations:
        return undefined(name, "no_citation")
    if not _is_placed(seen):
        return undefined(name, "pages_not_given")
    stated = _stated(seen)
    if not stated:
        return undefined(name, "no_amount")
    held = [amount for c in seen.answer.citations for amount in _amounts_of(seen, c)]
    bad = [a.text for a in stated if not any(restates(a, h) for h in held)]
    return scored(name, not bad, "amount_not_in_cited_chunk" if bad else "", unsupported=bad)


def _is_placed(seen: Observation) -> bool:
    """Whether company, label and page of all that was visible are known; of an import may not."""
    return all(
        c.source_page is not None and c.source.company and c.source.label for c in seen.context
    )


def _stated(seen: Observation) -> list[Amount]:
    return [a for a in read_amounts(seen.answer.text) if not a.excluded]


def _amounts_of(seen: Observation, citation: Citation) -> list[Amount]:
    pages = set(resolve(citation, seen.context))
    return [
        amount
        for chunk in seen.context
        if (chunk.source.doc_id, chunk.source_page) in pages
        for amount in read_chunk(chunk.text, chunk.unit_note)
    ]


METRICS = (
    Metric(
        "has_citation",
        MetricKind.GATE,
        Sentence("answers with a citation / answers", "带引用的回答比例"),
        has_citation,
        of_answerable=False,
    ),
    Metric(
        "citation_covered",
        MetricKind.GATE,
        Sentence(
            "sentences with a figure that carry a citation / sentences with a figure",
            "含数字的句子中带引用的比例",
        ),
        covered,
        of_answerable=False,
    ),
    Metric(
        "citation_well_formed",
        MetricKind.GATE,
        Sentence("answers whose citations are all well formed", "引用格式全部正确的回答比例"),
        well_formed,
        of_answerable=False,
    ),
    Metric(
        "citation_resolves",
        MetricKind.GATE,
        Sentence(
            "answers whose citations all name one visible page", "引用全部指向唯一可见页的回答比例"
        ),
        resolves,
        of_answerable=False,
        of_contexts=True,
    ),
    Metric(
        "citation_supports",
        MetricKind.GATE,
        Sentence(
            "answers whose figures all occur in a cited chunk", "数字全部出现在被引片段中的回答比例"
        ),
        supports,
        of_answerable=False,
        of_contexts=True,
    ),
)
