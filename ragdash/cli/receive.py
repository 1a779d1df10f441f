"""`ragdash import`: results of another system as a run of this store."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragdash.cli.environment import environment
from ragdash.cli.progress import Progress
from ragdash.cli.run import report
from ragdash.core.errors import InputError, StoreLocked
from ragdash.core.retrieval import Mode
from ragdash.core.run import RunInfo
from ragdash.jsonlines import printable
from ragdash.store.layout import lock_file, new_run_id, store_dir
from ragdash.store.registry import Registry, prepare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ragdash.core.run import QuestionResult
    from ragdash.receive import Received

_SHOWN = 5


@click.group("import")
def command() -> None:
    """Take results of another RAG system; what it does not give stays unknown."""


@command.command("jsonl")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--store", metavar="DIR", help="The store; default: RAGDASH_STORE.")
@click.option("--name", help="What to call the run; default: the system, else the file.")
@click.option(
    "--fact",
    "facts",
    multiple=True,
    metavar="NAME=TEXT",
    help="What the system declares of itself, as the header does; several are taken.",
)
@click.option("--json", "as_json", is_flag=True, help="Print run id, summaries and outcomes.")
def jsonl_command(
    file: Path, store: str | None, name: str | None, facts: tuple[str, ...], as_json: bool
) -> int:
    """Import FILE: JSON lines, one for each question and mode (README, Results of another system).

    Gates and diagnosis are computed by this ragdash from the texts. The same file is imported once:
    a second time the run that is there is named, unless --name or --fact is another one.
    """
    run_id = execute(file, store_dir(store), _checked_name(name), _told(facts))
    return report(store_dir(store), run_id, as_json=as_json)


def execute(file: Path, store: Path, name: str | None, facts: dict[str, str]) -> str:
    """Import a file into a store and return the run's id; nothing is written where it is bad.

    Raises:
        InputError: the file is another kind of file, or lines are bad.
        StoreLocked: the same file is being imported by another process.
    """
    from ragdash.core.fingerprint import digest_file
    from ragdash.receive import identity_of, receive, refuse_other
    from ragdash.store.lock import RunLock

    refuse_other(file)
    content = digest_file(file)
    identity = identity_of(content, name, facts)
    if known := _known(store, identity):
        return known
    received = receive(file, content, name, facts)
    prepare(store)
    mark = f"import-{identity[7:23]}"
    try:
        lock = RunLock.acquire(lock_file(store, mark), mark)
    except StoreLocked as error:
        raise StoreLocked(
            f"{printable(str(file), 200)} is being imported by another process: wait until it is "
            "done"
        ) from error
    with lock:
        # Another process may have been first.
        return _known(store, identity) or _published(received, store)


def _known(store: Path, identity: str) -> str | None:
    from ragdash.store.layout import registry_file

    if not registry_file(store).is_file():
        return None
    with closing(Registry.open(store, read_only=True)) as registry:
        for run in registry.runs():
            imported = run.config.get("imported") or {}
            if run.kind == "evaluation" and imported.get("identity") == identity:
                click.echo(f"imported already: run {run.run_id}", err=True)
                return run.run_id
    return None


def _published(received: Received, store: Path) -> str:
    from ragdash.store.runfile import publish_results

    now = datetime.now(UTC)
    facts = received.config.imported.facts if received.config.imported else {}
    info = RunInfo(
        run_id=new_run_id(now, received.name, f"{received.questions_digest}-{now.isoformat()}"),
        started_at=received.started_at or now.isoformat(timespec="seconds"),
        modes=tuple(Mode(mode) for mode in received.modes),
        config=received.config,
        corpus_name=facts.get("corpus", ""),
        corpus_digest=facts.get("corpus_digest", ""),
        questions_name=received.questions_name,
        questions_digest=received.questions_digest,
        n_questions=len(received.questions),
        environment=environment({}),
    )
    for mode, n in list(received.missing.items())[:_SHOWN]:
        of = len(received.questions)
        click.echo(f"warning: mode {mode} has no answer to {n} of {of} questions", err=True)
    with Progress(info.run_id) as progress:
        results = _watched(received, progress)
        publish_results(store, info, results, [q.id for q in received.questions])
    return info.run_id


def _watched(received: Received, progress: Progress) -> Iterator[QuestionResult]:
    for done, result in enumerate(received.results(), start=1):
        yield result
        progress.update(done, received.n_results)


def _checked_name(name: str | None) -> str | None:
    if name is not None and not (name.strip() and name.isprintable() and len(name) <= 200):
        raise InputError("--name is empty, longer than 200 characters or not printable")
    return name


def _told(facts: tuple[str, ...]) -> dict[str, str]:
    from ragdash.receive.form import FACTS

    known = [name for group in FACTS.values() for name in group]
    told: dict[str, str] = {}
    for fact in facts:
        name, found, text = fact.partition("=")
        if not found or name not in known or not text.strip():
            raise InputError(
                f"--fact {printable(fact)} is not NAME=TEXT with one of {', '.join(known)}"
            )
        told[name] = text
    return told
