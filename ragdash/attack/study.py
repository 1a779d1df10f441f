"""One policy on one case: its view, its raw output with the fault in, its own checks, its row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ragdash.attack.isolation import PolicyError
from ragdash.attack.outcomes import Scoring, failed, score
from ragdash.attack.view import view_of

if TYPE_CHECKING:
    from ragdash.attack.isolation import Runner
    from ragdash.core.attack import AttackCase, AttackRow, PolicyOutput, PolicyView


@dataclass(frozen=True, slots=True)
class Study:
    """The cases, how trust is derived, how rows are scored, and who asks the policies."""

    cases: tuple[AttackCase, ...]
    registry: frozenset[str] | None
    scoring: Scoring
    runner: Runner

    def row(self, policy: str, case: AttackCase) -> AttackRow:
        """Return the row of one policy on one case; one that gave no output is an error."""
        view = view_of(case, self.registry)
        try:
            raw = inject_fault(case, view, self.runner.answer(policy, view))
            output = self.runner.validate(policy, view, raw)
        except PolicyError as error:
            return failed(policy, case, view, str(error), self.scoring.published)
        return score(policy, case, view, output, self.scoring)


def inject_fault(case: AttackCase, view: PolicyView, output: PolicyOutput) -> PolicyOutput:
    """Return a policy's raw output with the case's fault put in, before any validator.

    Every policy gets it; with `oracle_trust`, as published, only the first-chunk rule does.
    """
    cited = case.fault.get("raw_citations")
    if cited is None or (view.oracle_trust and not output.obeys_chunks):
        return output
    return replace(output, citations=tuple(cited))
