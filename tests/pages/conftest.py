"""The dashboard over a store, run as a script: entry.py, then the page that is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streamlit.testing.v1 import AppTest

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def filled(build: ModuleType, rich: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one evaluation and one attack run."""
    store: Path = rich.make_rich_store(build, tmp_path_factory.mktemp("filled") / "store")
    return store


@pytest.fixture(scope="session")
def with_judge(
    build: ModuleType,
    rich: ModuleType,
    judged: ModuleType,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """A store with the runs of `filled` and, older than these, one with endpoints."""
    store: Path = rich.make_rich_store(build, tmp_path_factory.mktemp("judged") / "store")
    judged.make_judged_run(build, rich, store)
    return store


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """`open_page(store, "triage", run="...", lang="zh")` -> the finished page."""

    def opened(store: Path, name: str, **params: str) -> AppTest:
        monkeypatch.setenv("RAGDASH_STORE", str(store))
        at = AppTest.from_file(str(ROOT / "ragdash" / "ui" / "entry.py"), default_timeout=30)
        for key, value in params.items():
            at.query_params[key] = value
        at.run()
        if name != "runs":
            # The first run registers the pages and reads the frame's own parameters.
            at.switch_page(str(ROOT / "pages" / f"{name}.py"))
            for key, value in params.items():
                if key not in {"run", "lang"}:
                    at.query_params[key] = value
            at.run()
        return at

    return opened
