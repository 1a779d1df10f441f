from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ragdash.core.answer import AnswerStatus
from ragdash.core.diagnosis import Layer
from ragdash.core.errors import InputError, LockHeld, StaleReview, StoreError
from ragdash.core.question import Evidence
from ragdash.core.retrieval import Mode
from ragdash.core.run import Outcome
from ragdash.core.score import failed, not_applicable, scored, undefined
from ragdash.core.spot_check import (
    Caliber,
    CheckDraft,
    CheckKey,
    CheckProposal,
    Confidence,
    Fit,
    Judgement,
    RuleVerdict,
)
from ragdash.store.attach import attach
from ragdash.store.check import check
from ragdash.store.effective import RESULTS, SCORES, bound
from ragdash.store.journal import Journal
from ragdash.store.layout import registry_file, run_file
from ragdash.store.migrations.registry import STEPS
from ragdash.store.migrations.runner import migrate, version_of
from ragdash.store.registry import Registry
from ragdash.store.remove import remove
from ragdash.store.reviews import reviews_of
from ragdash.store.runfile import publish
from ragdash.store.said import people_of
from ragdash.store.spot_check_desk import (
    draft_of,
    keep_draft,
    locks_of,
    take_lock,
)
from ragdash.store.spot_checks import checks_of, save_check
from ragdash.store.sqlite import open_writer

RUN = "20261130-0936-demo-3f2a"
AT, LATER, MUCH_LATER = "2026-11-30T10:00:00Z", "2026-11-30T10:00:59Z", "2026-11-30T10:01:00Z"
ROOT = Path(__file__).parents[2]
MODES = (Mode.DENSE, Mode.HYBRID)


def ruled(numeric, caliber, accuracy):
    return (numeric, caliber, accuracy, scored("mrr", 0.5))


MATCH, MISS = scored("numeric_accuracy", 1, "match"), scored("numeric_accuracy", 0, "mismatch")
OPEN = undefined("caliber", "needs_review")
NO_GOLD = undefined("caliber", "no_gold_amount")
# What the rule said of each question: outcome, layer, answer status, scores.
RULED = {
    "right": (
        Outcome.CORRECT,
        None,
        ruled(MATCH, OPEN, scored("answer_accuracy", 1, "right_open")),
    ),
    "口径": (
        Outcome.WRONG,
        Layer.BUSINESS,
        ruled(MATCH, scored("caliber", 0, "sibling_label"), scored("answer_accuracy", 0, "sib")),
    ),
    "number": (
        Outcome.WRONG,
        Layer.RANKING,
        ruled(MISS, undefined("caliber", "no_match"), scored("answer_accuracy", 0, "miss")),
    ),
    "text": (
        Outcome.UNSCORED,
        Layer.UNDETERMINED,
        ruled(
            undefined("numeric_accuracy", "no_gold_amount"),
            NO_GOLD,
            undefined("answer_accuracy", "no_gold_amount"),
        ),
    ),
    "refused": (
        Outcome.ABSTAINED_WRONG,
        Layer.GENERATION,
        ruled(
            not_applicable("numeric_accuracy", "refused"),
            not_applicable("caliber", "refused"),
            scored("answer_accuracy", 0, "refused"),
        ),
    ),
    "broken": (
        Outcome.ERROR,
        Layer.GENERATION,
        ruled(
            failed("numeric_accuracy", "no_output"),
            failed("caliber", "no_output"),
            failed("answer_accuracy", "no_output"),
        ),
    ),
    "nothing": (
        Outcome.WRONG,
        Layer.GENERATION,
        ruled(
            undefined("numeric_accuracy", "no_gold_amount"),
            NO_GOLD,
            undefined("answer_accuracy", "no_gold_amount"),
        ),
    ),
}
YES, NO, NONE = (1, "person_fits"), (0, "person_conflict"), (None, "no_gold_amount")
STATUS = {"refused": AnswerStatus.REFUSED, "broken": AnswerStatus.ERROR}


def results(build):
    for mode in MODES:
        for name, (outcome, layer, scores) in RULED.items():
            question = build.make_question(name, answerable=name != "nothing")
            if name in ("text", "nothing"):
                question = replace(question, gold=(), gold_text="rose")
            question = replace(question, evidence=(Evidence("600519-2022", 7),))
            answer = replace(build.make_answer(), status=STATUS.get(name, AnswerStatus.ANSWERED))
            yield build.make_result(
                question=question,
                mode=mode,
                answer=answer,
                outcome=outcome,
                scores=scores,
                diagnosis=build.make_diagnosis(layer) if layer else None,
                caliber_reviewed=scores[1].value is not None,
            )


