"""The labelled sets of real text that the numeric gate is measured on, each as a list of cases.

The files are those of the data folder's `numeric` part; its README says where they come from.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ragdash.core.question import Gold

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SCALES = {"": 0, "thousand": 3, "million": 6, "billion": 9}
_DAYS = re.compile(r"days (?:payable|sales|inventory)|cash conversion", re.I)
_SHARE = re.compile(r"每股")
_RATIO = re.compile(r"比值|比例|比率|比重|之比|ratio|proportion", re.I)
_STAFF = re.compile(r"人数|人员|职工总数|员工")
_ZH_UNITS = {
    "元": ("CNY", 1), "万元": ("CNY", 10_000), "%": ("percent", 1), "人": ("people", 1),
    "元/股": ("CNY/share", 1), "股": ("shares", 1), "倍": ("ratio", 1), "": ("ratio", 1),
}  # fmt: skip
_CALCULATED = {
    "元": "CNY", "万元": "CNY", "美元": "USD", "港元": "HKD", "%": "percent",
    "克": "grams", "份": "units", "股": "shares", "枚比特币": "coins",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """An answer with its gold figures, and whether a person (or the gold itself) calls it right."""

    name: str
    answer: str
    gold: tuple[Gold, ...]
    right: bool
    question: str = ""


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a JSON-lines file, numbers as Decimal."""
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line, parse_float=Decimal, parse_int=Decimal)


def places(number: Decimal) -> int:
    """Digits after the point without trailing zeros; negative where zeros stand before it."""
    exponent = number.normalize().as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def figure(number: Decimal, unit: str, power: int = 0) -> Gold:
    """A gold of a number that is printed in 10 to the power units."""
    return Gold(number.scaleb(power), unit, decimals=places(number) - power)


def fb_completions(folder: Path) -> list[Case]:
    """Model answers that people called correct, incorrect or refusals, to numeric questions."""
    out = []
    for row in rows(folder / "fb_completions.jsonl"):
        gold = row["gold"]
        if not gold:
            continue
        power = _SCALES[gold["unit"].removeprefix("USD").strip() if "USD" in gold["unit"] else ""]
        unit = "days" if _DAYS.search(row["question"]) else gold["base_unit"]
        right = row["human_label"] == "correct"
        asked = (figure(Decimal(gold["value"]), unit, power),)
        out.append(Case(row["cid"], row["model_answer"], asked, right, row["question"]))
    return out


def tatqa(folder: Path) -> list[Case]:
    """The answer as it is printed, in its scale, against its value."""
    out = []
    for row in rows(folder / "tatqa.jsonl"):
        percent = row["is_percent"]
        unit = "percent" if percent else "USD" if "$" in row["answer"] else "items"
        if "£" in row["answer"]:
            unit = "GBP"
        tail = "" if "%" in row["answer"] else row["scale"]
        value = row["value"] if percent else row["base_value"]
        case = (figure(Decimal(value), unit),)
        out.append(Case(row["q_uid"], f"{row['answer']} {tail}".strip(), case, True))
    return out


def finqa(folder: Path) -> list[Case]:
    """The printed answer against the executed program, where the two state the same figure."""
    out = []
    for row in rows(folder / "finqa.jsonl"):
        value = row["exe_answer"]
        if row["relation"] == "percent_of_fraction":
            gold = Gold(value.scaleb(2), "percent", decimals=places(Decimal(_digits(row))))
        elif row["relation"] == "same":
            text = row["str_answer"]
            scale = next((p for w, p in _SCALES.items() if w and w in text), 0)
            unit = "percent" if "%" in text else "USD" if "$" in text else "ratio"
            unit = "items" if scale and unit == "ratio" else unit
            gold = Gold(value.scaleb(scale), unit, decimals=places(Decimal(_digits(row))) - scale)
        else:
            continue
        out.append(Case(row["q_uid"], row["str_answer"], (gold,), True))
    return out


def _digits(row: dict[str, Any]) -> str:
    return re.sub(r"[^\d.]", "", row["str_answer"])


def tatqa_model_answers(folder: Path) -> list[Case]:
    """Free text answers; right is whether the number after the last "Answer:" is the gold.

    There is no human label, so the reference is a reading of ten lines (`_plain`) that knows only
    the digits of that line.
    """
    out = []
    for row in rows(folder / "tatqa_model_answers.jsonl"):
        text = str(row["gold_answer"])
        number = re.fullmatch(r"[$£ ]*(\(?)-?([\d,]*\.?\d+)\)?\s*%?", text.strip())
        if number is None or re.fullmatch(r"(?:19|20)\d\d", text.strip()):
            continue
        value = Decimal(number[2].replace(",", ""))
        value = -value if number[1] or "-" in text else value
        percent = row["gold_scale"] == "percent" or "%" in text
        power = 0 if percent else _SCALES[row["gold_scale"]]
        unit = "percent" if percent else "items" if row["answer_type"] == "count" else "USD"
        if not power and _RATIO.search(row["question"]) and "$" not in text:
            unit = unit if percent else "ratio"
        gold = figure(value, unit, power)
        right = _plain(row["generated"], gold)
        out.append(Case(row["cid"], row["generated"], (gold,), right, row["question"]))
    return out


