from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.core.review import Opinion, Review, ReviewKey, Verdict
from ragdash.filter import asked, parse
from ragdash.filter.values import KEPT, LOST
from ragdash.metrics import BY_NAME
from ragdash.store.attach import attach
from ragdash.store.effective import NOBODY, people
from ragdash.store.layout import run_file
from ragdash.store.registered import Ref
from ragdash.views import passage
from ragdash.views import triage as view
from ragdash.views.compare import FAILED_LAYERS
from ragdash.views.filtered import expressed, query_of
from ragdash.views.judge import JUDGED
from ragdash.views.query import rows
from ragdash.views.triage import CHANGES, MARKS, Filters

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.store.effective import People
    from ragdash.views.query import Cursor

OUTCOMES = ("correct", "wrong", "abstained_right", "abstained_wrong", "error", "unscored")


def few(values: tuple[str, ...] | list[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(list(values)), max_size=2, unique=True).map(tuple)


FILTERS = st.builds(
    Filters,
    outcomes=few(OUTCOMES),
    layers=few(FAILED_LAYERS),
    marks=few(MARKS),
    short=few([name for name in BY_NAME if name in ("caliber", "hit@1", "over_refusal", "mrr")]),
    lost=few(passage.LOST),
    kept=few(passage.KEPT),
    flips=few(JUDGED),
    where=st.sampled_from(
        ["", "", "茅台", "answer:净利润 OR is:refused", "-hit@1<1", "is:flagged"]
    ),
)


def hits(cursor: Cursor, filters: Filters, said: People) -> set[tuple[str, str]]:
    every = [row["question_id"] for row in rows(cursor, "FROM run.questions")]
    return {
        (result.mode, name)
        for name in every
        for result in view.results(cursor, filters, name, said)
        if result.hit
    }


def listed(
    cursor: Cursor, text: str, said: People, base: tuple[str, People] | None = None
) -> set[tuple[str, str]]:
    query, values = query_of(parse(text), paired=base is not None)
    found = rows(cursor, query, {**asked(said, base), **values})
    return {(row["mode"], row["question_id"]) for row in found}


@pytest.fixture(scope="session")
def said(rich: ModuleType) -> People:
    """Two verdicts of people, one of them with a flag."""
    reviews = [
        Review(
            number,
            ReviewKey(rich.RUN, 1, mode, name),
            "安",
            "2026-11-30T10:00:00Z",
            Opinion(verdict, flag, ""),
            None,
            None,
        )
        for number, (mode, name, verdict, flag) in enumerate(
            [("dense", "q02", Verdict.RANKING, True), ("hybrid", "q05", Verdict.NO_FAULT, False)], 1
        )
    ]
    return people(reviews, [])


@given(FILTERS)
@settings(max_examples=60)
def test_the_filters_of_the_page_said_in_the_language_hold_the_same(filled, rich, said, filters):
    cursor = attach(run_file(filled, rich.RUN, 1))
    assert listed(cursor, expressed(filters), said) == hits(cursor, filters, said)


def test_every_filter_of_the_page_is_said_or_has_an_option_of_its_own() -> None:
    said = {"outcomes", "layers", "changes", "marks", "short", "lost", "kept", "flips", "where"}
    # REF and --base say these; the order is the set's; the last is worked out from the others.
    others = {"mode", "base", "base_people", "sort", "held"}
    assert {one.name for one in fields(Filters)} == said | others


@given(FILTERS)
@settings(max_examples=30)
def test_a_resolved_filter_lists_and_counts_the_same(filled, rich, said, filters):
    cursor = attach(run_file(filled, rich.RUN, 1))
    resolved = view.resolved(cursor, filters, said)
    assert view.ids(cursor, resolved, said) == view.ids(cursor, filters, said)
    assert view.facets(cursor, resolved, said) == view.facets(cursor, filters, said)
    assert view.row_count(cursor, resolved, said) == len(hits(cursor, filters, said))


def test_flips_of_a_judge_are_those_of_the_page(judged_cursor: Cursor) -> None:
    found = {name: listed(judged_cursor, f"flips:{name}", NOBODY) for name in JUDGED}
    assert any(found.values())
    for name, held in found.items():
        assert held == hits(judged_cursor, Filters(flips=(name,)), NOBODY)


@pytest.mark.parametrize("code", [*(f"lost:{c}" for c in LOST), *(f"kept:{c}" for c in KEPT)])
def test_stages_of_the_funnel_hold_as_its_links_do(cursor: Cursor, code: str) -> None:
    name, _, stage = code.partition(":")
    filters = Filters(**{name: (stage,)})
    assert listed(cursor, code, NOBODY) == hits(cursor, filters, NOBODY)


def test_the_stages_are_those_of_the_funnel() -> None:
    assert tuple(LOST) == passage.LOST
    assert tuple(KEPT) == passage.KEPT


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_that_of_triage(filled: Path, rich: ModuleType, change: str) -> None:
    path = run_file(filled, rich.RUN, 1)
    both: Cursor = attach(path, path)
    filters = Filters("rerank", base=Ref(rich.RUN, 1, "dense"), changes=(change,))
    expected = {name for mode, name in hits(both, filters, NOBODY) if mode == "rerank"}
    text = f"mode:rerank {expressed(filters)}"
    found = {name for _, name in listed(both, text, NOBODY, ("dense", NOBODY))}
    assert found == expected


def test_the_text_narrows_list_counts_and_results_alike(cursor: Cursor) -> None:
    filters = Filters("dense", where="layer:business OR is:refused")
    found = view.listing(cursor, filters, 1, NOBODY)
    assert [q.question_id for q in found.questions] == view.ids(cursor, filters, NOBODY)
    assert found.matching == 3
    facets = view.facets(cursor, filters, NOBODY)
    assert dict(facets.outcomes) == {"wrong": 1, "abstained_wrong": 1, "abstained_right": 1}
    assert sum(facets.layers.values()) == 2


def test_what_people_say_is_what_is_filtered(cursor: Cursor, said: People) -> None:
    assert listed(cursor, "reviewer:安", said) == {("dense", "q02"), ("hybrid", "q05")}
    assert listed(cursor, "layer:ranking verdict:ranking flag:yes", said) == {("dense", "q02")}
    assert listed(cursor, "rule_layer:business -layer:business", said) == {("dense", "q02")}
    assert listed(cursor, "reviewer=an", said) == set()
