"""`ragdash ingest MANIFEST --corpus DIR`: files to pages to chunks to both indexes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragdash.cli.progress import Progress
from ragdash.cli.quality_table import LEGEND, quality_table
from ragdash.core.run import CorpusConfig
from ragdash.ingest.chunking import CHUNKINGS
from ragdash.ingest.quality import QUALITY

if TYPE_CHECKING:
    from ragdash.ingest.corpus import Corpus, IngestReport

PROFILES = {"embedded": "embedded:e5-small", "hub": "hub:BAAI/bge-m3"}


def build_corpus(
    manifest: Path, corpus: Path, spec: str, cut: str | None = None
) -> tuple[Corpus, IngestReport]:
    """Read the manifest's files into a corpus folder and index its chunks.

    Args:
        manifest: JSON lines, one document each.
        corpus: the folder; made where it is missing, its unchanged parts reused.
        spec: the dense model, as in a run config.
        cut: the named way to cut pages, as `[corpus] chunking`; the default where None.
    """
    from ragdash.index.corpus_index import build_index
    from ragdash.ingest.corpus import ingest, load_corpus
    from ragdash.ingest.manifest import load_manifest
    from ragdash.models.loading import load_embedder

    # Both before anything is written: a wrong line or spec must not cost what is there.
    load_manifest(manifest)
    embedder = load_embedder(spec)
    with Progress("embedding chunks") as progress, Progress("reading documents") as reading:
        report = ingest(
            manifest,
            corpus,
            lambda folder, chunks: build_index(folder, chunks, embedder, progress.update),
            reading.update,
            cut or CorpusConfig().chunking,
        )
    return load_corpus(corpus), report


def show(report: IngestReport, corpus: Path) -> None:
    """Print what went in, by name what did not, and what was found in each document."""
    reading = report.seconds - report.index_seconds
    click.echo(
        f"{_counted(report.documents, 'document')}, {_counted(report.pages, 'page')}, "
        f"{_counted(report.chunks, 'chunk')}, "
        f"{_counted(report.pages_without_text, 'page')} without text, "
        f"{reading:.1f} s reading and {report.index_seconds:.1f} s indexing"
    )
    for problem in report.problems:
        click.echo(f"  {problem.kind}: {problem.message}")
    click.echo(quality_table(report.quality))
    click.echo(f"{LEGEND}. Examples: {corpus / QUALITY}.jsonl")


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


@click.command("ingest")
@click.argument("manifest", type=click.Path(path_type=Path))
@click.option(
    "--corpus",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder to write the corpus to.",
)
@click.option(
    "--profile",
    default="embedded",
    show_default=True,
    help="embedded, hub, or the spec of a dense model (path:DIR, hub:ORG/NAME@REVISION).",
)
@click.option(
    "--chunking",
    "cut",
    type=click.Choice(list(CHUNKINGS)),
    default=CorpusConfig().chunking,
    show_default=True,
    help="How pages are cut: a page each, blocks (prose or a table), or windows of lines.",
)
def command(manifest: Path, corpus: Path, profile: str, cut: str) -> None:
    """Read the filings of MANIFEST (JSON lines) into a corpus that runs can search."""
    _, report = build_corpus(manifest, corpus, PROFILES.get(profile, profile), cut)
    show(report, corpus)
    click.echo(f"corpus: {corpus}")
