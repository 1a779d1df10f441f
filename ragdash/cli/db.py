"""`ragdash db`: is the store whole, bring it up to date, remove a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ragdash.core.errors import InputError, StoreError
from ragdash.store.check import check
from ragdash.store.layout import no_store, store_dir
from ragdash.store.remove import find, refuse_tagged, remove
from ragdash.store.upgrade import upgrade

if TYPE_CHECKING:
    from pathlib import Path

_STORE = click.option("--store", metavar="DIR", help="The store; default: RAGDASH_STORE.")


@click.group("db")
def command() -> None:
    """Look after a store."""


@command.command("check")
@_STORE
def check_command(store: str | None) -> None:
    """Read every file of the store whole, register runs that the registry does not know.

    Ends with 3 where a file is damaged.
    """
    folder = _existing(store)
    report = check(folder)
    for sentence in report.mended:
        click.echo(f"mended: {sentence}")
    for sentence in report.left:
        click.echo(f"note: {sentence}")
    for sentence in report.damaged:
        click.echo(f"damaged: {sentence}", err=True)
    whole = "1 run file is" if report.n_runs == 1 else f"{report.n_runs} run files are"
    click.echo(f"{whole} whole")
    if report.damaged:
        raise StoreError(f"{len(report.damaged)} files of {folder} need you, see above")


@command.command("migrate")
@_STORE
def migrate_command(store: str | None) -> None:
    """Bring the store of an older ragdash up to date; a second time changes nothing.

    Run files are never changed, they are read as they are. Ends with 3 where a file is damaged or
    of a newer ragdash.
    """
    folder = _existing(store)
    found = upgrade(folder)
    for sentence in found.done:
        click.echo(f"migrated: {sentence}")
    for sentence in found.left:
        click.echo(f"note: {sentence}")
    for sentence in found.failed:
        click.echo(f"failed: {sentence}", err=True)
    if found.failed:
        raise StoreError(f"{len(found.failed)} files of {folder} need you, see above")
    if not found.done:
        click.echo("the store is up to date")


@command.command("rm")
@click.argument("run_id", metavar="RUN")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--force", is_flag=True, help="Also where a tag, such as baseline, stands for it.")
@_STORE
def rm_command(run_id: str, yes: bool, force: bool, store: str | None) -> None:
    """Remove a run with all its versions and its journal; reviews of it stay on record."""
    folder = _existing(store)
    found = find(folder, run_id)
    if not force:
        refuse_tagged(found)
    for path in found.files:
        click.echo(f"  {path}")
    if not yes and not click.confirm(f"Remove run {run_id} for good?", err=True):
        raise InputError(f"run {run_id} is kept")
    remove(folder, run_id, force=force)
    counts = {"reviews": found.reviews, "spot checks": found.checks}
    said = [f"{n} {what}" for what, n in counts.items() if n]
    kept = f"; {' and '.join(said)} of it stay on record" if said else ""
    click.echo(f"removed run {run_id}, {len(found.files)} files{kept}")


def _existing(store: str | None) -> Path:
    folder = store_dir(store)
    if not folder.is_dir():
        raise no_store(folder)
    return folder
