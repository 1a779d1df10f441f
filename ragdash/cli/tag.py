"""`ragdash tag`: give a run a name that scripts can rely on."""

from __future__ import annotations

import getpass
from contextlib import closing
from datetime import UTC, datetime

import click

from ragdash.store.layout import refuse_no_store, store_dir
from ragdash.store.registry import Registry


@click.command("tag")
@click.argument("ref", metavar="REF")
@click.argument("name", metavar="NAME")
@click.option("--reason", required=True, metavar="TEXT", help="Why; kept for good.")
@click.option("--author", metavar="NAME", help="Who; default: the user of this machine.")
@click.option("--store", metavar="DIR", help="The store; default: RAGDASH_STORE.")
def command(ref: str, name: str, reason: str, author: str | None, store: str | None) -> None:
    """Let NAME stand for REF (a run, RUN:mode or another tag) from now on.

    `baseline` is the tag that gates compare with. Earlier meanings stay on record.
    """
    folder = store_dir(store)
    # Opening it would make an empty one, at a place that was mistyped.
    refuse_no_store(folder)
    with closing(Registry.open(folder)) as registry:
        before = registry.tags().get(name)
        tag = registry.tag(
            ref,
            name,
            reason=reason,
            author=author or _user(),
            at=datetime.now(UTC).isoformat(timespec="seconds"),
        )
    moved = f" (was {before.ref})" if before else ""
    click.echo(f"{name} is now {tag.ref}{moved}")


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "unknown"
