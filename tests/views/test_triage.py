from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ragdash.compare.paired import pair
from ragdash.store.attach import attach
from ragdash.store.layout import run_file
from ragdash.store.registry import Ref
from ragdash.views.query import rows
from ragdash.views.triage import CHANGES, PAGE_SIZE, Filters, listing

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.views.query import Cursor


def ids(cursor: Cursor, filters: Filters) -> list[str]:
    return [q.question_id for q in listing(cursor, filters).questions]


def test_no_filter_lists_every_question_failed_ones_first(cursor: Cursor) -> None:
    assert ids(cursor, Filters()) == ["q05", "q02", "q03", "q06", "q01", "q04"]


@pytest.mark.parametrize("mode", ["dense", "hybrid", "rerank"])
@pytest.mark.parametrize("fate", "cwaoeu")
def test_a_filter_equals_a_loop_over_the_fates(
    cursor: Cursor, rich: ModuleType, mode: str, fate: str
) -> None:
    outcome = rich.OUTCOMES[fate].value
    expected = [f"q{i + 1:02}" for i, f in enumerate(rich.FATES[mode]) if f == fate]
    assert ids(cursor, Filters(mode, outcomes=(outcome,))) == expected


def test_mode_outcome_and_layer_hold_for_the_same_result(cursor: Cursor) -> None:
    # q02 is wrong in dense and correct in hybrid: the two do not add up to a hybrid failure.
    assert ids(cursor, Filters("hybrid", ("correct",), ("business",))) == []
    assert ids(cursor, Filters("dense", ("wrong",), ("business",))) == ["q02"]


def test_a_listed_question_carries_all_its_modes(cursor: Cursor) -> None:
    (found,) = listing(cursor, Filters("dense", layers=("ranking",))).questions
    assert {r.mode: r.outcome for r in found.results} == {
        "dense": "abstained_wrong",
        "hybrid": "abstained_wrong",
        "rerank": "correct",
    }


def test_a_value_of_the_filter_is_bound_and_never_sql(cursor: Cursor) -> None:
    assert ids(cursor, Filters("x' OR '1'='1", ("') OR true --",))) == []


def test_a_long_list_comes_in_pages_and_a_long_text_is_cut(
    build: ModuleType, tmp_path: Path
) -> None:
    from ragdash.core.retrieval import Mode
    from ragdash.store.attach import attach
    from ragdash.store.journal import Journal
    from ragdash.store.layout import run_file
    from ragdash.store.runfile import publish

    names = [f"q{i:03}" for i in range(PAGE_SIZE + 7)]
    info = build.make_info("20261130-1100-long-1", modes=(Mode.DENSE,), n_questions=len(names))
    with Journal.create(tmp_path, info, names) as journal:
        for name in names:
            question = build.make_question(name, text="长" * 5000)
            journal.append(build.make_result(name, question=question))
        publish(tmp_path, journal, "2026-11-30T11:01:00Z")
    found = listing(attach(run_file(tmp_path, info.run_id, 1)), Filters(), 2)
    assert [q.question_id for q in found.questions] == names[PAGE_SIZE:]
    assert (found.matching, found.total) == (len(names), len(names))
    for asked, page in ((0, 1), (1, 1), (2, 2), (3, 2), (999, 2)):
        near = listing(attach(run_file(tmp_path, info.run_id, 1)), Filters(), asked)
        assert (near.page, near.pages, near.matching) == (page, 2, len(names))
        assert len(near.questions) == (PAGE_SIZE, 7)[page - 1]
    assert (len(found.questions[0].text), found.questions[0].length) == (160, 5000)


@pytest.mark.parametrize(("mode", "base"), [("rerank", "dense"), ("dense", "hybrid")])
def test_a_change_against_a_base_lists_what_compare_counts(
    filled: Path, rich: ModuleType, mode: str, base: str
) -> None:
    path = run_file(filled, rich.RUN, 1)
    both: Cursor = attach(path, path)
    values: dict[str, dict[str, float | None]] = {}
    for row in rows(both, "FROM run.scores WHERE metric = 'answer_accuracy'"):
        values.setdefault(row["mode"], {})[row["question_id"]] = row["value"]
    expected = pair(values[base], values[mode])
    for change in CHANGES:
        filters = Filters(mode, base=Ref(rich.RUN, 1, base), changes=(change,))
        assert sorted(ids(both, filters)) == sorted(getattr(expected, change))
    every = Filters(mode, base=Ref(rich.RUN, 1, base), changes=CHANGES)
    assert len(ids(both, every)) == expected.n + len(expected.not_comparable)
    # Other filters hold beside it.
    moved = Filters(mode, ("wrong",), base=Ref(rich.RUN, 1, base), changes=("regressed",))
    assert set(ids(both, moved)) <= set(expected.regressed)


def test_a_base_without_a_change_filters_nothing_and_needs_no_second_file(
    cursor: Cursor, rich: ModuleType
) -> None:
    assert len(ids(cursor, Filters("dense", base=Ref(rich.RUN, 1, "rerank")))) == 6
