"""`ragdash gate`: does a RUN:mode pass the rules; 0 it does, 1 it does not, 2 nobody can say."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragdash import shipped
from ragdash.core.errors import InputError, StoreError
from ragdash.core.fingerprint import canonical_json
from ragdash.core.retrieval import Mode
from ragdash.store.layout import registry_file, run_file, store_dir
from ragdash.store.registry import Ref, Registry

if TYPE_CHECKING:
    from ragdash.gate.rules import Rules
    from ragdash.gate.verdict import Gated
    from ragdash.store.registry import RunRow
    from ragdash.views.comparison import Opened

DEFAULT = "data/gates/default.toml"
BASELINE = "baseline"
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("gate")
@click.argument("ref", metavar="RUN:mode")
@click.option("--base", metavar="RUN:mode", help="Default: the tag `baseline`, in this mode.")
@click.option("--rules", type=_FILE, metavar="FILE", help=f"TOML; default: {DEFAULT}.")
@click.option("--json", "as_json", is_flag=True, help="The same as data.")
@click.option("--junit", type=_FILE, metavar="FILE", help="Write JUnit XML, a test case a rule.")
@click.option("--store", metavar="DIR", help="The store; default: RAGDASH_STORE.")
def command(  # noqa: PLR0913 - click hands over every option
    ref: str,
    base: str | None,
    rules: Path | None,
    as_json: bool,
    junit: Path | None,
    store: str | None,
) -> int:
    """Hold one mode of a run (or one policy of an attack run) against a file of rules.

    Ends with 0 where every rule passes, 1 where one fails, 2 where one cannot be said.
    """
    from ragdash.cli.gate_report import as_data, as_text, write_junit
    from ragdash.gate.rules import load_rules

    folder = store_dir(store)
    if not registry_file(folder).is_file():
        raise StoreError(f"there is no store at {folder}: `ragdash demo` makes one")
    read = load_rules(rules or shipped.path(DEFAULT))
    with closing(Registry.open(folder, read_only=True)) as registry:
        found = gated(registry, folder, ref, base, read)
    if junit is not None:
        write_junit(junit, found)
    click.echo(canonical_json(as_data(found)) if as_json else as_text(found))
    return found.exit_code


def gated(registry: Registry, store: Path, ref: str, base: str | None, rules: Rules) -> Gated:
    """Return the verdict on a RUN:mode, against its base where a rule needs one.

    Raises:
        InputError: a REF names nothing, a run without its mode, or a run of the other kind.
        StoreError: a run file cannot be read.
    """
    from ragdash.gate.rules import Threshold
    from ragdash.gate.verdict import gate_attacks, gate_questions
    from ragdash.store.attach import attach

    this, run = _named(registry, ref)
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


def _named(registry: Registry, ref: str) -> tuple[Ref, RunRow]:
    found = registry.resolve(ref)
    run = next(r for r in registry.runs() if (r.run_id, r.version) == (found.run_id, found.version))
    if found.mode is None:
        modes = [mode.mode for mode in run.modes]
        if len(modes) > 1:
            named = ", ".join(modes)
            raise InputError(f"{found} has the modes {named}: name one, as {found}:{modes[0]}")
        found = Ref(found.run_id, found.version, modes[0])
    return found, run


def _base(registry: Registry, this: Ref, asked: str | None) -> tuple[Ref, RunRow] | None:
    """Return the base; None where none was named and no baseline is set, which a rule then says."""
    if asked is None and BASELINE not in registry.tags():
        return None
    found = registry.resolve(asked or BASELINE)
    if found.mode is None:
        found = registry.resolve(f"{asked or BASELINE}:{this.mode}")
    base, run = _named(registry, str(found))
    if run.kind != "evaluation":
        raise InputError(f"the base {base} is a run of attacks: name a run over questions")
    if base == this:
        raise InputError(f"{this} would be its own base: name another run or mode with --base")
    return base, run


def _opened(store: Path, ref: Ref, run: RunRow) -> Opened:
    from ragdash.compare.factors import Side
    from ragdash.store.attach import attach
    from ragdash.store.stored import info_of
    from ragdash.views.comparison import Opened

    side = Side(info_of(run), Mode(str(ref.mode)), ref.version)
    return Opened(str(ref), side, attach(run_file(store, ref.run_id, ref.version)))
