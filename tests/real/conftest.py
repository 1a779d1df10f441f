"""A real language model behind a real OpenAI-compatible server, on loopback and in one thread."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ragdash.core.call import Endpoint
from ragdash.models.e5 import cache_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

HERE = Path(__file__).parent
# seconds; on one core the model is read in fifteen, on a crowded machine in minutes
_PATIENCE = 600
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
_SERVING = ("fastapi", "uvicorn", "accelerate", "gguf")


def _loaded(name: str) -> ModuleType:
    # By path: under importlib mode `tests` is no package that could be imported from.
    spec = importlib.util.spec_from_file_location(f"ragdash_real_{name}", HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def lesson() -> ModuleType:
    """tests/real/lesson.py."""
    return _loaded("lesson")


def _installed(smollm2: ModuleType) -> None:
    """Skip where the model or its server is not installed; fail in CI."""
    missing = [name for name in _SERVING if importlib.util.find_spec(name) is None]
    if smollm2.packaged() is None:
        missing.append(smollm2.WHEEL)
    if missing:
        told = f"not installed: {', '.join(missing)} (the README's test command installs them)"
        if os.environ.get("CI"):
            pytest.fail(f"{told}, and CI must not pass without a real model")
        pytest.skip(told)


def _converted(smollm2: ModuleType) -> Path:
    parent = cache_folder() / f"smollm2-{smollm2.DIGEST.removeprefix('sha256:')[:12]}"
    done = subprocess.run(
        [sys.executable, str(HERE / "smollm2.py"), str(parent)],
        env={**os.environ, **_ONE_THREAD}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        pytest.fail(f"the model could not be written as a folder:\n{done.stderr[-2000:]}")
    return parent


@pytest.fixture(scope="session")
def smollm2(serving: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    """SmolLM2-135M-Instruct behind `transformers serve`: the endpoint, asked for short replies."""
    model = _loaded("smollm2")
    _installed(model)
    parent = _converted(model)
    port = serving.free_port()
    command = [
        sys.executable, "-m", "transformers.cli.transformers", "serve", model.NAME,
        "--device", "cpu", "--dtype", "float32", "--host", "127.0.0.1", "--port", str(port),
    ]  # fmt: skip
    # From the folder above, so that the model goes by its name and not by a path.
    ready, environment = f"http://127.0.0.1:{port}/health", {**os.environ, **_ONE_THREAD}
    log = tmp_path_factory.mktemp("smollm2")
    with serving.running(command, ready, parent, environment, log=log, patience=_PATIENCE):
        yield Endpoint(
            f"http://127.0.0.1:{port}/v1",
            model.NAME,
            max_tokens=96,
            timeout=600.0,
            concurrency=1,
            tries=2,
            context_window=8192,
        )
