"""A gate judges the version that is named, and its words name that version again."""

from __future__ import annotations

import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import duckdb
import pytest

from ragdash.gate.asking import gated
from ragdash.gate.rules import load_rules
from ragdash.store.check import check
from ragdash.store.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

RULES = """
[[questions]]
metric = "answer_accuracy"
non_inferior = 0.99
min_scored = 1

[[questions]]
metric = "answer_accuracy"
min = 0.5
min_scored = 1
"""


@pytest.fixture
def rescored(build: ModuleType, rich: ModuleType, tmp_path: Path) -> Path:
    """A store with a run and a second version of it in which dense is right nowhere."""
    store: Path = rich.make_rich_store(build, tmp_path / "store")
    second = store / "runs" / f"{rich.RUN}.2.duckdb"
    shutil.copy(store / "runs" / f"{rich.RUN}.duckdb", second)
    with closing(duckdb.connect(second)) as db:
        db.execute("UPDATE meta SET version = 2")
        db.execute(
            "UPDATE scores SET value = 0 WHERE mode = 'dense' AND metric = 'answer_accuracy' "
            "AND status = 'scored'"
        )
        db.execute("CHECKPOINT")
    check(store)
    return store


def asked(store: Path, ref: str, base: str | None = None) -> tuple[str, str | None, float | None]:
    rules = store.parent / "rules.toml"
    rules.write_text(RULES, "utf-8")
    with closing(Registry.open(store, read_only=True)) as registry:
        found = gated(registry, store, ref, base, load_rules(rules))
    return found.ref, found.base, found.checks[1].value


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("base_version", [1, 2])
def test_a_gate_is_of_the_versions_that_are_named(
    rescored: Path, rich: ModuleType, version: int, base_version: int
) -> None:
    ref, base = f"{rich.RUN}.{version}:dense", f"{rich.RUN}.{base_version}:rerank"
    name, against, value = asked(rescored, ref, base)
    assert (name, against) == (ref, base)
    assert (value == 0) == (version == 2)
    # A name that was printed names the same again.
    assert asked(rescored, name, against) == (name, against, value)


def test_a_baseline_stays_on_the_version_it_was_set_on(rescored: Path, rich: ModuleType) -> None:
    with closing(Registry.open(rescored)) as registry:
        tag = registry.tag(
            f"{rich.RUN}.1:rerank", "baseline", reason="r", author="a", at="2026-11-30T10:00:00Z"
        )
        assert str(tag.ref) == f"{rich.RUN}.1:rerank"
        assert str(registry.tags()["baseline"].ref) == f"{rich.RUN}.1:rerank"
        assert registry.resolve("baseline").version == 1
        assert str(registry.resolve(rich.RUN)) == f"{rich.RUN}.2"
    assert asked(rescored, f"{rich.RUN}:dense")[:2] == (
        f"{rich.RUN}.2:dense",
        f"{rich.RUN}.1:rerank",
    )


def test_a_run_of_one_version_has_no_number(
    build: ModuleType, rich: ModuleType, tmp_path: Path
) -> None:
    store = rich.make_rich_store(build, tmp_path / "store")
    with closing(Registry.open(store, read_only=True)) as registry:
        assert str(registry.resolve(f"{rich.RUN}:dense")) == f"{rich.RUN}:dense"
