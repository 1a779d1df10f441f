"""hit@k, page hit@k, recall@k, MRR and nDCG@k, computed by ir-measures.

A gold chunk is one on an evidence page that holds the gold amount, or every chunk of the page
where none does (metrics.md section 2); of another system's, whose pages may be there in part, only
one that holds it. The rank is handed over as a score of -rank, so that no tie is broken at random.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ragdash.core.diagnosis import Sentence
from ragdash.core.retrieval import Extent
from ragdash.core.score import MetricKind, Score, scored, undefined
from ragdash.metrics.base import Metric
from ragdash.metrics.qrels import is_placed

if TYPE_CHECKING:
    from ragdash.metrics.base import Observation

_OVER_ALL_GOLD = ("R", "nDCG")


def calculate(measure: str, gold: frozenset[str], ranked: tuple[str, ...]) -> float:
    """Return one ir-measures value ("Success@5", "R@5", "RR", "nDCG@10") for one ranking.

    Args:
        measure: a name that ir-measures parses.
        gold: ids of the relevant units, at least one.
        ranked: ids by rank, best first, without repeats.
    """
    import ir_measures

    qrels = [ir_measures.Qrel("q", unit, 1) for unit in sorted(gold)]
    run = [ir_measures.ScoredDoc("q", unit, -float(rank)) for rank, unit in enumerate(ranked, 1)]
    if not run:
        return 0.0
    parsed = ir_measures.parse_measure(measure)
    return float(next(iter(ir_measures.iter_calc([parsed], qrels, run))).value)


def by_chunk(seen: Observation, *, name: str, measure: str) -> Score:
    """Return a measure over chunks, from the mode's final ranks."""
    if not seen.question.evidence:
        return undefined(name, "no_qrels")
    ranked = tuple(c.chunk.chunk_id for c in seen.retrieval.candidates)
    if missing := _not_told(seen, measure, len(ranked)):
        return undefined(name, missing)
    if seen.gold_ranks is None:
        return undefined(name, "no_qrels")
    if not seen.gold_ranks.chunk_ids:
        reason = "gold_not_indexed" if seen.retrieval.extent is Extent.WHOLE else ""
        return scored(name, 0.0, reason)
    return scored(name, calculate(measure, frozenset(seen.gold_ranks.chunk_ids), ranked))


def _not_told(seen: Observation, measure: str, depth: int) -> str:
    """Return why an import does not tell a measure, "" where it does; never by what it found.

    What stands below a list that was cut off is not known, nor how many gold chunks the index has.
    """
    retrieval = seen.retrieval
    if retrieval.extent is Extent.WHOLE:
        return ""
    if retrieval.extent is Extent.NOT_GIVEN:
        return "contexts_not_given"
    if not is_placed(retrieval):
        return "pages_not_given"
    kind, _, cutoff = measure.partition("@")
    if kind in _OVER_ALL_GOLD:
        return "index_not_given"
    if retrieval.extent is Extent.CUT and (not cutoff or depth < int(cutoff)):
        return "list_cut_off"
    return ""


def by_page(seen: Observation, *, name: str, measure: str) -> Score:
    """Return a measure over pages, each ranked by its best chunk."""
    if not seen.question.evidence:
        return undefined(name, "no_qrels")
    gold = frozenset(f"{e.doc_id}#{e.page}" for e in seen.question.evidence)
    pages = dict.fromkeys(
        f"{c.chunk.source.doc_id}#{c.chunk.source_page}" for c in seen.retrieval.candidates
    )
    if missing := _not_told(seen, measure, len(pages)):
        return undefined(name, missing)
    return scored(name, calculate(measure, gold, tuple(pages)))


def _metric(name: str, measure: str, words: Sentence, *, pages: bool = False) -> Metric:
    return Metric(
        name,
        MetricKind.RETRIEVAL,
        words,
        partial(by_page if pages else by_chunk, name=name, measure=measure),
        inputs=("qrels",),
        of_answers=False,
    )


METRICS = (
    *(
        _metric(
            f"hit@{k}",
            f"Success@{k}",
            Sentence(f"a gold chunk is among the first {k}", f"前 {k} 个片段中有金标片段"),
        )
        for k in (1, 5, 10, 20)
    ),
    *(
        _metric(
            f"page_hit@{k}",
            f"Success@{k}",
            Sentence(f"an evidence page is among the first {k} pages", f"前 {k} 页中有证据页"),
            pages=True,
        )
        for k in (1, 5, 10, 20)
    ),
    _metric(
        "recall@5",
        "R@5",
        Sentence("share of the gold chunks among the first 5", "前 5 个片段覆盖的金标片段比例"),
    ),
    _metric(
        "mrr",
        "RR",
        Sentence("1 / rank of the first gold chunk, 0 if none", "首个金标片段排名的倒数"),
    ),
    _metric(
        "ndcg@10",
        "nDCG@10",
        Sentence("nDCG over the first 10 chunks, binary gains", "前 10 个片段的 nDCG（二值增益）"),
    ),
)
