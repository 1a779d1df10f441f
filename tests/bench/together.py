# ruff: noqa: T201
"""A run being written, three readers and a reviewer on one store, against each of them alone.

    python tests/bench/together.py [--seconds 10] [--store DIR]

Prints (design: store.md section 5): errors of anybody, the writer's answers a second together /
alone, the readers' p95 together / alone, and how long after a review was saved a reader saw it.
Every party is a process of its own, as browsers, `ragdash run` and reviewers are.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
import tempfile
import time
import traceback
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))

import sized_store

from ragdash.core.review import Opinion, Proposal, ReviewKey, Verdict
from ragdash.store.attach import attach
from ragdash.store.journal import Journal
from ragdash.store.layout import run_file
from ragdash.store.registry import Registry
from ragdash.store.reviews import reviews_of, save_review
from ragdash.store.said import people_of
from ragdash.views.question import detail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.queues import Queue

QUESTIONS = 1_000
READERS = 3
A_REVIEW_EVERY = 0.25


@dataclass(slots=True)
class Did:
    """What one party did: seconds of each piece of its work, and what went wrong."""

    who: str
    took: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def write(store: Path, run_id: str, until: float, did: Did) -> None:
    """Journal answers of a run, one commit a question, as fast as it goes."""
    del run_id
    at = 0
    build = sized_store.build
    chunks = [build.make_chunk(f"c{n}", text="营业收入 1,476.94 亿元。" * 60) for n in range(200)]
    ids = [f"q{n}" for n in range(10_000)]
    name = f"20261130-2300-writing-{time.time_ns() % 65536:04x}"
    with Journal.create(store, build.make_info(name, n_questions=len(ids)), ids) as journal:
        while time.monotonic() < until and at < len(ids):
            result = build.make_result(ids[at], n_candidates=50)
            ranked = tuple(
                build.replace(one, chunk=chunks[(at + place) % 200])
                for place, one in enumerate(result.retrieval.candidates)
            )
            retrieval = build.replace(result.retrieval, candidates=ranked)
            began = time.monotonic()
            journal.append(build.replace(result, retrieval=retrieval))
            did.took.append(time.monotonic() - began)
            at += 1


def read(store: Path, run_id: str, until: float, did: Did) -> None:
    """Open questions of a run one after the other, with what people said of it."""
    at, known = 0, {review.number for review in reviews_of(store, run_id)}
    while time.monotonic() < until:
        began = time.monotonic()
        with closing(Registry.open(store, read_only=True)) as registry:
            registry.runs()
            registry.outcomes()
        reviews = reviews_of(store, run_id)
        cursor = attach(run_file(store, run_id, 1))
        said = people_of(store, run_id, 1)
        if detail(cursor, "hybrid", f"q{at * 37 % QUESTIONS:05}", said) is None:
            raise LookupError(f"question {at * 37 % QUESTIONS} is not in {run_id}")
        did.took.append(time.monotonic() - began)
        # The note of each review is the moment it was saved.
        now = time.monotonic()
        did.late += [now - float(r.opinion.note) for r in reviews if r.number not in known]
        known |= {review.number for review in reviews}
        at += 1
        time.sleep(0.05)


def review(store: Path, run_id: str, until: float, did: Did) -> None:
    """Save a review every quarter of a second."""
    at = 0
    while time.monotonic() < until:
        began = time.monotonic()
        key = ReviewKey(run_id, 1, "hybrid", f"q{at % QUESTIONS:05}")
        opinion = Opinion(Verdict.RANKING, flag=False, note=str(began))
        seen = max((r.number for r in reviews_of(store, run_id, 1, key.question_id)), default=None)
        save_review(store, Proposal(key, "安", opinion, "2026-11-30T10:00:00Z", seen))
        did.took.append(time.monotonic() - began)
        at += 1
        time.sleep(A_REVIEW_EVERY)


Party = tuple[str, "Callable[[Path, str, float, Did], None]"]


def _told(party: Party, store: Path, run_id: str, seconds: float, out: Queue[Did]) -> None:
    name, work = party
    did = Did(name)
    try:
        work(store, run_id, time.monotonic() + seconds, did)
    except Exception:  # noqa: BLE001 - whatever it is, it is counted and shown
        did.errors.append(traceback.format_exc(limit=3))
    out.put(did)


def run(parties: Sequence[Party], store: Path, run_id: str, seconds: float) -> list[Did]:
    """Return what each party did in that time, all at once."""
    context: Any = multiprocessing.get_context("spawn")
    out = context.Queue()
    every = [
        context.Process(target=_told, args=(party, store, run_id, seconds, out))
        for party in parties
    ]
    for one in every:
        one.start()
    done = [out.get() for _ in every]
    for one in every:
        one.join()
    return done


def p95(values: Sequence[float]) -> float:
    """Return the 95th percentile, in seconds."""
    return statistics.quantiles(values, n=20)[-1]


def main() -> None:
    """Run each party alone, then all together, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--store", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = args.store or Path(folder) / "store"
        run_id = sized_store.make(store, 2, QUESTIONS, 50)[0]
        writer, reviewer = ("writer", write), ("reviewer", review)
        readers = [(f"reader {n}", read) for n in range(READERS)]
        (alone,) = run([writer], store, run_id, args.seconds)
        (reading,) = run(readers[:1], store, run_id, args.seconds)
        every = run([writer, *readers, reviewer], store, run_id, args.seconds)
    errors = [error for did in (alone, reading, *every) for error in did.errors]
    print(f"errors: {len(errors)} (bar 0)", *errors, sep="\n")
    together = next(did for did in every if did.who == "writer")
    others = [did for did in every if did.who.startswith("reader")]
    saved = next(did for did in every if did.who == "reviewer")
    seconds = [took for did in others for took in did.took]
    late = [moment for did in others for moment in did.late]
    print(
        f"writer, its own time an answer, alone / together: "
        f"{statistics.median(alone.took) / statistics.median(together.took):.2f} (bar 0.9; "
        f"{len(alone.took)} and {len(together.took)} answers)\n"
        f"reader p95 together / alone: {p95(seconds) / p95(reading.took):.2f} (bar 4; "
        f"{1000 * p95(seconds):.0f} ms, {len(seconds)} questions opened)\n"
        f"a review was seen after {max(late):.2f} s at most (bar 1; {len(late)} sightings, "
        f"{len(saved.took)} reviews saved, p95 {1000 * p95(saved.took):.0f} ms)"
    )
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
