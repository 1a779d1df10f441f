"""A reader never blocks a run, a run never blocks a reader (dashboard.md section 1).

This file is also the script of both sides: `test_concurrent_readers.py read|write STORE`.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).resolve()
READERS = 2
RUNS = 3
QUESTIONS = 15

# What the Runs page and a drill-down ask of a run file.
QUERIES = (
    "SELECT mode, outcome, count(*) FROM run.results GROUP BY ALL ORDER BY ALL",
    "SELECT metric, avg(value), count(value) FROM run.scores GROUP BY metric",
    "SELECT text FROM run.candidates JOIN run.chunks USING (chunk_id) WHERE question_id = 'q3'",
)


def test_readers_and_a_writer_of_several_runs_meet_no_error(tmp_path):
    store = tmp_path / "store"
    readers = [start("read", store) for _ in range(READERS)]
    started = [json.loads(reader.stdout.readline()) for reader in readers]
    writer = start("write", store)
    written, complaints = writer.communicate(timeout=120)
    reports = []
    for reader in readers:
        out, err = reader.communicate("stop\n", timeout=60)
        complaints += err
        reports.append(json.loads(out))

    assert complaints == ""
    assert started == [{"ready": True}] * READERS
    assert writer.returncode == 0
    assert [reader.returncode for reader in readers] == [0] * READERS
    assert json.loads(written)["published"] == RUNS
    for report in reports:
        # Each reader saw runs under way, and by the end every run, whole.
        assert report["live_reads"] > 10
        assert report["file_reads"] > 10
        assert report["runs_seen"] == RUNS
        assert report["slowest_seconds"] < 5


def start(role: str, store: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(HERE), role, str(store)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def say(**facts: object) -> None:
    print(json.dumps(facts), flush=True)  # noqa: T201


def read(store: Path) -> None:
    """Read over and over until told to stop; any error ends this with a traceback."""
    import threading

    from ragdash.store.attach import attach
    from ragdash.store.layout import registry_file, run_file
    from ragdash.store.live import live_runs
    from ragdash.store.registry import Registry

    stop = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.readline(), stop.set()), daemon=True).start()
    say(ready=True)
    live_reads = file_reads = runs_seen = 0
    slowest = 0.0
    last_round = False
    while not last_round:
        last_round = stop.is_set()
        began = time.perf_counter()
        live_reads += len(live_runs(store))
        if registry_file(store).exists():
            with closing(Registry.open(store, read_only=True)) as registry:
                runs = registry.runs()
                assert registry.summaries().keys() == {(r.run_id, r.version) for r in runs}
            assert len(runs) >= runs_seen
            runs_seen = len(runs)
            for run in runs[:3]:
                cursor = attach(run_file(store, run.run_id, run.version))
                counts, *_ = [cursor.execute(query).fetchall() for query in QUERIES]
                assert sum(n for _, _, n in counts) == 3 * QUESTIONS
                file_reads += 1
        slowest = max(slowest, time.perf_counter() - began)
        time.sleep(0.01)  # two cores may have more to do than this test
    say(
        live_reads=live_reads,
        file_reads=file_reads,
        runs_seen=runs_seen,
        slowest_seconds=slowest,
    )


def write(store: Path) -> None:
    """Journal and publish several runs as a run of ragdash does, question by question."""
    spec = importlib.util.spec_from_file_location("builders", HERE.parents[1] / "builders.py")
    builders = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(builders)
    from ragdash.store.journal import Journal
    from ragdash.store.runfile import publish

    ids = [f"q{at}" for at in range(QUESTIONS)]
    for number in range(RUNS):
        info = builders.make_info(f"20261130-0936-demo-{number}")
        with Journal.create(store, info, ids) as journal:
            for mode in builders.ALL_MODES:
                for question_id in ids:
                    journal.append(builders.make_result(question_id, mode, n_candidates=20))
                    time.sleep(0.005)
            publish(store, journal, "2026-11-30T10:00:00Z")
    say(published=RUNS)


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[2]))
    {"read": read, "write": write}[sys.argv[1]](Path(sys.argv[2]))
