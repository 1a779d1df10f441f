from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from ragdash.store.effective import NOBODY
from ragdash.store.layout import run_file
from ragdash.store.registry import Registry
from ragdash.views import history

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.store.registered import RunRow


def registered(store: Path) -> list[RunRow]:
    with closing(Registry.open(store, read_only=True)) as registry:
        return registry.runs()


def test_only_evaluations_over_the_same_question_set_are_of_the_history(
    filled: Path, rich: ModuleType
) -> None:
    runs = registered(filled)
    (run,) = history.runs_of(runs, runs[-1].questions_digest)
    assert run.run_id == rich.RUN
    assert history.runs_of(runs, "sha256:" + "9" * 64) == []


def test_each_mode_tells_outcome_layer_and_gold_rank_in_the_order_of_the_run(
    filled: Path, rich: ModuleType
) -> None:
    run = next(r for r in registered(filled) if r.run_id == rich.RUN)
    found = history.asked(filled, run, "q06", NOBODY)
    assert found is not None
    told = [(one.mode, one.outcome, one.layer, one.gold_final_rank) for one in found]
    assert told == [
        ("dense", "abstained_wrong", "ranking", 4),
        ("hybrid", "abstained_wrong", "ranking", 4),
        ("rerank", "correct", None, 1),
    ]
    assert found[0].top_k == 2
    assert found[0].length == len(found[0].answer)


def test_a_question_that_a_run_does_not_have_is_in_no_mode(filled: Path, rich: ModuleType) -> None:
    run = next(r for r in registered(filled) if r.run_id == rich.RUN)
    assert history.asked(filled, run, "'; DROP TABLE results; --", NOBODY) == ()


def test_a_file_that_cannot_be_read_is_told_apart(
    build: ModuleType, rich: ModuleType, tmp_path: Path
) -> None:
    store = rich.make_rich_store(build, tmp_path / "store")
    run = next(r for r in registered(store) if r.run_id == rich.RUN)
    run_file(store, rich.RUN, 1).write_bytes(b"no database")
    assert history.asked(store, run, "q06", NOBODY) is None


def test_a_page_holds_twenty_runs_and_the_last_page_the_rest(
    filled: Path, rich: ModuleType
) -> None:
    run = next(r for r in registered(filled) if r.run_id == rich.RUN)
    runs = [replace(run, version=i) for i in range(41)]
    assert history.pages_of([]) == 1
    assert [history.pages_of(runs[:n]) for n in (1, 20, 21, 40, 41)] == [1, 1, 2, 2, 3]
    assert [r.version for r in history.page_of(runs, 3)] == [40]
    pages = [history.page_of(runs, n) for n in (1, 2, 3)]
    assert [r for page in pages for r in page] == runs
