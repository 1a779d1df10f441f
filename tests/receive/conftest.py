"""Files of the open form, written line by line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ragdash.core.run import QuestionResult
    from ragdash.receive import Received


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """`written(row, row, name="a.jsonl")` -> the file; a row is an object or a raw line."""

    def write(*rows: Any, name: str = "their.jsonl") -> Path:
        path = tmp_path / name
        lines = [r if isinstance(r, str) else json.dumps(r, ensure_ascii=False) for r in rows]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return write


@pytest.fixture
def received(written: Callable[..., Path]) -> Callable[..., Received]:
    """`received(row, row)` -> what the file of these rows says."""
    from ragdash.receive import receive

    return lambda *rows, facts=None: receive(written(*rows), "sha256:x", None, facts or {})


@pytest.fixture
def results(received: Callable[..., Received]) -> Callable[..., list[QuestionResult]]:
    """`results(row, row)` -> the results of these rows."""
    return lambda *rows: list(received(*rows).results())