def put(store, build, make_info, run=RUN, change=lambda result: result):
    info = make_info(run, modes=MODES, n_questions=len(RULED))
    with Journal.create(store, info, list(RULED)) as journal:
        for result in results(build):
            journal.append(change(result))
        publish(store, journal, AT)


@pytest.fixture
def run(store, build, make_info):
    """A store with one run of two modes over seven questions, each ruled in its own way."""
    put(store, build, make_info)
    return store


def key_of(question="right", mode="dense"):
    return CheckKey(RUN, mode, question)


def judged(fit=Fit.CONFLICT, **said):
    calibers = {"asked": Caliber.CONSOLIDATED, "gold": Caliber.CONSOLIDATED}
    return Judgement(fit, Confidence.HIGH, **calibers, answered=Caliber.PARENT_COMPANY, **said)


def say(store, fit=Fit.CONFLICT, question="right", *, reviewer="李雷", blind=True, **more):
    seen, at, mode = more.pop("seen", None), more.pop("at", AT), more.pop("mode", "dense")
    version = more.pop("version", 1)
    proposal = CheckProposal(
        key_of(question, mode), version, reviewer, judged(fit, **more), at, blind, seen
    )
    return save_check(store, proposal)


def held(store, version=1):
    """Outcome and layer by (mode, question), and value and reason by (metric, question)."""
    cursor, values = attach(run_file(store, RUN, version)), bound(people_of(store, RUN, version))
    query = "SELECT mode, question_id, outcome, layer FROM ({run})"
    rows = cursor.execute(query.replace("{run}", RESULTS), values).fetchall()
    query = "SELECT metric, question_id, value, reason FROM ({run}) WHERE mode = 'dense'"
    scores = cursor.execute(query.replace("{run}", SCORES), values).fetchall()
    return {row[:2]: row[2:] for row in rows}, {row[:2]: row[2:] for row in scores}


def test_a_check_is_read_back_as_it_was_said_with_what_the_rule_and_the_answer_were(run, build):
    saved = say(
        run, Fit.UNCLEAR, note="口径 $1 … <img src=x>\n第二行", doc_id="600519-2023", page=143
    )
    assert checks_of(run, RUN) == [saved]
    assert (saved.rule, saved.outcome) == (RuleVerdict.NEEDS_REVIEW, Outcome.CORRECT)
    answer = build.make_answer().text
    assert saved.answer_digest == hashlib.sha256(answer.encode()).hexdigest()
    conflict = say(run, Fit.FITS, "口径")
    assert (conflict.rule, conflict.outcome) == (RuleVerdict.CONFLICT, Outcome.WRONG)
    assert checks_of(run, RUN, "hybrid") == []
    assert checks_of(run, RUN, "dense", "口径") == [conflict]


@pytest.mark.parametrize(
    ("question", "fit", "outcome", "layer", "caliber", "accuracy"),
    [
        ("right", Fit.CONFLICT, "wrong", "business", NO, NO),
        ("right", Fit.FITS, "correct", None, YES, YES),
        ("口径", Fit.FITS, "correct", None, YES, YES),
        ("口径", Fit.CONFLICT, "wrong", "business", NO, NO),
        # The figure is not the gold's: a caliber that fits makes it no other figure.
        ("number", Fit.FITS, "wrong", "ranking", YES, (0, "miss")),
        # The gold was not visible: the first layer that failed stays ranking.
        ("number", Fit.CONFLICT, "wrong", "ranking", NO, NO),
        ("text", Fit.FITS, "correct", None, YES, NONE),
        ("text", Fit.CONFLICT, "wrong", "business", NO, NONE),
        ("right", Fit.UNCLEAR, "correct", None, (None, "needs_review"), (1, "right_open")),
        ("refused", Fit.FITS, "abstained_wrong", "generation", (None, "refused"), (0, "refused")),
        ("broken", Fit.FITS, "error", "generation", (None, "no_output"), (None, "no_output")),
        ("nothing", Fit.FITS, "wrong", "generation", NONE, NONE),
    ],
)  # fmt: skip
def test_what_holds_after_a_check(run, question, fit, outcome, layer, caliber, accuracy):
    before = held(run)
    say(run, fit, question)
    results, scores = held(run)
    assert results["dense", question] == (outcome, layer)
    assert scores["caliber", question] == caliber
    assert scores["answer_accuracy", question] == accuracy
    touched = {("dense", question), ("caliber", question), ("answer_accuracy", question)}
    for now, then in zip((results, scores), before, strict=True):
        assert {k: v for k, v in now.items() if k not in touched} == {
            k: v for k, v in then.items() if k not in touched
        }


