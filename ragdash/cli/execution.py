"""A plan carried out: models and endpoints opened, questions evaluated, the run published."""

from __future__ import annotations

import os
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from ragdash.cli.endpoints import Endpoints, described, identities, places
from ragdash.cli.environment import environment
from ragdash.cli.progress import Progress
from ragdash.core.errors import InputError, StoppedEarly
from ragdash.core.fingerprint import digest
from ragdash.core.retrieval import Mode
from ragdash.core.run import Outcome, RunConfig, RunInfo, factors
from ragdash.store.layout import new_run_id, newest_version
from ragdash.store.registry import prepare

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ragdash.cli.endpoints import Opened
    from ragdash.evaluate import Setup
    from ragdash.generate.base import Generator
    from ragdash.ingest.corpus import Corpus
    from ragdash.questions import QuestionSet
    from ragdash.store.journal import Journal

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
    with ExitStack() as undo:
        endpoints = undo.enter_context(closing(Endpoints(plan.store, plan.config.budget)))
        setup, made_with = _set_up(plan, corpus, endpoints)
        prepare(plan.store)
        journal = undo.enter_context(closing(_journal(plan, corpus, made_with)))
        endpoints.spent(journal.results())
        done, total = journal.progress()
        failed = any(r.outcome is Outcome.ERROR for r in journal.results()) if done else False
        run_id = journal.info().run_id
        with Progress(run_id) as progress, going_on(f"ragdash run --resume {run_id} ..."):
            progress.update(done, total)
            for result in evaluate(plan.questions.questions, setup, frozenset(journal.done())):
                journal.append(result)
                failed = failed or result.outcome is Outcome.ERROR
                done += 1
                progress.update(done, total)
        finished = datetime.now(UTC).isoformat(timespec="seconds")
        publish(plan.store, journal, finished, "partial" if failed else "done")
        return run_id


@contextmanager
def going_on(command: str) -> Iterator[None]:
    """Add to the error of a run that stopped early the command that goes on with it."""
    try:
        yield
    except StoppedEarly as error:
        raise StoppedEarly(f"{error}; `{command}` with the same options goes on") from error


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


def _set_up(plan: Plan, corpus: Corpus, endpoints: Endpoints) -> tuple[Setup, dict[str, object]]:
    """Open endpoints, models and index; each fails before the first question is asked.

    Returns the set-up and the environment that the run is made in.
    """
    from ragdash.evaluate import Setup
    from ragdash.index.corpus_index import open_index
    from ragdash.index.similarity import IndexSimilarity
    from ragdash.models.loading import load_embedder, load_reranker
    from ragdash.retrieve import build_retrievers

    config = plan.config
    asked = [part.endpoint for part in (config.generator, config.judge)]
    for endpoint in asked:
        if endpoint is not None:
            endpoints.check(endpoint)
    embedder = load_embedder(config.models.dense)
    index = open_index(plan.corpus, corpus.chunks, embedder.identity)
    reranker = load_reranker(config.models.reranker) if Mode.RERANK in plan.modes else None
    retrievers = build_retrievers(config.retrieval, plan.modes, index, embedder, reranker)
    # Last, as this is the first that is paid for.
    generator, judge = (endpoints.open(one) if one else None for one in asked)
    setup = Setup(
        retrievers=retrievers,
        generator=_generator(generator),
        chunks=corpus.chunks,
        top_k=config.retrieval.top_k,
        similarity=IndexSimilarity(index, embedder) if config.judge.kind == "similarity" else None,
        judge=judge.client if judge else None,
        repeats=config.judge.repeats,
        in_flight=places(generator, judge),
    )
    models: dict[str, object] = {"dense": embedder.identity, **identities(generator, judge)}
    if reranker is not None:
        models["reranker"] = reranker.identity
    made_with = {**environment(models), "corpus": _documents(corpus)}
    return setup, {**made_with, **described(config, generator, judge)}


def _documents(corpus: Corpus) -> dict[str, object]:
    """Return what was read and by which reader, whatever the chunks that it was cut into.

    The folder is where page images come from; it is no part of what a corpus is.
    """
    read = [[s.doc_id, s.sha256, s.company, s.label, s.period] for s in corpus.sources]
    # A name that is no text has no other form in a run's file.
    folder = str(corpus.folder.resolve()).encode("utf-8", "replace").decode()
    return {"documents": digest(read), "reader": corpus.reader, "folder": folder}


def _generator(opened: Opened | None) -> Generator:
    from ragdash.generate import EndpointGenerator, ExtractiveGenerator

    if opened is None:
        return ExtractiveGenerator()
    return EndpointGenerator(opened.client, opened.probe.level)


def _journal(plan: Plan, corpus: Corpus, made_with: dict[str, object]) -> Journal:
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
            environment=made_with,
        )
        return Journal.create(plan.store, info, question_ids)
    journal = Journal.open(plan.store, plan.resume)
    try:
        _refuse_other(journal.info(), plan, corpus, made_with)
    except InputError:
        journal.close()
        raise
    return journal


def _refuse_other(info: RunInfo, plan: Plan, corpus: Corpus, now_in: dict[str, object]) -> None:
    """Refuse to mix two set-ups in one run: its numbers would belong to neither."""
    if "rescored" in info.environment:
        raise InputError(
            f"run {info.run_id} is being scored again: `ragdash rescore {info.run_id}` goes on"
        )
    now = {
        "version of the code": (info.environment.get("code"), now_in["code"]),
        "model": (digest(info.environment.get("models")), digest(now_in["models"])),
        "list of modes": (info.modes, plan.modes),
        "corpus": (info.corpus_digest, corpus.digest),
        "question set": (info.questions_digest, plan.questions.digest),
        "config": (digest(factors(info.config)), digest(factors(plan.config))),
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
