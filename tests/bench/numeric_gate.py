# ruff: noqa: T201
"""Measure the numeric gate on real, labelled text; prints k of n with Wilson's 95 % interval.

Usage: python tests/bench/numeric_gate.py DATA [--only SET]... [--misses FILE]

DATA is the data folder (its README names each set). An answer is accepted where every gold figure
is matched and the answer is no refusal, as in a run. --misses writes one JSON line for each answer
on which the gate and the label disagree, with verdict and reason.

Labels that are wrong for certain, counted as misses all the same: people called 7.8 % right for
7.9 % (MGM's capex), 16.6 % for 16.5 % (PepsiCo), -3.76 days for -3.7 and a net income for one
attributable to shareholders (Amazon), but 65.2 % for 65.4 % (Adobe) and $302 million for $303
million (MGM) wrong; tatqa has $(9,982) million as positive; finqa's 2264 is 2246, and 103.571 % is
not 103 %; in finglm 货币资金增长率 is answered under the label 总负债增长率.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from ragdash.check import check_numbers
from ragdash.compare.intervals import wilson
from tests.bench.number_sets import SETS, Case

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.amounts import Verdict


def judge(case: Case) -> tuple[bool, str, tuple[Verdict, ...]]:
    """Return whether the gate accepts an answer, and the reason of the first figure that failed."""
    check = check_numbers(case.answer, gold=case.gold, question=case.question)
    return check.match, check.reason, check.verdicts


def share(k: int, n: int) -> str:
    """Return "k / n = share [low, high]"."""
    interval = wilson(k, n)
    return (
        "0 / 0"
        if interval is None
        else f"{k} / {n} = {k / n:.4f} [{interval.low:.4f}, {interval.high:.4f}]"
    )


def miss(name: str, case: Case, reason: str, found: Sequence[Verdict]) -> dict[str, Any]:
    """Return a disagreement as plain JSON."""
    return {
        "set": name,
        "id": case.name,
        "kind": "missed" if case.right else "false_accept",
        "reason": reason,
        "verdicts": [v.verdict.value for v in found],
        "candidates": [v.candidate.text if v.candidate else None for v in found],
        "gold": [f"{g.value} {g.unit}" for g in case.gold],
        "question": case.question,
        "answer": case.answer,
    }


def measure(name: str, cases: Sequence[Case]) -> list[dict[str, Any]]:
    """Print one set's line and return its disagreements."""
    counts: Counter[tuple[bool, bool]] = Counter()
    misses = []
    for case in cases:
        accepted, reason, found = judge(case)
        counts[case.right, accepted] += 1
        if accepted != case.right:
            misses.append(miss(name, case, reason, found))
    hit, lost, false = counts[True, True], counts[True, False], counts[False, True]
    wrong = false + counts[False, False]
    print(f"{name}:")
    if hit + lost:
        print(f"  right answers accepted (recall)  {share(hit, hit + lost)}")
    if wrong:
        print(f"  others accepted                  {share(false, wrong)}")
    if wrong and hit + lost:
        print(f"  accepted that are right (prec.)  {share(hit, hit + false)}")
    for (kind, reason), n in Counter((m["kind"], m["reason"]) for m in misses).most_common():
        print(f"    {kind} {reason}: {n}")
    return misses


def main() -> None:
    """Measure every set, or those that are named."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", action="append", choices=list(SETS))
    parser.add_argument("--misses", type=Path)
    args = parser.parse_args()
    misses = []
    for name in args.only or SETS:
        cases = SETS[name](args.data / "numeric")
        if cases:
            misses += measure(name, cases)
        else:
            print(f"{name}: not there")
    if args.misses:
        lines = (json.dumps(m, ensure_ascii=False) + "\n" for m in misses)
        args.misses.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
