from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ragdash.models.tiny import write_tiny_embedder, write_tiny_reranker

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def embedder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_embedder(tmp_path_factory.mktemp("models") / "embedder")


@pytest.fixture(scope="session")
def reranker_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_reranker(tmp_path_factory.mktemp("models") / "reranker")
