# ruff: noqa: T201
"""How long the dashboard takes on a store of 100 runs of 3 modes, 1,000 questions, 50 candidates.

    python tests/bench/dashboard.py --store DIR [--runs 100] [--questions 1000] [--candidates 50]

DIR is made where it is not there (some 3 GB). Prints query time of the list, of a question and of a
comparison, what a rerun of each page takes by Streamlit's own test runner (all of the script, no
browser), a page against one that loads everything, and a drill-down among many runs against one.
Figures are printed and not asserted: they are of the machine as well.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("OMP_NUM_THREADS", "1")

import sized_store
from streamlit.testing.v1 import AppTest

from ragdash.compare.factors import Side
from ragdash.core.retrieval import Mode
from ragdash.store.attach import attach
from ragdash.store.layout import run_file
from ragdash.store.registry import Registry
from ragdash.store.said import people_of
from ragdash.store.stored import info_of
from ragdash.views import question as question_view
from ragdash.views import trace as trace_view
from ragdash.views import triage as triage_view
from ragdash.views.comparison import Opened, compared

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ragdash.store.effective import People

ROOT = Path(__file__).parents[2]
ROUNDS = 40


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that one call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def told(what: str, seconds: Sequence[float], bar: str) -> None:
    """Print median and 95th percentile in milliseconds."""
    p95 = statistics.quantiles(seconds, n=20)[-1]
    print(
        f"{what}: p50 {1000 * statistics.median(seconds):.0f} ms, p95 {1000 * p95:.0f} ms "
        f"(n {len(seconds)}; bar {bar})",
        flush=True,
    )


def queries(store: Path, ids: Sequence[str], n_questions: int) -> None:
    """Print what the list, a question and a comparison take in queries, each on another run."""
    draw = random.Random(7)
    opened, lists, questions, comparisons = [], [], [], []
    for at in range(ROUNDS):
        run_id, other = draw.sample(ids, 2)
        filters = _filters(draw)
        opened.append(timed(lambda r=run_id: attach(run_file(store, r, 1))))
        lists.append(timed(lambda r=run_id, f=filters: _list(store, r, f)))
        asked = f"q{draw.randrange(n_questions):05}"
        mode = draw.choice(["dense", "hybrid", "rerank"])
        questions.append(timed(lambda r=run_id, m=mode, q=asked: _question(store, r, m, q)))
        if at % 4 == 0:
            comparisons.append(timed(lambda r=run_id, o=other: _comparison(store, r, o)))
    told("opening a run file, once for as long as it is shown", opened, "none")
    told("list: ids, one page of 20, every facet", lists, "p95 200 ms")
    told("question: answer, scores, candidates with text, trace", questions, "p95 300 ms")
    told("compare: two runs of one mode, every metric, with tests", comparisons, "500 ms")


def _filters(draw: random.Random) -> triage_view.Filters:
    return triage_view.Filters(
        mode=draw.choice([None, "dense", "hybrid", "rerank"]),
        outcomes=draw.choice([(), ("wrong",), ("wrong", "abstained_wrong")]),
        layers=draw.choice([(), (), ("ranking",)]),
        marks=draw.choice([(), (), ("flaky",), ("unreviewed",)]),
        sort=draw.choice(triage_view.SORTS),
    )


def _people(store: Path, run_id: str) -> People:
    return people_of(store, run_id, 1)


def _list(store: Path, run_id: str, filters: triage_view.Filters) -> None:
    cursor, people = attach(run_file(store, run_id, 1)), _people(store, run_id)
    known = triage_view.ids(cursor, filters, people)
    triage_view.listing(cursor, filters, 1, people, known)
    triage_view.facets(cursor, filters, people)


def _question(store: Path, run_id: str, mode: str, question_id: str) -> None:
    cursor = attach(run_file(store, run_id, 1))
    if question_view.detail(cursor, mode, question_id, _people(store, run_id)) is None:
        raise LookupError(f"{question_id} is not in {run_id}")
    trace_view.trace(cursor, mode, question_id)


def _comparison(store: Path, *run_ids: str) -> None:
    with closing(Registry.open(store, read_only=True)) as registry:
        known = {row.run_id: row for row in registry.runs()}
    sides = [
        Opened(
            f"{run_id}:hybrid",
            Side(info_of(known[run_id]), Mode.HYBRID, 1),
            attach(run_file(store, run_id, 1)),
            _people(store, run_id),
        )
        for run_id in run_ids
    ]
    compared([sides], [sides[0].name])


def pages(store: Path, ids: Sequence[str]) -> None:
    """Print what a rerun takes: the address changes, the session and its caches stay."""
    os.environ["RAGDASH_STORE"] = str(store)
    run, other = f"{ids[0]}:hybrid", f"{ids[1]}:hybrid"
    questions = [{"run": run, "q": f"q{at * 13:05}"} for at in range(12)]
    bases = [{"run": ids[0], "base": base} for base in ("dense", "hybrid", "rerank")]
    again = 4 * [{"run": run}]
    for name, addresses in (
        ("runs", 6 * [{}]),
        ("triage", questions),
        ("question", questions),
        ("compare", 4 * bases),
        ("gates", [{"run": run, "base": other}, *again]),
        ("funnel", again),
        ("judge", again),
        ("reviews", again),
        ("data", again),
    ):
        first, *rest = reruns(name, addresses)
        told(f"page {name}, first {1000 * first:,.0f} ms, rerun", rest, "p50 300 ms")


def reruns(name: str, addresses: Sequence[dict[str, str]]) -> list[float]:
    """Return the seconds of each run of a page's script, the frame's included."""
    page = AppTest.from_file(str(ROOT / "ragdash" / "ui" / "entry.py"), default_timeout=120)
    seconds = []
    for at, address in enumerate(addresses):
        for key, value in address.items():
            page.query_params[key] = value
        if at == 0 and name != "runs":
            page.run()
            page.switch_page(str(ROOT / "pages" / f"{name}.py"))
            for key, value in address.items():
                page.query_params[key] = value
        seconds.append(timed(page.run))
        if page.exception or page.error:
            raise RuntimeError(f"page {name} at {address}: {page.exception or page.error}")
    return seconds


NAIVE = """
import duckdb, streamlit as st, altair as alt
with duckdb.connect({file!r}, read_only=True) as db:
    results = db.sql("SELECT * FROM results").df()
    scores = db.sql("SELECT * FROM scores").df()
    questions = db.sql("SELECT * FROM questions").df()
