"""Lost after the context: the gold was visible; the answer is missing, wrong or of a sibling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.amounts import Match, same_figure
from ragdash.amounts.reasons import REASONS
from ragdash.core.answer import AnswerStatus
from ragdash.core.diagnosis import Diagnosis, Layer, Sentence
from ragdash.core.score import ScoreStatus
from ragdash.diagnose.advice import found
from ragdash.diagnose.figures import Standing, standing
from ragdash.diagnose.places import listed, place_of, stated
from ragdash.jsonlines import printable
from ragdash.metrics.numeric import verdicts
from ragdash.metrics.sibling import sibling_figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.amounts import Verdict
    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Evidence, Gold
    from ragdash.core.score import Score
    from ragdash.metrics.base import Observation

# Here the wrong number is the gold's own, or no single figure is asserted: no place explains it.
_TOLD_BY_REASON = frozenset(
    {"sign", "magnitude", "other_kind", "other_currency", "several_figures", "no_number"}
    | {"negated", "bound", "range", "hedged", "forecast", "intermediate"}
)

# The gold's own figure under another label: the amount is right and the caliber is not.
_OTHER_CALIBER = frozenset(
    {"sibling_metric", "parent_company", "part_of_the_company", "whole_company"}
)


def lost_after_context(
    seen: Observation, scores: Mapping[str, Score], gold: Mapping[Evidence, Sequence[Chunk]]
) -> Diagnosis:
    """Return what the generator did with the gold in front of it."""
    ids = {chunk.chunk_id for chunks in gold.values() for chunk in chunks}
    visible = [chunk for chunk in seen.context if chunk.chunk_id in ids]
    facts: dict[str, Any] = {
        "visible": [
            {"chunk_id": c.chunk_id, "doc_id": c.source.doc_id, "page": c.source_page}
            for c in visible
        ]
    }
    where = listed(place_of(chunk) for chunk in visible)
    if seen.answer.status is AnswerStatus.ERROR:
        code = printable(seen.answer.reason or "no_output")
        return found(
            Layer.GENERATION,
            "no_output",
            Sentence(
                f"In the context: {where.en}; the generator failed ({code}).",
                f"上下文含 {where.zh}，但生成器出错。",
            ),
            {**facts, "error": seen.answer.reason},
        )
    if seen.answer.status is AnswerStatus.REFUSED:
        at = 1 + min(seen.context.index(chunk) for chunk in visible)
        return found(
            Layer.GENERATION,
            "refused_with_evidence",
            Sentence(
                f"In the context: {where.en} (place {at} of {len(seen.context)}), and yet the "
                "answer declined.",
                f"上下文含 {where.zh}（{len(seen.context)} 个片段中的第 {at} 个），却被拒答。",
            ),
            {**facts, "place": at},
        )
    if scores["caliber"].value == 0:
        return _other_caliber(scores["caliber"], where)
    if scores["numeric_accuracy"].status is not ScoreStatus.SCORED:
        return found(
            Layer.UNDETERMINED,
            "unscored_gate",
            Sentence("The numeric gate could not be scored.", "数字门未能评分。"),
        )
    return (
        _sibling(seen)
        or _other_label(seen, where)
        or _wrong_figure(seen, visible, scores["numeric_accuracy"].reason)
    )


def _other_caliber(caliber: Score, where: Sentence) -> Diagnosis:
    return found(
        Layer.BUSINESS,
        caliber.reason,
        Sentence(
            f"In the context: {where.en}; the figure is the gold's, but it stands under another "
            "caliber.",
            f"上下文含 {where.zh}；数字与金标相符，但口径不同。",
        ),
        caliber.evidence,
    )


def _sibling(seen: Observation) -> Diagnosis | None:
    sibling = sibling_figure(seen)
    if sibling is None:
        return None
    return found(
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


def _other_label(seen: Observation, where: Sentence) -> Diagnosis | None:
    """Return the loss of a gold figure that the answer tells under a sibling's label."""
    for gold, verdict in zip(seen.question.gold, verdicts(seen), strict=True):
        said = verdict.candidate
        if verdict.reason in _OTHER_CALIBER and said is not None and same_figure(said, gold):
            why = REASONS[verdict.reason]
            return found(
                Layer.BUSINESS,
                f"right_figure_but_{verdict.reason}",
                Sentence(
                    f"In the context: {where.en}; the answer states the gold figure "
                    f"{said.value:,f}, but of another caliber: {why.en}.",
                    f"上下文含 {where.zh}；回答给出的 {said.value:,f} 与金标相符，"
                    f"但口径不同：{why.zh}。",
                ),
                {"gold": str(gold.value), "unit": gold.unit, "answered": str(said.value)},
            )
    return None


def _wrong_figure(seen: Observation, visible: Sequence[Chunk], reason: str) -> Diagnosis:
    judged = zip(seen.question.gold, verdicts(seen), strict=True)
    gold, verdict = next(pair for pair in judged if pair[1].verdict is not Match.MATCH)
    said = verdict.candidate
    facts: dict[str, Any] = {
        "gold": str(gold.value),
        "unit": gold.unit,
        "answered": str(said.value) if said else None,
    }
    where = listed(place_of(chunk) for chunk in visible)
    stands = _standing(seen, visible, gold, verdict)
    if said is not None and stands is not None:
        want, is_ = stated(gold), f"{said.value:,f}"
        return found(
            Layer.GENERATION,
            stands.reason,
            Sentence(
                f"In the context: {where.en}; the answer states {is_}, {stands.where.en}; the "
                f"gold is {want}.",
                f"上下文含 {where.zh}；回答为 {is_}，{stands.where.zh}；金标为 {want}。",
            ),
            {**facts, **stands.facts},
        )
    why = REASONS.get(reason) or Sentence(reason.replace("_", " "), reason)
    said_en = f" the answer states {said.value:,f}," if said else ""
    said_zh = f"回答为 {said.value:,f}，" if said else ""
    return found(
        Layer.GENERATION,
        f"visible_but_{reason}",
        Sentence(
            f"In the context: {where.en};{said_en} the gold is {stated(gold)}: {why.en}.",
            f"上下文含 {where.zh}；{said_zh}金标为 {stated(gold)}：{why.zh}。",
        ),
        facts,
    )


def _standing(
    seen: Observation, visible: Sequence[Chunk], gold: Gold, verdict: Verdict
) -> Standing | None:
    """Return where the wrong figure stands; None where the reason of the gate says it better."""
    said = verdict.candidate
    if said is None or verdict.reason in _TOLD_BY_REASON or same_figure(said, gold):
        return None
    return standing(said, gold, visible, seen)
