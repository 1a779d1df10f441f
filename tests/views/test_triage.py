from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.compare.noise import spread
from ragdash.compare.paired import pair
from ragdash.core.review import Opinion, Review, ReviewKey, Verdict
from ragdash.metrics import BY_NAME
from ragdash.store.attach import attach
from ragdash.store.effective import NOBODY, Finding, People, people
from ragdash.store.layout import run_file
from ragdash.store.registered import Ref
from ragdash.views import triage as view
from ragdash.views.compare import FAILED_LAYERS
from ragdash.views.judge import THRESHOLD, repeats
from ragdash.views.query import rows
from ragdash.views.triage import CHANGES, MARKS, PAGE_SIZE, SORTS, Filters, listing
from ragdash.views.triage_summary import summary

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.views.query import Cursor


def ids(cursor: Cursor, filters: Filters) -> list[str]:
    return [q.question_id for q in listing(cursor, filters, 1, NOBODY).questions]


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
    (found,) = listing(cursor, Filters("dense", layers=("ranking",)), 1, NOBODY).questions
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
    found = listing(attach(run_file(tmp_path, info.run_id, 1)), Filters(), 2, NOBODY)
    assert [q.question_id for q in found.questions] == names[PAGE_SIZE:]
    assert (found.matching, found.total) == (len(names), len(names))
    for asked, page in ((0, 1), (1, 1), (2, 2), (3, 2), (999, 2)):
        near = listing(attach(run_file(tmp_path, info.run_id, 1)), Filters(), asked, NOBODY)
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


def test_with_a_base_the_regressed_questions_come_first(filled: Path, rich: ModuleType) -> None:
    path = run_file(filled, rich.RUN, 1)
    both: Cursor = attach(path, path)
    alone = ids(both, Filters("hybrid"))
    beside = ids(both, Filters("hybrid", base=Ref(rich.RUN, 1, "rerank")))
    regressed = ids(
        both, Filters("hybrid", base=Ref(rich.RUN, 1, "rerank"), changes=("regressed",))
    )
    assert regressed == ["q03", "q06"]
    assert beside == [*regressed, *(q for q in alone if q not in regressed)]


STANDING = st.dictionaries(
    st.tuples(
        st.sampled_from(["dense", "hybrid", "rerank"]),
        st.sampled_from([f"q0{i}" for i in range(1, 8)]),
    ),
    st.builds(
        Finding,
        st.sampled_from(Verdict) | st.none(),
        st.sampled_from(["李雷", "Ann"]),
        st.booleans(),
    ),
)
FILTERS = st.builds(
    Filters,
    st.sampled_from(["dense", "hybrid", "rerank"]) | st.none(),
    st.lists(
        st.sampled_from(["wrong", "correct", "error", "unscored"]), unique=True, max_size=2
    ).map(tuple),
    st.lists(st.sampled_from(FAILED_LAYERS), unique=True, max_size=2).map(tuple),
    marks=st.lists(st.sampled_from(MARKS), unique=True, max_size=2).map(tuple),
    sort=st.sampled_from(SORTS),
)


@settings(max_examples=60)
@given(FILTERS, STANDING)
def test_the_list_equals_a_loop_over_results_and_what_people_say(
    judged_file: Path,
    filters: Filters,
    findings: dict[tuple[str, str], Finding],
) -> None:
    cursor: Cursor = attach(judged_file)
    flipped = {
        (row["mode"], row["question_id"])
        for row in rows(
            cursor,
            "SELECT mode, question_id FROM run.scores WHERE value IS NOT NULL GROUP BY mode, "
            "question_id, metric HAVING count(*) > 1 AND min(value) < 0.5 AND max(value) >= 0.5",
        )
    }
    expected = set()
    for row in rows(cursor, "FROM run.results"):
        key = (row["mode"], row["question_id"])
        said = findings.get(key, Finding(None, None, flag=False))
        layer = row["layer"] if said.verdict is None else said.verdict.value
        marks = {
            "flaky": key in flipped,
            "unreviewed": said.verdict is None
            and row["outcome"] not in ("correct", "abstained_right"),
            "flagged": said.flag,
        }
        if (
            filters.mode in (None, row["mode"])
            and (not filters.outcomes or row["outcome"] in filters.outcomes)
            and (not filters.layers or layer in filters.layers)
            and all(marks[mark] for mark in filters.marks)
        ):
            expected.add(row["question_id"])
    found = view.ids(cursor, filters, People(findings, {}))
    assert len(found) == len(set(found))
    assert set(found) == expected


@settings(max_examples=12)
@given(FILTERS, STANDING, st.booleans())
def test_each_count_is_what_choosing_it_would_list(
    filled: Path,
    rich: ModuleType,
    filters: Filters,
    findings: dict[tuple[str, str], Finding],
    beside: bool,
) -> None:
    path = run_file(filled, rich.RUN, 1)
    cursor: Cursor = attach(path, path)
    if beside and filters.mode == "hybrid":
        filters = replace(filters, base=Ref(rich.RUN, 1, "rerank"), changes=("regressed", "same"))
    found = view.facets(cursor, filters, People(findings, {}))

    def listed(**fields: object) -> int:
        return len(view.ids(cursor, replace(filters, **fields), People(findings, {})))

    for outcome in rich.OUTCOMES.values():
        assert found.outcomes.get(outcome.value, 0) == listed(outcomes=(outcome.value,))
    for mark in MARKS:
        assert found.marks[mark] == listed(marks=tuple({*filters.marks, mark}))
    if filters.base is not None:
        for change in CHANGES:
            assert found.changes.get(change, 0) == listed(changes=(change,))
    if filters.mode is not None:
        for layer in FAILED_LAYERS:
            n = sum(n for (code, _), n in found.layers.items() if code == layer)
            assert n == listed(layers=(layer,))


