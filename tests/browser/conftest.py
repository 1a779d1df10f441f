"""A real server over a real store, and the system's Chromium; skipped where there is none."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
# Chromium's own traffic would look like a page's.
FLAGS = (
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",
)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the system's Chromium; without it CI fails and a laptop skips."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("chromium is not installed, and CI must not pass without the browser tests")
        pytest.skip("chromium is not installed: apt-get install chromium fonts-noto-cjk")
    return path


class Served:
    """A running server: its address and the store behind it."""

    def __init__(self, url: str, store: Path) -> None:
        self.url = url
        self.store = store


def _serve(serving: ModuleType, store: Path, folder: Path) -> Iterator[Served]:
    port = serving.free_port()
    command = [
        sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"),
        f"--server.port={port}", "--server.fileWatcherType=none",
    ]  # fmt: skip
    environment = {**os.environ, "RAGDASH_STORE": str(store), "PYTHONPATH": str(ROOT)}
    # From another folder: the settings beside app.py must hold there too.
    ready = f"http://127.0.0.1:{port}/_stcore/health"
    with serving.running(command, ready, folder, environment):
        yield Served(f"http://localhost:{port}", store)


@pytest.fixture(scope="session")
def served(
    build: ModuleType,
    rich: ModuleType,
    judged: ModuleType,
    serving: ModuleType,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Served]:
    """The dashboard over two evaluations, the older one with a judge, and one attack run."""
    folder = tmp_path_factory.mktemp("served")
    store = rich.make_rich_store(build, folder / "store")
    judged.make_judged_run(build, rich, store)
    yield from _serve(serving, store, folder)


@pytest.fixture
def served_hostile(
    build: ModuleType, rich: ModuleType, judged: ModuleType, serving: ModuleType, tmp_path: Path
) -> Iterator[Served]:
    """The dashboard over data that tries to load pictures and to run scripts."""
    beacon = "http://beacon.example.org/b.png"
    text = (
        f"![x]({beacon}) <img src='{beacon}'> <style>body{{display:none}}</style> "
        f"<script>fetch('{beacon}')</script> [a](javascript:alert(1)) $1 and $2 30~35% 12*3*4"
    )
    store = rich.make_rich_store(build, tmp_path / "store", text=text)
    judged.make_judged_run(build, rich, store, text=text)
    yield from _serve(serving, store, tmp_path)


@pytest.fixture
def serve(serving: ModuleType, tmp_path: Path) -> Iterator[Callable[[Path], Served]]:
    """`serve(store)` -> the dashboard over that store, until the test ends."""
    with ExitStack() as stack:
        yield lambda store: stack.enter_context(contextmanager(_serve)(serving, store, tmp_path))


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One Chromium for all tests; each test opens its own context."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield opened
        opened.close()
