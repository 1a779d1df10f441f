from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.core.diagnosis import Diagnosis, Layer, Sentence
from ragdash.core.errors import InputError, StaleReview, StoreError
from ragdash.core.retrieval import Mode
from ragdash.core.review import Opinion, Proposal, Review, ReviewKey, Verdict
from ragdash.core.run import Outcome
from ragdash.store.attach import attach
from ragdash.store.check import check
from ragdash.store.effective import RESULTS, bound, people
from ragdash.store.journal import Journal
from ragdash.store.layout import registry_file, run_file
from ragdash.store.migrations.registry import STEPS
from ragdash.store.migrations.runner import migrate
from ragdash.store.registry import Registry, prepare
from ragdash.store.reviewers import (
    FILTERS_LIMIT,
    SavedFilter,
    drop_filter,
    filters_of,
    remember_name,
    remembered_name,
    save_filter,
)
from ragdash.store.reviews import draft_of, drop_draft, keep_draft, reviews_of, save_review
from ragdash.store.runfile import publish
from ragdash.store.said import people_of
from ragdash.store.sqlite import open_writer

RUN = "20261130-0936-demo-3f2a"
AT = "2026-11-30T10:00:00Z"
ROOT = Path(__file__).parents[2]


def lost(layer):
    words = Sentence("en", "中文")
    return Diagnosis(layer, "below_top_k", words, words, words)


@pytest.fixture
def reviewed(store, make_info, make_result):
    """A store with q1 lost at ranking, q2 at recall, and 问3 answered rightly, in two modes."""
    fates = {"q1": Layer.RANKING, "q2": Layer.RECALL, "问3": None}
    modes = (Mode.DENSE, Mode.HYBRID)
    info = make_info(RUN, modes=modes, n_questions=len(fates))
    with Journal.create(store, info, list(fates)) as journal:
        for mode in modes:
            for name, layer in fates.items():
                outcome = Outcome.WRONG if layer else Outcome.CORRECT
                diagnosis = lost(layer) if layer else None
                journal.append(make_result(name, mode, outcome=outcome, diagnosis=diagnosis))
        publish(store, journal, AT)
    return store


def key_of(question_id="q1", mode="dense", version=1):
    return ReviewKey(RUN, version, mode, question_id)


def say(store, verdict=Verdict.RANKING, *, reviewer="李雷", key=None, seen=None, **said):
    opinion = Opinion(verdict, **said)
    return save_review(store, Proposal(key or key_of(), reviewer, opinion, AT, seen))


def effective(store):
    cursor = attach(run_file(store, RUN, 1))
    query = "SELECT mode, question_id, outcome, layer, rule_layer FROM ({run})"
    values = bound(people_of(store, RUN, 1))
    rows = cursor.execute(query.replace("{run}", RESULTS), values).fetchall()
    return {(mode, question): rest for mode, question, *rest in rows}


def test_a_review_is_read_back_as_it_was_said_with_the_layer_that_the_rule_gave(reviewed):
    review = say(reviewed, Verdict.GENERATION, note="口径 $1 … $2 <img src=x>\n第二行", flag=True)

    assert reviews_of(reviewed, RUN) == [review]
    assert review.rule_layer == "ranking"
    assert review.opinion == Opinion(
        Verdict.GENERATION, flag=True, note="口径 $1 … $2 <img src=x>\n第二行"
    )
    assert say(reviewed, Verdict.NO_FAULT, key=key_of("问3")).rule_layer is None


def test_a_verdict_moves_its_question_to_another_layer_and_leaves_the_outcome(reviewed):
    before = effective(reviewed)
    say(reviewed, Verdict.GENERATION)
    say(reviewed, Verdict.NO_FAULT, key=key_of("q2"))

    after = effective(reviewed)

    assert after["dense", "q1"] == ["wrong", "generation", "ranking"]
    assert after["dense", "q2"] == ["wrong", None, "recall"]
    changed = {("dense", "q1"), ("dense", "q2")}
    assert {k: v for k, v in after.items() if k not in changed} == {
        k: v for k, v in before.items() if k not in changed
    }


