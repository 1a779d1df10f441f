"""Runs policies over fixtures: each case once a policy, in the order both were given."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ragdash.attack.cases import load_cases, load_registry, published_fixtures
from ragdash.attack.classes import are_the_published_six
from ragdash.attack.outcomes import (
    SUPPORT_THRESHOLD,
    Scoring,
    published_tokens,
    score,
    summarise,
)
from ragdash.attack.policies import POLICIES
from ragdash.attack.view import view_of
from ragdash.core.errors import InputError
from ragdash.core.fingerprint import digest_file
from ragdash.index.tokenize import tokenize
from ragdash.jsonlines import printable

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.core.attack import (
        AttackCase,
        AttackRow,
        AttackSummary,
        PolicyOutput,
        PolicyView,
    )

# On other files the four reference policies run only when asked for.
_DEFAULT_ON_OTHER_FILES = ("baseline", "defended")


@dataclass(frozen=True, slots=True)
class AttackPlan:
    """What to run: None and () are the defaults of the public contract.

    `max_cases` is 0 for all; `support_threshold` is a share of answer tokens, 0 to 1.
    """

    fixtures: Path | None = None
    registry: Path | None = None
    policies: tuple[str, ...] = ()
    max_cases: int = 0
    support_threshold: float = SUPPORT_THRESHOLD


@dataclass(frozen=True, slots=True)
class AttackRun:
    """Rows by policy and case, one summary a policy, and what they were made from."""

    rows: tuple[AttackRow, ...]
    summary: tuple[AttackSummary, ...]
    fixtures_name: str
    fixtures_digest: str
    registry_digest: str | None
    published: bool
    n_cases: int
    support_threshold: float

    @property
    def oracle_trust(self) -> bool:
        """Whether trust was taken from the fixtures' own flags."""
        return self.registry_digest is None

    @property
    def policies(self) -> tuple[str, ...]:
        """The policies in the order of the table."""
        return tuple(entry.policy for entry in self.summary)


def run_attacks(plan: AttackPlan) -> AttackRun:
    """Evaluate every case with every policy of the plan.

    Raises:
        InputError: a file, policy, limit or threshold of the plan is wrong; nothing has run.
    """
    _check_threshold(plan.support_threshold)
    path = plan.fixtures or published_fixtures()
    cases = load_cases(path)
    published = are_the_published_six(cases)
    names = _policies(plan.policies, published)
    _check_limit(plan.max_cases, cases)
    registry = _registry(plan.registry, cases, path)
    scoring = Scoring(
        published=published,
        support_threshold=plan.support_threshold,
        tokens=published_tokens if published else tokenize,
    )
    rows = tuple(_row(name, case, registry, scoring) for name in names for case in cases)
    return AttackRun(
        rows=rows,
        summary=tuple(summarise(name, rows) for name in names),
        fixtures_name=path.name,
        fixtures_digest=digest_file(path),
        registry_digest=digest_file(plan.registry) if plan.registry else None,
        published=published,
        n_cases=len(cases),
        support_threshold=plan.support_threshold,
    )


def inject_fault(case: AttackCase, view: PolicyView, output: PolicyOutput) -> PolicyOutput:
    """Return a policy's raw output with the case's fault put in, before any validator.

    Every policy gets it; with `oracle_trust`, as published, only the first-chunk rule does.
    """
    cited = case.fault.get("raw_citations")
    if cited is None or (view.oracle_trust and not output.obeys_chunks):
        return output
    return replace(output, citations=tuple(cited))


def _row(
    name: str, case: AttackCase, registry: frozenset[str] | None, scoring: Scoring
) -> AttackRow:
    view = view_of(case, registry)
    output = inject_fault(case, view, POLICIES[name](view))
    return score(name, case, view, output, scoring)


def _policies(asked: tuple[str, ...], published: bool) -> tuple[str, ...]:
    unknown = [name for name in asked if name not in POLICIES]
    if unknown:
        raise InputError(
            f"Policy '{printable(unknown[0])}' is not known; choose from {', '.join(POLICIES)}."
        )
    default = tuple(POLICIES) if published else _DEFAULT_ON_OTHER_FILES
    return tuple(dict.fromkeys(asked)) or default


def _check_threshold(threshold: float) -> None:
    if not math.isfinite(threshold) or not 0 <= threshold <= 1:
        raise InputError(f"--support-threshold is {threshold}; give a share between 0 and 1.")


def _check_limit(limit: int, cases: tuple[AttackCase, ...]) -> None:
    if limit < 0:
        raise InputError(f"--max-cases is {limit}; give 0 for all or a number of cases.")
    if 0 < limit < len(cases):
        kept = {case.attack_class for case in cases[:limit]}
        lost = dict.fromkeys(c.attack_class for c in cases if c.attack_class not in kept)
        dropped = f" ({', '.join(lost)} would be dropped)" if lost else ""
        raise InputError(
            f"--max-cases {limit} is below the {len(cases)} fixtures and every class must be "
            f"present{dropped}; leave it out or give {len(cases)} or more."
        )


def _registry(
    path: Path | None, cases: tuple[AttackCase, ...], fixtures: Path
) -> frozenset[str] | None:
    """Return the registered documents, or None where the fixtures name none to look up."""
    names_documents = any(chunk.meta.get("doc_id") for case in cases for chunk in case.chunks)
    if path is None and names_documents:
        raise InputError(
            f"Fixtures {fixtures} name the documents of their chunks, so trust is derived and not "
            "taken from their own flags; give the registered documents with --registry."
        )
    if path is None:
        return None
    if not names_documents:
        raise InputError(
            f"Fixtures {fixtures} name no document that registry {path} could register; "
            "leave --registry out, and the fixtures' own flags are used and marked so."
        )
    return load_registry(path)
