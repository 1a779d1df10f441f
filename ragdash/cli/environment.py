"""What a run was made with: versions, code, models."""

from __future__ import annotations

import platform
import subprocess
from dataclasses import asdict, is_dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from ragdash import __version__, shipped
from ragdash.core.fingerprint import digest, digest_file

if TYPE_CHECKING:
    from pathlib import Path

_LIBRARIES = (
    "numpy", "torch", "transformers", "sentence-transformers", "bm25s", "rank-bm25", "pypdfium2",
    "duckdb", "ir-measures",
)  # fmt: skip


# What decides a verdict: everything that ragdash.evaluate.scoring reaches.
GATES = (
    *("amounts", "caliber", "contract", "core", "diagnose", "metrics", "evaluate/scoring.py"),
    *("jsonlines.py", "shipped.py"),
    *("llm/base.py", "llm/fence.py", "llm/messages.py", "llm/reply.py"),
)


def environment(models: dict[str, object]) -> dict[str, Any]:
    """Return versions of Python and the libraries, commit and code, and each model's identity."""
    return {
        "ragdash": __version__,
        "python": platform.python_version(),
        "libraries": {name: found for name in _LIBRARIES if (found := _version(name))},
        "commit": _commit(),
        "code": code_digest(),
        "gates": gates_digest(),
        "models": {
            role: asdict(identity) if is_dataclass(identity) else identity  # type: ignore[arg-type]
            for role, identity in models.items()
        },
    }


def code_digest() -> str:
    """Return a digest over the package's source, the caliber terms and the names of companies.

    These decide verdicts. Unlike the commit it is the same after a change that touches neither,
    and it is there without a checkout.
    """
    data = shipped.path("data")
    files = [*_source(shipped.PACKAGE), *data.glob("caliber/*.toml"), *data.glob("companies/*.t*")]
    return digest(sorted([f.name, digest_file(f)] for f in files))


def gates_digest() -> str:
    """Return a digest over what decides a verdict: the gates' source and the caliber terms.

    Runs are comparable where it is the same; other code may be the very thing that is compared.
    """
    files = [file for name in GATES for file in _source(shipped.PACKAGE / name)]
    files += shipped.path("data").glob("caliber/*.toml")
    return digest(sorted([file.parent.name, file.name, digest_file(file)] for file in files))


def _source(place: Path) -> list[Path]:
    """Return a file, or the source below a folder; the same in a checkout and a wheel."""
    found = [place] if place.is_file() else place.rglob("*.py")
    return [file for file in found if "_app" not in file.relative_to(shipped.PACKAGE).parts]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _commit() -> str:
    """Return the commit of the checkout, with `+` where it has changes; empty outside of one."""
    root = shipped.checkout()
    if root is None or not (root / ".git").exists():
        return ""
    try:
        commit = _git(root, "rev-parse", "--short=12", "HEAD")
        return commit + ("+" if _git(root, "status", "--porcelain", "-uno") else "")
    except (OSError, subprocess.SubprocessError):
        return ""


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True, timeout=10
    )
    return done.stdout.strip()
