"""A sliding window of work in threads: never more in flight than asked for, never in batches."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")
R = TypeVar("R")


def in_window(work: Iterable[T], do: Callable[[T], R], width: int) -> Iterator[R]:
    """Yield `do(item)` for every item of `work`, as each is done; `work` is read as places open.

    Args:
        work: read in this thread only.
        do: called in up to `width` threads; what it raises is raised here.
        width: calls in flight; 0 does everything in this thread, in order.
    """
    if width < 1:
        yield from map(do, work)
        return
    pool = ThreadPoolExecutor(width)
    flying: set[Future[R]] = set()
    try:
        for item in work:
            flying.add(pool.submit(do, item))
            # What is done goes out before the next is read: a kill then loses what flies, no more.
            done, flying = wait(
                flying, None if len(flying) >= width else 0, return_when=FIRST_COMPLETED
            )
            yield from (future.result() for future in done)
        while flying:
            done, flying = wait(flying, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    finally:
        pool.shutdown(cancel_futures=True)
