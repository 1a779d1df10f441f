from __future__ import annotations

import shutil
import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.core.call import Call, CallReason, Level
from ragdash.core.errors import InputError, StoreError
from ragdash.core.retrieval import Mode
from ragdash.core.run import Outcome
from ragdash.core.score import failed, not_applicable, scored, undefined
from ragdash.store.journal import Journal
from ragdash.store.layout import registry_file
from ragdash.store.registered import Ref
from ragdash.store.registry import Registry, prepare
from ragdash.store.runfile import publish, publish_attack
from ragdash.store.summary import ModeRow, summarise

RUN = "20261130-0936-demo-3f2a"
LATER = "20261201-0800-demo-77aa"
NOW = "2026-11-30T10:00:00Z"


@pytest.fixture
def registry(store):
    with closing(Registry.open(store)) as registry:
        yield registry


@pytest.fixture
def add_run(store, make_info):
    def add(run_id, *results, **info):
        modes = tuple(dict.fromkeys(r.mode for r in results))
        ids = list(dict.fromkeys(r.question.id for r in results))
        with Journal.create(store, make_info(run_id, modes=modes, **info), ids) as journal:
            for result in results:
                journal.append(result)
            return publish(store, journal, NOW)

    return add


SCORE_ROWS = st.lists(
    st.tuples(
        st.sampled_from(["dense", "hybrid"]),
        st.sampled_from(["mrr", "answer_accuracy"]),
        st.sampled_from(["q1", "问2", "q3"]),
        st.sampled_from([0.0, 1.0, 0.5, 0.1]) | st.none(),
        st.sampled_from(["not_applicable", "undefined", "error"]),
    ).map(lambda r: (*r[:4], r[4] if r[3] is None else "scored")),
    max_size=25,
)


@given(SCORE_ROWS)
def test_summaries_agree_with_counting_by_hand(rows):
    by_metric = defaultdict(lambda: defaultdict(list))
    for mode, metric, question_id, value, status in rows:
        by_metric[mode, metric][question_id].append((value, status))

    summaries = {(s.mode, s.metric): s for s in summarise(rows)}

    assert summaries.keys() == by_metric.keys()
    for key, questions in by_metric.items():
        found, values, left = summaries[key], [], []
        for repeats in questions.values():
            known = [v for v, _ in repeats if v is not None]
            if known:
                values.append(fmean(known))
            else:
                statuses = {s for _, s in repeats}
                order = ["error", "undefined", "not_applicable"]
                left.append(next(s for s in order if s in statuses))
        errors = left.count("error")
        assert found.n_scored == len(values)
        assert (found.n_error, found.n_undefined, found.n_not_applicable) == (
            errors,
            left.count("undefined"),
            left.count("not_applicable"),
        )
        assert found.mean == (pytest.approx(fmean(values)) if values else None)
        binary = values and set(values) <= {0.0, 1.0}
        assert found.k == (values.count(1.0) if binary else None)
        if values or errors:
            assert found.low == pytest.approx(fmean([*values, *[0.0] * errors]))
            assert found.high == pytest.approx(fmean([*values, *[1.0] * errors]))
        else:
            assert (found.low, found.high) == (None, None)


CALLS = st.lists(
    st.builds(
        Call,
        *map(st.just, ("judge", "faithfulness", "h", "m", "sha256:1", Level.TEXT, "问")),
        reason=st.sampled_from([CallReason.NONE, CallReason.NONE, CallReason.TIMEOUT]),
        cost=st.sampled_from([0.0, 0.25, 3.5]) | st.none(),
        cached=st.booleans(),
    ),
    max_size=6,
)


@settings(max_examples=20, deadline=None)
@given(dense=CALLS, hybrid=CALLS)
def test_a_mode_costs_what_its_calls_did_that_were_asked_and_a_missing_price_is_no_zero(
    make_result, make_info, dense, hybrid
):
    by_mode = {Mode.DENSE: dense, Mode.HYBRID: hybrid}
    with TemporaryDirectory() as folder:
        store = Path(folder)
        info = make_info(RUN, modes=tuple(by_mode), n_questions=1)
        with Journal.create(store, info, ["q1"]) as journal:
            for mode, calls in by_mode.items():
                journal.append(make_result("q1", mode=mode, calls=tuple(calls)))
            publish(store, journal, NOW)
        with closing(Registry.open(store)) as registry:
            (run,) = registry.runs()
    for found in run.modes:
        asked = [call for call in by_mode[Mode(found.mode)] if not call.cached]
        priced = [call.cost for call in asked if call.cost is not None]
        unknown = [c for c in asked if c.cost is None and c.reason is CallReason.NONE]
        assert (found.calls, found.unpriced) == (len(asked), len(unknown))
        assert found.cost == (pytest.approx(sum(priced)) if priced else None)


