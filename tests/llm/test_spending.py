"""One budget for all threads of a run."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.core.call import Budget, CallReason
from ragdash.llm.spending import Spending


def test_without_limits_everything_may_be_asked() -> None:
    spending = Spending(Budget())
    assert spending.remaining() is None
    for _ in range(100):
        assert spending.claim(10**9, 1e9) == ""
    assert spending.spent().calls == 100


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 40), st.integers(1, 16))
def test_a_limit_of_calls_is_exact_over_threads(limit, threads) -> None:
    spending = Spending(Budget(calls=limit))
    with ThreadPoolExecutor(threads) as pool:

        def one(_):
            reason = spending.claim(10, 0.0)
            if not reason:
                spending.settle(10, 0.0)
            return reason

        reasons = list(pool.map(one, range(50)))
    assert reasons.count(CallReason.NONE) == min(limit, 50)
    assert spending.spent().calls == min(limit, 50)


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 200), st.integers(5, 100), st.integers(2, 12))
def test_a_limit_of_tokens_is_passed_by_one_call_at_most(limit, each, threads) -> None:
    spending = Spending(Budget(tokens=limit))
    with ThreadPoolExecutor(threads) as pool:

        def one(_):
            if not spending.claim(each, 0.0):
                spending.settle(each, 0.0)

        list(pool.map(one, range(60)))
    assert limit <= spending.spent().tokens < limit + each or each * 60 < limit


def test_near_a_limit_one_waits_for_another() -> None:
    spending = Spending(Budget(tokens=10))
    assert spending.claim(100, 0.0) == ""
    reasons: list[CallReason] = []
    waiting = threading.Thread(target=lambda: reasons.append(spending.claim(100, 0.0)))
    waiting.start()
    waiting.join(0.1)
    assert not reasons
    spending.settle(10, 0.0)
    waiting.join(5)
    assert reasons == [CallReason.OVER_BUDGET]


def test_who_waits_near_a_limit_stops_at_the_deadline() -> None:
    spending = Spending(Budget(tokens=10, seconds=0.2))
    spending.claim(100, 0.0)
    assert spending.claim(100, 0.0) is CallReason.PAST_DEADLINE


@pytest.mark.parametrize(
    ("budget", "spent"),
    [
        (Budget(calls=5), (5, 0, 0.0)),
        (Budget(tokens=100), (0, 100, 0.0)),
        (Budget(money=1.5), (0, 0, 1.5)),
    ],
)
def test_what_was_spent_before_counts(budget, spent) -> None:
    spending = Spending(budget)
    spending.enter(*spent)
    assert spending.claim(1, 0.1) is CallReason.OVER_BUDGET


def test_a_request_that_was_not_served_costs_a_call_and_nothing_else() -> None:
    spending = Spending(Budget(tokens=100))
    spending.claim(10, 0.0)
    spending.settle(0, 0.0)
    spent = spending.spent()
    assert (spent.calls, spent.tokens, spent.money) == (1, 0, 0.0)
