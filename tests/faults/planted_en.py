"""Two invented American companies, two 10-Ks each, as page text; every figure is made up."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planted_zh import Figures

HARBOR, TALLGRASS = "Harbor Mills", "Tallgrass Foods"

# this year's and last year's figure of each report, as printed; in millions but for segments
HARBOR_2023: Figures = {
    "sales": ("8,214.6", "7,903.1"),
    "cost": ("5,077.8", "4,966.4"),
    "gross": ("3,136.8", "2,936.7"),
    "research": ("412.7", "388.2"),
    "operating": ("1,204.5", "1,088.9"),
    "net": ("871.3", "790.6"),
    "minority": ("38.9", "35.2"),
    "parent": ("832.4", "755.4"),
    "adjusted": ("918.7", "806.5"),
    "diluted": ("4.17", "3.74"),
    "basic": ("4.31", "3.88"),
    "one": ("2,906,318", "2,774,052"),
    "two": ("5,308,282", "5,129,048"),
    "alone": ("3,418.2", "3,276.9"),
    "capex": ("318.4", "297.6"),
    "people": ("21,340", "20,815"),
    "restated": ("7,903.1", "7,411.7"),
    "reported": ("7,846.5", "7,388.0"),
}
TALLGRASS_2023: Figures = {
    "sales": ("2,561.9", "2,688.3"),
    "cost": ("1,930.2", "2,114.7"),
    "gross": ("631.7", "573.6"),
    "research": ("54.3", "61.8"),
    "operating": ("97.4", "(143.6)"),
    "net": ("60.8", "(171.5)"),
    "minority": ("4.6", "3.9"),
    "parent": ("56.2", "(175.4)"),
    "adjusted": ("83.1", "(92.7)"),
    "diluted": ("0.71", "(2.24)"),
    "basic": ("0.72", "(2.26)"),
    "one": ("1,402,775", "1,511,360"),
    "two": ("1,159,125", "1,176,940"),
    "alone": ("918.6", "977.2"),
    "capex": ("88.5", "112.3"),
    "people": ("7,905", "8,630"),
    "restated": ("2,688.3", "2,540.1"),
    "reported": ("2,641.7", "2,522.4"),
}
SEGMENTS = {HARBOR: ("Marine", "Home"), TALLGRASS: ("Snacks", "Frozen")}
BUSINESS = {
    HARBOR: "makes engines for pleasure boats and hand tools for the home",
    TALLGRASS: "mills grain and sells snacks and frozen meals to grocers",
}


def before(figures: Figures) -> Figures:
    """Figures of the report of the year before, with what it had first reported as sales."""
    return {
        **{key: (last, "9" + last.strip("()")[1:]) for key, (_, last) in figures.items()},
        "sales": (figures["reported"][0], figures["reported"][1]),
    }


def _table(head: str, unit: str, columns: str, rows: list[tuple[str, tuple[str, str]]]) -> str:
    lines = [f"{label} | {now} | {last}" for label, (now, last) in rows]
    return "\n".join([head, unit, columns, *lines])


def en_report(company: str, year: int, f: Figures) -> list[str]:
    """The pages of one 10-K, from page 1."""
    one, two = SEGMENTS[company]
    years = f"Fiscal year | {year} | {year - 1}"
    return [
        f"{company}, Inc.\nForm 10-K\nAnnual report for the fiscal year ended December 31, {year}.",
        f"Item 1. Business\n{company} {BUSINESS[company]}. "
        f"At the end of the year we had {f['people'][0]} employees, compared with "
        f"{f['people'][1]} a year earlier.",
        "Item 7. Management's Discussion and Analysis\n"
        f"Capital expenditures were ${f['capex'][0]} million in {year}, compared with "
        f"${f['capex'][1]} million in {year - 1}. We expect demand to stay uneven.\n"
        f"Research and development was ${f['research'][0]} million in {year}.\n"
        f"Adjusted net income was ${f['adjusted'][0]} million in {year}.",
        _table(
            "Consolidated Statements of Operations",
            "(In millions, except per share amounts)",
            years,
            [
                ("Total net sales", f["sales"]),
                ("Cost of sales", f["cost"]),
                ("Gross profit", f["gross"]),
                ("Research and development", f["research"]),
                ("Operating income (loss)", f["operating"]),
                ("Net income (loss)", f["net"]),
                ("Net income attributable to noncontrolling interests", f["minority"]),
                ("Net income (loss) attributable to common shareholders", f["parent"]),
                ("Basic earnings per share", f["basic"]),
                ("Diluted earnings per share", f["diluted"]),
            ],
        ),
        _table(
            "Segment Information",
            "(In thousands)",
            f"Net sales by segment | {year} | {year - 1}",
            [(f"{one} segment net sales", f["one"]), (f"{two} segment net sales", f["two"])],
        ),
        _table(
            "Schedule I. Condensed Financial Information of Registrant (Parent Company Only)",
            "(In millions)",
            years,
            [("Total net sales", f["alone"])],
        ),
        _table(
            "Note 2. Restatement of Previously Issued Financial Statements",
            "(In millions)",
            f"Fiscal year {year - 1} | As restated | As previously reported",
            [("Total net sales", (f["restated"][0], f["reported"][0]))],
        ),
        "Item 9A. Controls and Procedures\nManagement concluded that disclosure controls were "
        "effective at the reasonable assurance level.",
    ]
