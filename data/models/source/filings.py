"""Passages of a filing as they are indexed: company, report and section, then rows or prose."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from data.models.source.ledger import (
    METRICS,
    OTHER,
    PARENT,
    Company,
    Invented,
    Key,
    Period,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

# of an indexed passage: tables wrap, and windows take in what stands around them
WRAPPED, FLAGGED, LED, PIPED, SPACED = 0.15, 0.25, 0.25, 0.35, 0.04


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage, whose it is, the figures it states as printed, and the sheet it was cut from.

    A table that no known figure fills has no rows.
    """

    text: str
    company: str
    states: Mapping[Key, str]
    sheet: str
    has_rows: bool = True


@dataclass(frozen=True, slots=True)
class Cut:
    """Which rows of a table are kept: those around a metric, or those without it."""

    around: str | None = None
    without: str | None = None


@dataclass(slots=True)
class Filing:
    """One report of a company; passages are drawn from it with the generator given."""

    company: Company
    period: Period
    rng: random.Random
    label: str = field(init=False)

    def __post_init__(self) -> None:
        words = self.company.words
        template = words["half"] if self.period.half else self.rng.choice(words["labels"])
        self.label = template.format(y=self.period.year)

    def table(self, sheet: dict[str, Any], cut: Cut | None = None) -> Passage:
        """Return some rows of a sheet below their unit and header, as a chunk holds them."""
        states: dict[Key, str] = {}
        lines = []
        for label, metric, *part in self._rows(sheet, cut or Cut()):
            cells = self._cells(sheet, metric, part[0] if part else sheet["scope"], states)
            if cells:
                lines.append([label, *cells])
        head = sheet["head"]
        if self.period.half:
            head = head.replace(" {earlier}", "").replace("Fiscal Years", "Six Months")
        rows = [head.format(**self._times()), *self._joined(lines)]
        return self._passage(sheet["section"], rows, states, sheet["name"])

    def _rows(self, sheet: dict[str, Any], cut: Cut) -> list[list[str]]:
        """Return label and metric, and the part where it is of one, of the rows that are kept."""
        if "parts" in sheet:
            names = self.company.words[sheet["parts"]]
            names = [n if isinstance(n, str) else n[0] for n in names]
            return [[n, ""] for n in self.rng.sample(names, self.rng.randint(3, 4))]
        rows: list[list[str]] = [r for r in sheet["rows"] if not r[1] or r[1] != cut.without]
        size = self.rng.randint(4, 7)
        if len(rows) <= size:
            return rows
        last = len(rows) - size
        if cut.around is None:
            start = self.rng.randint(0, last)
        else:
            at = next(i for i, row in enumerate(rows) if row[1] == cut.around)
            start = self.rng.randint(max(0, at - size + 1), min(at, last))
        return rows[start : start + size]

    def _cells(
        self, sheet: dict[str, Any], metric: str, scope: str, states: dict[Key, str]
    ) -> list[str]:
        """Return a row's cells and note what they state; none where a figure is not known."""
        ledger = self.company.ledger
        columns = [c for c in sheet["columns"] if not (c == "earlier" and self.period.half)]
        asked = [r[1] for r in sheet["rows"]] if "parts" in sheet else [metric] * len(columns)
        cells: list[str] = []
        stated: dict[Key, str] = {}
        for i, column in enumerate(columns):
            if column in ("now", "before", "earlier") and metric in METRICS:
                key = Key(metric, self.of(column, metric), scope)
                printed = ledger.printed(key)
                if printed is None:
                    return []
                stated[key] = printed
                cells.append(printed)
            elif isinstance(ledger, Invented):
                cells.append(self._aside(ledger, column, asked[i] if i < len(asked) else ""))
            elif metric not in METRICS:
                # nothing is invented about a company that exists
                return []
        states |= stated
        return cells

    def _aside(self, ledger: Invented, column: str, metric: str) -> str:
        """Return a cell that states nothing: a note's number, a change, a part's figure."""
        if column == "note":
            return str(self.rng.randint(1, 80))
        if column in ("change", "rate"):
            return f"{self.rng.uniform(-30 if column == 'change' else 3, 60):.2f}"
        return ledger.loose(metric.removesuffix(".other"))

    def of(self, column: str, metric: str) -> Period:
        """Return the period of a column; half a year is set beside the last year's end."""
        if column == "before" and self.period.half and METRICS.get(metric, {}).get("stock"):
            return Period(self.period.year - 1)
        return self.period.before({"now": 0, "before": 1, "earlier": 2}[column])

    def note(self, metric: str, scope: str) -> Passage:
        """Return a note that breaks a figure down and closes with its total."""
        words = self.company.words
        section = words["note_section"][scope == PARENT].format(
            n=self.rng.randint(12, 80), m=METRICS[metric][self.company.lang][0]
        )
        ledger = self._invented
        parts = self.rng.sample(words["parts"], self.rng.randint(3, 5))
        lines = [[part, ledger.loose(""), ledger.loose("")] for part in parts]
        states = {
            Key(metric, self.of(c, metric), scope): ledger.printed(
                Key(metric, self.of(c, metric), scope)
            )
            for c in ("now", "before")
        }
        lines.append([words["note_total"], *states.values()])
        head = words["note_head"].format(**self._times())
        return self._passage(section, [head, *self._joined(lines)], states, "note")

    def prose(self, template: str) -> Passage:
        """Return a sentence that tells figures, among sentences that tell none."""
        states: dict[Key, str] = {}
        text = template
        for name in METRICS:
            if f"{{metric:{name}}}" in text:
                key = Key(name, self.period)
                states[key] = self._invented.told(key, self.rng)
                text = text.replace(f"{{metric:{name}}}", states[key])
        while "{" in text:
            for name, value in (
                ("{percent}", f"{self.rng.uniform(1, 60):.2f}%"),
                ("{count}", f"{self.rng.randint(100, 9000):,}"),
                ("{amount}", self._invented.loose("")),
            ):
                text = text.replace(name, value, 1)
        noise = self.rng.sample(self.company.words["noise"], 2)
        lines = [noise[0], text, noise[1]][self.rng.randint(0, 1) :]
        return self._passage("", lines, states, "prose")

    @property
    def _invented(self) -> Invented:
        ledger = self.company.ledger
        if not isinstance(ledger, Invented):
            raise TypeError(f"{self.company.name} exists: no prose is made up about it")
        return ledger

    def noise(self) -> Passage:
        """Return sentences that name metrics and state none."""
        return self._passage("", self.rng.sample(self.company.words["noise"], 3), {}, "noise")

    def _joined(self, rows: Sequence[Sequence[str]]) -> list[str]:
        mark = " | " if self.rng.random() < PIPED else " "
        lines = []
        for label, *cells in rows:
            wrapped = "\n" if self.rng.random() < WRAPPED else mark
            # as the narrow columns of some reports are read
            spaced = self.company.lang == "zh" and self.rng.random() < SPACED
            lines.append(f"{' '.join(label) if spaced else label}{wrapped}{mark.join(cells)}")
        return lines

    def _passage(
        self, section: str, lines: Sequence[str], states: dict[Key, str], name: str
    ) -> Passage:
        words, rng = self.company.words, self.rng
        head = f"{self.company.name} {self.label}" + (f" {section}" if section else "")
        text = [head]
        # not even a common sentence is put into the mouth of a company that exists
        invented = isinstance(self.company.ledger, Invented)
        if section and invented and rng.random() < LED:
            text.append(rng.choice(words["noise"]))
        if section and invented and rng.random() < FLAGGED:
            text.append(rng.choice(words["flags"]))
        if section:
            text.append(self.company.ledger.unit)
        filled = len(lines) > 1 or not section
        body = indexed("\n".join([*text, *lines]))
        return Passage(body, self.company.name, states, name, filled)

    def _times(self) -> dict[str, str]:
        year, half = self.period.year, self.period.half
        if self.company.lang == "en":
            at = [f"June 30, {y}" if half else str(y) for y in (year, year - 1, year - 2)]
            return dict(zip(("now", "before", "earlier"), at, strict=True)) | {
                "end": at[0],
                "before_end": str(year - 1) if not half else f"December 31, {year - 1}",
            }
        part = "年1-6月" if half else self.rng.choice(["年", "年度"])
        return {
            "now": f"{year}{part}",
            "before": f"{year - 1}{part}",
            "earlier": f"{year - 2}{part}",
            "end": f"{year}年{'6月30日' if half else '12月31日'}",
            "before_end": f"{year - 1}年12月31日",
        }


def indexed(text: str) -> str:
    """Return a text as a chunk of it is indexed: lines of Chinese run on into one another."""
    return re.sub("(?<=[\u4e00-\u9fff）])\n(?=[\u4e00-\u9fff（])", "", text)


def sheets(company: Company, scope: str | None = None) -> list[dict[str, Any]]:
    """Return the tables of a filing in the company's language, or those of one scope."""
    return [s for s in company.words["sheet"] if scope in (None, s["scope"])]


def asks(sheet: dict[str, Any]) -> list[str]:
    """Return the metrics that a sheet has rows for and a question may name."""
    if sheet["scope"] == OTHER:
        return []
    return [r[1] for r in sheet["rows"] if r[1] in METRICS]