def _plain(text: str, gold: Gold) -> bool:
    """Whether the first number after the last "Answer:" has the gold's value, in the scale it says.

    A number without its scale is wrong, as in the set's own scoring.
    """
    tail = text.rsplit("Answer:", 1)[-1] if "Answer:" in text else text.strip().split("\n")[-1]
    found = re.findall(r"(\(?-?\$?-?\(?)(\d[\d,]*(?:\.\d+)?)\)?\s*(%|[a-z]*)", tail, re.I)
    if not found:
        return False
    front, digits, word = found[0] if "Answer:" in text else found[-1]
    value = Decimal(digits.replace(",", "")) * (-1 if "-" in front or "(" in front else 1)
    word = word.lower().rstrip("s")
    if (gold.unit == "percent") is not (word in ("%", "percent")):
        if gold.unit != "ratio":
            return False
        value = value.scaleb(-2)
    value = value.scaleb(_SCALES.get(word, 0))
    near = abs(value - gold.value) <= gold.tolerance * abs(gold.value)
    return near or round(value, gold.decimals) == gold.value


def zh_finglm(folder: Path) -> list[Case]:
    """Human-written questions, the asked value in three wordings each."""
    return [
        Case(f"{row['id']}:{n}", answer, gold, True, row["question"])
        for row, gold in _finglm(folder)
        for n, answer in enumerate(row["answers"])
    ]


def zh_finglm_swapped(folder: Path) -> list[Case]:
    """The same answers against the gold of another company's question: none may pass."""
    asked = list(_finglm(folder))
    out = []
    for at, (row, own) in enumerate(asked):
        other = next(
            (
                gold
                for step in range(37, len(asked))
                for _, gold in [asked[(at + step) % len(asked)]]
                if [g.unit for g in gold] == [g.unit for g in own]
                and all(abs(a.value - b.value) > abs(b.value) / 50 for a in gold for b in own)
            ),
            None,
        )
        if other is not None:
            out += [
                Case(f"{row['id']}:{n}", answer, other, False, row["question"])
                for n, answer in enumerate(row["answers"])
            ]
    return out


def _finglm(folder: Path) -> Iterator[tuple[dict[str, Any], tuple[Gold, ...]]]:
    """Questions with the asked value: the result where there is one, else all named figures."""
    for row in rows(folder / "zh_finglm.jsonl"):
        result = row["prom_value"]
        named = row["gold_numbers"] or {}
        if row["is_refusal"] or "代码" in row["question"] or any("代码" in k for k in named):
            continue
        golds = [result] if result and result["value"] is not None else list(named.values())
        units = [_zh_unit(row, g.get("unit") or "") for g in golds]
        if golds and all(u in _ZH_UNITS for u in units):
            yield (
                row,
                tuple(
                    Gold(g["value"] * _ZH_UNITS[u][1], _ZH_UNITS[u][0])
                    for g, u in zip(golds, units, strict=True)
                ),
            )


def _zh_unit(row: dict[str, Any], unit: str) -> str:
    """The unit as given, else what the question asks for: a share's, a ratio, people, yuan."""
    question, answer = row["question"], row["answers"][0]
    if _SHARE.search(question) and unit in ("", "元"):
        return "元/股"
    if unit:
        return str(unit)
    if "%" in answer:
        return "%"
    if _RATIO.search(question):
        return ""
    return "人" if _STAFF.search(question) and "薪酬" not in question else "元"


def zh_prose_amounts(folder: Path) -> list[Case]:
    """An amount of a report's prose against its table; a loss is named by the words around it."""
    return [
        Case(
            f"{row['fact_id']}@{row['page']}",
            row["surface"],
            (Gold(abs(row["exact_yuan"]) if row["sign_flip"] else row["exact_yuan"], "CNY"),),
            True,
        )
        for row in rows(folder / "zh_prose_amounts.jsonl")
    ]


def zh_fineval_calc(folder: Path) -> list[Case]:
    """Small calculations: the working, an equals sign and the answer, as a pupil would write it."""
    out = []
    for row in rows(folder / "zh_fineval_calc.jsonl"):
        match = re.fullmatch(r"(-?[\d.]+)(.*)", row["answer"])
        if match is None:
            continue
        power = 4 if match[2].startswith("万") else 0
        gold = figure(Decimal(match[1]), _CALCULATED.get(match[2], "ratio"), power)
        for n, text in enumerate((row["answer"], f"{row['working']}={row['answer']}")):
            out.append(Case(f"{row['id']}:{n}", text, (gold,), True, row["question"]))
    return out


def numeric_cases(folder: Path) -> list[Case]:
    """The hostile cases, where the folder of cases lies beside the data folder."""
    path = folder.parent.parent / "cases" / "numeric_cases.jsonl"
    if not path.is_file():
        return []
    return [
        Case(
            row["id"],
            row["answer"],
            (Gold(Decimal(row["expected_value"]), row["unit"], Decimal(row["tolerance"])),),
            row["should_match"],
            row.get("question", ""),
        )
        for row in rows(path)
    ]


SETS = {
    load.__name__: load
    for load in (
        fb_completions,
        tatqa_model_answers,
        tatqa,
        finqa,
        zh_finglm,
        zh_finglm_swapped,
        zh_prose_amounts,
        zh_fineval_calc,
        numeric_cases,
    )
}
