"""`ragdash ingest MANIFEST --corpus DIR`: files to pages to chunks to both indexes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragdash.cli.progress import Progress

if TYPE_CHECKING:
    from ragdash.ingest.corpus import Corpus, IngestReport

PROFILES = {"embedded": "embedded:e5-small", "hub": "hub:BAAI/bge-m3"}


def build_corpus(manifest: Path, corpus: Path, spec: str) -> tuple[Corpus, IngestReport]:
    """Read the manifest's files into a corpus folder and index its chunks.

    Args:
        manifest: JSON lines, one document each.
        corpus: the folder; made where it is missing, its unchanged parts reused.
        spec: the dense model, as in a run config.
    """
    from ragdash.index.corpus_index import build_index
    from ragdash.ingest.corpus import ingest, load_corpus
    from ragdash.ingest.manifest import load_manifest
    from ragdash.models.loading import load_embedder

    # Both before anything is written: a wrong line or spec must not cost what is there.
    load_manifest(manifest)
    embedder = load_embedder(spec)
    with Progress("embedding chunks") as progress:
        report = ingest(
            manifest,
            corpus,
            lambda folder, chunks: build_index(folder, chunks, embedder, progress.update),
        )
    return load_corpus(corpus), report


def show(report: IngestReport) -> None:
    """Print what went in, and by name what did not."""
    click.echo(
        f"{report.documents} documents, {report.pages} pages, {report.chunks} chunks, "
        f"{report.pages_without_text} pages without text, {report.seconds:.1f} s"
    )
    for problem in report.problems:
        click.echo(f"  {problem.kind}: {problem.message}")


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
def command(manifest: Path, corpus: Path, profile: str) -> None:
    """Read the filings of MANIFEST (JSON lines) into a corpus that runs can search."""
    _, report = build_corpus(manifest, corpus, PROFILES.get(profile, profile))
    show(report)
    click.echo(f"corpus: {corpus}")
