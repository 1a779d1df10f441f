from __future__ import annotations

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
