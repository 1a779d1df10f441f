"""One store for all views, with a cursor as a page gets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ragdash.store.attach import attach
from ragdash.store.layout import run_file

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.views.query import Cursor


@pytest.fixture(scope="session")
def filled(build: ModuleType, rich: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one evaluation and one attack run."""
    store: Path = rich.make_rich_store(build, tmp_path_factory.mktemp("views") / "store")
    return store


@pytest.fixture
def cursor(filled: Path, rich: ModuleType) -> Cursor:
    """A cursor over the evaluation."""
    opened: Cursor = attach(run_file(filled, rich.RUN, 1))
    return opened


@pytest.fixture
def attack_cursor(filled: Path, rich: ModuleType) -> Cursor:
    """A cursor over the attack run."""
    opened: Cursor = attach(run_file(filled, rich.ATTACK, 1))
    return opened


@pytest.fixture(scope="session")
def judged_file(
    build: ModuleType,
    rich: ModuleType,
    judged: ModuleType,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """The file of a run with endpoints."""
    store = tmp_path_factory.mktemp("judged") / "store"
    path: Path = judged.make_judged_run(build, rich, store)
    return path


@pytest.fixture
def judged_cursor(judged_file: Path) -> Cursor:
    """A cursor over the run with endpoints."""
    opened: Cursor = attach(judged_file)
    return opened