def test_a_published_run_is_registered_with_means_outcomes_and_seconds(
    registry, add_run, make_result
):
    add_run(
        RUN,
        make_result("q1", scores=(scored("mrr", 1.0), scored("faithfulness", 0.5))),
        make_result(
            "q2",
            outcome=Outcome.WRONG,
            scores=(scored("mrr", 0.0), failed("faithfulness", "timeout")),
        ),
        make_result(
            "q3",
            outcome=Outcome.ABSTAINED_RIGHT,
            scores=(undefined("mrr", "no_qrels"), not_applicable("faithfulness", "refused")),
        ),
    )

    (run,) = registry.runs()
    faithfulness, mrr = registry.summaries()[RUN, 1]
    assert (run.run_id, run.version, run.kind, run.status) == (RUN, 1, "evaluation", "done")
    assert run.config["retrieval"]["top_k"] == 5
    assert run.environment["models"]["dense"]["dim"] == 384
    assert run.modes == (ModeRow("dense", 0, 3, 0.016, 0.016),)
    assert (mrr.mean, mrr.k, mrr.n_scored, mrr.n_undefined, mrr.low) == (0.5, 1, 2, 1, 0.5)
    assert (faithfulness.mean, faithfulness.k, faithfulness.n_error) == (0.5, None, 1)
    assert (faithfulness.low, faithfulness.high) == (0.25, 0.75)
    assert registry.outcomes()[RUN, 1] == {
        ("dense", "abstained_right"): 1,
        ("dense", "correct"): 1,
        ("dense", "wrong"): 1,
    }


def test_registering_a_file_twice_changes_nothing(registry, add_run, make_result):
    path = add_run(RUN, make_result())
    before = (registry.runs(), registry.summaries(), registry.outcomes())

    registry.register(path)

    assert (registry.runs(), registry.summaries(), registry.outcomes()) == before


def test_in_an_attack_run_the_policy_stands_where_the_mode_stands(store, registry, build):
    publish_attack(
        store,
        build.make_attack_info(policies=("refuse_all", "layered")),
        [build.make_attack_row(policy="layered"), build.make_attack_row(policy="refuse_all")],
        [build.make_attack_summary("layered")],
        NOW,
    )

    attack = registry.latest("attack")
    assert [(m.mode, m.n) for m in attack.modes] == [("refuse_all", 1), ("layered", 1)]
    summaries = {s.metric: s for s in registry.summaries()[attack.run_id, 1]}
    assert (summaries["abstention"].k, summaries["abstention"].n_scored) == (2, 6)
    assert summaries["over_abstention"].mean is None
    assert registry.resolve(f"{attack.run_id}:layered").mode == "layered"
    assert registry.latest() is None


def test_the_latest_run_is_the_one_that_started_last(registry, add_run, make_result):
    add_run(LATER, make_result(), started_at="2026-12-01T08:00:00Z")
    add_run(RUN, make_result())
    add_run(LATER, make_result(), started_at="2026-12-01T08:00:00Z")

    assert (registry.latest().run_id, registry.latest().version) == (LATER, 2)


@pytest.fixture(scope="module")
def template(tmp_path_factory, make_info, make_result):
    """Two versions of one run, another run, and two tags; made once and copied."""
    store = tmp_path_factory.mktemp("template") / "store"
    modes = {RUN: (Mode.DENSE, Mode.HYBRID), LATER: (Mode.RERANK,)}
    for run_id in (RUN, RUN, LATER):
        with Journal.create(store, make_info(run_id, modes=modes[run_id]), ["q1"]) as journal:
            for mode in modes[run_id]:
                journal.append(make_result("q1", mode))
            publish(store, journal, NOW)
    with closing(Registry.open(store)) as registry:
        tagging = {"reason": "今日基线", "author": "li", "at": NOW}
        registry.tag(f"{RUN}.1:hybrid", "baseline", **tagging)
        registry.tag(RUN, "候选", **tagging)
    return store


@pytest.fixture
def three_refs(template, store):
    shutil.copytree(template, store)
    with closing(Registry.open(store)) as registry:
        yield registry


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        (RUN, Ref(RUN, 2, None)),
        (f"{RUN}:dense", Ref(RUN, 2, "dense")),
        (f"{RUN}.1", Ref(RUN, 1, None)),
        (f"{RUN}.1:hybrid", Ref(RUN, 1, "hybrid")),
        (f"{RUN}.2", Ref(RUN, 2, None)),
        ("baseline", Ref(RUN, 1, "hybrid")),
        ("baseline:hybrid", Ref(RUN, 1, "hybrid")),
        ("候选", Ref(RUN, 2, None)),
        ("候选:dense", Ref(RUN, 2, "dense")),
    ],
)
def test_a_ref_names_a_version_and_a_mode(three_refs, ref, expected):
    assert three_refs.resolve(ref) == expected
    assert three_refs.resolve(str(expected)) == expected or expected.version == 1