def test_what_a_reviewer_says_again_supersedes_her_own_review_and_both_stay(reviewed):
    first = say(reviewed, Verdict.GENERATION)
    other = say(reviewed, Verdict.RECALL, reviewer="Ann", seen=first.number)
    second = say(reviewed, Verdict.INGEST, seen=other.number)

    assert (second.supersedes, other.supersedes) == (first.number, None)
    assert [r.number for r in reviews_of(reviewed, RUN)] == [
        first.number,
        other.number,
        second.number,
    ]
    assert effective(reviewed)["dense", "q1"][1] == "ingest"


def test_a_flag_alone_is_a_review_and_leaves_the_verdict_of_another(reviewed):
    first = say(reviewed, Verdict.GENERATION)
    say(reviewed, None, reviewer="Ann", seen=first.number, flag=True)

    findings = people_of(reviewed, RUN, 1).findings["dense", "q1"]

    assert (findings.verdict, findings.reviewer, findings.flag) == (
        Verdict.GENERATION,
        "李雷",
        True,
    )


SAID = st.lists(
    st.tuples(
        st.sampled_from(["Ann", "李雷", "Bo"]),
        st.sampled_from(["q1", "问3"]),
        st.sampled_from(Verdict) | st.none(),
        st.booleans(),
    ),
    max_size=12,
)


@given(SAID)
def test_the_newest_verdict_that_its_author_holds_to_stands(said):
    reviews, last = [], {}
    for number, (reviewer, question, verdict, flag) in enumerate(said, 1):
        place = (reviewer, question)
        opinion = Opinion(verdict, flag=flag, note="x")
        reviews.append(
            Review(number, key_of(question), reviewer, AT, opinion, None, last.get(place))
        )
        last[place] = number
    expected = {}
    for question in {question for _, question, _, _ in said}:
        # What each reviewer said last, the latest of those with a verdict.
        held = {}
        for number, (reviewer, of, verdict, flag) in enumerate(said):
            if of == question:
                held[reviewer] = (number, verdict, flag)
        verdicts = [(n, v, who) for who, (n, v, _) in held.items() if v]
        newest = max(verdicts, default=(0, None, None))
        flagged = any(flag for _, _, flag in held.values())
        expected["dense", question] = (newest[1], newest[2], flagged)

    found = people(reversed(reviews), ()).findings

    assert {k: (s.verdict, s.reviewer, s.flag) for k, s in found.items()} == expected


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE reviews SET note = 'other'",
        "DELETE FROM reviews",
        "INSERT OR REPLACE INTO reviews SELECT * FROM reviews",
        "REPLACE INTO reviews SELECT number, run_id, version, mode, question_id, 'x', at, verdict, "
        "flag, note, rule_layer, supersedes FROM reviews",
        "INSERT OR REPLACE INTO reviews SELECT number + 9, run_id, version, mode, question_id, "
        "reviewer, at, verdict, flag, note, rule_layer, 1 FROM reviews WHERE number = 2",
    ],
)
def test_the_registry_refuses_to_change_or_drop_a_review(reviewed, change):
    first = say(reviewed)
    say(reviewed, Verdict.INGEST, seen=first.number)
    before = reviews_of(reviewed, RUN)
    with (
        closing(sqlite3.connect(registry_file(reviewed))) as connection,
        pytest.raises(sqlite3.IntegrityError, match="append-only"),
    ):
        connection.execute(change)
    assert reviews_of(reviewed, RUN) == before


def test_a_review_renews_the_summary_rows_of_its_run_in_the_same_transaction(reviewed):
    with closing(sqlite3.connect(registry_file(reviewed))) as connection, connection:
        connection.execute("UPDATE outcomes SET n = 77")
    say(reviewed)
    with closing(Registry.open(reviewed)) as registry:
        counts = registry.outcomes()[RUN, 1]
    assert counts == {
        (mode, outcome): n for mode in ("dense", "hybrid") for outcome, n in OUTCOMES.items()
    }


