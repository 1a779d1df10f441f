"""Many calls at a time: lazily read, bounded, without a barrier."""

from __future__ import annotations

import threading
import time

import pytest

from ragdash.llm.loopback import answering
from ragdash.llm.window import ask_all, in_window


@pytest.mark.parametrize("ordered", [True, False])
def test_every_input_comes_back_once_with_its_result(ordered) -> None:
    pairs = list(in_window(lambda n: n * n, range(200), size=7, ordered=ordered))
    assert sorted(pairs) == [(n, n * n) for n in range(200)]
    if ordered:
        assert pairs == sorted(pairs)
    assert list(in_window(str, [], size=3, ordered=ordered)) == []


@pytest.mark.parametrize(("ordered", "ahead"), [(True, 4 * 3), (False, 3)])
def test_inputs_are_read_no_further_than_the_window(ordered, ahead) -> None:
    read = 0

    def source():
        nonlocal read
        for n in range(1000):
            read += 1
            yield n

    for done, _ in enumerate(in_window(lambda n: n, source(), size=3, ordered=ordered), 1):
        assert read <= done + ahead
    assert read == 1000


def test_no_more_than_the_places_work_at_once() -> None:
    lock, now, most = threading.Lock(), 0, 0

    def work(_):
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.005)
        with lock:
            now -= 1

    list(in_window(work, range(60), size=5))
    assert most == 5


def test_a_slow_one_holds_up_nobody() -> None:
    done = threading.Event()

    def work(n):
        if n == 0:
            assert done.wait(5)
        return n

    order = []
    for n, _ in in_window(work, range(50), size=2):
        order.append(n)
        if n == 49:
            done.set()
    assert order[-1] == 0


def test_where_the_consumer_stops_nothing_more_begins() -> None:
    begun = []
    for n, _ in in_window(begun.append, range(1000), size=4):
        if n >= 8:
            break
    assert len(begun) < 40


def test_an_error_is_raised_and_the_rest_is_not_begun() -> None:
    def work(n):
        if n == 5:
            raise ValueError("five")
        time.sleep(0.001)

    with pytest.raises(ValueError, match="five"):
        list(in_window(work, range(10_000), size=4))


def test_all_requests_are_asked_and_the_client_bounds_them(served, asking) -> None:
    three = threading.Barrier(3)

    def reply(_):
        three.wait(20)
        return answering({"score": 1, "reason": ""})

    with served(reply, concurrency=3, timeout=30.0) as (client, server):
        requests = [asking(f"q{n}") for n in range(21)]
        pairs = list(ask_all(client, iter(requests), ordered=True))
        assert server.peak == 3
    assert [request for request, _ in pairs] == requests
    assert all(reply.parsed for _, reply in pairs)