@pytest.mark.parametrize(
    ("ref", "why"),
    [
        ("20261130-0936-demo-3f2b", f"did you mean {RUN}"),
        ("baselin", r"did you mean baseline\?"),
        ("候", "is no run and no tag"),
        (f"{RUN}.3", "version 1, 2, not '3'"),
        (f"{RUN}.01", "version 1, 2, not '01'"),
        (f"{RUN}.", "version 1, 2, not ''"),
        (f"{RUN}:rerank", "has dense, hybrid, not 'rerank'"),
        (f"{RUN}:", "has dense, hybrid, not ''"),
        ("baseline:dense", rf"tag baseline stands for {RUN}\.1:hybrid"),
        ("", "is no run and no tag"),
        ("'; DROP TABLE runs; --", "is no run and no tag"),
    ],
)
def test_a_ref_that_names_nothing_says_what_there_is(three_refs, ref, why):
    with pytest.raises(InputError, match=why):
        three_refs.resolve(ref)


def test_an_empty_store_says_how_to_fill_it(registry):
    with pytest.raises(InputError, match="this store is empty, `ragdash demo` fills it"):
        registry.resolve("baseline")


def test_a_tag_moves_and_keeps_its_history(three_refs):
    before = three_refs.tags()["baseline"]

    three_refs.tag(LATER, "baseline", reason="better", author="王", at="2026-12-02T00:00:00Z")

    assert three_refs.resolve("baseline") == Ref(LATER, 1, None)
    history = [tag for tag in three_refs.tag_history() if tag.name == "baseline"]
    assert history == [before, three_refs.tags()["baseline"]]
    assert (history[1].reason, history[1].author) == ("better", "王")


def test_the_database_itself_refuses_to_change_or_drop_a_tag(three_refs, store):
    with closing(sqlite3.connect(registry_file(store))) as db:
        for statement in ("UPDATE tags SET reason = ''", "DELETE FROM tags"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                db.execute(statement)
            db.rollback()
    assert len(three_refs.tag_history()) == 2


@pytest.mark.parametrize(
    ("ref", "name", "reason", "why"),
    [
        (RUN, "a.b", "x", "choose another"),
        (RUN, "a:b", "x", "choose another"),
        (RUN, "", "x", "choose another"),
        (RUN, "-a", "x", "choose another"),
        (RUN, "a\n", "x", "choose another"),
        (RUN, "x" * 65, "x", "choose another"),
        (RUN, LATER, "x", "is the id of a run"),
        (RUN, "ok", "  ", "needs a reason"),
        ("nothing", "ok", "x", "is no run and no tag"),
    ],
)
def test_a_bad_tag_is_refused_and_nothing_is_written(three_refs, ref, name, reason, why):
    with pytest.raises(InputError, match=why):
        three_refs.tag(ref, name, reason=reason, author="li", at=NOW)

    assert len(three_refs.tag_history()) == 2


def test_a_tag_of_a_run_that_was_taken_away_says_so(three_refs, store):
    with closing(sqlite3.connect(registry_file(store))) as db:
        db.execute("PRAGMA foreign_keys=ON")
        db.execute("DELETE FROM runs WHERE run_id = ?", (RUN,))
        db.commit()

    with pytest.raises(InputError, match="not in this store any more"):
        three_refs.resolve("baseline")


def test_reading_a_store_that_is_not_there_makes_none(store):
    with pytest.raises(StoreError, match="there is no"):
        Registry.open(store, read_only=True)

    assert not store.exists()


@pytest.mark.usefixtures("three_refs")
def test_a_registry_opened_for_reading_cannot_be_written(store):
    with closing(Registry.open(store, read_only=True)) as reader:
        assert len(reader.runs()) == 3
        with pytest.raises(StoreError, match="readonly"):
            reader.tag(RUN, "x", reason="x", author="x", at=NOW)


def test_a_damaged_registry_is_named(store):
    store.mkdir()
    registry_file(store).write_bytes(b"no database at all" * 100)

    with pytest.raises(StoreError, match=r"registry\.sqlite is damaged"):
        Registry.open(store)


@pytest.mark.parametrize("make", ["file", "runs is a file", "dangling link"])
def test_a_store_that_cannot_be_used_is_refused_before_any_work(tmp_path, make) -> None:
    store = tmp_path / "store"
    if make == "file":
        store.write_text("x")
    elif make == "dangling link":
        store.symlink_to(tmp_path / "gone" / "gone")
        (tmp_path / "gone").write_text("x")
    else:
        store.mkdir()
        (store / "runs").write_text("x")
    with pytest.raises(StoreError, match="cannot be used"):
        prepare(store)


def test_a_damaged_registry_is_noticed_before_any_work_and_can_be_made_anew(tmp_path) -> None:
    prepare(tmp_path)
    (tmp_path / "registry.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(StoreError):
        prepare(tmp_path)
