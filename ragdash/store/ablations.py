"""Ablation results in the registry, one for each run version, mode and grid."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

from ragdash.core.fingerprint import canonical_json, digest
from ragdash.store.layout import registry_file
from ragdash.store.migrations.registry import STEPS
from ragdash.store.migrations.runner import migrate
from ragdash.store.sqlite import open_reader, open_writer, transaction, translated

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.core.ablation import Ablation
    from ragdash.store.registered import Ref


def keep_ablation(store: Path, ref: Ref, ablation: Ablation, *, at: str) -> None:
    """Keep an ablation; the same grid over the same run version replaces what it gave before.

    Args:
        store: the store's folder.
        ref: the run version that it was computed from.
        ablation: what was computed.
        at: ISO 8601, UTC.

    Raises:
        StoreError: the registry cannot be written.
    """
    grid = digest([cell.setting for cell in ablation.cells])
    row = (ref.run_id, ref.version, ablation.mode.value, grid, at, canonical_json(ablation))
    path = registry_file(store)
    with closing(open_writer(path)) as connection, translated(path):
        migrate(connection, path, STEPS)
        with transaction(connection) as db:
            db.execute("INSERT OR REPLACE INTO ablations VALUES (?, ?, ?, ?, ?, ?)", row)


def kept_ablations(store: Path, ref: Ref) -> list[dict[str, Any]]:
    """Return the ablations of a run version as plain JSON with `at`, the newest first.

    Raises:
        StoreError: the registry is missing or damaged.
    """
    path = registry_file(store)
    with closing(open_reader(path)) as connection, translated(path):
        rows = connection.execute(
            "SELECT at, result FROM ablations WHERE run_id = ? AND version = ? "
            "AND (? IS NULL OR mode = ?) ORDER BY at DESC, mode, grid",
            (ref.run_id, ref.version, ref.mode, ref.mode),
        ).fetchall()
    return [{**json.loads(result), "at": at} for at, result in rows]