rows = results.merge(questions, on="question_id")
st.title("Compare")
table = scores.pivot_table(index="metric", columns="mode", values="value")
st.dataframe(table.style.format("{{:.3f}}"))
means = scores[["mode", "metric", "value"]]
st.altair_chart(alt.Chart(means).mark_bar().encode(x="mean(value)", y="metric", color="mode"))
for name in ("layer", "outcome"):
    counted = alt.Chart(rows[["mode", name]]).mark_bar()
    st.altair_chart(counted.encode(x="count()", y=name, color="mode"))
listed = rows[rows["mode"] == "hybrid"]
st.dataframe(listed[["question_id", "text", "outcome", "layer", "answer"]].style.format(str))
"""


def against_naive(store: Path, run_id: str) -> None:
    """Print a rerun of Compare against a page that loads the run into pandas."""
    import altair as alt

    alt.data_transformers.disable_max_rows()
    naive = AppTest.from_string(
        NAIVE.format(file=str(run_file(store, run_id, 1))), default_timeout=120
    )
    naive.run()
    seconds = [timed(naive.run) for _ in range(5)]
    if naive.exception:
        raise RuntimeError(str(naive.exception))
    ours = reruns("compare", 6 * [{"run": run_id}])[1:]
    ratio = statistics.median(ours) / statistics.median(seconds)
    print(
        f"Compare, rerun / a page that loads all: {ratio:.2f} (bar 0.6; "
        f"{1000 * statistics.median(ours):.0f} ms / {1000 * statistics.median(seconds):.0f} ms)"
    )


def drill_down(store: Path, ids: Sequence[str], n_questions: int) -> None:
    """Print what opening a question takes among many runs against a store of one, in turns."""
    with tempfile.TemporaryDirectory() as folder:
        lonely = Path(folder) / "store"
        (lonely / "runs").mkdir(parents=True)
        shutil.copy(run_file(store, ids[0], 1), lonely / "runs")
        took: dict[Path, list[float]] = {lonely: [], store: []}
        for at in range(2 * ROUNDS):
            for place, seconds in took.items():
                # Among many, each is another run: connections to the files are not all kept.
                run_id = ids[0] if place == lonely else ids[at * 37 % len(ids)]
                asked = f"q{at * 37 % n_questions:05}"
                attach(run_file(place, run_id, 1))
                seconds.append(
                    timed(lambda p=place, r=run_id, q=asked: _question(p, r, "hybrid", q))
                )
    alone, among = (statistics.median(seconds) for seconds in took.values())
    print(f"drill-down among {len(ids)} runs / alone: {among / alone:.2f} (bar 2.0)")


def main() -> None:
    """Make the store where it is not there, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--candidates", type=int, default=50)
    args = parser.parse_args()
    made = time.perf_counter()
    ids = sized_store.make(args.store, args.runs, args.questions, args.candidates)
    size = sum(path.stat().st_size for path in (args.store / "runs").iterdir()) / 1e6
    print(f"store of {len(ids)} runs: {size:,.0f} MB, {time.perf_counter() - made:,.0f} s to make")
    queries(args.store, ids, args.questions)
    drill_down(args.store, ids, args.questions)
    pages(args.store, ids)
    against_naive(args.store, ids[0])


if __name__ == "__main__":
    main()
