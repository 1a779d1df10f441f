"""The caliber gate: does the matched figure stand under the asked metric, scope and period."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ragdash.amounts import Match, read_chunk, restates
from ragdash.caliber import CaliberStatus, CaliberVerdict, caliber_check
from ragdash.caliber.rows import row_around
from ragdash.contract import strip_citations
from ragdash.core.diagnosis import Sentence
from ragdash.core.question import QuestionKind
from ragdash.core.score import MetricKind, Score, scored, undefined
from ragdash.metrics.base import Metric
from ragdash.metrics.numeric import cited_chunks, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ragdash.amounts import Amount
    from ragdash.core.chunk import Chunk
    from ragdash.metrics.base import Observation

_BEST_FIRST = (CaliberStatus.PASS, CaliberStatus.FAIL, CaliberStatus.NEEDS_REVIEW)


def rows_of(chunks: Iterable[Chunk], said: Amount) -> Iterator[tuple[str, str]]:
    """Yield each row or sentence that states an answered figure, and what stands above it."""
    for chunk in chunks:
        for amount in read_chunk(chunk.text, chunk.unit_note):
            if restates(said, amount):
                start, end = row_around(chunk.text, amount.span)
                above = chunk.text[:start].splitlines()[:3]
                yield chunk.text[start:end], "\n".join([chunk.section, chunk.unit_note, *above])


def check(seen: Observation) -> list[CaliberVerdict]:
    """Return the rule's verdict for each gold figure that the answer matches.

    The label is that of the figure which the answer states, in the answer and in the cited chunks:
    one fitting row is enough, since 营业总收入 and 营业收入 may be the same number.
    """
    chunks = cited_chunks(seen)
    found = []
    for gold, verdict in zip(seen.question.gold, verdicts(seen), strict=True):
        said = verdict.candidate
        if verdict.verdict is not Match.MATCH or said is None:
            continue
        if _other_company(seen, chunks):
            found.append(CaliberVerdict(CaliberStatus.FAIL, "other_company", None))
            continue
        own = replace(gold, value=said.value)
        rows = list(rows_of(chunks, said)) or [("", "")]
        checked = [caliber_check(own, seen.answer.text, said.span, *row) for row in rows]
        found.append(min(checked, key=lambda v: _BEST_FIRST.index(v.verdict)))
    return found


def _other_company(seen: Observation, chunks: Iterable[Chunk]) -> bool:
    """Whether the answer cites another company only, or names another visible one and not its own.

    Names are compared by containment ("Apple", "Apple Inc."). A comparison has several companies
    and is left to its figures.
    """
    asked = seen.question.company
    if not asked or seen.question.kind is QuestionKind.COMPARE:
        return False
    cited = {c.source.company for c in chunks}
    if cited and not any(_same_name(asked, name) for name in cited):
        return True
    text = strip_citations(seen.answer.text).casefold()
    companies = {c.source.company for c in seen.context} - {""}
    named = {company for company in companies if company.casefold() in text}
    return bool(named) and not any(_same_name(asked, name) for name in named)


def _same_name(one: str, other: str) -> bool:
    a, b = one.casefold(), other.casefold()
    return a in b or b in a


def caliber(seen: Observation) -> Score:
    """Return 1 where every label fits, 0 on a conflict; without a label a person must look."""
    if not seen.question.gold:
        return undefined("caliber", "no_gold_amount")
    found = check(seen)
    if len(found) < len(seen.question.gold):
        return undefined("caliber", "some_figures_missing" if found else "no_matched_amount")
    evidence = [
        {"verdict": v.verdict.value, "reason": v.reason, "label": v.label_found} for v in found
    ]
    conflict = next((v for v in found if v.verdict is CaliberStatus.FAIL), None)
    if conflict:
        return scored("caliber", 0, conflict.reason, verdicts=evidence)
    open_ = next((v for v in found if v.verdict is CaliberStatus.NEEDS_REVIEW), None)
    if open_:
        return undefined("caliber", "needs_review", why=open_.reason, verdicts=evidence)
    return scored("caliber", 1, "label_fits", verdicts=evidence)


METRIC = Metric(
    "caliber",
    MetricKind.GATE,
    Sentence(
        "matched figures that stand under the asked caliber / matched figures with a label (rule)",
        "口径相符的命中数字 / 带标签的命中数字（规则）",
    ),
    caliber,
    inputs=("gold",),
)
