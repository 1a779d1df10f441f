"""`ragdash db`: is the store whole."""

from __future__ import annotations

import click

from ragdash.core.errors import StoreError
from ragdash.store.check import check
from ragdash.store.layout import store_dir


@click.group("db")
def command() -> None:
    """Look after a store."""


@command.command("check")
@click.option("--store", metavar="DIR", help="The store; default: RAGDASH_STORE.")
def check_command(store: str | None) -> None:
    """Read every file of the store whole, register runs that the registry does not know.

    Ends with 3 where a file is damaged.
    """
    folder = store_dir(store)
    if not folder.is_dir():
        raise StoreError(f"there is no store at {folder}: `ragdash demo` makes one")
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
