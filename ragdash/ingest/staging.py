"""How a corpus takes its place: filled beside it, then renamed; what was stopped can go on."""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ragdash.core.errors import StoreLocked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

INDEX = "index"
LOCK = ".lock"
HEAD = "corpus.json"


@contextmanager
def put_in_place(corpus: Path) -> Iterator[Path]:
    """Give a folder to fill, and make it the corpus by rename when all went well.

    The index of the corpus before is carried over by hard links, so that embeddings are reused. If
    filling it ends early, the corpus before stays as it was, and what was embedded is kept aside
    for the next call.

    Raises:
        StoreLocked: another process is filling it.
    """
    staging = _staging(corpus)
    staging.mkdir(exist_ok=True)
    with _alone(staging):
        _clear(staging, keep=INDEX)
        if (corpus / INDEX).is_dir():
            shutil.copytree(
                corpus / INDEX, staging / INDEX, copy_function=_link, dirs_exist_ok=True
            )
        try:
            yield staging
        except BaseException:
            _clear(staging, keep=INDEX)
            if not (staging / INDEX).is_dir():
                shutil.rmtree(staging, ignore_errors=True)
            raise
        (staging / LOCK).unlink()
        if corpus.exists():
            old = _aside(corpus)
            shutil.rmtree(old, ignore_errors=True)
            corpus.rename(old)
            staging.rename(corpus)
            shutil.rmtree(old, ignore_errors=True)
        else:
            staging.rename(corpus)


@contextmanager
def _alone(staging: Path) -> Iterator[None]:
    with (staging / LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StoreLocked(
                f"{staging} is being filled by another ingest: wait until it ends"
            ) from error
        yield


def _clear(staging: Path, keep: str) -> None:
    for path in staging.iterdir():
        if path.name in (keep, LOCK):
            continue
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def recover(corpus: Path) -> None:
    """Put the corpus of before back, where a kill struck between the two renames."""
    old = _aside(corpus)
    if not corpus.exists() and (old / HEAD).is_file():
        old.rename(corpus)


def unfinished(corpus: Path) -> bool:
    """Whether a call that was stopped has left something to go on with."""
    return _staging(corpus).is_dir()


def _staging(corpus: Path) -> Path:
    return corpus.parent / f".{corpus.name}.new"


def _aside(corpus: Path) -> Path:
    return corpus.parent / f".{corpus.name}.old"


def _link(source: str, target: str) -> None:
    if os.path.lexists(target):
        return
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
