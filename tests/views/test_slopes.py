from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ragdash.compare.factors import Side
from ragdash.compare.paired import pair
from ragdash.core.retrieval import Mode
from ragdash.store.effective import NOBODY
from ragdash.store.registry import Registry
from ragdash.store.stored import info_of
from ragdash.views import slopes
from ragdash.views.comparison import Opened
from ragdash.views.query import rows

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.views.query import Cursor


@pytest.fixture
def sides(filled: Path, rich: ModuleType, cursor: Cursor) -> tuple[Opened, Opened]:
    run = next(run for run in Registry.open(filled).runs() if run.run_id == rich.RUN)
    info = info_of(run)
    dense, hybrid = (
        Opened(mode.value, Side(info, mode, 1), cursor, NOBODY)
        for mode in (Mode.DENSE, Mode.HYBRID)
    )
    return dense, hybrid


def test_a_slope_has_the_stored_ranks_of_both_sides(sides: tuple[Opened, Opened]) -> None:
    base, other = sides
    ids = ["q01", "q02", "q03"]
    found = slopes.slopes(base, other, pair(dict.fromkeys(ids, 1.0), dict.fromkeys(ids, 0.0)))
    stored = {
        (row["mode"], row["question_id"]): row["gold_final_rank"]
        for row in rows(base.cursor, "SELECT mode, question_id, gold_final_rank FROM run.results")
    }
    assert found.total == 3
    assert [s.question_id for s in found.slopes] == ids
    for one in found.slopes:
        assert one.change == "regressed"
        assert one.before == stored["dense", one.question_id]
        assert one.after == stored["hybrid", one.question_id]


def test_a_question_without_a_gold_chunk_is_counted_and_not_drawn(
    sides: tuple[Opened, Opened],
) -> None:
    found = slopes.slopes(*sides, pair({"q01": 0.0, "no such": 0.0}, {"q01": 1.0, "no such": 1.0}))
    assert [s.question_id for s in found.slopes] == ["q01"]
    assert (found.total, found.without) == (2, 1)


def test_of_too_many_lines_those_that_regressed_are_kept(sides: tuple[Opened, Opened]) -> None:
    both = pair({"q01": 0.0, "q02": 1.0, "q03": 1.0}, {"q01": 1.0, "q02": 0.0, "q03": 0.0})
    kept = slopes.slopes(*sides, both, most=1).slopes
    assert [(s.question_id, s.change) for s in kept] == [("q02", "regressed")]
