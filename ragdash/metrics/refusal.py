"""Refusals: right where nothing is to be found, a cost where the evidence was visible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.contract import read_refusal
from ragdash.core.answer import AnswerStatus
from ragdash.core.diagnosis import Sentence
from ragdash.core.retrieval import Extent
from ragdash.core.score import MetricKind, Score, failed, not_applicable, scored, undefined
from ragdash.metrics.base import Metric
from ragdash.metrics.qrels import unseen

if TYPE_CHECKING:
    from ragdash.metrics.base import Observation


def refusal_success(seen: Observation) -> Score:
    """Return 1 where a question without an answer was declined, else 0."""
    if seen.question.is_open:
        return undefined("refusal_success", "answerable_not_given")
    if seen.question.answerable:
        return not_applicable("refusal_success", "answerable")
    if seen.answer.status is AnswerStatus.ERROR:
        return failed("refusal_success", seen.answer.reason or "no_output")
    return scored("refusal_success", seen.answer.status is AnswerStatus.REFUSED)


def over_refusal(seen: Observation) -> Score:
    """Return 1 where the evidence was visible and the answer declined all the same."""
    if seen.gold_ranks is None and seen.retrieval.extent is not Extent.WHOLE:
        known = bool(seen.question.evidence)
        return undefined("over_refusal", unseen(seen.retrieval) if known else "no_qrels")
    if seen.gold_ranks is None or not seen.gold_ranks.evidence_visible:
        return not_applicable("over_refusal", "evidence_not_visible")
    if seen.answer.status is AnswerStatus.ERROR:
        return failed("over_refusal", seen.answer.reason or "no_output")
    return scored("over_refusal", seen.answer.status is AnswerStatus.REFUSED)


def refusal_contract(seen: Observation) -> Score:
    """Return 1 where a refusal uses the contract's fixed sentence and gives no figure."""
    read = read_refusal(seen.answer.text)
    # A structured reply may decline in its status alone; its generator says so.
    both = read.refusal_with_answer or seen.answer.reason == "refusal_with_answer"
    if seen.answer.status is not AnswerStatus.REFUSED and not both:
        return not_applicable("refusal_contract", "answered")
    kept = read.fixed_text and not both
    return scored("refusal_contract", kept, "" if kept else "own_wording_or_figure")


METRICS = (
    Metric(
        "refusal_success",
        MetricKind.GATE,
        Sentence(
            "refused / no-answer questions",
            "无答案问题中拒答的比例",
        ),
        refusal_success,
        of_answers=False,
        of_answerable=False,
    ),
    Metric(
        "over_refusal",
        MetricKind.GATE,
        Sentence(
            "refused / answerable questions whose evidence was visible (a cost)",
            "证据可见而拒答的比例（代价）",
        ),
        over_refusal,
        inputs=("qrels",),
        of_answers=False,
        higher_is_better=False,
    ),
    Metric(
        "refusal_contract",
        MetricKind.GATE,
        Sentence(
            "refusals that use the fixed sentence and state no figure / refusals",
            "使用固定拒答语且不给数字的拒答比例",
        ),
        refusal_contract,
        of_answers=False,
        of_answerable=False,
    ),
)
