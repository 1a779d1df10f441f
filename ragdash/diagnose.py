"""The first failing layer of a lost question, from the stored ranks (metrics.md section 4)."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from ragdash.amounts import Match
from ragdash.amounts.reasons import REASONS
from ragdash.core.answer import AnswerStatus
from ragdash.core.diagnosis import Diagnosis, Layer, Sentence
from ragdash.core.score import ScoreStatus
from ragdash.jsonlines import printable
from ragdash.metrics.qrels import gold_ranks, unprinted
from ragdash.metrics.sibling import sibling_figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Evidence, Gold
    from ragdash.core.retrieval import GoldRanks
    from ragdash.core.score import Score
    from ragdash.metrics.base import Observation

_TRY = {
    Layer.INGEST: Sentence(
        "Check the evidence page in the corpus: parsing, page text, chunking; then ingest again.",
        "检查语料中的证据页：解析、页面文本、切分；然后重新入库。",
    ),
    Layer.RECALL: Sentence(
        "Raise the candidate counts, or mend the leg that missed it (tokens for BM25, embedder for"
        " dense).",
        "提高候选数，或修复漏掉它的一路（BM25 看分词，dense 看向量模型）。",
    ),
    Layer.RANKING: Sentence(
        "Work on fusion (k, weights), the reranker or top k.",
        "调整融合（k、权重）、重排模型或 top k。",
    ),
    Layer.GENERATION: Sentence(
        "Work on the generator: prompt, model or how its answer is read.",
        "改进生成：提示词、模型或答案的解析。",
    ),
    Layer.BUSINESS: Sentence(
        "If the question names its caliber (口径), the answer took the wrong row; if not, have a"
        " reviewer decide which one it means.",
        "若题目已写明口径，则是取错了行；若未写明，请复核人判定所指的业务口径。",
    ),
    Layer.UNDETERMINED: Sentence(
        "Add evidence pages (qrels) to the question.",
        "为该问题补充证据页（qrels）。",
    ),
}
_NO_HELP = {
    Layer.INGEST: Sentence(
        "Another retriever, reranker or prompt: the passage is not there to be found.",
        "换检索、重排或提示词都无济于事：该段落不在索引里。",
    ),
    Layer.RECALL: Sentence(
        "Reranking or another prompt: the passage was in no candidate list.",
        "重排或换提示词无济于事：该段落不在任何候选列表里。",
    ),
    Layer.RANKING: Sentence(
        "More data or another prompt: the passage was found and then lost.",
        "更多数据或换提示词无济于事：该段落已召回，随后被挤掉。",
    ),
    Layer.GENERATION: Sentence(
        "Another retriever: the passage was in front of the generator.",
        "换检索无济于事：该段落就在生成器眼前。",
    ),
    Layer.BUSINESS: Sentence(
        "More candidates or another embedder: the right passage was in front of the generator.",
        "增加候选或更换向量模型无济于事：正确的段落就在生成器眼前。",
    ),
    Layer.UNDETERMINED: Sentence(
        "Guessing a layer without knowing where the answer stands.",
        "在不知道答案所在的情况下猜测层级。",
    ),
}


def diagnose(
    seen: Observation,
    scores: Mapping[str, Score],
    gold: Mapping[Evidence, Sequence[Chunk]],
) -> Diagnosis:
    """Return where a wrong, wrongly refused or failed question was lost, and why.

    Args:
        seen: the question, its candidates and its answer.
        scores: its metrics by name.
        gold: the gold chunks of each evidence page; an empty tuple where the index has none.
    """
    if not seen.question.answerable:
        return _found(
            Layer.GENERATION,
            "should_have_refused",
            Sentence(
                "There is nothing to find: the question should have been declined.",
                "资料中没有答案：本应拒答。",
            ),
        )
    if not seen.question.evidence or seen.gold_ranks is None:
        return _found(
            Layer.UNDETERMINED,
            "no_qrels",
            Sentence("The question names no evidence page.", "该问题没有标注证据页。"),
        )
    lost = [e for e, chunks in gold.items() if not chunks]
    if len(lost) == len(gold) or (lost and seen.question.needs_every_page):
        pages = ", ".join(_place(e) for e in lost)
        return _found(
            Layer.INGEST,
            "not_indexed",
            Sentence(
                f"No chunk of the index comes from evidence page {pages}.",
                f"索引中没有来自证据页 {pages} 的片段。",
            ),
        )
    if unread := unprinted(seen.question, gold):
        return _unreadable(unread[0], gold)
    if not seen.gold_ranks.evidence_visible:
        return _before_context(seen, _worst_page(seen, gold))
    return _after_context(seen, scores)


def _found(
    layer: Layer, reason: str, evidence: Sentence, facts: dict[str, object] | None = None
) -> Diagnosis:
    return Diagnosis(layer, reason, evidence, _TRY[layer], _NO_HELP[layer], facts or {})


def _place(evidence: Evidence) -> str:
    """Name a page with its document; the id is a manifest's text and is shown on one line."""
    return f"{printable(evidence.doc_id)} P{evidence.page}"


def _unreadable(figure: Gold, gold: Mapping[Evidence, Sequence[Chunk]]) -> Diagnosis:
    pages = ", ".join(_place(e) for e, chunks in gold.items() if chunks)
    stated = f"{figure.value:,f} {figure.unit}"
    return _found(
        Layer.INGEST,
        "gold_not_readable",
        Sentence(
            f"{pages}: indexed, but no chunk prints {stated} so that it can be read (misread or"
            " split digits, a lost unit, or a wrong page or figure in the question).",
            f"{pages} 已入索引，但没有片段能读出 {stated}（数字误识或断开、单位丢失，或题目的页码、"
            "金标有误）。",
        ),
        {"gold": str(figure.value), "unit": figure.unit},
    )


