"""A key of the environment, or of secrets.toml, is in no page and in no error that a page shows."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from ragdash.store.layout import registry_file, run_file
from ragdash.ui.frame import PAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from streamlit.testing.v1 import AppTest

CANARY = "sk-canary-1b2c3d4e5f607182"
KEYS = ("OPENAI_API_KEY", "HF_TOKEN", "ANTHROPIC_API_KEY", "RAGDASH_KEY")


@pytest.fixture
def broken(with_judge: Path, rich: ModuleType, tmp_path: Path) -> Callable[[str], Path]:
    """`broken("run")` -> a store whose newest run, or registry, is damaged; "" for a whole one."""

    def made(what: str) -> Path:
        store = tmp_path / "store"
        shutil.copytree(with_judge, store)
        path = {"run": run_file(store, rich.RUN, 1), "registry": registry_file(store)}.get(what)
        if path is not None:
            path.write_bytes(b"no database, and long enough to have been one" * 100)
        return store

    return made


@pytest.mark.parametrize("what", ["", "run", "registry"])
def test_a_key_is_in_no_page_and_in_no_error(
    open_page: Callable[..., AppTest],
    broken: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    what: str,
) -> None:
    for name in KEYS:
        monkeypatch.setenv(name, CANARY)
    store = broken(what)
    for page in PAGES:
        at = open_page(store, page)
        assert bool(at.error) == (what == "registry" or (what == "run" and page in WITH_RUN))
        drawn = "\n".join(str(node.proto) for node in at._tree if getattr(node, "proto", None))
        assert len(drawn) > 500
        assert CANARY not in drawn
    assert CANARY not in caplog.text
    assert not [f for f in store.rglob("*") if f.is_file() and CANARY.encode() in f.read_bytes()]


WITH_RUN = tuple(page for page in PAGES if page not in ("runs", "attacks"))
