"""`ragdash gate`: does a RUN:mode pass the rules; 0 it does, 1 it does not, 2 nobody can say."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from ragdash.core.fingerprint import canonical_json
from ragdash.store.layout import refuse_no_store, store_dir
from ragdash.store.registry import Registry

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("gate")
@click.argument("ref", metavar="RUN:mode")
@click.option("--base", metavar="RUN:mode", help="Default: the tag `baseline`, in this mode.")
@click.option(
    "--rules",
    type=_FILE,
    metavar="FILE",
    help="TOML; default: RAGDASH_RULES, else data/gates/default.toml.",
)
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
    from ragdash.gate.asking import gated, rules_file
    from ragdash.gate.rules import load_rules

    folder = store_dir(store)
    refuse_no_store(folder)
    read = load_rules(rules_file(rules))
    with closing(Registry.open(folder, read_only=True)) as registry:
        found = gated(registry, folder, ref, base, read)
    if junit is not None:
        write_junit(junit, found)
    click.echo(canonical_json(as_data(found)) if as_json else as_text(found))
    return found.exit_code
