"""`ragdash run`: evaluates questions over a corpus and keeps the run in the store."""

from __future__ import annotations

import json
import os
import shlex
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragdash.cli.environment import environment
from ragdash.cli.mode_table import mode_table
from ragdash.cli.progress import Progress
from ragdash.config import load_config
from ragdash.core.errors import InputError
from ragdash.core.fingerprint import digest
from ragdash.core.retrieval import Mode
from ragdash.core.run import Outcome, RunConfig, RunInfo
from ragdash.store.layout import new_run_id, newest_version, store_dir
from ragdash.store.registry import Registry, prepare

if TYPE_CHECKING:
    from ragdash.evaluate import Setup
    from ragdash.ingest.corpus import Corpus
    from ragdash.questions import QuestionSet
    from ragdash.store.journal import Journal

DEFAULT_PORT = 8501
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Plan:
    """One invocation: what is run over what, and where it is kept."""

    modes: tuple[Mode, ...]
    corpus: Path
    questions: QuestionSet
    config: RunConfig
    store: Path
    resume: str | None = None


def execute(plan: Plan) -> str:
    """Run a plan to its end and return the run id; an interrupted run can be resumed.

    Raises:
        InputError: the corpus or a resumed run does not fit the plan; nothing has been asked.
        ModelNotFound: a model is not to be had.
    """
    from ragdash.evaluate import evaluate
    from ragdash.ingest.corpus import load_corpus
    from ragdash.questions import misplaced
    from ragdash.store.runfile import publish

    corpus = load_corpus(plan.corpus)
    _refuse_other_chunking(plan, corpus)
    _warn(misplaced(plan.questions.questions, corpus.sources))
    setup, identities = _set_up(plan, corpus)
    prepare(plan.store)
    with closing(_journal(plan, corpus, identities)) as journal:
        done, total = journal.progress()
        failed = any(r.outcome is Outcome.ERROR for r in journal.results()) if done else False
        with Progress(journal.info().run_id) as progress:
            progress.update(done, total)
            for result in evaluate(plan.questions.questions, setup, frozenset(journal.done())):
                journal.append(result)
                failed = failed or result.outcome is Outcome.ERROR
                done += 1
                progress.update(done, total)
        finished = datetime.now(UTC).isoformat(timespec="seconds")
        publish(plan.store, journal, finished, "partial" if failed else "done")
        return journal.info().run_id


def _refuse_other_chunking(plan: Plan, corpus: Corpus) -> None:
    """Refuse a corpus that was cut otherwise than the config says: the run would be named wrong."""
    asked = plan.config.corpus.chunking
    if corpus.chunking and corpus.chunking != asked:
        raise InputError(
            f"the corpus {plan.corpus} was cut into chunks by {corpus.chunking!r}, the config says "
            f"{asked!r}: write [corpus] chunking = {corpus.chunking!r}, or ingest it again with "
            f"--chunking {asked}"
        )


def _warn(sentences: list[str]) -> None:
    """Show the first few on stderr, and how many there are."""
    for sentence in sentences[:_SHOWN]:
        click.echo(f"warning: {sentence}", err=True)
    if len(sentences) > _SHOWN:
        click.echo(f"warning: and {len(sentences) - _SHOWN} more like these", err=True)


def _set_up(plan: Plan, corpus: Corpus) -> tuple[Setup, dict[str, object]]:
    """Load the models and open the index; both fail before the first question is asked."""
    from ragdash.evaluate import Setup
    from ragdash.generate import GENERATORS
    from ragdash.index.corpus_index import open_index
    from ragdash.index.similarity import IndexSimilarity
    from ragdash.models.loading import load_embedder, load_reranker
    from ragdash.retrieve import build_retrievers

    config = plan.config
    embedder = load_embedder(config.models.dense)
    index = open_index(plan.corpus, corpus.chunks, embedder.identity)
    reranker = load_reranker(config.models.reranker) if Mode.RERANK in plan.modes else None
    retrievers = build_retrievers(config.retrieval, plan.modes, index, embedder, reranker)
    setup = Setup(
        retrievers=retrievers,
        generator=GENERATORS[config.generator](),
        chunks=corpus.chunks,
        top_k=config.retrieval.top_k,
        similarity=IndexSimilarity(index, embedder) if config.judge == "similarity" else None,
    )
    models: dict[str, object] = {"dense": embedder.identity}
    if reranker is not None:
        models["reranker"] = reranker.identity
    return setup, models


def _journal(plan: Plan, corpus: Corpus, models: dict[str, object]) -> Journal:
    from ragdash.store.journal import Journal

    question_ids = [q.id for q in plan.questions.questions]
    if plan.resume is None:
        started = datetime.now(UTC)
        info = RunInfo(
            run_id=new_run_id(started, plan.questions.name, f"{os.getpid()}-{started.isoformat()}"),
            started_at=started.isoformat(timespec="seconds"),
            modes=plan.modes,
            config=plan.config,
            corpus_name=corpus.name,
            corpus_digest=corpus.digest,
            questions_name=plan.questions.name,
            questions_digest=plan.questions.digest,
            n_questions=len(question_ids),
            environment=environment(models),
        )
        return Journal.create(plan.store, info, question_ids)
    journal = Journal.open(plan.store, plan.resume)
    try:
        _refuse_other(journal.info(), plan, corpus, environment(models))
    except InputError:
        journal.close()
        raise
    return journal


def _refuse_other(info: RunInfo, plan: Plan, corpus: Corpus, now_in: dict[str, object]) -> None:
    """Refuse to mix two set-ups in one run: its numbers would belong to neither."""
    now = {
        "version of the code": (info.environment.get("code"), now_in["code"]),
        "model": (digest(info.environment.get("models")), digest(now_in["models"])),
        "list of modes": (info.modes, plan.modes),
        "corpus": (info.corpus_digest, corpus.digest),
        "question set": (info.questions_digest, plan.questions.digest),
        "config": (digest(info.config), digest(plan.config)),
    }
    other = [name for name, (before, after) in now.items() if before != after]
    if "list of modes" in other:
        # The reranker is loaded for its mode only, so that the models differ with the modes.
        other = [name for name in other if name != "model"]
    if other:
        raise InputError(
            f"run {info.run_id} cannot be resumed with another {' and '.join(other)}: give what it "
            "was started with, or start a new run without --resume"
        )


def resumed_modes(store: Path, run_id: str) -> tuple[Mode, ...]:
    """Return the modes that an interrupted run was started with, without taking its lock."""
    from ragdash.store.live import live_runs

    for live in live_runs(store):
        if live.run_id == run_id:
            return tuple(Mode(m) for m in live.modes)
    if newest_version(store, run_id):
        raise InputError(f"run {run_id} is finished: there is nothing to resume")
    raise InputError(
        f"run {run_id} cannot be resumed: no journal of it in {store}; `ragdash db check` lists "
        "the runs that can"
    )


def triage_link(run_id: str, modes: tuple[Mode, ...], port: int = DEFAULT_PORT) -> str:
    """Return the address of the triage page for a run's last mode."""
    return f"http://127.0.0.1:{port}/triage?run={run_id}:{modes[-1].value}"


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
