from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragdash.core.errors import InputError, LockHeld
from ragdash.core.retrieval import Mode
from ragdash.core.spot_check import Caliber, CheckDraft, CheckKey, Confidence, Fit
from ragdash.store.journal import Journal
from ragdash.store.runfile import publish
from ragdash.store.spot_check_desk import (
    draft_of,
    drop_draft,
    keep_draft,
    locks_of,
    release_lock,
    take_lock,
)

RUN = "20261130-0936-demo-3f2a"
AT, LATER, MUCH_LATER = "2026-11-30T10:00:00Z", "2026-11-30T10:00:59Z", "2026-11-30T10:01:00Z"


@pytest.fixture
def run(store, make_info, make_result):
    """A store with one run of one question."""
    with Journal.create(store, make_info(RUN, modes=(Mode.DENSE,)), ["right"]) as journal:
        journal.append(make_result("right"))
        publish(store, journal, AT)
    return store


def key_of(question="right", mode="dense"):
    return CheckKey(RUN, mode, question)


def test_a_lock_is_ones_own_until_it_ends_and_then_anybodys(run):
    lock = take_lock(run, key_of(), "李雷", AT, 60)
    assert (lock.reviewer, lock.until) == ("李雷", "2026-11-30T10:01:00+00:00")
    with pytest.raises(LockHeld, match="李雷 is checking right until 2026-11-30T10:01:00") as held_:
        take_lock(run, key_of(), "Ann", LATER, 60)
    assert (held_.value.reviewer, held_.value.until) == ("李雷", lock.until)
    # Another mode is another answer.
    take_lock(run, key_of(mode="hybrid"), "Ann", LATER, 60)

    assert take_lock(run, key_of(), "Ann", MUCH_LATER, 60).since == "2026-11-30T10:01:00+00:00"


def test_ones_own_lock_is_renewed_and_given_back_by_nobody_else(run):
    first = take_lock(run, key_of(), "李雷", AT, 60)
    again = take_lock(run, key_of(), "李雷", LATER, 60)
    assert (again.since, again.until) == (first.since, "2026-11-30T10:01:59+00:00")
    release_lock(run, key_of(), "Ann")
    assert locks_of(run, RUN, LATER) == [again]
    release_lock(run, key_of(), "李雷")
    assert locks_of(run, RUN, LATER) == []


def test_times_are_compared_as_times_and_not_as_texts(run):
    take_lock(run, key_of(), "李雷", "2026-11-30T18:00:00+08:00", 60)  # 10:00 in UTC
    assert len(locks_of(run, RUN, LATER)) == 1
    assert locks_of(run, RUN, MUCH_LATER) == []


@pytest.mark.parametrize("seconds", [0, -5, 86_401])
def test_a_lock_has_an_end_within_a_day(run, seconds):
    with pytest.raises(InputError, match=f"a lock of {seconds} seconds"):
        take_lock(run, key_of(), "李雷", AT, seconds)


LOCKING = st.lists(
    st.tuples(st.sampled_from(["Ann", "李雷"]), st.integers(0, 30), st.integers(1, 40)), max_size=8
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LOCKING)
def test_at_any_time_one_person_holds_a_question(run, acts):
    release_lock(run, key_of(), "Ann")
    release_lock(run, key_of(), "李雷")
    now, holder, until = 0, None, 0
    for reviewer, passed, seconds in acts:
        now += passed
        at = f"2026-11-30T10:{now // 60:02}:{now % 60:02}Z"
        if holder not in (None, reviewer) and now < until:
            with pytest.raises(LockHeld, match=holder):
                take_lock(run, key_of(), reviewer, at, seconds)
        else:
            take_lock(run, key_of(), reviewer, at, seconds)
            holder, until = reviewer, now + seconds
        assert [lock.reviewer for lock in locks_of(run, RUN, at)] == [holder]


DRAFTS = st.builds(
    CheckDraft,
    st.sampled_from(Fit) | st.none(),
    st.sampled_from(Confidence) | st.none(),
    *([st.sampled_from(Caliber) | st.none()] * 3),
    st.sampled_from(["600519-2023", "nowhere"]) | st.none(),
    st.integers(1, 9) | st.none(),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40).map(str.strip),
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DRAFTS)
def test_any_draft_is_kept_as_it_was_begun_and_an_empty_one_not_at_all(store, draft):
    store.mkdir(exist_ok=True)
    keep_draft(store, key_of(), "李雷", draft, AT)
    assert draft_of(store, key_of(), "李雷") == (None if draft == CheckDraft() else draft)
    assert draft_of(store, key_of(mode="hybrid"), "李雷") is None
    drop_draft(store, key_of(), "李雷")
    assert draft_of(store, key_of(), "李雷") is None
