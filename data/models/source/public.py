"""Passages made of public facts: every figure in them is one of the facts file, none is made up."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from data.models.source.filings import Cut, Filing, sheets
from data.models.source.ledger import GROUP, OTHER, Public

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from data.models.source.ledger import Company, Key
    from data.models.source.traps import Trap, Wanted

COLUMNS = (["now"], ["now", "before"], ["now", "before", "earlier"])
PARTS = {"zh": "营业收入构成", "en": "Revenue by product and segment"}


def known_keys(company: Company) -> list[Key]:
    """Return the figures that are known of a company that exists."""
    ledger = company.ledger
    if not isinstance(ledger, Public):
        raise TypeError(f"{company.name} is invented: its tables are those of words.toml")
    return list(ledger.figures)


def public_tables(company: Company, rng: random.Random) -> list[dict[str, Any]]:
    """Return the tables that a company's facts can fill, each with some of the year columns."""
    keys = known_keys(company)
    known = {key.metric for key in keys if key.scope == GROUP}
    tables = [
        {**sheet, "rows": [r for r in sheet["rows"] if r[1] in known]}
        for sheet in sheets(company, GROUP)
    ]
    parts = dict.fromkeys(key.scope for key in keys if key.scope != GROUP)
    if parts:
        rows = [[part, "revenue", part] for part in parts]
        tables.append(
            {"name": "parts", "scope": OTHER, "section": PARTS[company.lang], "rows": rows}
        )
    return [
        {**table, "columns": (columns := rng.choice(COLUMNS)), "head": _head(columns)}
        for table in tables
        if table["rows"]
    ]


def _head(columns: Sequence[str]) -> str:
    return " ".join(f"{{{column}}}" for column in columns)


def public_traps(wanted: Wanted, companies: Sequence[Company]) -> list[list[Trap]]:
    """Return the wrong passages beside a public fact, kind by kind."""
    key, report = wanted.key, wanted.filing
    company, rng = report.company, report.rng
    others = [c for c in companies if c.lang == company.lang and c.name != company.name]
    years = [Filing(company, key.period.before(n), rng) for n in (1, -1, 2, -2)]
    rest = [t for t in public_tables(company, rng) if t["name"] != wanted.sheet["name"]]
    return [
        [("other period", partial(f.table, wanted.sheet, wanted.cut)) for f in years],
        [
            ("same report", partial(report.table, t, Cut(without=key.metric)))
            for t in [wanted.sheet, *rest]
        ],
        [
            ("other company", partial(f.table, t))
            for c in rng.sample(others, min(5, len(others)))
            for f in [Filing(c, key.period, rng)]
            for t in public_tables(c, rng)
        ],
        [("segment", partial(report.table, t)) for t in rest],
    ]
