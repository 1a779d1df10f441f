"""A run in a process of its own, to be killed: `writer.py STORE RUN_ID N_QUESTIONS [PAUSE]`.

Starts the run, or goes on with it; prints one line a result that is on the disk.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import builders

from ragdash.store.journal import Journal
from ragdash.store.layout import journal_file


def question_ids(n: int) -> list[str]:
    return [f"问题'{at}\"" for at in range(n)]


def results(n: int):
    """Every result of the run, the same in each process."""
    for mode in builders.ALL_MODES:
        for question_id in question_ids(n):
            yield builders.make_result(question_id, mode, n_candidates=5)


def main(store: Path, run_id: str, n: int, pause: float) -> None:
    if journal_file(store, run_id).exists():
        journal = Journal.open(store, run_id)
    else:
        journal = Journal.create(store, builders.make_info(run_id), question_ids(n))
    with journal:
        done = journal.done()
        for result in results(n):
            if (result.mode, result.question.id) not in done:
                journal.append(result)
                print(result.mode, result.question.id, flush=True)  # noqa: T201
                time.sleep(pause)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float((*sys.argv, "0")[4]))
