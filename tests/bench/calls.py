"""Ratios of calls to an endpoint (design: every bar is a ratio inside one run).

    python tests/bench/calls.py [N_CALLS]

1. Throughput against a server of 200 ms latency that answers 5 % of all requests with 429 (at once,
   Retry-After: 1), 32 in flight: ideal / ours. The ideal is N * latency / in flight; a 429 costs
   nothing in it, so that every wait and repeat is on our side of the ratio. Calls are kept in a
   cache, each on the disk before it counts.
   Beside it the same with 64 threads of http.client that do nothing but send, wait and repeat: what
   this machine can do at this hour. And the CPU time of our process for each call.
2. Memory at 1,000 calls against that at N (10,000).
3. Lognormal latency (mean 200 ms, sigma 1): the same calls in batches with a barrier / ours.
"""

# ruff: noqa: T201 - it is run by hand, for what it prints
from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from ragdash.core.call import Endpoint
from ragdash.llm.base import ChatRequest, Message
from ragdash.llm.client import EndpointClient
from ragdash.llm.loopback import Loopback, answering, failing
from ragdash.llm.window import ask_all
from ragdash.store.calls import CallStore

if TYPE_CHECKING:
    from collections.abc import Iterator

LATENCY = 0.2
IN_FLIGHT = 32
LIMITED = 0.05
SIGMA = 1.0
N_LOGNORMAL = 1_600


def serve(kind: str) -> None:
    """Serve until the process is ended; the reply is that of one kind."""
    chance = random.Random(0)

    def steady(_: object) -> object:
        if chance.random() < LIMITED:
            return failing(429, "slow down", retry_after="1")
        return answering("the answer", delay=LATENCY)

    def lognormal(_: object) -> object:
        # mean of a lognormal: exp(mu + sigma^2 / 2)
        return answering(
            "the answer", delay=LATENCY * chance.lognormvariate(-(SIGMA**2) / 2, SIGMA)
        )

    with Loopback({"steady": steady, "lognormal": lognormal}[kind]) as server:
        print(server.url, flush=True)
        sys.stdin.read()


@contextmanager
def served(kind: str) -> Iterator[str]:
    command = [sys.executable, __file__, "serve", kind]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


def requests(n: int, text: str) -> Iterator[ChatRequest]:
    for number in range(n):
        messages = (
            Message("system", "Answer from the chunks."),
            Message("user", f"{number} {text} " + "营业收入 " * 200),
        )
        yield ChatRequest("generate", "answer", messages, "sha256:bench")


def megabytes() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no VmRSS: run it on Linux")


def bare(url: str, n: int) -> float:
    """Return the seconds of n calls without any of our code, 32 in flight."""
    place = urlsplit(url)
    local = threading.local()
    in_flight = threading.Semaphore(IN_FLIGHT)
    body = json.dumps({"messages": [{"role": "user", "content": "营业收入 " * 200}]})

    def ask(_: int) -> None:
        if not hasattr(local, "connection"):
            local.connection = HTTPConnection(place.hostname, place.port)
        while True:
            with in_flight:
                local.connection.request("POST", "/v1/chat/completions", body.encode())
                reply = local.connection.getresponse()
                reply.read()
            if reply.status == 200:
                return
            time.sleep(float(reply.headers["Retry-After"]))

    with ThreadPoolExecutor(2 * IN_FLIGHT) as pool:
        list(pool.map(ask, range(2 * IN_FLIGHT)))
        began = time.perf_counter()
        list(pool.map(ask, range(n)))
        return time.perf_counter() - began


def steady(n: int, store: Path) -> None:
    with served("steady") as url, CallStore(store) as cache:
        n_bare = min(n, 2_000)
        bare_each = bare(url, n_bare) / n_bare
        endpoint = Endpoint(url, "bench", concurrency=IN_FLIGHT, tries=10)
        with EndpointClient(endpoint, cache=cache) as client:
            list(ask_all(client, requests(64, "warm")))
            at_1000, tries, failed = 0.0, 0, 0
            began, cpu = time.perf_counter(), time.process_time()
            for done, (_, reply) in enumerate(ask_all(client, requests(n, "cold")), 1):
                tries += reply.call.tries
                failed += bool(reply.call.reason)
                if done == 1_000:
                    at_1000 = megabytes()
            took = time.perf_counter() - began
            cpu = time.process_time() - cpu
            at_end = megabytes()
            began = time.perf_counter()
            kept = sum(r.call.cached for _, r in ask_all(client, requests(n, "cold")))
            again = time.perf_counter() - began
    ideal = n * LATENCY / IN_FLIGHT
    print(f"{n} calls, {tries - n} repeated for a 429, {failed} failed")
    print(f"throughput: ideal {ideal:.1f} s / ours {took:.1f} s = {ideal / took:.3f} (bar 0.9)")
    print(
        f"  a bare client: {ideal / n / bare_each:.3f} of the ideal; ours takes "
        f"{took / n / bare_each:.2f} of its time"
    )
    print(f"  CPU: {cpu / n * 1000:.2f} ms a call")
    print(f"again from the cache: {kept} kept, {again:.2f} s, {again / took:.4f} of the first")
    if n > 1_000:
        print(f"memory: {at_1000:.1f} MB at 1,000, {at_end:.1f} MB at {n:,}")


def lognormal() -> None:
    with served("lognormal") as url:
        endpoint = Endpoint(url, "bench", concurrency=IN_FLIGHT)
        with EndpointClient(endpoint) as client, ThreadPoolExecutor(IN_FLIGHT) as pool:
            list(ask_all(client, requests(64, "warm")))
            began = time.perf_counter()
            todo = list(requests(N_LOGNORMAL, "barrier"))
            for at in range(0, len(todo), IN_FLIGHT):
                list(pool.map(client.ask, todo[at : at + IN_FLIGHT]))
            barrier = time.perf_counter() - began
            began = time.perf_counter()
            for _ in ask_all(client, requests(N_LOGNORMAL, "window")):
                pass
            ours = time.perf_counter() - began
    print(
        f"lognormal, {N_LOGNORMAL} calls: barrier {barrier:.1f} s / ours {ours:.1f} s = "
        f"{barrier / ours:.2f} (bar 1.8)"
    )


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        steady(n, Path(folder))
    lognormal()


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2])
    else:
        main()
