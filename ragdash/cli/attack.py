"""`ragdash attack`: fixtures against policies, as a table or JSON, kept where a store is named."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragdash.attack.named import LAYERED
from ragdash.attack.policies import POLICIES
from ragdash.attack.report import as_text, contract_object
from ragdash.attack.run import AttackPlan, run_attacks
from ragdash.attack.trusted import DEFAULT_TERMS, trusted_sentences
from ragdash.cli import attack_pipeline
from ragdash.cli.environment import environment
from ragdash.core.attack import AttackInfo
from ragdash.core.errors import InputError, StoreError

if TYPE_CHECKING:
    from ragdash.attack.run import AttackRun


def publish(run: AttackRun, store: Path, started_at: datetime) -> Path:
    """Write an attack run into a store as a run of its own and return its file.

    Args:
        run: what `run_attacks` returned.
        store: the store's folder; made where it is missing.
        started_at: in UTC, when the run began.

    Raises:
        RagdashError: the store cannot take it.
    """
    from ragdash.store.layout import new_run_id
    from ragdash.store.runfile import publish_attack

    name = "attack-six" if run.published else f"attack-{Path(run.fixtures_name).stem}"
    info = AttackInfo(
        run_id=new_run_id(started_at, name, str(os.getpid())),
        started_at=started_at.isoformat(timespec="seconds"),
        fixtures_name=run.fixtures_name,
        fixtures_digest=run.fixtures_digest,
        registry_digest=run.registry_digest,
        oracle_trust=run.oracle_trust,
        policies=run.policies,
        n_cases=run.n_cases,
        support_threshold=run.support_threshold,
        environment=environment({}),
    )
    finished_at = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        return publish_attack(store, info, run.rows, run.summary, finished_at)
    except OSError as error:
        raise StoreError(
            f"Store {store} cannot be written ({error.strerror}); name a folder with --store."
        ) from error


@click.command("attack")
@click.option(
    "--fixtures",
    type=click.Path(path_type=Path),
    help="JSON lines, one case each; without it the published six.",
)
@click.option(
    "--registry",
    type=click.Path(path_type=Path),
    help="JSON list of registered doc_ids, from which trust is derived.",
)
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="NAME",
    help=f"One of {', '.join((*POLICIES, LAYERED))}, or your own as FILE.py:FUNCTION or "
    "exec:COMMAND; may be given again. Without it all but layered on the published six; baseline, "
    "defended and layered on other files.",
)
@click.option(
    "--max-cases",
    type=int,
    default=0,
    show_default=True,
    help="0 for all; a limit that leaves cases out is refused, as every class must be present.",
)
@click.option(
    "--support-threshold",
    type=float,
    default=AttackPlan().support_threshold,
    show_default=True,
    help="Share of answer tokens that trusted text must hold, 0 to 1.",
)
@click.option(
    "--trusted-from",
    type=click.Path(path_type=Path),
    metavar="CORPUS",
    help="Put sentences of this corpus in place of the trusted texts of the published six.",
)
@click.option(
    "--terms",
    multiple=True,
    metavar="A,B",
    help="What the sentences must hold; given twice. Without it "
    f"{' and '.join(','.join(t) for t in DEFAULT_TERMS)}.",
)
@click.option(
    "--pipeline",
    is_flag=True,
    help="Put hostile passages into a copy of a corpus's index and run retriever, generator and "
    "policies; without --fixtures our passages for the demo's reports. Needs --corpus.",
)
@click.option("--corpus", type=click.Path(path_type=Path), metavar="DIR", help="With --pipeline.")
@click.option(
    "--questions",
    type=click.Path(path_type=Path),
    help="With --pipeline: the corpus's question set, which has the gold of the cases' queries.",
)
@click.option(
    "--config", type=click.Path(path_type=Path), help="With --pipeline: a run config (TOML)."
)
@click.option(
    "--modes",
    default="",
    metavar="A,B",
    help="With --pipeline: of dense, hybrid, rerank; all three without it.",
)
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    help="Keep the run in this store; without it in RAGDASH_STORE, where that is set.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: rows and summary.")
def command(  # noqa: PLR0913 - one parameter an option
    fixtures: Path | None,
    registry: Path | None,
    policies: tuple[str, ...],
    max_cases: int,
    support_threshold: float,
    trusted_from: Path | None,
    terms: tuple[str, ...],
    pipeline: bool,
    corpus: Path | None,
    questions: Path | None,
    config: Path | None,
    modes: str,
    store: Path | None,
    as_json: bool,
) -> int:
    """Run attack fixtures against policies; no key, no network, and a model only for --pipeline."""
    started_at = datetime.now(UTC)
    if store is None and (named := os.environ.get("RAGDASH_STORE")):
        store = Path(named)
    given = {"--corpus": corpus, "--questions": questions, "--config": config, "--modes": modes}
    if pipeline or corpus is not None:
        _refuse({"--max-cases": max_cases, "--trusted-from": trusted_from, "--terms": terms})
        if corpus is None:
            raise InputError("--pipeline needs a corpus; name one that was ingested with --corpus.")
        options = attack_pipeline.PipelineOptions(
            corpus, fixtures, registry, questions, config, modes, policies, support_threshold
        )
        return attack_pipeline.command(options, store, as_json=as_json)
    if alone := [name for name, value in given.items() if value]:
        raise InputError(f"{alone[0]} is given without --pipeline --corpus DIR; add them.")
    if terms and trusted_from is None:
        raise InputError("--terms is given without --trusted-from CORPUS; name the corpus.")
    plan = AttackPlan(
        fixtures,
        registry,
        policies,
        max_cases,
        support_threshold,
        trusted=trusted_sentences(trusted_from, terms) if trusted_from else (),
        studied=store is not None or not as_json,
    )
    run = run_attacks(plan)
    # Stored first: what is printed as done has been kept.
    kept = publish(run, store, started_at) if store else None
    if as_json:
        click.echo(json.dumps(contract_object(run), ensure_ascii=False, allow_nan=False))
    else:
        click.echo(as_text(run))
    if kept:
        click.echo(f"stored: {kept}", err=True)
    return 1 if any(row.error for row in run.rows) else 0


def _refuse(others: dict[str, object]) -> None:
    """Refuse options of the fixtures alone beside those of the pipeline."""
    for name, value in others.items():
        if value:
            raise InputError(f"{name} is for fixtures without a retriever; leave it out.")
