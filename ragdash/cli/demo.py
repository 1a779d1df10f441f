"""`ragdash demo`: the main job on what is embedded, with no key and no network."""

from __future__ import annotations

import shlex
import time
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from ragdash import shipped
from ragdash.attack.report import as_text
from ragdash.attack.run import AttackPlan, run_attacks
from ragdash.cli.attack import publish as publish_attacks
from ragdash.cli.environment import code_digest
from ragdash.cli.execution import Plan, execute
from ragdash.cli.ingest import build_corpus, show
from ragdash.cli.run import report
from ragdash.cli.serve import DEFAULT_PORT, HOST, listening, refuse_taken, serve
from ragdash.core.errors import InputError
from ragdash.core.fingerprint import digest
from ragdash.core.retrieval import Mode
from ragdash.core.run import RunConfig
from ragdash.questions import load_questions
from ragdash.store.layout import registry_file, store_dir
from ragdash.store.live import live_runs
from ragdash.store.registry import Registry, prepare

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.attack.run import AttackRun
    from ragdash.ingest.corpus import Corpus
    from ragdash.store.registered import RunRow


@click.command("demo")
@click.option("--store", metavar="DIR", help="The store; default: RAGDASH_STORE.")
@click.option("--port", type=click.IntRange(1, 65535), default=DEFAULT_PORT, show_default=True)
@click.option("--no-serve", is_flag=True, help="End with the table; do not open the dashboard.")
def command(store: str | None, port: int, no_serve: bool) -> int:
    """Ingest the demo's reports, run three modes and the attacks, and open the dashboard.

    A second call reuses what has not changed.
    """
    if not no_serve:
        refuse_taken(port)
    folder = store_dir(store)
    code = build(folder, port)
    if not no_serve:
        click.echo(f"dashboard: http://127.0.0.1:{port}  (Ctrl-C ends it)")
        serve(folder, listening(HOST, port, ()))
    return code


def build(store: Path, port: int = DEFAULT_PORT) -> int:
    """Fill a store with the demo's run and attacks, print both, and return the exit code."""
    started = time.monotonic()
    prepare(store)
    corpus_dir, config = store / "corpora" / "demo", RunConfig()
    manifest = shipped.path("data/reports/manifest.jsonl")
    corpus, ingested = build_corpus(
        manifest, corpus_dir, config.models.dense, config.corpus.chunking
    )
    show(ingested, corpus_dir)
    questions = load_questions(shipped.path("data/questions/demo.jsonl"))
    plan = Plan(tuple(Mode), corpus_dir, questions, config, store)
    run_id = _same_run(plan, corpus) or _resumed(plan) or execute(plan)
    _attacks(store)
    # Not part of the demo: it asks every question of its passages twice in three modes.
    places = f"--corpus {shlex.quote(str(corpus_dir))} --store {shlex.quote(str(store))}"
    click.echo(f"attacks through the retriever: `ragdash attack --pipeline {places}`\n")
    code = report(store, run_id, port=port)
    click.echo(f"demo: {time.monotonic() - started:.0f} s; reports typeset from public figures")
    return code


def _same_run(plan: Plan, corpus: Corpus) -> str | None:
    """Return the newest finished run of the very same plan by the same code, if there is one."""
    if not registry_file(plan.store).is_file():
        return None
    with closing(Registry.open(plan.store)) as registry:
        for row in registry.runs():
            same_inputs = (
                row.corpus_digest == corpus.digest
                and row.questions_digest == plan.questions.digest
                and row.config_digest == digest(plan.config)
                and tuple(m.mode for m in row.modes) == tuple(m.value for m in plan.modes)
            )
            same_code = row.environment.get("code") == code_digest()
            if same_inputs and same_code and row.status == "done":
                click.echo(f"run {row.run_id} is reused: nothing has changed", err=True)
                return row.run_id
    return None


def _resumed(plan: Plan) -> str | None:
    """Go on with a run of the demo that was stopped in the middle, where inputs and code fit."""
    for live in live_runs(plan.store):
        if live.questions_name == plan.questions.name and not live.alive:
            try:
                return execute(replace(plan, resume=live.run_id))
            except InputError as error:
                click.echo(f"{error}", err=True)
    return None


def _attacks(store: Path) -> None:
    """Run the published six, and keep them where the store has no equal run yet."""
    started = datetime.now(UTC)
    run = run_attacks(AttackPlan())
    with closing(Registry.open(store)) as registry:
        known = any(_is_same(row, run) for row in registry.runs())
    if not known:
        publish_attacks(run, store, started)
    click.echo(as_text(run))
    click.echo()


def _is_same(row: RunRow, run: AttackRun) -> bool:
    return row.kind == "attack" and row.questions_digest == run.fixtures_digest
