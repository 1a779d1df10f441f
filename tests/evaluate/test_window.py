"""The window: everything once, never more in flight than asked for, nothing read ahead."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.evaluate.window import in_window


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(), max_size=40), st.integers(0, 5))
def test_every_item_is_done_once_whatever_the_width(items: list[int], width: int) -> None:
    assert sorted(in_window(items, lambda i: i * 2, width)) == sorted(i * 2 for i in items)


def test_without_a_width_all_happens_here_and_in_order() -> None:
    names = list(in_window(range(3), lambda i: (i, threading.current_thread().name), 0))
    assert names == [(i, threading.current_thread().name) for i in range(3)]


@pytest.mark.parametrize("width", [1, 3])
def test_never_more_fly_than_the_width_and_work_is_read_as_places_open(width: int) -> None:
    lock, flying, most, read = threading.Lock(), 0, 0, 0
    gate = threading.Semaphore(0)

    def work() -> object:
        nonlocal read
        for i in range(12):
            read += 1
            gate.release()
            yield i

    def do(item: int) -> int:
        nonlocal flying, most
        with lock:
            flying += 1
            most = max(most, flying)
        gate.acquire()
        with lock:
            flying -= 1
        return item

    done = 0
    for _ in in_window(work(), do, width):
        done += 1
        # One more than flies has been read: what waits for a place.
        assert read <= done + width + 1
    assert done == 12
    assert most <= width


def test_what_fails_is_raised_here_and_the_rest_is_not_begun() -> None:
    begun: list[int] = []

    def do(item: int) -> int:
        begun.append(item)
        if item == 2:
            raise ValueError("two")
        return item

    with pytest.raises(ValueError, match="two"):
        list(in_window(range(1000), do, 2))
    assert len(begun) < 1000
