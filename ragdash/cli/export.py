"""`ragdash export`: the rows that a filter holds, whole; `export reviews`: what people said."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragdash.core.errors import InputError
from ragdash.store.layout import refuse_no_store, store_dir
from ragdash.store.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator

REVIEWS = "reviews"
_FORMATS = ("csv", "parquet", "jsonl", "html")


@click.command("export")
@click.argument("ref", metavar="REF|reviews")
@click.option(
    "--format", "format_", type=click.Choice(_FORMATS), help="Default: the file's ending."
)
@click.option("-o", "--output", "output", required=True, metavar="PATH", help="A file, or - .")
@click.option("--where", default="", metavar="FILTER", help="Only these rows (README, Filter).")
@click.option("--base", metavar="REF", help="What `change:` is held against.")
@click.option("--lang", type=click.Choice(("en", "zh")), default="en", help="Words of the report.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("--store", metavar="DIR", help="The store; default: RAGDASH_STORE.")
def command(  # noqa: PLR0913 - click hands over every option
    ref: str,
    format_: str | None,
    output: str,
    where: str,
    base: str | None,
    lang: str,
    force: bool,
    store: str | None,
) -> None:
    """Write the rows of REF (a run, RUN:mode or a tag) that a filter holds, each whole.

    `ragdash export reviews` writes every review and spot check of the store, superseded ones and
    those of removed runs too. The file is written beside and renamed: it is whole or not there.
    """
    from ragdash.export.target import STDOUT, print_out, put, refuse_taken

    chosen = _format(format_, output)
    folder = store_dir(store)
    refuse_no_store(folder)
    if output != STDOUT:
        refuse_taken(Path(output), force=force)
    if ref == REVIEWS:
        if where or base:
            raise InputError("export reviews takes no --where and no --base: it writes all of them")
        n, pieces = _reviews(folder, chosen)
    else:
        n, pieces = _rows(folder, ref, (where, base), (chosen, lang))
    if output == STDOUT:
        print_out(pieces)
        return
    size = put(Path(output), pieces, force=force)
    click.echo(f"{n} rows, {size:,} bytes: {output}", err=True)


def _format(named: str | None, output: str) -> str:
    ending = Path(output).suffix.removeprefix(".").lower()
    if named is not None:
        return named
    if ending not in _FORMATS:
        raise InputError(f"{output!r} does not say as what: add --format {'|'.join(_FORMATS)}")
    return ending


def _rows(
    folder: Path, ref: str, asked: tuple[str, str | None], form: tuple[str, str]
) -> tuple[int, Iterator[bytes]]:
    from ragdash.export.asking import selected
    from ragdash.export.formats import Format, written
    from ragdash.views.filtered import unmeasured

    with closing(Registry.open(folder, read_only=True)) as registry:
        chosen = selected(registry, folder, ref, where=asked[0], base=asked[1])
    if names := unmeasured(chosen.cursor, chosen.where):
        click.echo(f"note: {chosen.ref} has no value of {', '.join(names)}", err=True)
    return len(chosen.keys), written(chosen, Format(form[0]), form[1])


def _reviews(folder: Path, format_: str) -> tuple[int, Iterator[bytes]]:
    from ragdash.export.formats import Format
    from ragdash.export.opinion_files import reviews_written

    return reviews_written(folder, Format(format_))