OUTCOMES = {"wrong": 2, "correct": 1}


def test_a_failing_renewal_takes_the_review_back(reviewed):
    with closing(sqlite3.connect(registry_file(reviewed))) as connection, connection:
        connection.execute("UPDATE outcomes SET n = 77")
        connection.execute(
            "CREATE TRIGGER no BEFORE INSERT ON outcomes BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    keep_draft(reviewed, Proposal(key_of(), "李雷", Opinion(Verdict.INGEST), AT))
    with pytest.raises(sqlite3.IntegrityError):
        say(reviewed)
    assert reviews_of(reviewed, RUN) == []
    assert draft_of(reviewed, key_of(), "李雷") == Opinion(Verdict.INGEST)


def test_reviews_survive_db_check_and_a_run_file_that_is_registered_again(reviewed):
    review = say(reviewed, Verdict.GENERATION)
    with closing(sqlite3.connect(registry_file(reviewed))) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        with connection:
            connection.execute("DELETE FROM runs")

    report = check(reviewed)

    assert report.damaged == []
    assert any("registered" in line for line in report.mended)
    assert reviews_of(reviewed, RUN) == [review]
    with closing(Registry.open(reviewed)) as registry:
        registry.register(run_file(reviewed, RUN, 1))
        assert registry.outcomes()[RUN, 1]["dense", "wrong"] == 2
    assert effective(reviewed)["dense", "q1"][1] == "generation"
    assert check(reviewed).mended == []


def test_what_somebody_else_said_meanwhile_is_not_overridden_unseen(reviewed):
    theirs = say(reviewed, Verdict.RECALL, reviewer="Ann")
    keep_draft(reviewed, Proposal(key_of(), "李雷", Opinion(Verdict.INGEST), AT))

    with pytest.raises(StaleReview, match="Ann has reviewed q1 since this form was opened"):
        say(reviewed, Verdict.INGEST)

    assert reviews_of(reviewed, RUN) == [theirs]
    assert draft_of(reviewed, key_of(), "李雷") == Opinion(Verdict.INGEST)
    assert say(reviewed, Verdict.INGEST, seen=theirs.number).supersedes is None
    # In another mode nobody has been before.
    say(reviewed, Verdict.INGEST, key=key_of(mode="hybrid"))


def test_a_run_that_was_scored_again_takes_no_review_of_the_older_version(reviewed):
    with closing(sqlite3.connect(registry_file(reviewed))) as connection, connection:
        connection.execute(
            "INSERT INTO runs SELECT run_id, 2, kind, status, started_at, finished_at, config, "
            "config_digest, corpus_name, corpus_digest, questions_name, questions_digest, "
            "n_questions, environment FROM runs"
        )
    with pytest.raises(StaleReview, match=r"scored again .version 2, you saw version 1"):
        say(reviewed)
    assert reviews_of(reviewed, RUN) == []


@pytest.mark.parametrize("gone", ["file", "row"])
def test_a_run_that_is_gone_takes_no_review_and_the_draft_stays(reviewed, gone):
    keep_draft(reviewed, Proposal(key_of(), "李雷", Opinion(note="写到一半"), AT))
    if gone == "file":
        run_file(reviewed, RUN, 1).unlink()
    else:
        with closing(sqlite3.connect(registry_file(reviewed))) as connection, connection:
            connection.execute("DELETE FROM runs")
    with pytest.raises(StaleReview, match="is not in this store any more"):
        say(reviewed)
    assert draft_of(reviewed, key_of(), "李雷") == Opinion(note="写到一半")


@pytest.mark.parametrize("key", [key_of("nope"), key_of(mode="rerank")])
def test_a_question_that_the_run_does_not_have_is_named(reviewed, key):
    with pytest.raises(InputError, match=f"no question '{key.question_id}' in mode '{key.mode}'"):
        say(reviewed, key=key)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"reviewer": "  "}, "the reviewer's name is empty"),
        ({"reviewer": "名" * 81}, "has 81 characters: 80 are allowed"),
        ({"reviewer": "a\u202eb"}, r"U\+202E"),
        ({"reviewer": "a\nb"}, r"U\+000A"),
        ({"reviewer": "\ud800"}, r"U\+D800"),
        ({"note": "x" * 20_001}, "has 20,001 characters: 20,000 are allowed"),
        ({"note": "a\x00b"}, r"U\+0000"),
        ({"note": "a\udc00b"}, r"U\+DC00"),
        ({"verdict": None}, "says nothing"),
        ({"verdict": None, "note": " \n "}, "says nothing"),
    ],
)
def test_what_cannot_be_kept_is_said_in_one_sentence_and_nothing_is_written(reviewed, said, words):
    with pytest.raises(InputError, match=words):
        say(reviewed, **said)
    assert reviews_of(reviewed, RUN) == []


