"""One store for all views, with a cursor as a page gets it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ragdash.store.attach import attach
from ragdash.store.layout import run_file

if TYPE_CHECKING:
    from types import ModuleType

    from ragdash.views.query import Cursor


@pytest.fixture(scope="session")
def rich() -> ModuleType:
    """The builder of a whole store, by path: `tests` is no package."""
    path = Path(__file__).parents[1] / "ui" / "rich_store.py"
    spec = importlib.util.spec_from_file_location("ragdash_rich_store", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


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
