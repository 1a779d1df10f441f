"""429, 5xx, lost connections, slow servers, deadlines and budgets, over real HTTP."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragdash.core.call import Budget, CallReason, Endpoint
from ragdash.core.errors import ConfigError
from ragdash.llm.client import EndpointClient
from ragdash.llm.loopback import Sent, answering, completion, failing
from ragdash.llm.spending import Spending

GOOD = answering({"score": 0.5, "reason": "a"})


def timed(work):
    began = time.monotonic()
    result = work()
    return result, time.monotonic() - began


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 529])
def test_i25_what_may_pass_is_asked_again_within_the_tries(served, asking, status) -> None:
    with served(failing(status, retry_after="0"), GOOD) as (client, server):
        call = client.ask(asking()).call
        assert (call.reason, call.tries, server.n_asked) == ("", 2, 2)
    with served(failing(status, retry_after="0"), tries=3) as (client, server):
        call = client.ask(asking()).call
        assert server.n_asked == call.tries == 3
    limited = CallReason.RATE_LIMITED if status == 429 else CallReason.SERVER_ERROR
    assert call.reason is limited
    assert f"answered {status}" in call.detail


def test_i25_retry_after_is_obeyed(served, asking) -> None:
    with served(failing(429, retry_after="0.4"), GOOD) as (client, server):
        client.ask(asking())
        first, second = (a.at for a in server.asked)
    assert 0.4 <= second - first < 60


def test_i25_a_retry_after_that_is_a_date_is_read_against_the_clock_of_the_server(
    served, asking
) -> None:
    # this server's clock is years off, and what it asks for is one second
    dates = {
        "retry_after": "Wed, 21 Oct 2015 07:28:01 GMT",
        "date": "Wed, 21 Oct 2015 07:28:00 GMT",
    }
    with served(failing(503, **dates), GOOD) as (client, server):
        client.ask(asking())
        first, second = (a.at for a in server.asked)
    assert 1 <= second - first < 60


@pytest.mark.parametrize("status", [429, 503])
def test_a_long_wait_gives_up_at_once_and_nobody_asks_meanwhile(served, asking, status) -> None:
    with served(failing(status, retry_after="3600")) as (client, server):
        call = client.ask(asking()).call
        later = client.ask(asking("another")).call
        assert server.n_asked == 1
    assert call.reason is later.reason is CallReason.RATE_LIMITED
    assert "3600 seconds" in call.detail
    assert (later.tries, later.seconds) == (0, 0.0)


@pytest.mark.parametrize("message", ["insufficient_quota: check your billing", "账户余额不足"])
def test_an_empty_account_is_not_waited_for(served, asking, message) -> None:
    with served(failing(429, message)) as (client, server):
        assert client.ask(asking()).call.reason is CallReason.RATE_LIMITED
        assert client.ask(asking("b")).call.reason is CallReason.RATE_LIMITED
        assert server.n_asked == 1


def test_a_storm_of_429_holds_everybody_back(served, asking) -> None:
    def reply(_):
        return failing(429, retry_after="0.5") if time.monotonic() < end else GOOD

    with (
        served(reply, concurrency=16, tries=20) as (client, server),
        ThreadPoolExecutor(16) as pool,
    ):
        end = time.monotonic() + 0.8
        calls = [r.call for r in pool.map(client.ask, [asking(f"q{n}") for n in range(16)])]
        assert not any(c.reason for c in calls)
        # 16 at the start, then each half second at most those that were not held
        assert server.n_asked < 16 * 5


@pytest.mark.parametrize("value", ["soon", "-5", "nan", "inf", "1e999", ""])
def test_a_retry_after_that_says_nothing_is_no_wait(served, asking, value) -> None:
    with served(failing(500, retry_after=value), GOOD) as (client, _):
        call, seconds = timed(lambda: client.ask(asking()).call)
    assert call.reason == ""
    assert seconds < 30


def test_a_connection_that_is_reset_is_tried_again(served, asking) -> None:
    with served(Sent(reset=True), GOOD) as (client, server):
        assert client.ask(asking()).call.reason == ""
        assert server.n_asked == 2
    with served(Sent(reset=True)) as (client, server):
        call = client.ask(asking()).call
        assert server.n_asked == 2
    assert call.reason is CallReason.UNREACHABLE


def test_a_reply_that_breaks_off_is_tried_again(served, asking) -> None:
    broken = Sent("{", headers={"Content-Length": "500", "Connection": "close"})
    with served(broken, tries=1, timeout=2.0) as (client, _):
        assert client.ask(asking()).call.reason in (CallReason.UNREACHABLE, CallReason.TIMEOUT)


def test_a_server_that_is_not_there_is_unreachable(asking) -> None:
    endpoint = Endpoint("http://127.0.0.1:9/v1", "tiny", tries=1)
    with EndpointClient(endpoint) as client:
        call = client.ask(asking()).call
    assert call.reason is CallReason.UNREACHABLE
    assert "cannot be reached" in call.detail


@pytest.mark.parametrize(
    "slow",
    [
        Sent(completion("x"), delay=20),
        Sent(completion("x"), drip=0.1),
        Sent(completion("x"), drip=0.1, drip_headers=True),
    ],
    ids=["silent", "body drips", "headers drip"],
)
def test_i06_i32_a_slow_server_is_a_timeout_after_the_tries_however_it_is_slow(
    served, asking, slow
) -> None:
    with served(slow, timeout=0.25, tries=2) as (client, _):
        call, seconds = timed(lambda: client.ask(asking()).call)
    assert call.reason is CallReason.TIMEOUT
    assert call.tries == 2
    assert "0.25 seconds" in call.detail
    # the whole reply would take longer than that
    assert 0.5 <= call.seconds < seconds < 15


def test_a_reply_without_an_end_is_a_bad_response(served, asking) -> None:
    with served(Sent("x" * (17 * 2**20))) as (client, server):
        call = client.ask(asking()).call
        assert server.n_asked == 1
    assert call.reason is CallReason.BAD_RESPONSE


def test_a_redirect_is_not_followed(served, asking) -> None:
    with served(GOOD) as (_, other):
        away = Sent("", 307, {"Location": f"{other.url}/chat/completions"})
        with served(away) as (client, server):
            call = client.ask(asking()).call
            assert server.n_asked == 1
        assert other.n_asked == 0
    assert call.reason is CallReason.REJECTED
    assert f"redirect to {other.url}" in call.detail


def test_no_proxy_of_the_environment_is_used(served, asking, monkeypatch) -> None:
    with served(GOOD) as (_, proxy):
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        with served(GOOD) as (client, server):
            assert client.ask(asking()).call.reason == ""
            assert (server.n_asked, proxy.n_asked) == (1, 0)


def test_nothing_about_this_machine_is_told(served, asking, monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    with served(GOOD) as (client, server):
        client.ask(asking())
        (asked,) = server.asked
    assert not [n for n in asked.headers if n.startswith(("x-stainless", "openai-"))]
    assert asked.headers["user-agent"] == "ragdash"
    assert asked.path == "/v1/chat/completions"


# ------------------------------------------------------------ in flight, budget, deadline


def test_i25_there_are_never_more_calls_in_flight_than_allowed(served, asking) -> None:
    three = threading.Barrier(3)

    def reply(_):
        three.wait(20)
        return GOOD

    with (
        served(reply, concurrency=3, timeout=30.0) as (client, server),
        ThreadPoolExecutor(16) as pool,
    ):
        list(pool.map(client.ask, [asking(f"q{n}") for n in range(24)]))
        assert server.peak == 3
        assert server.n_asked == 24


def test_a_call_that_waits_before_a_retry_leaves_its_place_to_others(served, asking) -> None:
    told = threading.Event()

    def reply(asked):
        if "slow" not in asked.body["messages"][1]["content"]:
            return GOOD
        told.set()
        return failing(503, retry_after="1.5")

    with served(reply, concurrency=1) as (client, _), ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(client.ask, asking("slow"))
        assert told.wait(20)
        assert client.ask(asking("quick")).call.reason == ""
        assert not waiting.done()


def test_a_budget_of_calls_counts_each_request_and_is_shared(served, asking) -> None:
    spending = Spending(Budget(calls=3))
    failed = failing(500, retry_after="0")
    with (
        served(failed, GOOD, given={"spending": spending}) as (one, server),
        served(GOOD, given={"spending": spending}) as (two, other),
    ):
        assert one.ask(asking()).call.reason == ""
        assert two.ask(asking()).call.reason == ""
        refused = one.ask(asking("late")).call
        assert (server.n_asked, other.n_asked) == (2, 1)
    assert refused.reason is CallReason.OVER_BUDGET
    assert (refused.tries, refused.reply) == (0, "")
    assert refused.detail


@pytest.mark.parametrize("limit", [{"tokens": 70}, {"money": 70e-6}])
def test_a_budget_of_tokens_or_money_stops_when_it_is_spent(served, asking, limit) -> None:
    spending = Spending(Budget(**limit))
    prices = {"price_prompt": 1.0, "price_completion": 1.0}
    with served(GOOD, given={"spending": spending}, **prices) as (client, server):
        reasons = [client.ask(asking(f"q{n}")).call.reason for n in range(5)]
        assert server.n_asked == 3
    assert reasons == ["", "", "", CallReason.OVER_BUDGET, CallReason.OVER_BUDGET]
    assert spending.spent().tokens == 90


def test_threads_together_pass_a_budget_by_one_request_at_most(served, asking) -> None:
    spending = Spending(Budget(tokens=100))
    slow = answering({"score": 1, "reason": ""}, delay=0.02)
    with (
        served(slow, concurrency=16, given={"spending": spending}) as (client, server),
        ThreadPoolExecutor(16) as pool,
    ):
        calls = list(pool.map(lambda n: client.ask(asking(f"q{n}")).call, range(16)))
        assert server.n_asked <= 5
    assert sum(c.reason is CallReason.OVER_BUDGET for c in calls) == 16 - server.n_asked


def test_an_endpoint_that_does_not_count_still_uses_up_the_budget(served, asking) -> None:
    spending = Spending(Budget(tokens=20))
    body = completion('{"score": 1, "reason": ""}') | {"usage": None}
    with served(Sent(body), given={"spending": spending}) as (client, server):
        calls = [client.ask(asking("some words of a question " * 2)).call for _ in range(4)]
        assert 1 <= server.n_asked < 4
    assert calls[0].prompt_tokens is None
    assert calls[-1].reason is CallReason.OVER_BUDGET


def test_a_budget_in_money_needs_prices() -> None:
    endpoint = Endpoint("http://127.0.0.1:9/v1", "tiny")
    with pytest.raises(ConfigError, match="price_prompt"):
        EndpointClient(endpoint, spending=Spending(Budget(money=1.0)))


def test_i32_the_deadline_of_the_run_ends_a_call_in_flight(served, asking) -> None:
    spending = Spending(Budget(seconds=1.5))
    with served(Sent(delay=60), timeout=60, given={"spending": spending}) as (client, server):
        call, seconds = timed(lambda: client.ask(asking()).call)
        late = client.ask(asking("late")).call
        assert server.n_asked <= 1
    assert call.reason is late.reason is CallReason.PAST_DEADLINE
    assert seconds < 30
    assert late.detail


def test_a_wait_that_would_pass_the_deadline_is_not_begun(served, asking) -> None:
    spending = Spending(Budget(seconds=25))
    with served(failing(503, retry_after="30"), given={"spending": spending}) as (client, _):
        call, seconds = timed(lambda: client.ask(asking()).call)
    assert call.reason is CallReason.PAST_DEADLINE
    assert "503" in call.detail
    assert seconds < 20


def test_nobody_waits_for_a_place_beyond_the_deadline(served, asking) -> None:
    spending = Spending(Budget(seconds=0.5))
    with served(Sent(delay=30), timeout=30, concurrency=1, given={"spending": spending}) as (
        client,
        _,
    ):
        threads = [threading.Thread(target=client.ask, args=(asking(f"q{n}"),)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert not any(thread.is_alive() for thread in threads)


def test_what_cannot_fit_into_the_window_is_not_asked(served, asking) -> None:
    words = "the net sales of the company " * 100
    for text in (words, "营业收入净利润" * 200):
        with served(GOOD, context_window=300, max_tokens=50) as (client, server):
            call = client.ask(asking(text)).call
            assert server.n_asked == 0
            assert client.ask(asking("short")).call.reason == ""
        assert call.reason is CallReason.CONTEXT_TOO_LONG
        assert "300" in call.detail


def test_a_reply_that_came_stands_where_the_budget_does_not_allow_another(served, asking) -> None:
    spending = Spending(Budget(calls=1))
    with served(answering("{", "length"), given={"spending": spending}) as (client, _):
        call = client.ask(asking()).call
    assert (call.reason, call.reply) == (CallReason.TRUNCATED, "{")


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        (answering('{"sc', "length"), CallReason.TRUNCATED),
        (answering('{"score": 7, "reason": ""}'), CallReason.OUT_OF_RANGE),
    ],
)
@pytest.mark.parametrize(
    "second",
    [
        failing(500, retry_after="0"),
        failing(429, retry_after="900"),
        failing(400, "max_tokens is too large"),
        Sent(reset=True),
    ],
)
def test_a_reply_that_came_stands_where_the_second_one_does_not_come(
    served, asking, first, reason, second
) -> None:
    with served(first, second) as (client, server):
        call = client.ask(asking()).call
        assert server.n_asked > 1
    assert call.reason is reason
    assert call.reply == first.body["choices"][0]["message"]["content"]
    assert call.detail
    assert call.completion_tokens == 10
