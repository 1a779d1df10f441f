"""A real server over a real store, and the system's Chromium; skipped where there is none."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
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


def _loaded(name: str) -> ModuleType:
    # By path: `tests` is no package.
    path = ROOT / "tests" / "ui" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"ragdash_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def rich() -> ModuleType:
    """The builder of a whole store."""
    return _loaded("rich_store")


@pytest.fixture(scope="session")
def judged() -> ModuleType:
    """The builder of a run with endpoints: `judged.make_judged_run(build, rich, store)`."""
    return _loaded("judged_store")


class Served:
    """A running server: its address and the store behind it."""

    def __init__(self, url: str, store: Path) -> None:
        self.url = url
        self.store = store


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(200):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.15)
    pytest.fail(f"the server did not come up:\n{log.read_text('utf-8', 'replace')[-2000:]}")


def _serve(store: Path, folder: Path) -> Iterator[Served]:
    port, log = _free_port(), folder / "server.log"
    command = [
        sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"),
        f"--server.port={port}", "--server.fileWatcherType=none",
    ]  # fmt: skip
    environment = {**os.environ, "RAGDASH_STORE": str(store), "PYTHONPATH": str(ROOT)}
    # From another folder: the settings beside app.py must hold there too.
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=out)
    try:
        _wait(f"http://127.0.0.1:{port}", process, log)
        yield Served(f"http://localhost:{port}", store)
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture(scope="session")
def served(
    build: ModuleType,
    rich: ModuleType,
    judged: ModuleType,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Served]:
    """The dashboard over two evaluations, the older one with a judge, and one attack run."""
    folder = tmp_path_factory.mktemp("served")
    store = rich.make_rich_store(build, folder / "store")
    judged.make_judged_run(build, rich, store)
    yield from _serve(store, folder)


@pytest.fixture
def served_hostile(
    build: ModuleType, rich: ModuleType, judged: ModuleType, tmp_path: Path
) -> Iterator[Served]:
    """The dashboard over data that tries to load pictures and to run scripts."""
    beacon = "http://beacon.example.org/b.png"
    text = (
        f"![x]({beacon}) <img src='{beacon}'> <style>body{{display:none}}</style> "
        f"<script>fetch('{beacon}')</script> [a](javascript:alert(1)) $1 and $2 30~35% 12*3*4"
    )
    store = rich.make_rich_store(build, tmp_path / "store", text=text)
    judged.make_judged_run(build, rich, store, text=text)
    yield from _serve(store, tmp_path)


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One Chromium for all tests; each test opens its own context."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield opened
        opened.close()
