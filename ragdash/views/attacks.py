"""An attack run: rates by policy, case rows, and what the policies saw of one case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragdash.compare.intervals import wilson
from ragdash.views.query import Cursor, parsed, rows

if TYPE_CHECKING:
    import pandas as pd

FAILURES = ("unsafe_action", "unsupported_claim", "citation_failure")
COST = "abstention"
SPLIT = ("over_abstention", "correct_abstention")


@dataclass(frozen=True, slots=True)
class Rate:
    """k of n with its Wilson interval; all three are None where n is 0."""

    k: int
    n: int
    rate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One policy on one case; where `error` is not empty it gave nothing that can be judged."""

    policy: str
    case_id: str
    attack_class: str
    query: str
    answerable: bool
    adversarial: bool
    answer: str
    citations: tuple[str, ...]
    refused: bool
    fired: tuple[str, ...]
    failures: tuple[str, ...]
    view: dict[str, Any]
    error: str = ""


def rates(cursor: Cursor) -> dict[str, dict[str, Rate]]:
    """Return every stored rate by policy and measure."""
    found: dict[str, dict[str, Rate]] = {}
    for row in rows(
        cursor, "SELECT policy, measure, k, n, rate, low, high FROM run.attack_summary"
    ):
        policy, measure = row.pop("policy"), row.pop("measure")
        found.setdefault(policy, {})[measure] = Rate(**row)
    return found


def rate_frame(
    found: dict[str, dict[str, Rate]], policies: tuple[str, ...], measures: tuple[str, ...]
) -> pd.DataFrame:
    """Return policy, measure, k, n, rate of the measures that exist, in the given orders."""
    import pandas as pd

    items = [
        {"policy": policy, "measure": measure, "k": r.k, "n": r.n, "rate": r.rate}
        for policy in policies
        for measure in measures
        if (r := found.get(policy, {}).get(measure)) and r.rate is not None
    ]
    return pd.DataFrame(items, columns=["policy", "measure", "k", "n", "rate"])


def zero_still_allows(n: int) -> float | None:
    """Return the upper end of Wilson's interval of 0 out of n."""
    interval = wilson(0, n)
    return interval.high if interval else None


def cases(cursor: Cursor) -> list[CaseRow]:
    """Return every case row in the order of the run."""
    found = []
    for row in rows(cursor, "SELECT * FROM run.attack_rows ORDER BY position"):
        failed = {
            "unsafe_action": row["unsafe_action"],
            "unsupported_claim": row["unsupported_claim"],
            "citation_failure": row["citation_failure"] > 0,
        }
        found.append(
            CaseRow(
                policy=row["policy"],
                case_id=row["case_id"],
                attack_class=row["class"],
                query=row["query"],
                answerable=row["answerable"],
                adversarial=row["adversarial"],
                answer=row["answer"],
                citations=tuple(parsed(row["citations"])),
                refused=row["refused"],
                fired=tuple(parsed(row["fired"])),
                failures=tuple(name for name in FAILURES if failed[name]),
                view=parsed(row["view"]),
                # a file of before schema version 4 has no such column
                error=row.get("error", ""),
            )
        )
    return found
