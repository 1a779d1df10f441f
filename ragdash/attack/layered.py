"""The layered policy: fourteen controls in a fixed order, and an answer out of what they leave.

Passages are cleaned and chosen (C1, C2, C3, C4, C13), then the figures and sentences in them (C14,
C8, C9, C7, C5, C10), and what is about to leave is checked (C6, C11, C12). Rules over text only;
a detector that asks a model has the shape of `Detector` and is off by default.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ragdash.attack.controls import (
    agreement,
    answering,
    hidden,
    instructions,
    normalise,
    output,
    selection,
    sources,
)
from ragdash.attack.controls.asking import read_query
from ragdash.attack.controls.findings import READ, findings_of
from ragdash.attack.controls.working import Passage, Working, fired, traced

if TYPE_CHECKING:
    from collections.abc import Callable

    from ragdash.attack.controls.instructions import Detector
    from ragdash.attack.controls.working import Control
    from ragdash.core.attack import ChunkMeta, ControlTrace, PolicyOutput, PolicyView

ON_PASSAGES: dict[str, Control] = {
    normalise.NORMALISE: normalise.normalise,
    hidden.HIDDEN: hidden.strip_hidden,
    instructions.DETECT: instructions.detect,
    sources.PROVENANCE: sources.provenance,
    sources.GUARD: sources.retrieval_guard,
}
ON_FINDINGS: dict[str, Control] = {
    selection.ENTITY: selection.entity,
    selection.PERIOD: selection.period,
    selection.CALIBER: selection.caliber,
    selection.UNIT: selection.unit,
    selection.EVIDENCE: selection.evidence_gate,
    agreement.CONFLICT: agreement.conflicts,
}
ON_OUTPUT: dict[str, Callable[[PolicyView, PolicyOutput], PolicyOutput]] = {
    output.CITATIONS: output.validate_citations,
    output.ACTIONS: output.allow_actions,
    output.SANITISE: output.sanitise,
}
MOST_TRACED = 500
CONTROLS: tuple[str, ...] = (*ON_PASSAGES, *ON_FINDINGS, *ON_OUTPUT)


@dataclass(frozen=True, slots=True)
class Layered:
    """The policy with some of its controls, all by default, in their order.

    `detectors` are asked in turn whether a sentence is an instruction.
    """

    controls: frozenset[str] = frozenset(CONTROLS)
    detectors: tuple[Detector, ...] = field(default=(instructions.instruction_in,))

    def answer(self, view: PolicyView) -> PolicyOutput:
        """Return the raw answer, before the output controls."""
        work = _begun(view)
        for name, control in ON_PASSAGES.items():
            if name in self.controls:
                detecting = name == instructions.DETECT
                work = instructions.detect(work, self.detectors) if detecting else control(work)
        # Companies of passages that were put aside count: a copy may be all that names one.
        asked = read_query(work.query, (c.meta.company for c in view.chunks))
        work = replace(work, asked=asked, findings=findings_of(asked, work.passages))
        for name, control in ON_FINDINGS.items():
            if name in self.controls:
                work = control(work)
        raw = answering.raw_answer(work)
        return replace(raw, trace=_shortened(work.trace), fired=fired(work.trace))

    def validate(self, view: PolicyView, raw: PolicyOutput) -> PolicyOutput:
        """Return what leaves, given a raw output that a fault may have been put into."""
        for name, control in ON_OUTPUT.items():
            if name in self.controls:
                raw = control(view, raw)
        return raw


def _begun(view: PolicyView) -> Working:
    """Return the passages as they come, each cut where no chunk of ours would still go on."""
    passages = tuple(
        Passage(
            place, c.id, c.text[:READ], c.trusted, replace(c.meta, hidden_spans=_within(c.meta))
        )
        for place, c in enumerate(view.chunks)
    )
    cut = [
        traced(normalise.NORMALISE, "cut", c.id, f"read to {READ:,} of {len(c.text):,} characters")
        for c in view.chunks
        if len(c.text) > READ
    ]
    return Working(view.query, passages).traced(cut)


def _within(meta: ChunkMeta) -> tuple[tuple[int, int, str], ...]:
    return tuple((start, min(end, READ), why) for start, end, why in meta.hidden_spans)


def _shortened(trace: tuple[ControlTrace, ...]) -> tuple[ControlTrace, ...]:
    """Return a trace that a person may read and a store may keep; it says what it leaves out."""
    if len(trace) <= MOST_TRACED:
        return trace
    left = len(trace) - MOST_TRACED
    return (*trace[:MOST_TRACED], traced(trace[-1].control, "cut", "", f"{left:,} more lines"))
