"""Which control stopped what: the first that fired, without one, with one alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.attack.controls.sources import PROVENANCE
from ragdash.attack.layered import CONTROLS
from ragdash.attack.named import LAYERED
from ragdash.attack.orders import is_large
from ragdash.attack.outcomes import summarise, went_well
from ragdash.core.attack import ControlEffect

if TYPE_CHECKING:
    from ragdash.attack.study import Study
    from ragdash.core.attack import AttackCase, AttackRow, AttackSummary

OFF = f"{LAYERED} without {PROVENANCE}"
NOTHING = f"{LAYERED} only nothing"


def effects_of(study: Study, case: AttackCase, row: AttackRow) -> tuple[ControlEffect, ...]:
    """Return what each control does on a case, given the row of the whole layered policy.

    A control that did not fire changed nothing, so that without it nothing is different. A case too
    large to be run some twenty times over is not taken apart.
    """
    if is_large(case):
        return ()
    alone = _stopping_alone(study, case)
    return tuple(
        ControlEffect(
            control=control,
            fired=control in row.fired,
            first=row.fired[:1] == (control,),
            breaks_without=control in row.fired
            and went_well(row)
            and not went_well(study.row(f"{LAYERED} without {control}", case)),
            stops_alone=control in alone,
        )
        for control in CONTROLS
    )


def _stopping_alone(study: Study, case: AttackCase) -> frozenset[str]:
    """Return the controls each of which, alone, keeps the policy from being compromised."""
    if not study.row(NOTHING, case).compromised:
        return frozenset()
    kept = (c for c in CONTROLS if not study.row(f"{LAYERED} only {c}", case).compromised)
    return frozenset(kept)


def without_provenance(study: Study) -> AttackSummary:
    """Return the standing column: the layered policy where every document counts as registered."""
    return summarise(OFF, [study.row(OFF, case) for case in study.cases])
