"""What every test folder shares: the builders of data and of stores, and starting a server."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from types import ModuleType

# A shared machine makes an example slow, and never wrong.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def _loaded(name: str) -> ModuleType:
    # By path: under importlib mode `tests` is no package that could be imported from.
    path = Path(__file__).parent / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"ragdash_test_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


_BUILDERS = _loaded("builders")


@pytest.fixture(scope="session")
def build() -> ModuleType:
    """All builders: `build.make_question(...)`, `build.make_chunk(...)`, ..."""
    return _BUILDERS


@pytest.fixture(scope="session")
def rich() -> ModuleType:
    """The builder of a whole store: `rich.make_rich_store(build, path, text="...")`."""
    return _loaded("ui/rich_store")


@pytest.fixture(scope="session")
def judged() -> ModuleType:
    """The builder of a run with endpoints: `judged.make_judged_run(build, rich, store)`."""
    return _loaded("ui/judged_store")


@pytest.fixture(scope="session")
def serving() -> ModuleType:
    """tests/serving.py: `serving.free_port()`, `with serving.running(command, ...)`."""
    return _loaded("serving")


@pytest.fixture(scope="session")
def provider() -> ModuleType:
    """tests/browser/provider.py: `with provider.providing() as known`."""
    return _loaded("browser/provider")


@pytest.fixture(scope="session")
def make_result():
    """`make_result("q1", Mode.DENSE, outcome=...)` -> QuestionResult."""
    return _BUILDERS.make_result


@pytest.fixture(scope="session")
def make_info():
    """`make_info("20261130-0936-demo-3f2a", modes=...)` -> RunInfo."""
    return _BUILDERS.make_info


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A folder for a store, which does not exist yet."""
    return tmp_path / "store"
