"""From a REF, a base and a file of rules to a verdict, for `ragdash gate` and the Gates page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ragdash import shipped
from ragdash.compare.factors import Side
from ragdash.core.errors import InputError
from ragdash.core.retrieval import Mode
from ragdash.gate.rules import Threshold
from ragdash.gate.verdict import gate_attacks, gate_questions
from ragdash.store.attach import attach
from ragdash.store.layout import run_file
from ragdash.store.registry import BASELINE
from ragdash.store.said import people_of
from ragdash.store.stored import info_of
from ragdash.views.comparison import Opened

if TYPE_CHECKING:
    from ragdash.gate.rules import Rules
    from ragdash.gate.verdict import Gated
    from ragdash.store.registered import Ref, RunRow
    from ragdash.store.registry import Registry

RULES = "RAGDASH_RULES"
_DEFAULT = "data/gates/default.toml"


def rules_file(named: Path | None = None) -> Path:
    """Return the rules that hold: those named, else those of `RAGDASH_RULES`, else the shipped."""
    if named is not None:
        return named
    asked = os.environ.get(RULES)
    return Path(asked) if asked else shipped.path(_DEFAULT)


def gated(registry: Registry, store: Path, ref: str, base: str | None, rules: Rules) -> Gated:
    """Return the verdict on a RUN:mode, against its base where a rule needs one.

    Raises:
        InputError: a REF names nothing, a run without its mode, or a run of the other kind.
        StoreError: a run file cannot be read.
    """
    this, run = _named(registry, registry.resolve(ref))
    kind = "attacks" if run.kind == "attack" else "questions"
    asked = rules.attacks if kind == "attacks" else rules.questions
    if not asked:
        raise InputError(f"the rules hold no [[{kind}]], and {this} is a run of {kind}: add one")
    if kind == "attacks":
        if base is not None:
            raise InputError(f"{this} is a run of attacks, its rules need no --base: leave it out")
        cursor = attach(run_file(store, run.run_id, run.version))
        return gate_attacks(asked, str(this), cursor, str(this.mode), run.n_questions)
    needs_base = base is not None or any(rule.test is Threshold.NON_INFERIOR for rule in asked)
    other = _base(registry, this, base) if needs_base else None
    return gate_questions(
        asked, _opened(store, this, run), None if other is None else _opened(store, *other)
    )


def _named(registry: Registry, found: Ref) -> tuple[Ref, RunRow]:
    run = next(r for r in registry.runs() if (r.run_id, r.version) == (found.run_id, found.version))
    if found.mode is None:
        modes = [mode.mode for mode in run.modes]
        if len(modes) > 1:
            named = ", ".join(modes)
            raise InputError(f"{found} has the modes {named}: name one, as {found}:{modes[0]}")
        found = found.of_mode(modes[0])
    return found, run


def _base(registry: Registry, this: Ref, asked: str | None) -> tuple[Ref, RunRow] | None:
    """Return the base; None where none was named and no baseline is set, which a rule then says."""
    if asked is None and BASELINE not in registry.tags():
        return None
    found = registry.resolve(asked or BASELINE)
    if found.mode is None:
        found = registry.resolve(f"{asked or BASELINE}:{this.mode}")
    base, run = _named(registry, found)
    if run.kind != "evaluation":
        raise InputError(f"the base {base} is a run of attacks: name a run over questions")
    if base == this:
        raise InputError(f"{this} would be its own base: name another run or mode with --base")
    return base, run


def _opened(store: Path, ref: Ref, run: RunRow) -> Opened:
    side = Side(info_of(run), Mode(str(ref.mode)), ref.version, ref.superseded)
    people = people_of(store, ref.run_id, ref.version)
    return Opened(str(ref), side, attach(run_file(store, ref.run_id, ref.version)), people)
