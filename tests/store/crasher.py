"""Publishes a journal in a child that dies at its n-th step: `crasher.py STORE RUN_ID KIND STRIDE`.

A step is whatever Python reports to an audit hook about files and databases: opening, renaming,
removing, connecting. The child ends without any clean-up, as by kill -9. For each n, on a copy of
STORE: prints exit code and folder, waits for a line, publishes again, prints that exit code, waits.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import builders

from ragdash.store.journal import Journal
from ragdash.store.layout import journal_file
from ragdash.store.runfile import publish, publish_attack

if TYPE_CHECKING:
    from collections.abc import Callable

FINISHED = "2026-11-30T09:40:00Z"
STEPS = ("open", "os.rename", "os.remove", "sqlite3.connect")


def die_at(step: int, store: Path) -> None:
    passed = 0

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal passed
        if event not in STEPS:
            return
        if event == "open" and str(store) not in str(arguments[0]):
            return
        if passed == step:
            os._exit(137)
        passed += 1

    sys.addaudithook(hook)


def publish_once(store: Path, run_id: str, kind: str) -> None:
    if kind == "attack":
        rows, summaries = [builders.make_attack_row()], [builders.make_attack_summary()]
        publish_attack(store, builders.make_attack_info(run_id), rows, summaries, FINISHED)
    elif journal_file(store, run_id).exists():
        with Journal.open(store, run_id) as journal:
            publish(store, journal, FINISHED)


def in_child(work: Callable[[], None]) -> int:
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main(template: Path, run_id: str, kind: str, stride: int) -> None:
    # Once here, so that what is loaded on first use is neither a step nor paid in every child.
    warm = template.with_name("warm")
    shutil.copytree(template, warm)
    publish_once(warm, run_id, kind)
    for step in range(0, 200, stride):
        store = template.with_name(f"died-at-{step}")
        shutil.copytree(template, store)

        def dying(step: int = step, store: Path = store) -> None:
            die_at(step, store)
            publish_once(store, run_id, kind)

        code = in_child(dying)
        print(code, store, flush=True)  # noqa: T201
        sys.stdin.readline()
        print(in_child(lambda store=store: publish_once(store, run_id, kind)), flush=True)  # noqa: T201
        sys.stdin.readline()
        if code != 137:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]))