def summed(store, version=1):
    with closing(Registry.open(store, read_only=True)) as registry, registry.at_once():
        metrics = {(s.mode, s.metric): s for s in registry.summaries()[RUN, version]}
        return registry.outcomes()[RUN, version], metrics


def test_the_summary_rows_of_every_version_follow_in_the_same_transaction(run, build, make_info):
    put(run, build, make_info)  # the same run scored again: version 2
    counts, metrics = summed(run)
    assert counts["dense", "correct"] == 1
    assert (metrics["dense", "answer_accuracy"].k, metrics["dense", "caliber"].k) == (1, 0)

    say(run, Fit.FITS, "口径")
    say(run, Fit.CONFLICT, "text")

    for version in (1, 2):
        counts, metrics = summed(run, version)
        assert counts == {
            **{("dense", outcome): 1 for outcome in ("abstained_wrong", "error")},
            **{("hybrid", outcome): 1 for outcome in ("abstained_wrong", "error", "correct")},
            ("dense", "correct"): 2,
            ("dense", "wrong"): 3,
            ("hybrid", "wrong"): 3,
            ("hybrid", "unscored"): 1,
        }
        caliber, accuracy = metrics["dense", "caliber"], metrics["dense", "answer_accuracy"]
        assert (caliber.k, caliber.n_scored, caliber.n_undefined, caliber.n_error) == (1, 2, 3, 1)
        assert (accuracy.k, accuracy.n_scored) == (2, 4)
        assert metrics["hybrid", "caliber"].n_scored == 1
        assert metrics["dense", "mrr"].mean == 0.5


def test_a_version_that_comes_later_is_summed_with_what_was_said_before(run, build, make_info):
    say(run, Fit.FITS, "口径")
    put(run, build, make_info)
    assert summed(run, 2)[0]["dense", "correct"] == 2
    assert held(run, 2)[0]["dense", "口径"] == ("correct", None)


def test_a_check_holds_for_no_other_answer(run, build, make_info):
    say(run, Fit.CONFLICT)
    say(run, Fit.CONFLICT, mode="hybrid")
    other = build.make_answer("营业收入为1,476.94亿元")

    def answered_otherwise(result):
        return replace(result, answer=other) if result.mode is Mode.DENSE else result

    put(run, build, make_info, change=answered_otherwise)
    assert held(run, 2)[0]["dense", "right"] == ("correct", None)
    assert held(run, 2)[0]["hybrid", "right"] == ("wrong", "business")
    assert held(run, 1)[0]["dense", "right"] == ("wrong", "business")


def test_what_a_person_says_again_supersedes_her_own_and_the_newest_decides(run):
    first = say(run, Fit.CONFLICT)
    other = say(run, Fit.FITS, reviewer="韩梅梅")
    assert held(run)[0]["dense", "right"] == ("correct", None)
    again = say(run, Fit.CONFLICT, blind=False, seen=other.number)
    assert (other.supersedes, again.supersedes) == (None, first.number)
    assert [c.number for c in checks_of(run, RUN)] == [first.number, other.number, again.number]
    assert held(run)[0]["dense", "right"] == ("wrong", "business")
    assert people_of(run, RUN, 1).calibers["dense", "right"].disputed


def test_a_blind_form_may_know_of_nobody_and_one_that_showed_others_must_know_the_newest(run):
    theirs = say(run, Fit.FITS, reviewer="Ann")
    with pytest.raises(StaleReview, match="Ann has checked right since this form was opened"):
        say(run, Fit.CONFLICT, blind=False)
    assert checks_of(run, RUN) == [theirs]
    mine = say(run, Fit.CONFLICT)
    assert (mine.blind, mine.supersedes) == (True, None)
    assert not say(run, Fit.UNCLEAR, reviewer="Bo", blind=False, seen=mine.number).blind


