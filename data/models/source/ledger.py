"""What the filings of a company state: figures invented from a seed, or public ones of a file."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random

HERE = Path(__file__).parent
WORDS: dict[str, Any] = tomllib.loads((HERE / "words.toml").read_text("utf-8"))
METRICS: dict[str, dict[str, Any]] = {m["key"]: m for m in WORDS["metric"]}
FACTS = HERE / "public_facts.jsonl"
GROUP, PARENT, OTHER = "group", "parent", "other"
LOSS_RATE = 0.12
# unit line, base units in one of it, decimals; the first is the usual one and drawn as often as it
# stands here
UNITS = {
    "zh": [("单位：元 币种：人民币", 1.0, 2)] * 6
    + [("单位：人民币千元", 1e3, 0), ("单位：人民币百万元", 1e6, 0), ("单位：万元", 1e4, 2)],
    "en": [("(In millions, except per share amounts)", 1e6, 0)] * 3 + [("(in thousands)", 1e3, 0)],
}


@dataclass(frozen=True, slots=True)
class Period:
    """A year, or its first half."""

    year: int
    half: bool = False

    def before(self, years: int = 1) -> Period:
        """Return the same part of an earlier year; of a later one where `years` is negative."""
        return Period(self.year - years, self.half)


@dataclass(frozen=True, slots=True)
class Key:
    """Which figure: the scope is the group, the parent company alone, or the name of a part."""

    metric: str
    period: Period
    scope: str = GROUP


@dataclass(slots=True)
class Invented:
    """Figures of a company that does not exist, drawn once each."""

    lang: str
    rng: random.Random
    unit: str = field(init=False)
    _scale: float = field(init=False)
    _decimals: int = field(init=False)
    _size: float = field(init=False)
    _values: dict[Key, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.unit, self._scale, self._decimals = self.rng.choice(UNITS[self.lang])
        self._size = 10 ** self.rng.uniform(8.6 if self.lang == "zh" else 9.4, 11.0)

    def value(self, key: Key) -> float:
        """Return a figure in base units, the same whenever it is asked for."""
        if key not in self._values:
            self._values[key] = self._draw(key.metric)
        return self._values[key]

    def _draw(self, metric: str) -> float:
        shape = METRICS.get(metric, {"kind": "amount", "signed": True})
        kind, rng = shape["kind"], self.rng
        if kind in ("share", "percent"):
            return rng.uniform(0.05, 9) if kind == "share" else rng.uniform(1, 48)
        if kind == "count":
            return float(rng.randint(400, 90_000))
        size = self._size * (1.0 if metric == "revenue" else 10 ** rng.uniform(-1.7, -0.1))
        size *= rng.uniform(0.7, 1.3)
        return -size if shape.get("signed") and rng.random() < LOSS_RATE else size

    def _print(self, metric: str, value: float) -> str:
        kind = METRICS.get(metric, {"kind": "amount"})["kind"]
        if kind == "amount":
            return number(value / self._scale, self._decimals, self.lang)
        return number(value, 0 if kind == "count" else 2, self.lang)

    def printed(self, key: Key) -> str:
        """Return a figure as a table of this company prints it."""
        return self._print(key.metric, self.value(key))

    def loose(self, metric: str) -> str:
        """Return a figure that answers nothing: of a part, a quarter, an unnamed row."""
        return self._print(metric, self._draw(metric))

    def told(self, key: Key, rng: random.Random) -> str:
        """Return a figure as prose tells it, with its unit."""
        if METRICS[key.metric]["kind"] != "amount":
            return self.printed(key)
        value = self.value(key)
        if self.lang == "en":
            return f"${number(value / 1e6, 0, 'en')} million"
        word, scale = rng.choice([("亿元", 1e8), ("万元", 1e4), ("元", 1.0)])
        return f"{number(value / scale, 2, 'zh')}{word}"


def number(value: float, decimals: int, lang: str) -> str:
    """Return a figure with separators; an English loss stands in parentheses."""
    text = f"{abs(value):,.{decimals}f}"
    if value >= 0:
        return text
    return f"({text})" if lang == "en" else f"-{text}"


@dataclass(frozen=True, slots=True)
class Public:
    """Figures that are known from public filings, in the unit they are published in."""

    unit: str
    figures: dict[Key, str]

    def printed(self, key: Key) -> str | None:
        """Return a figure as it was published."""
        return self.figures.get(key)


@dataclass(frozen=True, slots=True)
class Company:
    """A company, the name it has in the other language, and its figures."""

    name: str
    other_name: str
    lang: str
    ledger: Invented | Public

    @property
    def words(self) -> dict[str, Any]:
        """Return the words of the company's language."""
        found: dict[str, Any] = WORDS[self.lang]
        return found


def public_companies(path: Path = FACTS) -> list[Company]:
    """Return the companies of the facts file with what it tells of each, in its order."""
    found: dict[str, Company] = {}
    for line in path.read_text("utf-8").splitlines():
        fact = json.loads(line)
        name = fact["company"]
        if name not in found:
            figures = Public(fact["unit"], {})
            found[name] = Company(name, fact["other_name"], fact["lang"], figures)
        ledger = found[name].ledger
        if not isinstance(ledger, Public) or ledger.unit != fact["unit"]:
            raise ValueError(f"facts on {name} are in two units: write all of them in one")
        key = Key(fact["metric"], Period(fact["period"]), fact.get("part", GROUP))
        ledger.figures[key] = fact["value"]
    return list(found.values())
