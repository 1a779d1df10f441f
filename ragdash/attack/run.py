"""Runs policies over fixtures: each case once a policy, in the order both were given."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ragdash.attack.attribution import effects_of, without_provenance
from ragdash.attack.cases import load_cases, load_registry, published_fixtures
from ragdash.attack.classes import are_the_published_six
from ragdash.attack.isolation import InProcesses, InThisProcess
from ragdash.attack.named import LAYERED
from ragdash.attack.orders import orders_of
from ragdash.attack.outcomes import (
    SUPPORT_THRESHOLD,
    Scoring,
    summarise,
)
from ragdash.attack.policies import POLICIES
from ragdash.attack.study import Study
from ragdash.attack.trusted import with_sentences
from ragdash.core.errors import InputError
from ragdash.core.fingerprint import digest, digest_file
from ragdash.index.tokenize import tokenize
from ragdash.metrics.token_support import published_tokens

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.core.attack import (
        AttackCase,
        AttackRow,
        AttackSummary,
    )

# On other files the four reference policies run only when asked for.
_DEFAULT_ON_OTHER_FILES = ("baseline", "defended", LAYERED)


@dataclass(frozen=True, slots=True)
class AttackPlan:
    """What to run: None and () are the defaults of the public contract.

    `max_cases` is 0 for all; `support_threshold` is a share of answer tokens, 0 to 1. `trusted` are
    the two sentences that stand in for the trusted texts of the published six. `isolated`
    puts the policies into processes of their own. `studied` runs every order of the chunks and
    takes the layered policy's controls apart.
    """

    fixtures: Path | None = None
    registry: Path | None = None
    policies: tuple[str, ...] = ()
    max_cases: int = 0
    support_threshold: float = SUPPORT_THRESHOLD
    trusted: tuple[str, ...] = ()
    isolated: bool = True
    studied: bool = False


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
    if plan.trusted:
        cases = with_sentences(cases, plan.trusted)
    names = _policies(plan.policies, published)
    _check_limit(plan.max_cases, cases)
    registry = _registry(plan.registry, cases, path)
    scoring = Scoring(
        published=published,
        support_threshold=plan.support_threshold,
        tokens=published_tokens if published else tokenize,
    )
    if plan.isolated:
        with InProcesses() as runner:
            return _evaluated(plan, path, Study(cases, registry, scoring, runner), names)
    return _evaluated(plan, path, Study(cases, registry, scoring, InThisProcess()), names)


def _evaluated(plan: AttackPlan, path: Path, study: Study, names: tuple[str, ...]) -> AttackRun:
    for name in names:
        study.runner.check(name)
    rows = tuple(_row(plan, study, name, case) for name in names for case in study.cases)
    summary = [summarise(name, rows) for name in names]
    if plan.studied and LAYERED in names:
        off = without_provenance(study)
        summary = [replace(e, provenance_off=off) if e.policy == LAYERED else e for e in summary]
    own = digest_file(path)
    return AttackRun(
        rows=rows,
        summary=tuple(summary),
        fixtures_name=path.name,
        fixtures_digest=digest([own, *plan.trusted]) if plan.trusted else own,
        registry_digest=digest_file(plan.registry) if plan.registry else None,
        published=study.scoring.published,
        n_cases=len(study.cases),
        support_threshold=plan.support_threshold,
    )


def _row(plan: AttackPlan, study: Study, name: str, case: AttackCase) -> AttackRow:
    row = study.row(name, case)
    if not plan.studied or row.error:
        return row
    effects = effects_of(study, case, row) if name == LAYERED else ()
    return replace(row, orders=orders_of(study, case, row), effects=effects)


def _policies(asked: tuple[str, ...], published: bool) -> tuple[str, ...]:
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
