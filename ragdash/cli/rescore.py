"""`ragdash rescore`: new scores for a stored run, as a new version beside the old one."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragdash.cli.endpoints import Endpoints, described, identities, places
from ragdash.cli.environment import environment
from ragdash.cli.execution import going_on
from ragdash.cli.progress import Progress
from ragdash.cli.run import report
from ragdash.config import load_config
from ragdash.core.errors import ConfigError, InputError
from ragdash.core.fingerprint import digest
from ragdash.core.run import Outcome, factors
from ragdash.store.layout import journal_file, run_file, store_dir
from ragdash.store.registry import Registry

if TYPE_CHECKING:
    from ragdash.cli.endpoints import Opened
    from ragdash.core.run import JudgeConfig, RunConfig, RunInfo
    from ragdash.store.journal import Journal
    from ragdash.store.registered import Ref
    from ragdash.store.stored import StoredRun


@dataclass(frozen=True, slots=True)
class Plan:
    """What is scored again: a version of a run, and the config whose judge is asked."""

    ref: Ref
    store: Path
    config: RunConfig | None
    gates_only: bool


def execute(plan: Plan) -> None:
    """Score a stored run again and publish it as the next version; a killed one goes on.

    Raises:
        InputError: the run cannot be scored so; nothing has been asked.
        EnvironmentError_: the judge is not to be had.
        StoppedEarly: the judge asks to wait too long, or the budget is used up.
    """
    from ragdash.evaluate import rescore
    from ragdash.evaluate.rescore import Rescoring
    from ragdash.store.results import read_results
    from ragdash.store.runfile import publish
    from ragdash.store.stored import read_run

    path = run_file(plan.store, plan.ref.run_id, plan.ref.version)
    stored = read_run(path)
    judge = _judge(stored.info.config.judge, plan)
    asks = judge.kind == "endpoint" and not plan.gates_only
    config = replace(
        stored.info.config, judge=judge, budget=plan.config.budget if plan.config else None
    )
    with ExitStack() as undo:
        endpoints = undo.enter_context(closing(Endpoints(plan.store, config.budget)))
        opened = endpoints.open(judge.endpoint) if asks and judge.endpoint else None
        info = _info(stored, config, opened)
        journal = undo.enter_context(closing(_journal(plan, info, stored.question_ids)))
        endpoints.spent(journal.results())
        how = Rescoring(
            opened.client if opened else None,
            judge.repeats,
            places(opened),
        )
        done = journal.done()
        waiting = [r for r in read_results(path, info.modes) if (r.mode, r.question.id) not in done]
        failed = any(r.outcome is Outcome.ERROR for r in journal.results()) if done else False
        with Progress(info.run_id) as progress, going_on(f"ragdash rescore {plan.ref}"):
            count, total = journal.progress()
            for result in rescore(waiting, how):
                journal.append(result)
                failed = failed or result.outcome is Outcome.ERROR
                count += 1
                progress.update(count, total)
        finished = datetime.now(UTC).isoformat(timespec="seconds")
        publish(plan.store, journal, finished, "partial" if failed else "done")


def _judge(stored: JudgeConfig, plan: Plan) -> JudgeConfig:
    """Return the judge of the new version: the config's, else the run's own."""
    if plan.config is None or plan.gates_only:
        return stored
    judge = plan.config.judge
    if judge.kind != "endpoint" and judge.kind != stored.kind:
        raise ConfigError(
            f"judge kind {judge.kind!r} cannot score a stored run again: similarity needs the "
            "run's index, none would drop what is stored; name an endpoint, or give --gates-only"
        )
    return judge if judge.kind == "endpoint" else stored


def _info(stored: StoredRun, config: RunConfig, judge: Opened | None) -> RunInfo:
    """Return the info of the new version: answers of then, scores of today's code."""
    before = stored.info.environment
    now = environment({})
    kept = {**before, **{name: now[name] for name in ("ragdash", "commit", "code", "gates")}}
    if judge is not None:
        found = described(config, None, judge)
        kept |= {"self_judged": found["self_judged"]}
        kept["endpoints"] = {**before.get("endpoints", {}), **found["endpoints"]}
        kept["models"] = {**before.get("models", {}), **identities(None, judge)}
    kept["rescored"] = {
        "from_version": stored.version,
        "answers_by": {name: before.get(name) for name in ("ragdash", "commit", "code")},
    }
    return replace(stored.info, config=config, environment=kept)


def _journal(plan: Plan, info: RunInfo, question_ids: tuple[str, ...]) -> Journal:
    from ragdash.store.journal import Journal

    if not journal_file(plan.store, info.run_id).exists():
        return Journal.create(plan.store, info, question_ids)
    journal = Journal.open(plan.store, info.run_id)
    before = journal.info()
    same = (
        before.environment.get("rescored") == info.environment["rescored"]
        and before.environment.get("code") == info.environment["code"]
        and digest(factors(before.config)) == digest(factors(info.config))
    )
    if not same:
        journal.close()
        raise InputError(
            f"run {info.run_id} has unfinished work of another kind: finish it with what it was "
            f"started with, or remove {journal_file(plan.store, info.run_id)}"
        )
    return journal


@click.command("rescore")
@click.argument("ref", metavar="RUN")
@click.option("--config", type=click.Path(path_type=Path), help="Its [judge] is asked.")
@click.option("--gates-only", is_flag=True, help="Only what code decides; signals stay.")
@click.option("--store", metavar="DIR", help="The store; default: RAGDASH_STORE.")
@click.option("--json", "as_json", is_flag=True, help="Print run id, summaries and outcomes.")
def command(
    ref: str, config: Path | None, gates_only: bool, store: str | None, as_json: bool
) -> int:
    """Score a stored run again, without retrieving or generating, as a new version of it.

    Gates and diagnosis are those of this ragdash. Without --config the run's own judge is asked
    again for what is not in the call cache. Nothing that is stored is overwritten.
    """
    folder = store_dir(store)
    given = load_config(config) if config else None
    with closing(Registry.open(folder, read_only=True)) as registry:
        found = registry.resolve(ref)
    if found.mode is not None:
        raise InputError(f"{ref!r} names a mode: a run is scored again whole, name the run")
    execute(Plan(found, folder, given, gates_only))
    return report(folder, found.run_id, as_json=as_json)
