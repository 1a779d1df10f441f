"""What identifies a published run, back from its file as the nouns it was written from."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ragdash.core.errors import StoreError
from ragdash.core.run import RunInfo
from ragdash.store.attach import opened
from ragdash.store.codec import decode

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.store.registered import RunRow


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run file's info, its version, and its question ids in the order of the set."""

    info: RunInfo
    version: int
    question_ids: tuple[str, ...]


def read_run(path: Path) -> StoredRun:
    """Read what a run of questions was made with.

    Raises:
        StoreError: the file is missing, damaged or of another version.
    """
    with opened(path) as connection:
        cursor = connection.execute("SELECT * FROM run.meta")
        names = [column[0] for column in cursor.description or ()]
        meta = dict(zip(names, cursor.fetchone() or (), strict=True))
        ids = connection.execute(
            "SELECT question_id FROM run.questions ORDER BY position"
        ).fetchall()
    if meta["kind"] != "evaluation":
        raise StoreError(f"{path} holds a run of attacks: it has no questions")
    for name in ("modes", "config", "environment"):
        meta[name] = json.loads(meta[name])
    return StoredRun(_info(meta), meta["version"], tuple(row[0] for row in ids))


def info_of(row: RunRow) -> RunInfo:
    """Return what a registered evaluation was made with; its file is not opened.

    Raises:
        StoreError: the row holds what this ragdash cannot read.
    """
    columns = {field.name: getattr(row, field.name) for field in fields(row)}
    return _info({**columns, "modes": [mode.mode for mode in row.modes]})


def _info(meta: dict[str, Any]) -> RunInfo:
    plain = {field.name: meta[field.name] for field in fields(RunInfo)}
    plain["config"] = upgraded(plain["config"])
    return decode(RunInfo, plain)


def upgraded(config: dict[str, Any]) -> dict[str, Any]:
    """Return a stored config in today's form.

    Generator and judge were a kind at first. A config without `query` is of before questions were
    resolved: they were searched as asked. One of an import says nothing of ours.
    """
    if config.get("imported") is not None:
        return config
    parts = ("generator", "judge")
    kinds = {name: config[name] for name in parts if isinstance(config.get(name), str)}
    retrieval = {"query": "asked"} | config.get("retrieval", {})
    return (
        config | {name: {"kind": kind} for name, kind in kinds.items()} | {"retrieval": retrieval}
    )
