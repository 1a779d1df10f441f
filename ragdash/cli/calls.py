"""`ragdash calls`: what the cache of model calls holds, and forgetting it."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from ragdash.core.errors import InputError, StoreError
from ragdash.store.calls import CallStore, CallTotal
from ragdash.store.layout import calls_file, store_dir

if TYPE_CHECKING:
    from pathlib import Path

_STORE = click.option("--store", metavar="DIR", help="The store; default: RAGDASH_STORE.")


@click.group("calls")
def command() -> None:
    """See or clear the cache of calls to generators and judges.

    A call in it is not asked, and not paid, again.
    """


@command.command("show")
@_STORE
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def show_command(store: str | None, as_json: bool) -> None:
    """Print calls, tokens, cost and age by host, model and stage."""
    with CallStore(_existing(store)) as cache:
        totals = cache.show()
    if as_json:
        for total in totals:
            click.echo(json.dumps(asdict(total), ensure_ascii=False))
        return
    if not totals:
        click.echo("no calls are kept")
        return
    rows = [
        ("host", "model", "stage", "calls", "tokens", "cost", "asked"),
        *(_row(t) for t in totals),
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        click.echo("  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip())


@command.command("clear")
@_STORE
@click.option("--model", metavar="NAME", help="Only calls of this model.")
@click.option(
    "--before", metavar="WHEN", help="Only calls asked before: 2026-11-30, or 30d, or 12h ago."
)
@click.option("--yes", is_flag=True, help="Clear everything without --model or --before.")
def clear_command(store: str | None, model: str | None, before: str | None, yes: bool) -> None:
    """Forget calls; a run asks for them again, which may cost money."""
    if model is None and before is None and not yes:
        raise InputError(
            "this would forget every call of the store: name --model or --before, or say --yes"
        )
    with CallStore(_existing(store)) as cache:
        n = cache.clear(model=model, before=None if before is None else _moment(before))
    click.echo(f"forgot {n} call{'' if n == 1 else 's'}")


def _existing(store: str | None) -> Path:
    folder = store_dir(store)
    if not calls_file(folder).is_file():
        # Opening it would make an empty one, at a place that was mistyped.
        raise StoreError(
            f"{folder} has no cache of calls: a run with an endpoint makes one, or name the store "
            "with --store"
        )
    return folder


def _row(total: CallTotal) -> tuple[str, ...]:
    tokens = f"{total.tokens:,}" + (f" ({total.n_untold} untold)" if total.n_untold else "")
    cost = f"{total.cost:.4f}" + (
        f" ({total.n_unpriced} without price)" if total.n_unpriced else ""
    )
    if total.n_untold == total.n:
        tokens = "untold"
    if total.n_unpriced == total.n:
        cost = "no price"
    asked = total.oldest if total.oldest == total.newest else f"{total.oldest} to {total.newest}"
    named = (_plain(total.host), _plain(total.model), total.stage)
    return (*named, f"{total.n:,}", tokens, cost, asked)


def _plain(text: str) -> str:
    """Return a name without what a terminal would take for a command."""
    return "".join(c if c.isprintable() else "?" for c in text)


def _moment(text: str) -> datetime:
    unit = {"d": "days", "h": "hours"}.get(text[-1:])
    try:
        if unit and text[:-1].isascii() and text[:-1].isdigit():
            return datetime.now(UTC) - timedelta(**{unit: int(text[:-1])})
        found = datetime.fromisoformat(text)
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"--before {text!r} is no moment: write a date (2026-11-30) or an age (30d, 12h)"
        ) from error
    return found if found.tzinfo else found.astimezone()