def test_flaky_questions_are_those_whose_repeats_cross_the_threshold(judged_cursor: Cursor) -> None:
    modes = {row["mode"] for row in rows(judged_cursor, "SELECT DISTINCT mode FROM run.results")}
    seen = set()
    for mode in modes:
        flipped = {
            question
            for by_question in repeats(judged_cursor, mode).values()
            for question, values in by_question.items()
            if spread(values, THRESHOLD).flips
        }
        assert set(ids(judged_cursor, Filters(mode, marks=("flaky",)))) == flipped
        seen |= flipped
    assert seen


def test_the_order_of_the_set_and_of_the_layers_can_be_asked_for(cursor: Cursor) -> None:
    assert ids(cursor, Filters(sort="set")) == ["q01", "q02", "q03", "q04", "q05", "q06"]
    # q06 was lost at ranking, q05 at generation, q02 and q03 at the caliber.
    assert ids(cursor, Filters(sort="layer")) == ["q06", "q05", "q02", "q03", "q01", "q04"]


def test_one_question_is_told_in_every_mode_with_whose_verdict_it_is(cursor: Cursor) -> None:
    said = People({("dense", "q06"): Finding(Verdict.RECALL, "李雷", flag=True)}, {})
    found = {r.mode: r for r in view.results(cursor, Filters("dense"), "q06", said)}
    assert list(found) == ["dense", "hybrid", "rerank"]
    assert (found["dense"].layer, found["dense"].rule_layer) == ("recall", "ranking")
    assert (found["dense"].reviewer, found["dense"].flag, found["dense"].hit) == (
        "李雷",
        True,
        True,
    )
    assert not found["hybrid"].hit
    assert view.results(cursor, Filters(), "nope", said) == ()


def test_the_summary_counts_layers_and_how_far_people_agree(cursor: Cursor) -> None:
    def say(number: int, question: str, verdict: Verdict | None, reviewer: str = "李雷") -> Review:
        key = ReviewKey("r", 1, "dense", question)
        return Review(number, key, reviewer, "now", Opinion(verdict, flag=True), None, None)

    # The rule: q02 business, q05 generation, q06 ranking; q01 not lost.
    reviews = [
        say(1, "q02", Verdict.BUSINESS),
        say(2, "q05", Verdict.RANKING),
        say(3, "q06", Verdict.UNDETERMINED),
        say(4, "q01", Verdict.NO_FAULT),
        say(5, "q04", None),
    ]
    found = summary(cursor, "dense", reviews, people(reviews, ()))
    assert (found.failed, found.failed_reviewed) == (3, 3)
    assert (found.agreed, found.compared, found.undecided) == (2, 3, 1)
    assert found.rule == {"business": 1, "generation": 1, "ranking": 1, "no_fault": 3}
    assert found.people == {"business": 1, "ranking": 1, "undetermined": 1, "no_fault": 1}
    assert [one.review for one in found.reviews] == reviews
    assert found.reviews[0].text.startswith("贵州茅台2023年归属于")
    assert summary(cursor, "hybrid", reviews, people(reviews, ())).reviews == ()
    assert summary(cursor, None, reviews, people(reviews, ())).agreed == 2


@pytest.mark.parametrize("mode", [None, "dense", "hybrid", "rerank"])
@pytest.mark.parametrize(
    "asked",
    [{}, {"outcomes": ("wrong",)}, {"layers": ("ranking",)}, {"where": "q05 OR outcome:correct"},
     {"where": "nothing here"}, {"short": ("answer_accuracy",)}],
)  # fmt: skip
def test_the_summary_counts_the_rows_of_the_list_and_no_other(
    cursor: Cursor, mode: str | None, asked: dict[str, Any]
) -> None:
    reviews = [
        Review(n, ReviewKey("r", 1, m, q), "李雷", "now", Opinion(Verdict.RECALL), None, None)
        for n, (m, q) in enumerate([("dense", "q02"), ("hybrid", "q05"), ("rerank", "q01")], 1)
    ]
    said = people(reviews, ())
    filters = view.resolved(cursor, Filters(mode, **asked), said)
    among = view.narrowed(cursor, filters, said)
    assert (among is None) == (not asked)
    found = summary(cursor, mode, reviews, said, among)
    n_rows = view.row_count(cursor, filters, said)
    assert sum(found.rule.values()) == n_rows
    if among is not None:
        assert {q for _, q in among} == set(view.ids(cursor, filters, said))
        kept = {(m, q) for m, q in among}
        assert all((r.review.key.mode, r.review.key.question_id) in kept for r in found.reviews)
        assert sum(found.people.values()) == len(found.reviews)


@pytest.mark.parametrize("mode", ["dense", "hybrid", "rerank"])
def test_short_of_a_metric_are_the_questions_that_its_share_leaves_out(
    cursor: Cursor, mode: str
) -> None:
    stored = rows(cursor, "FROM run.scores WHERE mode = ? AND value IS NOT NULL", [mode])
    names = {row["metric"] for row in stored} & set(BY_NAME)
    assert "answer_accuracy" in names
    for name in names:
        best = 1 if BY_NAME[name].higher_is_better else 0
        short = {r["question_id"] for r in stored if r["metric"] == name and r["value"] != best}
        assert set(ids(cursor, Filters(mode, short=(name,)))) == short
    both = Filters(mode, short=tuple(sorted(names)))
    assert set(ids(cursor, both)) == set().union(
        *(ids(cursor, Filters(mode, short=(name,))) for name in names)
    )
