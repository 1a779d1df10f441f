"""`ragdash attack --pipeline`: hostile passages through the retriever of a corpus."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from ragdash import shipped
from ragdash.attack.named import LAYERED
from ragdash.cli.environment import environment
from ragdash.cli.progress import Progress
from ragdash.cli.run import read_modes
from ragdash.core.attack import AttackInfo
from ragdash.core.errors import InputError, StoreError
from ragdash.core.fingerprint import digest, digest_file
from ragdash.core.retrieval import Mode

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.attack.hostile import HostileSet
    from ragdash.attack.pipeline import Pipeline, PipelineRun
    from ragdash.core.run import RunConfig
    from ragdash.ingest.corpus import Corpus

FIXTURES = "data/attacks/pipeline.jsonl"
DOCUMENTS = "data/attacks/web/manifest.jsonl"
QUESTIONS = "data/questions/demo.jsonl"


@dataclass(frozen=True, slots=True)
class PipelineOptions:
    """What was asked for; None and () are the defaults: our passages for the demo's corpus."""

    corpus: Path
    fixtures: Path | None = None
    registry: Path | None = None
    questions: Path | None = None
    config: Path | None = None
    modes: str = ""
    policies: tuple[str, ...] = ()
    support_threshold: float = 0.4


@dataclass(frozen=True, slots=True)
class _Inputs:
    """Everything that was read, before a model is loaded."""

    corpus: Corpus
    config: RunConfig
    hostile: HostileSet
    modes: tuple[Mode, ...]
    fixtures_name: str
    fixtures_digest: str
    questions_digest: str


@dataclass(frozen=True, slots=True)
class Done:
    """A run with what identifies it, to be stored or printed."""

    run: PipelineRun
    info: AttackInfo


def attack_pipeline(options: PipelineOptions) -> Done:
    """Run the attacks and return them; nothing is written.

    Raises:
        InputError: a file, mode, policy or threshold is wrong, or the corpus has no index.
        ModelNotFound: a model is not to be had.
    """
    from ragdash.attack.pipeline import PipelinePlan, run_pipeline

    started = datetime.now(UTC)
    inputs = _read(options)
    pipeline, models = _pipeline(options, inputs)
    with Progress("attacked questions") as progress:
        run = run_pipeline(
            PipelinePlan(
                inputs.hostile,
                inputs.modes,
                options.policies or (LAYERED,),
                options.support_threshold,
                on_result=progress.update,
            ),
            pipeline,
        )
    return Done(run, _info(run, inputs, options, models, started))


def command(options: PipelineOptions, store: Path | None, *, as_json: bool) -> int:
    """Run, keep where a store is named, and print; return the exit code."""
    from ragdash.attack.pipeline_report import pipeline_object, pipeline_text

    done = attack_pipeline(options)
    kept = publish(done, store) if store else None
    if as_json:
        click.echo(json.dumps(pipeline_object(done.run), ensure_ascii=False, allow_nan=False))
    else:
        click.echo(pipeline_text(done.run, done.info.corpus_name or ""))
    if kept:
        click.echo(f"stored: {kept}", err=True)
    return 1 if any(row.error for row in done.run.rows) else 0


def publish(done: Done, store: Path) -> Path:
    """Write a run into a store as a run of its own and return its file.

    Raises:
        RagdashError: the store cannot take it.
    """
    from ragdash.store.runfile import publish_attack

    finished = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        return publish_attack(store, done.info, done.run.rows, done.run.summary, finished)
    except OSError as error:
        raise StoreError(
            f"Store {store} cannot be written ({error.strerror}); name a folder with --store."
        ) from error


