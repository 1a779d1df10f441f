# ruff: noqa: T201
"""Time the numeric gate: answers a second beside a plain regex gate, and seconds a megabyte.

Usage: python tests/bench/numbers_speed.py [DATA] [--full]

With DATA (the data folder) the answers are real ones of its `numeric` part, cut to 300 characters,
without it they are made here. Each is judged once and no two are the same, so that no cache of a
text helps. The table gives seconds a megabyte at growing lengths of hostile text, and how many
times the dearest length of a row is over its cheapest, 1 being linear; a length that would take
more than half a second is left out (-) but for --full. All times are of one core's processor.
"""

from __future__ import annotations

import argparse
import functools
import gc
import os
import random
import re
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[2]))

import number_sets

from ragdash.amounts import match_amount, read_amounts
from ragdash.contract import parse_citations, read_refusal
from ragdash.core.question import Gold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LENGTH = 300
SIZES = (1_000, 10_000, 100_000, 1_000_000)
BUDGET = 0.5
GOLD = Gold(Decimal(42), "CNY", metric="归母净利润", period="2023")
QUESTION = "贵州茅台2023年归母净利润是多少？"
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
SCALE = {"亿": 8, "万": 4, "千": 3, "million": 6, "billion": 9, "thousand": 3}
Asked = tuple[str, Gold, str]
HOSTILE = {
    "digits": "1",
    "1 1 1": "1 ",
    "1,1,1": "1,",
    "123,456": "123,456,",
    "1.1.1": "1.",
    "((((1": "((((1",
    "((1))": "((1))",
    "(·P1": "(·P1",
    "**1**": "**1**",
    "__`": "__`",
    "zh numerals": "一百零三万",
    "至1至1": "至1",
    "1 - 1 -": "1 - ",
    "或1": "或1",
    "one two": "one two ",
    "unit lines": "单位：万元\n1,234\n",
    "(in millions": "(in millions, except per share) 5 ",
    "LaTeX": "$1$ ",
    "entities": "&nbsp;1<b>",
    "table": "| 营业收入 | 1,234.56 | 12% |\n",
    "years": "2023年净利润1亿元，",
    "no figures": "公司主营业务稳步发展 and the company grew. ",
}


def made(n: int) -> list[Asked]:
    """Return n invented answers of 300 characters in both languages, always the same."""
    chance = random.Random(0)
    out: list[Asked] = []
    for at in range(n):
        whole, rate, year = chance.randrange(10**6, 10**12), chance.random(), 2015 + at % 9
        if at % 2:
            text = (
                f"In fiscal {year}, total net sales of company {at} were ${whole / 10**6:,.1f} "
                f"million, up {rate:.1%}, and diluted earnings per share were ${rate * 9:.2f}. "
            )
            asked = Gold(Decimal(whole), "USD", metric="revenue", period=str(year))
            question = f"What were company {at}'s total net sales in FY{year}?"
        else:
            text = (
                f"根据公司{at}的{year}年年报，公司实现营业收入{whole / 10**8:,.2f}亿元，"
                f"同比增长{rate:.2%}；归属于上市公司股东的净利润为{whole // 7:,}元"
                f"(公司{at}·{year}年报·P{at % 300 + 1})。主要系产品结构优化、销量增加所致。"
            )
            asked = Gold(Decimal(whole), "CNY", metric="营业收入", period=str(year))
            question = f"公司{at}{year}年营业收入是多少？"
        out.append(((text * 4)[:LENGTH], asked, question))
    return out


def real(folder: Path) -> list[Asked]:
    """Return real answers of 200 characters and more, cut to 300, as many in either language.

    Chinese answers are shorter: neighbours are joined, and asked for what the first one was.
    """
    english = [
        (c.answer[:LENGTH], c.gold[0], c.question)
        for c in number_sets.fb_completions(folder)
        if len(c.answer) >= 2 * LENGTH // 3
    ]
    chinese: list[Asked] = []
    together: list[number_sets.Case] = []
    for case in number_sets.zh_finglm(folder):
        together.append(case)
        text = "\n".join(c.answer for c in together)
        if len(text) >= LENGTH:
            chinese.append((text[:LENGTH], together[0].gold[0], together[0].question))
            together = []
    found = {a[0]: a for pair in zip(english, chinese, strict=False) for a in pair}
    return list(found.values())


def regex_gate(answer: str, gold: Gold) -> bool:
    """The plain gate: any number of the text, in any unit word after it, within the tolerance."""
    for match in NUMBER.finditer(answer):
        value = Decimal(match[0].replace(",", ""))
        rest = answer[match.end() : match.end() + 10].strip().lower()
        power = next((p for word, p in SCALE.items() if rest.startswith(word)), 0)
        if abs(value.scaleb(power) - gold.value) <= gold.tolerance * abs(gold.value):
            return True
    return False


def seconds(call: Callable[[], object]) -> float:
    """Processor seconds of a call."""
    gc.collect()
    start = time.process_time()
    call()
    return time.process_time() - start


def answers(asked: Sequence[Asked]) -> None:
    """Print answers a second of the gate, of its reading alone and of the plain gate."""
    for text, gold, question in asked[:50]:
        match_amount(text, gold, question=question)
    rest = asked[50:]
    judged = seconds(lambda: [match_amount(t, g, question=q) for t, g, q in rest])
    read = seconds(lambda: [read_amounts(t) for t, _, _ in rest])
    plain = seconds(lambda: [regex_gate(t, g) for t, g, _ in rest])
    amounts = sum(len(read_amounts(t)) for t, _, _ in rest) / len(rest)
    length = sum(len(t) for t, _, _ in rest) / len(rest)
    print(f"{len(rest)} answers of {length:.0f} characters and {amounts:.1f} numbers")
    print(f"  plain regex gate   {len(rest) / plain:8.0f} a second")
    print(f"  read_amounts       {len(rest) / read:8.0f} a second, {read / plain:.1f}x the time")
    print(
        f"  match_amount       {len(rest) / judged:8.0f} a second, {judged / plain:.1f}x the time"
    )


def row(call: Callable[[str], object], piece: str, full: bool) -> list[float | None]:
    """Seconds a megabyte at each size, at 1 kB the least of five calls."""
    found: list[float | None] = []
    call(piece * 20)
    for size in SIZES:
        text = piece * (size // len(piece))
        last = found[-1] if found else 0.0
        if last is None or (last * size / 1e6 > BUDGET and not full):
            found.append(None)
            continue
        again = 5 if size == 1_000 else 1
        times = [seconds(functools.partial(call, text)) for _ in range(again)]
        found.append(min(times) / len(text) * 1e6)
    return found


def linearity(full: bool) -> None:
    """Print the table of seconds a megabyte."""
    calls: dict[str, Callable[[str], object]] = {
        "read_amounts": read_amounts,
        "match_amount": lambda text: match_amount(text, GOLD, question=QUESTION),
        "read_refusal": read_refusal,
        "parse_citations": parse_citations,
    }
    for name, call in calls.items():
        print(f"\n{name}, seconds a megabyte" + "".join(f"{n // 1000:>8} kB" for n in SIZES))
        for label, piece in HOSTILE.items():
            found = row(call, piece, full)
            times = [s for s in found if s is not None]
            cells = "".join("          -" if s is None else f"{s:11.2f}" for s in found)
            print(f"  {label:<{len(name) + 19}}{cells}{max(times) / min(times):8.1f}x")


def main() -> None:
    """Print the speed, then the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--full", action="store_true")
    args = parser.parse_args()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    answers(real(args.data / "numeric") if args.data else made(1_000))
    linearity(args.full)


if __name__ == "__main__":
    main()