@settings(max_examples=60)
@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n\t"), max_size=300),
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Co", "Zl", "Zp"]), max_size=80),
)
def test_any_other_note_and_name_is_kept_as_written(note, name):
    with TemporaryDirectory() as folder:
        store = Path(folder)
        proposal = Proposal(key_of(), name, Opinion(Verdict.RECALL, note=note), AT)
        if not name.strip():
            with pytest.raises(InputError, match="empty"):
                keep_draft(store, proposal)
            return
        keep_draft(store, proposal)
        found = draft_of(store, key_of(), name.strip())
        assert found == Opinion(Verdict.RECALL, note=note.strip())


def test_a_draft_belongs_to_its_reviewer_and_goes_along_to_a_newer_version(reviewed):
    keep_draft(reviewed, Proposal(key_of(), "李雷", Opinion(Verdict.RECALL), AT))
    keep_draft(reviewed, Proposal(key_of(), "李雷", Opinion(Verdict.INGEST, note="改"), AT))
    assert draft_of(reviewed, key_of(version=2), "李雷") == Opinion(Verdict.INGEST, note="改")
    assert draft_of(reviewed, key_of(), "Ann") is None
    assert draft_of(reviewed, key_of("q2"), "李雷") is None
    drop_draft(reviewed, key_of(), "李雷")
    assert draft_of(reviewed, key_of(), "李雷") is None


def test_a_saved_review_takes_the_place_of_its_draft(reviewed):
    keep_draft(reviewed, Proposal(key_of(), "李雷", Opinion(Verdict.RECALL), AT))
    say(reviewed, Verdict.RECALL)
    assert draft_of(reviewed, key_of(), "李雷") is None


def test_filters_are_kept_for_each_reviewer_by_name(store):
    prepare(store)
    save_filter(store, "李雷", SavedFilter("回退", "change=regressed"), AT)
    save_filter(store, "李雷", SavedFilter("回退", "change=improved"), AT)
    save_filter(store, "Ann", SavedFilter("wrong", "outcome=wrong"), AT)
    assert filters_of(store, "李雷") == [SavedFilter("回退", "change=improved")]
    drop_filter(store, "李雷", "回退")
    assert filters_of(store, "李雷") == []
    assert filters_of(store, "Ann") == [SavedFilter("wrong", "outcome=wrong")]


def test_a_filter_that_cannot_be_kept_is_refused(store):
    prepare(store)
    for name, query, words in [
        ("", "", "the filter's name is empty"),
        ("x", "q" * 2001, "2000 are allowed"),
    ]:
        with pytest.raises(InputError, match=words):
            save_filter(store, "李雷", SavedFilter(name, query), AT)
    for i in range(FILTERS_LIMIT):
        save_filter(store, "李雷", SavedFilter(f"f{i}", ""), AT)
    with pytest.raises(InputError, match="50 filters of 李雷 already"):
        save_filter(store, "李雷", SavedFilter("one more", ""), AT)
    save_filter(store, "李雷", SavedFilter("f0", "outcome=wrong"), AT)


def test_a_browser_remembers_one_name_until_it_is_emptied(store):
    prepare(store)
    remember_name(store, "b1", " 李雷 ", AT)
    remember_name(store, "b2", "Ann", AT)
    assert (remembered_name(store, "b1"), remembered_name(store, "b2")) == ("李雷", "Ann")
    remember_name(store, "b1", "", AT)
    assert (remembered_name(store, "b1"), remembered_name(store, "b3")) == (None, None)