def test_after_ones_own_nothing_is_blind_any_more(run):
    assert say(run, Fit.FITS).blind
    # Saving has shown her the rule's verdict.
    assert not say(run, Fit.CONFLICT).blind
    assert say(run, Fit.FITS, reviewer="Ann").blind
    assert not say(run, Fit.FITS).blind


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE spot_checks SET note = 'other'",
        "DELETE FROM spot_checks",
        "INSERT OR REPLACE INTO spot_checks SELECT * FROM spot_checks",
        "UPDATE OR REPLACE spot_checks SET number = 1",
        "INSERT OR REPLACE INTO spot_checks SELECT number + 9, run_id, version, mode, question_id, "
        "reviewer, at, fit, confidence, asked, gold, answered, doc_id, page, note, blind, rule, "
        "outcome, answer_digest, 1 FROM spot_checks WHERE number = 2",
    ],
)
def test_the_registry_refuses_to_change_or_drop_a_check(run, change):
    say(run, Fit.FITS)
    say(run, Fit.CONFLICT)
    before = checks_of(run, RUN)
    with (
        closing(sqlite3.connect(registry_file(run))) as connection,
        pytest.raises(sqlite3.IntegrityError, match="append-only"),
    ):
        connection.execute(change)
    assert checks_of(run, RUN) == before


def test_a_failing_renewal_takes_the_check_back_with_draft_and_lock_as_they_were(run):
    take_lock(run, key_of(), "李雷", AT, 60)
    keep_draft(run, key_of(), "李雷", CheckDraft(fit=Fit.FITS), AT)
    with closing(sqlite3.connect(registry_file(run))) as connection, connection:
        connection.execute(
            "CREATE TRIGGER no BEFORE INSERT ON summaries BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    with pytest.raises(sqlite3.IntegrityError):
        say(run)
    assert checks_of(run, RUN) == []
    assert draft_of(run, key_of(), "李雷") == CheckDraft(fit=Fit.FITS)
    assert len(locks_of(run, RUN, LATER)) == 1


def test_a_saved_check_takes_the_place_of_draft_and_lock(run):
    take_lock(run, key_of(), "李雷", AT, 60)
    keep_draft(run, key_of(), "李雷", CheckDraft(fit=Fit.FITS), AT)
    keep_draft(run, key_of(), "Ann", CheckDraft(note="mine"), AT)
    say(run, at=LATER)
    assert draft_of(run, key_of(), "李雷") is None
    assert draft_of(run, key_of(), "Ann") == CheckDraft(note="mine")
    assert locks_of(run, RUN, LATER) == []


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"reviewer": "  "}, "the reviewer's name is empty"),
        ({"reviewer": "a\u202eb"}, r"U\+202E"),
        ({"note": "x" * 20_001}, "has 20,001 characters"),
        ({"note": "a\x00b"}, r"U\+0000"),
        ({"page": 3}, "page 3 stands with no document"),
        ({"doc_id": "600519-2023", "page": 0}, "page 0 does not exist"),
        ({"doc_id": "600519-2023", "page": 144}, "beyond the last of 600519-2023, which is 143"),
        ({"doc_id": "../../etc/passwd"}, "holds no document '../../etc/passwd'"),
        ({"question": "nope"}, "no question 'nope' in mode 'dense'"),
        ({"mode": "rerank"}, "no question 'right' in mode 'rerank'"),
        ({"at": "yesterday"}, "'yesterday' is no time"),
        ({"at": "2026-11-30T10:00:00"}, "does not say its offset"),
    ],
)
def test_what_cannot_be_kept_is_said_in_one_sentence_and_nothing_is_written(run, said, words):
    with pytest.raises(InputError, match=words):
        say(run, **said)
    assert checks_of(run, RUN) == []


def test_a_document_of_the_question_may_be_named_though_no_candidate_came_from_it(run):
    assert say(run, doc_id="600519-2022", page=7).judgement.page == 7


@pytest.mark.parametrize("gone", ["file", "row"])
def test_a_run_that_is_gone_takes_no_check_and_no_lock(run, gone):
    if gone == "file":
        run_file(run, RUN, 1).unlink()
    else:
        with closing(sqlite3.connect(registry_file(run))) as connection, connection:
            connection.execute("DELETE FROM runs")
        with pytest.raises(StaleReview, match="not in this store any more"):
            take_lock(run, key_of(), "Ann", AT, 60)
    with pytest.raises(StaleReview, match="not in this store any more"):
        say(run)


def test_what_somebody_else_has_locked_is_saved_by_nobody_else_until_the_lock_ends(run):
    take_lock(run, key_of(), "李雷", AT, 60)
    with pytest.raises(LockHeld, match="李雷 is checking right until 2026-11-30T10:01:00"):
        say(run, reviewer="Ann", at=LATER)
    assert checks_of(run, RUN) == []
    assert say(run, reviewer="Ann", at=LATER, mode="hybrid").reviewer == "Ann"
    assert say(run, reviewer="Ann", at=MUCH_LATER).reviewer == "Ann"