def _read(options: PipelineOptions) -> _Inputs:
    """Read corpus, config, questions and passages, and refuse what is wrong in any of them."""
    from ragdash.attack.hostile import hostile_cases, plant, unregistered
    from ragdash.config import load_config
    from ragdash.ingest.corpus import load_corpus
    from ragdash.questions import load_questions

    if not 0 <= options.support_threshold <= 1:
        raise InputError(
            f"--support-threshold is {options.support_threshold}; give a share between 0 and 1."
        )
    words = [word.strip() for word in options.modes.split(",") if word.strip()]
    modes = read_modes(tuple(words))
    config = load_config(options.config)
    if config.generator.kind != "extractive":
        raise InputError(
            f"--config {options.config} has generator {config.generator.kind!r}; attacks on the "
            "pipeline run with the extractive one, leave [generator] out."
        )
    ours = options.fixtures is None
    fixtures = options.fixtures or shipped.path(FIXTURES)
    cases = hostile_cases(fixtures, options.registry)
    corpus = load_corpus(options.corpus)
    asked = options.questions or (shipped.path(QUESTIONS) if ours else None)
    question_set = load_questions(asked) if asked else None
    questions = question_set.questions if question_set else ()
    manifest = shipped.path(DOCUMENTS) if ours else None
    hostile = plant(cases, unregistered(manifest, corpus) if manifest else (), corpus, questions)
    if ours:
        _refuse_other_corpus(corpus, hostile)
    own = digest_file(fixtures)
    planted = sorted({chunk.source.sha256 for chunk in hostile.chunks})
    return _Inputs(
        corpus=corpus,
        config=config,
        hostile=hostile,
        modes=modes,
        fixtures_name=fixtures.name,
        fixtures_digest=digest([own, *planted]),
        questions_digest=question_set.digest if question_set else "",
    )


def _refuse_other_corpus(corpus: Corpus, hostile: HostileSet) -> None:
    held = {source.doc_id for source in corpus.sources}
    if not any(evidence.doc_id in held for q in hostile.questions for evidence in q.evidence):
        raise InputError(
            f"Our hostile passages are made for the demo's reports, and corpus {corpus.folder} "
            "holds none of them; give your own with --fixtures and --questions "
            "(data/attacks/source/passages.py of the repository writes some for any corpus)."
        )


def _pipeline(options: PipelineOptions, inputs: _Inputs) -> tuple[Pipeline, dict[str, object]]:
    """Load the models and open the corpus's index."""
    from ragdash.attack.pipeline import Pipeline
    from ragdash.generate import ExtractiveGenerator
    from ragdash.index.corpus_index import open_index
    from ragdash.models.loading import load_embedder, load_reranker

    config, corpus = inputs.config, inputs.corpus
    embedder = load_embedder(config.models.dense)
    index = open_index(options.corpus, corpus.chunks, embedder.identity)
    reranker = load_reranker(config.models.reranker) if Mode.RERANK in inputs.modes else None
    models: dict[str, object] = {"dense": embedder.identity}
    if reranker is not None:
        models["reranker"] = reranker.identity
    pipeline = Pipeline(corpus, config.retrieval, index, embedder, reranker, ExtractiveGenerator())
    return pipeline, models


def _info(
    run: PipelineRun,
    inputs: _Inputs,
    options: PipelineOptions,
    models: dict[str, object],
    started: datetime,
) -> AttackInfo:
    from ragdash.store.codec import encode
    from ragdash.store.layout import new_run_id

    corpus = inputs.corpus
    return AttackInfo(
        run_id=new_run_id(started, f"attack-pipeline-{corpus.name}", str(os.getpid())),
        started_at=started.isoformat(timespec="seconds"),
        fixtures_name=inputs.fixtures_name,
        fixtures_digest=inputs.fixtures_digest,
        registry_digest=digest(sorted(source.sha256 for source in corpus.sources)),
        oracle_trust=False,
        policies=run.policies,
        n_cases=run.n_cases,
        support_threshold=options.support_threshold,
        environment=environment(models),
        corpus_name=corpus.name,
        corpus_digest=corpus.digest,
        pipeline={
            "modes": [mode.value for mode in inputs.modes],
            "retrieval": encode(inputs.config.retrieval),
            "models": encode(inputs.config.models),
            "questions_digest": inputs.questions_digest,
            "hostile_passages": run.n_hostile,
            "chunks": run.n_chunks,
            "left_out": list(run.left_out),
        },
    )
