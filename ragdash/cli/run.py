"""`ragdash run`: evaluates questions over a corpus and keeps the run in the store."""

from __future__ import annotations

import json
import shlex
from contextlib import closing
from pathlib import Path

import click

from ragdash.cli.execution import Plan, execute, resumed_modes
from ragdash.cli.mode_table import mode_table
from ragdash.config import load_config
from ragdash.core.errors import InputError
from ragdash.core.retrieval import Mode
from ragdash.core.run import Outcome
from ragdash.store.layout import store_dir
from ragdash.store.registry import Registry

DEFAULT_PORT = 8501


def triage_link(run_id: str, modes: tuple[Mode, ...], port: int = DEFAULT_PORT) -> str:
    """Return the address of the triage page for a run's last mode, beside its first one."""
    base = f"&base={run_id}:{modes[0].value}" if len(modes) > 1 else ""
    return f"http://127.0.0.1:{port}/triage?run={run_id}:{modes[-1].value}{base}"


def serve_command(store: Path, port: int = DEFAULT_PORT) -> str:
    """Return the command that opens the dashboard over a store, to be copied into a shell."""
    words = ["ragdash", "serve", "--store", str(store)]
    return shlex.join(words + (["--port", str(port)] if port != DEFAULT_PORT else []))


def read_modes(words: tuple[str, ...]) -> tuple[Mode, ...]:
    """Return the modes that were asked for, each once, in the order dense, hybrid, rerank.

    Raises:
        InputError: a word is no mode; all such words are named.
    """
    unknown = [w for w in words if w not in {m.value for m in Mode}]
    if unknown:
        raise InputError(
            f"unknown mode {', '.join(repr(w) for w in unknown)}: take dense, hybrid or rerank"
        )
    return tuple(m for m in Mode if not words or m.value in words)


@click.command("run")
@click.argument("modes", nargs=-1, metavar="[dense] [hybrid] [rerank]")
@click.option("--corpus", required=True, type=click.Path(path_type=Path), help="From ingest.")
@click.option("--questions", required=True, type=click.Path(path_type=Path), help="JSON lines.")
@click.option("--config", type=click.Path(path_type=Path), help="TOML; see the README.")
@click.option("--store", metavar="DIR", help="The store; default: RAGDASH_STORE.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N questions.")
@click.option("--resume", metavar="RUN", help="Go on with an interrupted run.")
@click.option("--json", "as_json", is_flag=True, help="Print run id, summaries and outcomes.")
def command(  # noqa: PLR0913 - one parameter an option
    modes: tuple[str, ...],
    corpus: Path,
    questions: Path,
    config: Path | None,
    store: str | None,
    limit: int | None,
    resume: str | None,
    as_json: bool,
) -> int:
    """Evaluate QUESTIONS over a corpus; no mode means all three."""
    from ragdash.questions import load_questions

    chosen = read_modes(modes)
    folder = store_dir(store)
    question_set = load_questions(questions)
    if limit is not None:
        question_set = question_set.first(limit)
    if resume is not None and not modes:
        chosen = resumed_modes(folder, resume)
    plan = Plan(chosen, corpus, question_set, load_config(config), folder, resume)
    run_id = execute(plan)
    return report(folder, run_id, as_json=as_json)


def report(store: Path, run_id: str, *, as_json: bool = False, port: int = DEFAULT_PORT) -> int:
    """Print what a run found; return 1 where questions ended in errors, else 0."""
    with closing(Registry.open(store, read_only=True)) as registry:
        row = next(r for r in registry.runs() if r.run_id == run_id)
        key = (row.run_id, row.version)
        metrics, outcomes = registry.summaries().get(key, []), registry.outcomes().get(key, {})
    modes = tuple(Mode(m.mode) for m in row.modes)
    if as_json:
        click.echo(
            json.dumps(
                {
                    "run": row.run_id,
                    "version": row.version,
                    "status": row.status,
                    "metrics": [_plain(m) for m in metrics],
                    "outcomes": [
                        {"mode": mode, "outcome": outcome, "n": n}
                        for (mode, outcome), n in sorted(outcomes.items())
                    ],
                },
                ensure_ascii=False,
                allow_nan=False,
            )
        )
    else:
        click.echo(mode_table(modes, metrics, outcomes))
        click.echo(f"\nrun: {run_id}")
        click.echo(
            f"triage: {triage_link(run_id, modes, port)}  (`{serve_command(store, port)}` opens it)"
        )
    return 1 if any(outcome == Outcome.ERROR for _, outcome in outcomes) else 0


def _plain(summary: object) -> dict[str, object]:
    import dataclasses

    return dataclasses.asdict(summary)  # type: ignore[call-overload, no-any-return]
