"""The formats of an export; page and command write the same bytes through here."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from ragdash.core.fingerprint import digest
from ragdash.export import lines, parquet, report, table
from ragdash.export.columns import columns
from ragdash.export.records import metrics_of, records
from ragdash.views.query import rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ragdash.export.asking import Selection
    from ragdash.export.columns import Column

LANGUAGES = ("en", "zh")
_DIGITS = 6


class Format(StrEnum):
    """What a selection is written as; the value is the ending of the file too."""

    CSV = "csv"
    PARQUET = "parquet"
    JSONL = "jsonl"
    HTML = "html"


MIME = {
    Format.CSV: "text/csv",
    Format.PARQUET: "application/vnd.apache.parquet",
    Format.JSONL: "application/jsonl",
    Format.HTML: "text/html",
}


def written(chosen: Selection, format_: Format, lang: str = "en") -> Iterator[bytes]:
    """Yield the file of a selection in pieces: the same bytes for the same rows.

    Args:
        chosen: what is exported.
        format_: as what.
        lang: "en" or "zh", of the words in a report; the other formats have none.
    """
    match format_:
        case Format.CSV:
            return table.written(_columns(chosen), records(chosen))
        case Format.PARQUET:
            return parquet.written(_columns(chosen), records(chosen))
        case Format.JSONL:
            return lines.written(chosen, records(chosen, contexts=True))
        case Format.HTML:
            return report.written(chosen, records(chosen), lang)


def _columns(chosen: Selection) -> list[Column]:
    query = "SELECT DISTINCT metric FROM run.scores WHERE repeat > 0"
    repeated = frozenset(row["metric"] for row in rows(chosen.cursor, query))
    return columns(chosen, metrics_of(chosen), repeated)


def file_name(ref: str, format_: Format, where: str = "", base: str | None = None) -> str:
    """Return what the file of a selection is called: letters, digits, -, _ and . only.

    Another filter or base is another name: a few digits of their digest stand in it.
    """
    kept = "".join(c if c.isalnum() or c in "-_." else "-" for c in ref)
    # After the tag of the digest.
    mark = f"-{digest([where, base]).partition(':')[2][:_DIGITS]}" if where or base else ""
    return f"ragdash-{kept}{mark}.{format_.value}"
