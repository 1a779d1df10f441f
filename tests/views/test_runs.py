from __future__ import annotations

import shutil
from contextlib import closing
from typing import TYPE_CHECKING

from ragdash.store.registry import Registry
from ragdash.views import runs
from ragdash.views.frame import facts

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.views.query import Cursor


def test_a_run_is_listed_with_outcomes_and_accuracy_by_mode(filled: Path, rich: ModuleType) -> None:
    with closing(Registry.open(filled, read_only=True)) as registry:
        (line,) = runs.overview(registry)
    assert line.ref == rich.RUN
    assert [(m.mode, m.k, m.n) for m in line.modes] == [
        ("dense", 2, 4),
        ("hybrid", 2, 4),
        ("rerank", 4, 4),
    ]
    assert line.modes[0].outcomes["error"] == 1


def test_evaluations_and_attack_runs_are_apart(filled: Path, rich: ModuleType) -> None:
    with closing(Registry.open(filled, read_only=True)) as registry:
        assert [r.run_id for r in runs.newest(registry, "attack")] == [rich.ATTACK]
        assert [r.run_id for r in runs.newest(registry, "evaluation")] == [rich.RUN]


def test_facts_are_those_of_the_file(cursor: Cursor, attack_cursor: Cursor) -> None:
    assert facts(cursor).modes == ("dense", "hybrid", "rerank")
    assert (facts(cursor).top_k, facts(cursor).generator) == (5, "extractive")
    assert facts(attack_cursor).corpus is None
    assert facts(attack_cursor).modes == ("baseline", "defended")


def test_the_other_gates_are_given_as_k_of_n_and_left_out_where_nothing_was_scored(
    filled: Path, rich: ModuleType
) -> None:
    with closing(Registry.open(filled, read_only=True)) as registry:
        (line,) = runs.overview(registry)
        stored = registry.summaries()[rich.RUN, 1]
    for mode in line.modes:
        expected = {
            s.metric: (s.k, s.n_scored)
            for s in stored
            if s.mode == mode.mode and s.metric in runs.GATES and s.n_scored and s.k is not None
        }
        assert dict(mode.gates) == expected
    assert any(mode.gates for mode in line.modes)


def test_a_tag_stays_with_the_mode_and_version_it_was_given_to(
    filled: Path, rich: ModuleType, tmp_path: Path
) -> None:
    store = shutil.copytree(filled, tmp_path / "store")
    ref = f"{rich.RUN}:dense"
    with closing(Registry.open(store)) as registry:
        registry.tag(ref, "基准", reason="首版", author="me", at="2026-01-01T00:00:00Z")
        (line,) = runs.overview(registry)
    (tag,) = line.tags
    assert (tag.name, tag.ref.mode, tag.ref.version) == ("基准", "dense", 1)