def _worst_page(
    seen: Observation, gold: Mapping[Evidence, Sequence[Chunk]]
) -> tuple[Evidence, GoldRanks]:
    """Return the evidence page that broke the question, with its own best ranks.

    Where any page is enough that is the page that came nearest; where all are needed, the one that
    stayed farthest away.
    """
    far = 1 << 30
    ranks: list[tuple[Evidence, GoldRanks]] = []
    for evidence, chunks in gold.items():
        own = gold_ranks(seen.question, {evidence: chunks}, seen.retrieval)
        if own is not None and chunks and not own.evidence_visible:
            ranks.append((evidence, own))
    pick = max if seen.question.needs_every_page else min
    return pick(ranks, key=lambda pair: (pair[1].final or far, pair[0]))


def _before_context(seen: Observation, page: tuple[Evidence, GoldRanks]) -> Diagnosis:
    evidence, ranks = page
    k = seen.retrieval.top_k
    where = _place(evidence)
    legs = {"dense": ranks.dense, "BM25": ranks.bm25, "fused": ranks.fused, "rerank": ranks.rerank}
    run = {leg: rank for leg, rank in legs.items() if leg in _legs_of(seen)}
    facts: dict[str, object] = {"page": evidence.page, "doc_id": evidence.doc_id, **run}
    trace = ", ".join(f"{leg} {rank or '-'}" for leg, rank in run.items())
    if ranks.final is None:
        n = len(seen.retrieval.candidates)
        return _found(
            Layer.RECALL,
            "in_no_candidate_list",
            Sentence(
                f"gold {where} is indexed but was none of the {n} candidates ({trace}).",
                f"金标 {where} 已入索引，但不在 {n} 个候选之中（{trace}）。",
            ),
            facts,
        )
    return _found(
        Layer.RANKING,
        f"below_{_cut(ranks, k)}",
        Sentence(
            f"gold {where} was {trace}: final {ranks.final}, below the top {k}.",
            f"金标 {where}：{trace}；最终第 {ranks.final}，在前 {k} 之外。",
        ),
        {**facts, "final": ranks.final, "top_k": k},
    )


def _legs_of(seen: Observation) -> tuple[str, ...]:
    return {
        "dense": ("dense",),
        "hybrid": ("dense", "BM25", "fused"),
        "rerank": ("dense", "BM25", "fused", "rerank"),
    }[seen.retrieval.mode.value]


def _cut(ranks: GoldRanks, k: int) -> str:
    """Return the stage at which the passage fell below the top k for the last time."""
    if ranks.rerank is not None:
        return "rerank"
    if ranks.fused is not None:
        legs = [r for r in (ranks.dense, ranks.bm25) if r is not None]
        return "fusion" if min(legs, default=k + 1) <= k else "both_legs"
    return "dense"


def _after_context(seen: Observation, scores: Mapping[str, Score]) -> Diagnosis:
    if seen.answer.status is AnswerStatus.ERROR:
        return _found(
            Layer.GENERATION,
            "no_output",
            Sentence("The evidence was visible; the generator failed.", "证据可见，生成器出错。"),
        )
    if seen.answer.status is AnswerStatus.REFUSED:
        return _found(
            Layer.GENERATION,
            "refused_with_evidence",
            Sentence("The evidence was visible and the answer declined.", "证据可见，却被拒答。"),
        )
    if scores["caliber"].value == 0:
        return _found(
            Layer.BUSINESS,
            scores["caliber"].reason,
            Sentence(
                "The figure is the gold's, but it stands under another caliber.",
                "数字与金标相符，但口径不同。",
            ),
            scores["caliber"].evidence,
        )
    if scores["numeric_accuracy"].status is not ScoreStatus.SCORED:
        return _found(
            Layer.UNDETERMINED,
            "unscored_gate",
            Sentence("The numeric gate could not be scored.", "数字门未能评分。"),
        )
    return _wrong_figure(seen, scores["numeric_accuracy"])


def _wrong_figure(seen: Observation, numeric: Score) -> Diagnosis:
    sibling = sibling_figure(seen)
    if sibling is not None:
        return _found(
            Layer.BUSINESS,
            "sibling_caliber",
            Sentence(
                f"The gold was visible, but the answer states the figure of a sibling caliber "
                f"({sibling.found.en}) instead of the asked one ({sibling.asked.en}), see "
                f"P{sibling.page}.",
                f"金标可见，但回答给出的是相邻口径（{sibling.found.zh}）的数字，而非所问口径"
                f"（{sibling.asked.zh}），见 P{sibling.page}。",
            ),
            {
                "chunk_id": sibling.chunk_id,
                "asked": sibling.asked.zh,
                "found": sibling.found.zh,
            },
        )
    why = REASONS[numeric.reason]
    missed = next(v for v in numeric.evidence["verdicts"] if v["verdict"] != Match.MATCH)
    said = missed["candidate"]["value"] if missed["candidate"] else None
    facts = {"gold": missed["gold"], "unit": missed["unit"], "answered": said}
    gold = f"{Decimal(missed['gold']):,f} {missed['unit']}"
    states = f" the answer states {Decimal(said):,f}," if said else ""
    states_zh = f"回答为 {Decimal(said):,f}，" if said else ""
    return _found(
        Layer.GENERATION,
        f"visible_but_{numeric.reason}",
        Sentence(
            f"The evidence was visible;{states} the gold is {gold}: {why.en}.",
            f"证据可见；{states_zh}金标为 {gold}：{why.zh}。",
        ),
        facts,
    )