def test_removing_a_run_leaves_its_checks_and_clears_the_desk(run):
    saved = say(run)
    take_lock(run, key_of(), "Ann", AT, 60)
    keep_draft(run, key_of(), "Ann", CheckDraft(fit=Fit.FITS), AT)
    assert remove(run, RUN).checks == 1
    assert checks_of(run, RUN) == [saved]
    assert locks_of(run, RUN, AT) == []
    # What people began to write stays, as what they said does.
    assert draft_of(run, key_of(), "Ann") is not None


def test_a_registry_of_the_step_before_has_no_checks_and_takes_some(run):
    path = registry_file(run)
    path.unlink()
    older = next(i for i, step in enumerate(STEPS) if step.name.startswith("spot checks"))
    with closing(open_writer(path)) as connection:
        migrate(connection, path, STEPS[:older])
    assert checks_of(run, RUN) == []
    assert locks_of(run, RUN, AT) == []
    assert draft_of(run, key_of(), "李雷") is None
    assert people_of(run, RUN, 1).calibers == {}
    with closing(Registry.open(run)) as registry:
        registry.register(run_file(run, RUN, 1))
    saved = say(run)
    assert checks_of(run, RUN) == [saved]
    assert reviews_of(run, RUN) == []
    with closing(open_writer(path)) as connection:
        assert version_of(connection) == len(STEPS)


def test_db_check_sums_up_again_what_does_not_say_what_people_say(run):
    say(run, Fit.FITS, "口径")
    rightly = summed(run)
    with closing(sqlite3.connect(registry_file(run))) as connection, connection:
        connection.execute("UPDATE summaries SET k = 0, mean = 0 WHERE metric = 'caliber'")
        connection.execute("UPDATE outcomes SET n = 9")
    report = check(run)
    assert report.damaged == []
    assert any("summed" in line for line in report.mended)
    assert summed(run) == rightly
    assert check(run).mended == []
    with closing(sqlite3.connect(registry_file(run))) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        with connection:
            connection.execute("DELETE FROM runs")
    assert any("registered" in line for line in check(run).mended)
    assert summed(run) == rightly


def test_a_check_is_saved_though_the_file_of_another_version_is_gone(run, build, make_info):
    put(run, build, make_info)
    run_file(run, RUN, 1).unlink()
    say(run, Fit.FITS, "口径", version=2)
    assert summed(run, 2)[0]["dense", "correct"] == 2


def test_a_store_without_a_registry_has_no_checks(tmp_path):
    assert checks_of(tmp_path, RUN) == []
    assert not registry_file(tmp_path).exists()


def test_a_damaged_registry_is_named(run):
    registry_file(run).write_bytes(run_file(run, RUN, 1).read_bytes())
    with pytest.raises(StoreError, match=r"registry\.sqlite is damaged"):
        checks_of(run, RUN)


def test_two_processes_check_at_once_beside_a_reader_and_nothing_is_lost(store, make_info, build):
    names = [f"q{i}" for i in range(12)]
    scores = RULED["right"][2]
    with Journal.create(store, make_info(RUN, modes=(Mode.DENSE,)), names) as journal:
        for name in names:
            journal.append(build.make_result(name, Mode.DENSE, scores=scores))
        publish(store, journal, AT)
    command = [sys.executable, str(Path(__file__).with_name("checker.py")), str(store), RUN]
    # Both go over the same questions, from opposite ends.
    both = [
        subprocess.Popen(
            [*command, name, *order],
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for name, order in (("Ann", names), ("李雷", names[::-1]))
    ]
    reads = 0
    while any(process.poll() is None for process in both):
        counts, metrics = summed(store)
        assert sum(counts.values()) == len(names)
        # One transaction: no reader ever sees an accuracy that is not the outcomes'.
        assert metrics["dense", "answer_accuracy"].k == counts.get(("dense", "correct"), 0)
        people_of(store, RUN, 1)
        reads += 1
    assert [process.communicate()[1].decode() for process in both] == ["", ""]
    assert reads > 0
    found = checks_of(store, RUN)
    for name, order in (("Ann", names), ("李雷", names[::-1])):
        mine = {c.key.question_id: c.judgement.fit for c in found if c.reviewer == name}
        assert mine == {q: list(Fit)[i % len(Fit)] for i, q in enumerate(order)}
    assert len(found) == 2 * len(names)
    assert all(one.blind for one in found)
    assert locks_of(store, RUN, AT) == []
    newest = {c.key.question_id: c.judgement.fit for c in found}
    wrong = sum(fit is Fit.CONFLICT for fit in newest.values())
    counts, _ = summed(store)
    assert counts.get(("dense", "wrong"), 0) == wrong
