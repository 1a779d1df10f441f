"""Where things lie: the store's folder, its files, and the names of runs."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ragdash import shipped
from ragdash.core.errors import InputError, StoreError

if TYPE_CHECKING:
    from datetime import datetime

_RUN_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_RUN_FILE = re.compile(rf"({_RUN_ID.pattern})(?:\.([1-9][0-9]{{0,5}}))?\.duckdb")
_MAX_RUN_ID = 80
_MAX_SLUG = 24


def store_dir(option: str | None) -> Path:
    """Return the store's folder: `--store`, else RAGDASH_STORE, else data/store of a checkout.

    Installed as a wheel there is no checkout, and the user's data folder takes its place.
    """
    if option is not None:
        if not option.strip():
            raise InputError("--store is empty: name a folder, or leave the option out")
        return Path(option)
    if named := os.environ.get("RAGDASH_STORE"):
        return Path(named)
    if checkout := shipped.checkout():
        return checkout / "data" / "store"
    return _user_data() / "ragdash" / "store"


def _user_data() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def new_run_id(started_at: datetime, name: str, salt: str) -> str:
    """Return a run's id, e.g. 20261130-0936-demo-3f2a: sorted by time, read and typed easily.

    Args:
        started_at: in UTC.
        name: of the corpus or of what the person calls it; ASCII letters and digits are kept.
        salt: tells runs of one instant apart (a process number, a digest).
    """
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower())[:_MAX_SLUG].strip("-") or "run"
    mark = hashlib.sha256(
        f"{started_at.isoformat()}|{name}|{salt}".encode("utf-8", "replace")
    ).hexdigest()[:4]
    return f"{started_at:%Y%m%d-%H%M}-{slug}-{mark}"


def checked_run_id(run_id: str) -> str:
    """Return a run id that is safe as a file name.

    Raises:
        InputError: it holds anything but lower-case letters, digits and single hyphens.
    """
    if len(run_id) > _MAX_RUN_ID or not _RUN_ID.fullmatch(run_id):
        raise InputError(
            f"run id {run_id!r} is not made of lower-case letters, digits and single hyphens, "
            f"at most {_MAX_RUN_ID}: `ragdash` names runs by itself"
        )
    return run_id


def run_file(store: Path, run_id: str, version: int) -> Path:
    """Return where a version of a run is published: <run_id>.duckdb, <run_id>.2.duckdb, ..."""
    suffix = "" if version == 1 else f".{version}"
    return store / "runs" / f"{checked_run_id(run_id)}{suffix}.duckdb"


def named_run(path: Path) -> tuple[str, int] | None:
    """Return the run id and version that a file name states; None for any other file."""
    found = _RUN_FILE.fullmatch(path.name)
    return (found[1], int(found[2] or 1)) if found else None


def run_files(store: Path) -> list[tuple[str, int, Path]]:
    """Return run id, version and path of every published file, sorted."""
    paths = (store / "runs").glob("*.duckdb")
    return sorted((*named, path) for path in paths if (named := named_run(path)))


def newest_version(store: Path, run_id: str) -> int:
    """Return the newest version of a run that is published; 0 where there is none."""
    return max((v for found, v, _ in run_files(store) if found == run_id), default=0)


def journal_file(store: Path, run_id: str) -> Path:
    """Return where a running run keeps its journal."""
    return store / "live" / f"{checked_run_id(run_id)}.sqlite"


def lock_file(store: Path, run_id: str) -> Path:
    """Return the file whose lock is the right to write a run."""
    return store / "live" / f"{checked_run_id(run_id)}.lock"


def registry_file(store: Path) -> Path:
    """Return the registry of a store."""
    return store / "registry.sqlite"


def calls_file(store: Path) -> Path:
    """Return the cache of model calls of a store."""
    return store / "calls.sqlite"


def no_store(store: Path) -> StoreError:
    """Return the error for a folder that holds no store: it may lie elsewhere, or nowhere yet."""
    return StoreError(
        f"there is no store at {store}: name yours with --store DIR or RAGDASH_STORE; "
        "`ragdash demo` makes one"
    )


def refuse_no_store(store: Path) -> None:
    """Refuse a folder without a registry: opening it would make an empty store there.

    Raises:
        StoreError: there is none.
    """
    if not registry_file(store).is_file():
        raise no_store(store)
