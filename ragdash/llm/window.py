"""Many calls at a time, without a barrier: a sliding window over requests that are read lazily."""

from __future__ import annotations

from collections import deque
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from ragdash.llm.base import ChatClient, ChatReply, ChatRequest

T = TypeVar("T")
R = TypeVar("R")


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
    ahead = size * 4 if ordered else size
    running: deque[tuple[T, Future[R]]] = deque()
    source = iter(inputs)
    pool = ThreadPoolExecutor(size, thread_name_prefix="ragdash-window")
    try:
        more = True
        while more or running:
            while more and len(running) < ahead:
                try:
                    each = next(source)
                except StopIteration:
                    more = False
                    break
                running.append((each, pool.submit(work, each)))
            if ordered and running:
                each, future = running.popleft()
                yield each, future.result()
            elif running:
                wait([future for _, future in running], return_when=FIRST_COMPLETED)
                done = [pair for pair in running if pair[1].done()]
                running = deque(pair for pair in running if not pair[1].done())
                for each, future in done:
                    yield each, future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def ask_all(
    client: ChatClient, requests: Iterable[ChatRequest], *, ordered: bool = False
) -> Iterator[tuple[ChatRequest, ChatReply]]:
    """Yield each request with its reply; the client bounds the calls in flight.

    There are twice as many places as that: a call that waits before a retry leaves its place in
    flight to another.
    """
    size = client.endpoint.concurrency * 2
    return in_window(client.ask, requests, size=size, ordered=ordered)