def test_a_registry_of_an_older_version_has_no_reviews_and_takes_some(reviewed):
    path = registry_file(reviewed)
    registered = run_file(reviewed, RUN, 1)
    path.unlink()
    older = next(i for i, step in enumerate(STEPS) if step.name.startswith("reviews"))
    with closing(open_writer(path)) as connection:
        migrate(connection, path, STEPS[:older])
    assert reviews_of(reviewed, RUN) == []
    assert draft_of(reviewed, key_of(), "李雷") is None
    assert filters_of(reviewed, "李雷") == []
    with closing(Registry.open(reviewed)) as registry:
        registry.register(registered)
    review = say(reviewed)
    assert reviews_of(reviewed, RUN) == [review]


def test_a_store_without_a_registry_has_no_reviews(tmp_path):
    assert reviews_of(tmp_path, RUN) == []
    assert not registry_file(tmp_path).exists()


def test_two_processes_review_at_once_and_nothing_is_lost(reviewed, make_info, make_result):
    run, names = "20261130-1100-many-aaaa", [f"q{i}" for i in range(40)]
    with Journal.create(reviewed, make_info(run, modes=(Mode.DENSE,)), names) as journal:
        for name in names:
            journal.append(make_result(name, Mode.DENSE))
        publish(reviewed, journal, AT)
    command = [sys.executable, str(Path(__file__).with_name("reviewer.py")), str(reviewed), run]
    # Both go over the same questions, from opposite ends.
    both = [
        subprocess.Popen(
            [*command, name, *order],
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for name, order in (("Ann", names), ("李雷", names[::-1]))
    ]
    faults = [process.communicate(timeout=60)[1].decode() for process in both]
    found = reviews_of(reviewed, run)
    # One of the two may have come upon the other's question in the same instant, and was told so.
    stopped = [fault for fault in faults if fault]
    assert all("StaleReview" in fault for fault in stopped), faults
    for name, order in (("Ann", names), ("李雷", names[::-1])):
        mine = [r.key.question_id for r in found if r.reviewer == name]
        assert mine == order[: len(mine)]
        assert len(mine) == len(names) or stopped
        verdicts = [r.opinion.verdict for r in found if r.reviewer == name]
        assert verdicts == [list(Verdict)[i % len(Verdict)] for i in range(len(mine))]
    assert sum(len([r for r in found if r.reviewer == n]) == 40 for n in ("Ann", "李雷")) >= 1
    with closing(Registry.open(reviewed)) as registry:
        assert sum(registry.outcomes()[run, 1].values()) == len(names)


@pytest.fixture
def locked(reviewed):
    """The store in a folder that only its owner could write to, seen by somebody else."""
    with TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        say(reviewed, Verdict.INGEST)
        shutil.copytree(reviewed, store)
        Path(folder).chmod(0o755)
        for path in (store, *store.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            yield store
        finally:
            if root:
                os.seteuid(0)
            for path in (store, *store.rglob("*")):
                path.chmod(0o755 if path.is_dir() else 0o644)


def test_a_store_that_cannot_be_written_is_named_and_still_read(locked):
    for act in (
        lambda: say(locked, key=key_of("q2")),
        lambda: keep_draft(locked, Proposal(key_of(), "李雷", Opinion(Verdict.RECALL), AT)),
        lambda: save_filter(locked, "李雷", SavedFilter("x", ""), AT),
    ):
        with pytest.raises(StoreError, match=r"registry\.sqlite cannot be used"):
            act()
    assert [review.opinion.verdict for review in reviews_of(locked, RUN)] == [Verdict.INGEST]


def test_a_damaged_registry_is_named(reviewed):
    shutil.copy(run_file(reviewed, RUN, 1), registry_file(reviewed))
    with pytest.raises(StoreError, match=r"registry\.sqlite is damaged"):
        reviews_of(reviewed, RUN)
