"""How many answers a second `ragdash check` judges, and in how much memory, by file length.

Usage: python tests/bench/check.py [--lines 1000 50000] [--length 300] [--question]

Runs the real command over made-up answers, no two alike. Beside it, in the same run, the regex gate
that people write first (the first number of an answer, within half a percent): the ratio is printed
and nothing is asserted.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMAND = [sys.executable, "-m", "ragdash.cli", "check"]
FILLING = (
    "公司坚持稳健经营，持续优化产品结构。", "The increase was driven by higher volumes. ",
    "（青禾样例·2023年报·P{page}）。", "其中，海外业务收入为{a}亿元，占比{b}%。",
    "Operating margin was {b}% in fiscal 2023, compared with {c}% a year ago. ",
)  # fmt: skip


def answer(random_: random.Random, length: int, value: int) -> str:
    """One answer that states its figure first and others after it."""
    text = f"2023年营业收入为{value / 1e8:.2f}亿元。"
    while len(text) < length:
        text += random_.choice(FILLING).format(
            page=random_.randint(1, 300),
            a=round(random_.uniform(1, 900), 2),
            b=round(random_.uniform(1, 99), 1),
            c=round(random_.uniform(1, 99), 1),
        )
    return text[:length]


def write(path: Path, n: int, length: int, question: str | None) -> None:
    """Write n lines that fit all three commands."""
    random_ = random.Random(7)
    with path.open("w", encoding="utf-8") as out:
        for at in range(n):
            value = random_.randint(10**10, 10**12)
            text = answer(random_, length, value)
            row = {"id": at, "answer": text, "text": text, "expected_value": value, "unit": "CNY"}
            row |= {"question": question} if question else {}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def regex_gate(path: Path) -> float:
    """CPU seconds of ten lines of regex over the same file."""
    start = time.process_time()
    with path.open(encoding="utf-8") as lines:
        for text in lines:
            row = json.loads(text)
            found = re.search(r"(-?[\d,]+\.?\d*)\s*(亿|万)?", row["answer"])
            value = float(found[1].replace(",", "") or 0) if found else 0.0
            value *= {"亿": 1e8, "万": 1e4}.get(found[2] if found else "", 1.0)
            json.dumps({"id": row["id"], "match": abs(value / row["expected_value"] - 1) < 0.005})
    return time.process_time() - start


def command(kind: str, path: Path) -> tuple[float, float]:
    """CPU seconds and peak memory in MB of the real command, start-up included."""
    with subprocess.Popen([*COMMAND, kind, str(path)], stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """Print answers a second and peak memory by command and number of lines."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, nargs="+", default=[1_000, 50_000])
    parser.add_argument("--length", type=int, default=300)
    parser.add_argument("--question", action="store_true")
    args = parser.parse_args()
    question = "青禾样例2023年营业收入是多少？" if args.question else None
    with tempfile.TemporaryDirectory() as folder:
        for n in args.lines:
            path = Path(folder) / f"{n}.jsonl"
            write(path, n, args.length, question)
            plain = regex_gate(path)
            print(f"{n:>8} lines regex gate {n / plain:>9,.0f}/s")  # noqa: T201
            for kind in ("numbers", "citations", "refusals"):
                seconds, memory = command(kind, path)
                ratio = seconds / plain
                speed = f"{n / seconds:>9,.0f}/s {ratio:6.1f}x the regex's time"
                print(f"{n:>8} lines {kind:10} {speed} {memory:6.1f} MB")  # noqa: T201


if __name__ == "__main__":
    main()
