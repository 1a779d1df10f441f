"""`ragdash probe`: what the endpoints of a config really honour, asked before any run."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragdash.config import load_config
from ragdash.core.errors import ConfigError

if TYPE_CHECKING:
    from ragdash.core.call import Endpoint, Probe
    from ragdash.core.run import RunConfig

SELF_JUDGED = (
    "the judge is the generator: its signals are stamped self_judged, as models prefer what they "
    "wrote; name another model under [judge]"
)


@click.command("probe")
@click.option("--config", type=click.Path(path_type=Path), help="TOML; see the README.")
@click.option("--json", "as_json", is_flag=True, help="The same as data.")
def command(config: Path | None, as_json: bool) -> None:
    """Ask generator and judge of a config what they honour; nothing is stored.

    Structured output is found by asking for what no model would say by itself, up to five short
    questions an endpoint. Nothing is kept, so that a second call asks again.
    """
    from ragdash.llm.probe import probe, self_judged

    given = load_config(config)
    endpoints = _endpoints(given)
    if not endpoints:
        raise ConfigError(
            f'{config or "the default config"} names no endpoint: write kind = "endpoint", '
            "base_url and model under [generator] or [judge]"
        )
    found = {role: probe(endpoint) for role, endpoint in endpoints.items()}
    both = endpoints.get("generator"), endpoints.get("judge")
    own = bool(both[0] and both[1] and self_judged(both[0], both[1]))
    click.echo(_data(found, own=own) if as_json else _text(found, own=own))


def _endpoints(config: RunConfig) -> dict[str, Endpoint]:
    named = {"generator": config.generator.endpoint, "judge": config.judge.endpoint}
    return {role: endpoint for role, endpoint in named.items() if endpoint is not None}


def _data(found: dict[str, Probe], *, own: bool) -> str:
    data: dict[str, Any] = {role: asdict(probe) for role, probe in found.items()}
    return json.dumps(data | {"self_judged": own}, ensure_ascii=False)


def _text(found: dict[str, Probe], *, own: bool) -> str:
    from ragdash.jsonlines import printable
    from ragdash.llm.probe import probe_lines

    lines = []
    for role, probe in found.items():
        first, *rest = probe_lines(probe)
        # What an endpoint said is untrusted: no control character reaches the terminal.
        lines += [printable(line) for line in (f"{role}: {first}", *rest)]
    return "\n".join([*lines, SELF_JUDGED] if own else lines)
