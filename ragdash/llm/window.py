"""Many calls at a time, without a barrier: a sliding window over requests that are read lazily."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from ragdash.llm.base import ChatClient, ChatReply, ChatRequest

T = TypeVar("T")
R = TypeVar("R")

# results that wait for those before them, in sizes of the window
_AHEAD = 4


def in_window(
    work: Callable[[T], R], inputs: Iterable[T], *, size: int, ordered: bool = False
) -> Iterator[tuple[T, R]]:
    """Yield each input with its result, `size` at a time in threads.

    The next input is taken as soon as a place is free, so that no slow one holds up the others, and
    never earlier: memory does not grow with the number of inputs. Where the consumer stops, what
    has not begun is not begun.

    Args:
        work: called from several threads; what it raises is raised here.
        inputs: read in this thread, at most `size` ahead of what has been yielded (four times
            `size` where `ordered`, as results wait for those before them).
        size: places, at least 1.
        ordered: whether results come in the order of the inputs, or as they are done.
    """
    # Inputs are taken one by one, and only when their place is free.
    source = iter(inputs)
    pool = ThreadPoolExecutor(size, thread_name_prefix="ragdash-window")
    try:
        yield from (_in_order if ordered else _as_done)(pool, work, source, size)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _as_done(
    pool: ThreadPoolExecutor, work: Callable[[T], R], source: Iterator[T], size: int
) -> Iterator[tuple[T, R]]:
    done: SimpleQueue[tuple[T, Future[R]]] = SimpleQueue()

    def begin(each: T) -> None:
        pool.submit(work, each).add_done_callback(lambda future: done.put((each, future)))

    running = 0
    for each in islice(source, size):
        begin(each)
        running += 1
    while running:
        finished, future = done.get()
        running -= 1
        for each in islice(source, 1):
            begin(each)
            running += 1
        yield finished, future.result()


def _in_order(
    pool: ThreadPoolExecutor, work: Callable[[T], R], source: Iterator[T], size: int
) -> Iterator[tuple[T, R]]:
    running: deque[tuple[T, Future[R]]] = deque()
    while True:
        for each in islice(source, size * _AHEAD - len(running)):
            running.append((each, pool.submit(work, each)))
        if not running:
            return
        each, future = running.popleft()
        yield each, future.result()


def ask_all(
    client: ChatClient, requests: Iterable[ChatRequest], *, ordered: bool = False
) -> Iterator[tuple[ChatRequest, ChatReply]]:
    """Yield each request with its reply; the client bounds the calls in flight.

    There are twice as many places as that: a call that waits before a retry leaves its place in
    flight to another.
    """
    size = client.endpoint.concurrency * 2
    return in_window(client.ask, requests, size=size, ordered=ordered)
